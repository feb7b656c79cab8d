"""Studies: memory and file calls that fail, and signals, in the middle of one. A study that ended so says one sentence,
and the same command goes on to the same rows and the same shards."""

import errno
import os
import signal

from trial import SANITIZED, Command, Trial, one_sentence

STUDIES = [
    Command("sweep", "sweep bounce.lua -o a.db --axis K=1e4:1e9:log:12 --measure peak,rms,residual --csv a.csv --quiet "
            "--threads 1"),
    Command("sweep, threads and sounds", "sweep bounce.lua -o a.db --random 12 --measure peak,centroid,pitch --csv a.csv "
            "--sounds wav --shard 4 --quiet --threads 2"),
    Command("fit", "fit bounce.lua -o a.db --target target.wav --target max_force=20 --free K --runs 24 --csv a.csv "
            "--quiet --threads 2"),
    Command("sweep merge", "sweep merge all.db a.db b.db --csv a.csv --quiet"),
]
TARGET = "render bounce.lua --set K=1e6 --duration 0.05 -o target.wav --quiet"
PARTS = ["sweep bounce.lua -o %s.db --random 9 --measure peak --index %d/2 --quiet" % (name, i + 1)
         for i, name in enumerate("ab")]


def results(trial):
    """What a study has made, but for the database, in which there are times."""
    return {name: content for name, content in trial.listing().items()
            if name.endswith(".csv") or "-shards/" in name and not name.endswith(".db")}


class Study(Trial):
    def __init__(self, campaign, command):
        super().__init__(campaign, command)
        if command.name == "fit":
            self.command = Command("target", TARGET)
            if self.run()[0] != 0:
                raise SystemExit("the target of a fit does not work at all")
            self.command = command
        if "merge" not in command.name:
            return
        for name, part in zip("ab", PARTS):
            self.command = Command("part", part)
            if self.run()[0] != 0:
                raise SystemExit("the parts of a study do not work at all")
            os.rename(self.path("%s-%d-of-2.db" % (name, 1 + "ab".index(name))), self.path(name + ".db"))
        self.command = command


def judge(trial, whole, code, said, memory):
    """What must hold after a fault, and after the same command without one."""
    if code is None:
        return "it hangs"
    if code < 0:
        return "it ends by signal %d: %r" % (-code, said[-300:])
    unread = (code == 3 and b"cannot read the scene" in said) or (code == 2 and b"cannot read the sound 'target.wav'" in said)
    if code not in (0, 1) and not unread:
        return "exit code %d: %r" % (code, said)
    if code != 0:
        wrong = one_sentence(said)
        if wrong:
            return wrong
        if memory and b"memory" not in said and b"thread" not in said:
            return "it says %r" % said
    if code == 0 and results(trial) != whole:
        return "it claims success"
    return goes_on(trial, whole)


def goes_on(trial, whole):
    code, _, said = trial.run()
    if code != 0:
        return "the next run fails: %r" % said
    if results(trial) != whole:
        return "the next run makes other rows or shards"
    left = [name for name in trial.listing() if name.endswith((".tmp", "-wal", "-shm", "-journal"))]
    return "%s are left" % left if left else None


def spread(campaign, count, most):
    return sorted(campaign.random.sample(range(1, count + 1), min(count, most)))


def run(campaign, only=None):
    for command in STUDIES:
        if only and only not in command.name:
            continue
        trial = Study(campaign, command)
        report = trial.folder + "-report"
        code, _, said = trial.run(REPORT=report)
        if code != 0:
            raise SystemExit("%s does not work at all: %s" % (command.name, said.decode(errors="replace")))
        whole = results(trial)
        trial.close()
        with open(report, encoding="ascii") as f:
            allocations, calls = map(int, f.read().split())
        most = (3 if SANITIZED else 5) if campaign.short else 400

        def attempt(way, command=command, whole=whole):
            kind, value = way
            trial = Study(campaign, command)
            code, _, said = trial.run(**{kind: value})
            wrong = judge(trial, whole, code, said, kind == "ALLOC")
            campaign.count("%s: %s" % ("allocations" if kind == "ALLOC" else "file calls", command.name), wrong,
                           "%s=%s" % way)
            trial.close()
        ways = [("ALLOC", "%d%s" % (n, more)) for n in spread(campaign, allocations, most) for more in ("", "+")]
        ways += [("CALL", "%d%s:%d" % (n, more, why)) for n in spread(campaign, calls, most) for more in ("", "+")
                 for why in ((errno.EIO,) if campaign.short else (errno.EIO, errno.ENOSPC, errno.EACCES))]
        campaign.each(attempt, ways)
        if "merge" not in command.name:
            signals(campaign, command, whole)


def signals(campaign, command, whole):
    """At any moment; the study goes on after it."""
    def attempt(number):
        trial = Study(campaign, command)
        child = trial.start()
        try:
            child.wait(campaign.random.random() * (1 if SANITIZED else 0.2))
        except Exception:  # it still runs
            child.send_signal(number)
        child.communicate()
        wrong = None if child.returncode in (0, -number) else "exit code %d" % child.returncode
        campaign.count("signals: " + command.name, wrong or goes_on(trial, whole), "signal %d" % number)
        trial.close()
    campaign.each(attempt, [signal.SIGKILL, signal.SIGTERM, signal.SIGINT] * (1 if campaign.short else 100))
