#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A file system that does not answer any more, as one of the network whose server is gone: processes
# have its files mapped, and as their perf maps. Runs end on time, and other processes keep their names.
. "$(dirname "$0")/lib.sh"

start_beside
for operation in lookup getattr open read; do
	start_silent $operation
	start_as_attacker "$tmp/bin/bearer" "$tmp/mount/file"
	bearers=("$pid")
	output=$tmp/mapper-$operation
	(exec unshare --mount bash -c 'touch "/tmp/perf-$$.map" &&
		mount --bind "$1" "/tmp/perf-$$.map" && exec setpriv --reuid="$2" --clear-groups "$3" -' \
		bash "$tmp/mount/file" "$attacker_uid" "$tmp/bin/bearer") >"$output" 2>&1 &
	bearers+=("$!")
	started+=("$!")
	undo+=("rm -f /tmp/perf-$!.map")
	wait_ready "$!" "$output"
	fall_silent
	record_beside 4
	end_silent
	end "${bearers[@]}"
done
pass
