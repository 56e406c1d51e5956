#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The main thread of a process ends; a library that another thread loads afterwards is named: of a
# process that was there before us and of one that began later, alone and among all processes.
. "$(dirname "$0")/lib.sh"

outlive() {
	kill -USR1 "$pid"
	wait_for grep -q loaded "$output"
	top_wait
	expect_status 0
	kill "$pid"
	check <<'PYTHON'
inside = [sample for sample in run.samples if sample.has("caller") and sample.has("work")]
total = sum(sample.count for sample in inside)
expect_at_least("samples after the end", total, 100)
known = sum(sample.count for sample in inside if sample.has("library_outer"))
expect_at_least("share in the library", known / total, 0.95)
PYTHON
}

for target in alone all; do
	start plugins 20 leaderless
	[ "$target" = all ] && scope=(-a) || scope=(-p "$pid")
	top_start --json "${scope[@]}" -F 999 -i 0.2 -d 3
	wait_for test -s "$out"
	outlive
done

top_start --json -a -F 999 -i 0.2 -d 4
wait_for test -s "$out"
start plugins 20 leaderless
outlive
pass
