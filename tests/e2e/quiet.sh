#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record -q says nothing of what is only worth knowing; what failed it says as ever.
. "$(dirname "$0")/lib.sh"

# One run in which there is something to say of each kind: of the machine, of the directory, of a file, of
# the target.
mkdir "$tmp/dir"
touch "$tmp/dir/topstacks-29990101T000000.000Z.pb.gz"
depth=$(($(cat /proc/sys/kernel/perf_event_max_stack) + 1))
finished() {
	[ -n "$(find "$tmp/dir" -name 'topstacks-2[0-8]*.pb.gz')" ]
}
run() {
	rm -f "$tmp/dir"/topstacks-2[0-8]*
	sleep 1000 &
	target=$!
	started+=("$target")
	top_start record -F 199 --max-depth "$depth" --rotate 1 -p "$target" -o "$tmp/dir" "$@"
	wait_for finished
	kill "$target"
	top_wait
	expect_status 0
}
run
expect_err 'stacks are truncated at'
expect_err 'dated later than now'
expect_err 'has ended'
expect_err 'samples, 0 lost, in'
run -q
[ ! -s "$err" ] || fail "not quiet: $(cat "$err")"
pass
