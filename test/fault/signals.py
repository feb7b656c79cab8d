"""Signals at random moments, and just before every call that touches the file system."""

import random
import signal
import subprocess
import time

from trial import SANITIZED, SIGNALS, TIMEOUT, Command, Reference, Trial, is_hidden, lost_or_left
from files import BY_NAME

RENDER = Command("render", "render bounce.lua -o a.wav --data a.npy --energy a.csv --json a.json --quiet",
                 ("a.wav", "a.npy", "a.csv", "a.json"))


def judge(trial, reference, code, number, said):
    if code not in (0, 1, -number) or (code == 1 and number != signal.SIGKILL and not said):
        return "exit code %s: %r" % (code, said[-300:])
    killed = code == -signal.SIGKILL
    listing = trial.listing()
    if killed:
        kept = {name: content for name, content in listing.items() if not is_hidden(name)}
        lost = lost_or_left(trial, kept, reference.files, partly=True)
        if lost and "lost" not in lost:
            return lost  # a file that was moved aside comes back with the next run
        code, _, said = trial.run()
        if code != 0:
            return "the next run fails: %r" % said
        listing = trial.listing()
        left = [name for name in listing if is_hidden(name)]
        if left:
            return "the next run leaves %s" % left
    return lost_or_left(trial, listing, reference.files)


def at_moments(campaign, only):
    duration = "0.5" if not SANITIZED else "0.1"
    for command in (RENDER, BY_NAME["render, several scenes"], BY_NAME["render --midi"]):
        if only and only not in command.name:
            continue
        times, reference = [], None
        for _ in range(3):
            trial = Trial(campaign, command, duration=duration)
            start = time.monotonic()
            trial.run()
            times.append(time.monotonic() - start)
            trial.close()
        reference = Reference(campaign, command, duration)
        most = max(times) * 1.2
        each = (1 if SANITIZED else 2) if campaign.short else 50
        numbers = [*SIGNALS, signal.SIGKILL]
        if campaign.short and command is not RENDER:
            numbers = [signal.SIGTERM, signal.SIGKILL]
        elif command is not RENDER and SANITIZED:
            each = 10

        def attempt(way, command=command, reference=reference):
            number, wait, old = way
            trial = Trial(campaign, command, old=old, duration=duration)
            run = trial.start()
            time.sleep(wait)
            run.send_signal(number)
            try:
                _, said = run.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                run.kill()
                said = b"it hangs"
            wrong = judge(trial, reference, run.returncode, number, said)
            name = "killed" if number == signal.SIGKILL else "signals"
            campaign.count("%s at random moments: %s" % (name, command.name), wrong, "%s after %.4f s" % (number.name, wait))
            trial.close()
        ways = [(number, campaign.random.random() * most, campaign.random.random() < 0.7)
                for number in numbers for _ in range(each)]
        campaign.each(attempt, ways)


def at_calls(campaign, only):
    for name in ("render", "render, several scenes", "render --midi", "compare", "new"):
        command = BY_NAME[name]
        if only and only not in command.name:
            continue
        reference = Reference(campaign, command)
        calls = range(1, reference.calls + 1)
        if campaign.short:
            calls = campaign.random.sample(calls, min(len(calls), 4 if SANITIZED else 12))
        numbers = [signal.SIGKILL, signal.SIGTERM] if campaign.short else [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP,
                                                                           signal.SIGXCPU]
        ways = [(n, number) for n in calls for number in numbers]
        if SANITIZED and not campaign.short:
            ways = random.Random(1).sample(ways, min(len(ways), 150))

        def attempt(way, command=command, reference=reference):
            n, number = way
            trial = Trial(campaign, command)
            code, _, said = trial.run(SIGNAL="%d:%d" % way)
            kind = "killed" if number == signal.SIGKILL else "signals"
            campaign.count("%s before file calls: %s" % (kind, command.name), judge(trial, reference, code, number, said),
                           "%s before call %d" % (number.name, n))
            trial.close()
        campaign.each(attempt, ways)


def run(campaign, only=None):
    at_calls(campaign, only)
    at_moments(campaign, only)
