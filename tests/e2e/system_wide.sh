#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -a, and no target: everything that runs; idle time is in the ledger and in no row.
. "$(dirname "$0")/lib.sh"

start shares 30
watched=$pid
for target in -a ''; do
	json ${target:+"$target"} -i 1 -d 2
	check "$watched" <<'PYTHON'
expect_at_least("samples of the workload", run.count(lambda s: s.pid == int(args[0])), 3)
expect_eq("filtered", run.filtered, 0)
# Interrupt work on an idle CPU is kept, and named; idling is not.
idling = run.count(lambda s: s.pid == 0 and not any("irq" in (f or "") for f in s.functions))
expect_eq("rows of the idle task that are no interrupts", idling, 0)
expect_eq("lost", run.lost, 0)
PYTHON
done

# CPU 0's idle time against the kernel's own account, both in seconds.
idle() {
	awk -v tick="$(getconf CLK_TCK)" '$1 == "cpu0" { print ($5 + $6) / tick }' /proc/stat
}
before=$(idle)
json -a -C 0 -i 1 -d 2
check "$before" "$(idle)" <<'PYTHON'
expect(not run.intervals[0]["ledger"]["idle_excluded"], "idle is excluded at the default rate")
period = run.duration / run.intervals[0]["asked_hz"] / run.duration
truth = float(args[1]) - float(args[0])
# The account is read a little before and after, in ticks; samples are up to their own number's root.
tolerance = 0.4 + 5 * math.sqrt(run.events) * period
expect_near("idle time, s", run.idle * period, truth, tolerance)
PYTHON
pass
