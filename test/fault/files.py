"""Files: calls that fail, disks that are full or fill up, folders that cannot be written or vanish."""

import errno
import os
import resource
import subprocess
import tempfile
import time

from trial import (COMMANDS, SANITIZED, Command, Reference, Trial, is_hidden, lost_or_left, one_sentence)

BY_NAME = {command.name: command for command in COMMANDS}
WRITERS = [BY_NAME[name] for name in ("render", "render, normalised FLAC", "render, several scenes", "render --midi", "compare",
                                      "new", "plugin") if name in BY_NAME]


def judge(trial, reference, code, out, said, partly=False, hidden=False, must_fail=False):
    """What must hold after a run whose files failed; `hidden`: what it could not remove may wait for the next run."""
    if code is None:
        return "it hangs"
    if code < 0:
        return "it ends by signal %d: %r" % (-code, said[-300:])
    if code == 0 and must_fail:
        return "it claims success"
    if code not in (0, 1) and not (code == 3 and b"cannot read" in said):
        return "exit code %d: %r" % (code, said)
    if code != 0:
        wrong = one_sentence(said, "several" in trial.command.name)
        if wrong:
            return wrong
    listing = trial.listing()
    if hidden and any(is_hidden(name) for name in listing):
        if trial.run()[0] != 0:
            return "the next run fails"
        listing = trial.listing()
        if any(is_hidden(name) for name in listing):
            return "the next run leaves what was left: %s" % sorted(listing)
    if code == 0 and not hidden:
        return reference.differs(out, listing)
    return lost_or_left(trial, listing, reference.files, partly)


# ---------------------------------------------------------------------------- the n-th call fails

def failing_calls(campaign, only):
    for command in WRITERS:
        if only and only not in command.name:
            continue
        reference = Reference(campaign, command)
        numbers = list(range(1, reference.calls + 1))
        if campaign.short:
            numbers = campaign.random.sample(numbers, min(len(numbers), 4 if SANITIZED else 10))
        ways = [(n, more, why) for n in numbers for more in ("", "+")
                for why in ((errno.EIO,) if campaign.short else (errno.EIO, errno.ENOSPC, errno.EACCES))]
        if SANITIZED and not campaign.short:
            ways = campaign.random.sample(ways, min(len(ways), 150))

        def attempt(way, command=command, reference=reference):
            n, more, why = way
            trial = Trial(campaign, command)
            result = trial.run(CALL="%d%s:%d" % (n, more, why))
            wrong = judge(trial, reference, *result, partly=bool(more), hidden=True)
            campaign.count("file calls: " + command.name, wrong, "CALL=%d%s:%d" % way)
            trial.close()
        campaign.each(attempt, ways)


# ---------------------------------------------------------------------------- full disks

def is_mounted(campaign):
    return getattr(campaign, "mounts", False)


def small_disk(campaign, kilobytes):
    place = tempfile.mkdtemp(prefix="disk-", dir=campaign.work)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % kilobytes, "sistrum", place], check=True)
    return place


def away(place):
    subprocess.run(["umount", "-l", place], check=False)


LONG = Command("render, 4 s", "render bounce.lua -o a.wav --data a.npy --energy a.csv --json a.json --quiet",
               ("a.wav", "a.npy", "a.csv", "a.json"))


def full_disks(campaign, only):
    """Too small from the start: refused with both numbers, or it fits."""
    reference = Reference(campaign, BY_NAME["render"])
    sizes = [4 * k for k in range(13, 60, 7 if campaign.short else 1)]

    def attempt(size):
        place = small_disk(campaign, size)
        trial = Trial(campaign, BY_NAME["render"], place=place)
        code, out, said = trial.run()
        wrong = judge(trial, reference, code, out, said)
        if code == 1 and not wrong and (b"no room" not in said or said.count(b"B") < 2):
            wrong = "it says %r" % said
        campaign.count("disks that are too small", wrong, "%d kB" % size)
        trial.close()
        away(place)
    campaign.each(attempt, sizes)


def hidden_bytes(folder):
    """What a run has written so far."""
    total = 0
    for entry in os.scandir(folder):
        try:
            total += entry.stat().st_size if is_hidden(entry.name) else 0
        except FileNotFoundError:  # done
            pass
    return total


