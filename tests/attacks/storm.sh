#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Beside a storm of forks and eight busy loops a run of two seconds samples for two, and for three at
# most, by its own ledger. With ALL=1 twenty times.
. "$(dirname "$0")/lib.sh"

times=${ALL:+20}
times=${times:-2}
# What makes the load ends by itself after two minutes.
start_load() {
	local each
	end "${started[@]}"
	started=()
	for each in 1 2 3; do
		start short_children 0 1000
	done
	for each in {1..8}; do
		start shares 1000
	done
}
for ((each = 0; each < times; each++)); do
	((each % 5)) || start_load
	limited 512 120 record -q -a -d 2 -o "$tmp/profile"
	expect_status 0
	read_profile "$tmp/profile"
	check <<-'PYTHON'
		expect_at_most("time sampled, s", run.duration, 3)
	PYTHON
done
pass
