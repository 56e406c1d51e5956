#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A plain run is loaded without the program that follows interpreters; a process that becomes Python while it is sampled
# has its functions all the same, and no sample is lost when that program comes.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

# verified: instructions that the kernel went through for the programs that the run holds.
verified() {
	cat "/proc/$1/fdinfo/"* 2>/dev/null | awk '$1 == "verified_insns:" { sum += $2 } END { print sum + 0 }'
}

met() {
	local go=$tmp/go
	rm -f "$go"
	output=$tmp/workload
	: >"$output"
	# shellcheck disable=SC2016 # for another shell
	bash -c 'go=$1; shift; while [ ! -e "$go" ]; do :; done; exec "$@"' bash "$go" \
		"${python[@]}" "$scripts/nested.py" 100 >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	top_start --json -p "$pid" -F 499 -i 0.5
	wait_intervals 2
	most=$(verified "$top_pid")
	[ "$most" -gt 1000 ] && [ "$most" -le 14000 ] || fail "$most instructions were verified"
	touch "$go"
	wait_ready "$pid" "$output"
	wait_intervals 8
	top_end
	stop "$pid"
	check <<'PYTHON'
intervals = run.intervals
expect_due(run)
first, last = ([Sample(sample) for interval in some for sample in interval["samples"]] for some in (intervals[:2], intervals[-4:-1]))
expect_eq("functions before", [sample for sample in first if sample.interpreted], [])
with_functions = sum(sample.count for sample in last if sample.interpreted)
expect_at_least("share with functions after", with_functions / sum(sample.count for sample in last), 0.97)
PYTHON
}
some_pythons met
pass
