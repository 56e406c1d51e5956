# SPDX-License-Identifier: GPL-2.0-only
"""Is the judge right? Small programs in stubs/ do one thing wrong each when a call of theirs is refused, or nothing."""

import dataclasses
import os

import trial
import verdict
from choice import Refusal
from runs import Run

STUBS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stubs")
HANGS_S = 3
USUAL_WALK = frozenset({"unwind tables"})

# What each must be judged, with EPERM for its chdir.
EXPECTED = {
    "good": "refused",
    "goes_on": "ok",
    "tells": "says",
    "crashes": "crash",
    "helper_crashes": "crash",
    "hangs": "hang",
    "leaves_file": "leftover",
    "leaves_wrongly": "leftover",
    "leaves_and_tells": "says",
    "leaves_process": "leftover",
    "unbalanced": "unbalanced",
    "other_sum": "unbalanced",
    "broken_off": "unbalanced",
    "other_status": "undocumented",
    "silent": "silent",
    "counts_nothing": "silent",
    "walks_otherwise": "silent",
    "loses_ability": "says",
    "loses_wrongly": "false",
    "two_lines": "lines",
    "wrong_words": "false",
    "wrong_object": "vague",
    "no_cause": "vague",
    "notes_wrongly": "false",
    "reaches_nothing": "not reached",
}


def check(place, pool):
    """How many were judged rightly, and wrongly."""
    own = dataclasses.replace(place, program="/bin/sh", hangs_s=HANGS_S)

    def judged(name):
        run = Run(name, (os.path.join(STUBS, f"{name}.sh"), "{dir}"))
        refusal = Refusal(name, "chdir", "EPERM", 1)
        return verdict.judge(run, refusal, trial.perform(own, run, refusal), verdict.Usual(unwinding=USUAL_WALK))

    failed = 0
    for name, (word, reason) in zip(EXPECTED, pool.map(judged, EXPECTED)):
        if word != EXPECTED[name]:
            failed += 1
            print(f"FAIL planted fault {name}: judged {word} ({reason}), is {EXPECTED[name]}")
    print(f"{len(EXPECTED) - failed} of {len(EXPECTED)} programs with planted faults are judged rightly", flush=True)
    return len(EXPECTED) - failed, failed
