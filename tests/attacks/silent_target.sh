#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The target itself has files of a file system that does not answer any more: sampling begins and ends on
# time all the same.
. "$(dirname "$0")/lib.sh"

for operation in lookup getattr open read; do
	start_silent $operation
	cp -u "$build/attacks/bearer" "$tmp/bin/"
	start_as_attacker "$tmp/bin/bearer" "$tmp/mount/file" "$den/plain"
	fall_silent
	limited 512 60 record -q -p "$pid" -d 2 -F 199 -o "$tmp/profile"
	expect_status 0
	expect_on_time 2
	read_profile "$tmp/profile"
	# Code that was read from a file that is silent now may have to be read again: then it does not run.
	check $operation <<-'PYTHON'
		expect_at_least("time sampled, s", run.duration, 1.9)
		expect_at_least("samples", run.counted, 0 if args[0] == "read" else 20)
	PYTHON
	end_silent
	end "$pid"
done
pass
