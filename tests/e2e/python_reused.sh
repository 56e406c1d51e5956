#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Modules, and classes of one name in files of their own, whose code lies where that of the one before was: each has the
# share of time that it took. What the interpreter runs of its own to construct an object is no function of the program.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

reused() {
	start_python reused.py 6
	top_start --json -p "$pid" -F 499 -i 60
	wait_sampling
	kill -USR1 "$pid"
	top_wait
	expect_status 0
	check "$minor" <<'PYTHON'
import collections

minor = int(args[0])
method = "Task.run" if minor >= 11 else "run"
shares = {"<module>": collections.Counter(), method: collections.Counter()}
for sample in run.samples:
    for function, module in sample.chain:
        if function in shares and module and len(module) == len("one.py") and module.endswith(".py"):
            shares[function][module] += sample.count
            break
for function, counts in shares.items():
    expect_eq(f"files of {function}", len(counts), 8)
    for module, count in counts.items():
        expect_near(f"share of {function} in {module}, {dict(counts)}", count / counts.total(), 1 / 8, 0.06)
expect_eq("a constructor without a class", run.count(lambda s: ["__init__", "__init__"] in s.chain), 0)
PYTHON
}
some_pythons reused
pass