def filling_disks(campaign, only):
    """Room enough at the start; then somebody else takes it."""
    def attempt(part):
        place = small_disk(campaign, 16384)
        trial = Trial(campaign, LONG, place=place, duration="4")
        run = trial.start(before_exec=lambda: os.nice(5))
        deadline = time.monotonic() + 20
        while run.poll() is None and time.monotonic() < deadline:
            if hidden_bytes(trial.folder) >= part:
                break
        try:
            with open(os.path.join(place, "filler"), "wb", buffering=0) as f:
                while True:
                    f.write(bytes(65536))
        except OSError:
            pass
        out, said = run.communicate(timeout=60)
        code = run.returncode
        listing = trial.listing()
        if code == 0:
            wrong = "hidden files are left" if any(is_hidden(name) for name in listing) else None
        elif code == 1:
            wrong = one_sentence(said) or ("something changed" if listing != trial.before else None)
        else:
            wrong = "exit code %d: %r" % (code, said)
        campaign.count("disks that fill up", wrong, "after %d bytes" % part)
        trial.close()
        away(place)

    for part in [campaign.random.randrange(0, 5000000) for _ in range(3 if campaign.short else 40)]:
        attempt(part)


def file_limits(campaign, only):
    """A quota: no file may be larger than this."""
    reference = Reference(campaign, BY_NAME["render"])
    largest = max(len(content) for name, content in reference.files.items() if isinstance(content, bytes)
                  and name in BY_NAME["render"].outputs)
    limits = [campaign.random.randrange(1, largest) for _ in range(5 if campaign.short else 60)]

    def attempt(limit):
        trial = Trial(campaign, BY_NAME["render"])
        result = trial.run(before_exec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        campaign.count("limits of file sizes", judge(trial, reference, *result, must_fail=True), "%d bytes" % limit)
        trial.close()
    campaign.each(attempt, limits)


# ---------------------------------------------------------------------------- folders

def readonly_folders(campaign, only):
    for command in WRITERS:
        reference = Reference(campaign, command)
        if is_mounted(campaign):
            place = small_disk(campaign, 4096)
            trial = Trial(campaign, command, place=place)
            subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        elif os.geteuid() == 0:
            continue  # root writes where it likes
        else:
            trial = Trial(campaign, command)
            for folder in (trial.folder, trial.path("out")):
                if os.path.isdir(folder):
                    os.chmod(folder, 0o555)
        result = trial.run()
        campaign.count("folders that cannot be written", judge(trial, reference, *result, must_fail=True), command.name)
        if is_mounted(campaign):
            away(place)
        else:
            os.chmod(trial.folder, 0o755)
        trial.close()


VANISH = Command("render into two folders", "render bounce.lua -o a.wav --data b.npy --energy gone/a.csv --json gone/a.json",
                 ("a.wav", "b.npy", "gone/a.csv", "gone/a.json"))


def vanishing_folders(campaign, only):
    def attempt(wait):
        trial = Trial(campaign, VANISH, duration="4")
        run = trial.start()
        while run.poll() is None and not any(is_hidden(n) for n in os.listdir(trial.path("gone"))):
            time.sleep(0.001)
        time.sleep(wait)
        os.rename(trial.path("gone"), trial.folder + "-gone")
        out, said = run.communicate(timeout=120)
        code = run.returncode
        if code == 0:  # it was done before
            campaign.count("folders that vanish", None, "done")
        else:
            os.rename(trial.folder + "-gone", trial.path("gone"))
            listing = {n: c for n, c in trial.listing().items() if not (n.startswith("gone/") and is_hidden(n))}
            wrong = one_sentence(said) if code == 1 else "exit code %d: %r" % (code, said)
            if not wrong and listing != trial.before:
                wrong = "something changed: %s" % sorted(set(listing) ^ set(trial.before))
            campaign.count("folders that vanish", wrong, "after %g s" % wait)
        trial.close()
    campaign.each(attempt, [campaign.random.random() * 0.03 for _ in range(3 if campaign.short else 50)])


def run(campaign, only=None):
    failing_calls(campaign, only)
    if only:
        return
    file_limits(campaign, only)
    vanishing_folders(campaign, only)
    readonly_folders(campaign, only)
    if is_mounted(campaign):
        full_disks(campaign, only)
        filling_disks(campaign, only)
