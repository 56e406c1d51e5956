#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A process is killed while it waits, and another one gets its id: it has its own time, and nobody has the time
# between them.
. "$(dirname "$0")/lib.sh"

for interval in 0.05 60; do
	start reborn 20
	from_rest_to_rest "$pid" -e off-cpu -i "$interval"
	check "$pid" "$output" <<'PYTHON'
truth = truths(args[1])
first = run.ns(lambda sample: sample.has("first_life"))
second = run.ns(lambda sample: sample.has("second_life"))
children = run.ns(lambda sample: sample.pid != int(args[0]))
expect_at_most("first lives, ns", first, truth["first_ns"])
expect_at_most("second lives, ns", second, truth["second_ns"])
expect_at_least("second lives, ns", second, 0.99 * truth["naps_ns"] - 20 * 20e3 - run.unknown_ns)
expect_known(run)
expect_at_least("children, ns", children + run.running_ns + run.unknown_ns, 20 * 20e6 + truth["naps_ns"])
expect_at_most("children, ns", children, truth["first_ns"] + truth["second_ns"])
longest = max(sample.ns for sample in run.samples)
expect_at_most("the longest wait, s", longest / 1e9, run.duration)
PYTHON
	stop "$pid"
done
pass
