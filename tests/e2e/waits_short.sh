#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Processes that live for a millisecond, more of them at a time than there are CPUs, so that they are moved between these
# while they wait for one: what they ran and waited for a CPU is what the scheduler has, in sum.
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016 # for another shell
json -e off-cpu -i 0.5 -- sh -c 'for i in 1 2 3 4 5; do
	(for j in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done) &
done; wait'
check <<'PYTHON'
tolerance_ns = lambda ns: scheduler_tolerance_ns(ns, run.switches) + run.unknown_ns
expect_at_least("switches", run.switches, 200)
expect_credited(run)
# A wait for a CPU ends and begins with switches whose clocks differ; a queue that is left out is a tenth of it.
expect_near("runnable, ns", run.runnable_ns, run.delayed_ns, max(tolerance_ns(run.delayed_ns), 0.05 * run.delayed_ns))
PYTHON
pass
