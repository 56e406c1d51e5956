#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Processes with as many mappings as they may have, with paths as long as they may be: the run ends on
# time, what is kept of them is within the bounds, and other processes keep their names.
. "$(dirname "$0")/lib.sh"

start shares 100

record_beside() {
	limited "$1" 90 record -q -a -d 3 -F 199 -o "$tmp/profile"
	expect_status 0
	expect_on_time 3
	read_profile "$tmp/profile"
	check <<-'PYTHON'
		ours = [s for s in run.samples if s.comm == "shares" and s.user]
		named = sum(s.count for s in ours if s.user[0]["function"])
		expect_at_least("samples beside", sum(s.count for s in ours), 20)
		expect_at_least("named leaves beside", named, 0.95 * sum(s.count for s in ours))
	PYTHON
}

case ${1:-all} in all | paths)
	crowds=()
	for each in 1 2 3 4; do
		mkdir "$den/$each"
		chown "$attacker_uid" "$den/$each"
		cp -u "$build/attacks/crowd" "$tmp/bin/"
		start_as_attacker bash -c "cd $each && exec $tmp/bin/crowd 60000 15"
		crowds+=("$pid")
	done
	record_beside 512
	end "${crowds[@]}"
	;;
esac

case ${1:-all} in all | number)
	undo+=("echo $(cat /proc/sys/vm/max_map_count) >/proc/sys/vm/max_map_count")
	echo 200000 >/proc/sys/vm/max_map_count
	start_attacker crowd 100000
	record_beside 512
	;;
esac
pass
