"""Out of memory: the n-th allocation of every command fails, once or from there on."""

import os
import re

from trial import COMMANDS, SANITIZED, Reference, Trial, is_hidden, lost_or_left, one_sentence


def judge(trial, reference, code, out, said):
    listing = trial.listing()
    if code is None:
        return "it hangs"
    if code < 0:
        return "it ends by signal %d: %r" % (-code, said[-300:])
    if code == 0:
        return reference.differs(out, listing)
    several = "several" in trial.command.name
    wrong = one_sentence(said, several)
    if wrong:
        return wrong
    if code != 1:
        return "exit code %d, not 1: %r" % (code, said)
    text = [line for line in said.decode(errors="replace").splitlines() if line.startswith("sistrum: ")]
    if not all("memory" in line for line in text if "skipped" not in line):
        return "it says %r" % said
    if trial.command.name == "repro":  # an item draws its figures before it sends its result: they are whole, and stay
        listing = {name: content for name, content in listing.items() if is_hidden(name) or not name.startswith("r/")}
    return lost_or_left(trial, listing, reference.files)


def is_known(who, code, said):
    """libsndfile 1.2.0 does not look whether it got the memory for the state of its FLAC encoder and for the title: two
    places of a few bytes. It crashes there, or forgets the title, which sanitizers tell. The program asks for more
    memory than that just before."""
    if not os.path.exists(who):
        return False
    with open(who) as f:
        if not is_theirs(f.read()):
            return False
    # A crash is where they are, a leak what they asked for; frames of the allocator itself come first.
    stacks = re.findall(r"    #0 (?:.*\n    #\d+ )*.*", said.decode(errors="replace"))
    inner = [next((f for f in s.splitlines() if "interceptor" not in f and "shim.so" not in f), "") for s in stacks]
    return code < 0 or (bool(inner) and all(map(is_theirs, inner)))


def is_theirs(text):
    return "libsndfile" in text or "libFLAC" in text


def places(campaign, reference, most):
    """All numbers of allocations when there are few; else the first, the last, and some between."""
    n = reference.allocations
    if n <= most:
        return range(1, n + 1)
    edge = most // 4
    middle = campaign.random.sample(range(edge + 1, n - edge + 1), most - 2 * edge)
    return sorted([*range(1, edge + 1), *middle, *range(n - edge + 1, n + 1)])


def run(campaign, only=None, most=None):
    for command in COMMANDS:
        if only and only not in command.name:
            continue
        reference = Reference(campaign, command)
        if campaign.short:
            number = 4 if command.slow else 8 if SANITIZED else 16
        else:
            number = most or (200 if SANITIZED or command.slow else 1500)

        def attempt(way, command=command, reference=reference):
            trial = Trial(campaign, command)
            who = trial.folder + "-who"
            code, out, said = trial.run(ALLOC=way, WHO=who)
            crashed = code is not None and (code < 0 or b"ERROR: " in said)
            if crashed and "FLAC" in command.name and is_known(who, code, said):
                campaign.count("  known: libsndfile's FLAC does not look", None, way)
            else:
                campaign.count("allocations: " + command.name, judge(trial, reference, code, out, said), "ALLOC=" + way)
            trial.close()
        ways = ["%d%s" % (n, mode) for n in places(campaign, reference, number) for mode in ("", "+")]
        campaign.each(attempt, ways)
