#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `--wakers` has the function that ended a wait above it: who unlocked, and who wrote. A sleep is ended by an interrupt,
# and never by who happened to run.
. "$(dirname "$0")/lib.sh"

start meetings 2000
from_rest_to_rest "$pid" -e off-cpu --wakers -i 0.7
check "$output" <<'PYTHON'
import collections

def is_interrupt(frames):
    return frames[-1]["function"] == "[woken by an interrupt]" and all(one["kind"] == "kernel" for one in frames[:-1])

expect_known(run)
by_function = {truth["function"]: truth["waker"] for truth in truths(args[0]).values()}
for function, waker in by_function.items():
    ended = collections.Counter()
    for sample in run.samples:
        if not (sample.is_blocked and sample.count and sample.has(function)):
            continue
        woken = [i for i, name in enumerate(sample.functions) if name and name.startswith("[woken by ")]
        expect_at_most(f"wakers in {sample.functions}", len(woken), 1)
        at = woken[0] if woken else 0
        expect(function in sample.functions[at:], f"{function} is its own waker: {sample.functions}")
        is_right = woken and (waker in sample.functions[:at] if waker else is_interrupt(sample.frames[: at + 1]))
        ended[bool(is_right) or str(sample.functions)] += sample.count
    expect_at_least(f"ended waits in {function}", ended.total(), 100)
    expect_at_least(f"share of {waker or 'interrupts'}, {ended}", ended[True] / ended.total(), 0.99)
PYTHON
pass
