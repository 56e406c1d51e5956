#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Processes with as many mappings as they may have, with paths as long as they may be: the run ends on
# time, what is kept of them is within the bounds, and other processes keep their names, whether they are
# met before those or after them.
. "$(dirname "$0")/lib.sh"

start_beside

crowds=()
cp "$build/attacks/crowd" "$tmp/bin/"
for ((each = 1; each <= 4; each++)); do
	mkdir "$den/$each"
	chown "$attacker_uid" "$den/$each"
	start_as_attacker bash -c "cd $each && exec $tmp/bin/crowd 60000 15"
	crowds+=("$pid")
done
start_beside
record_beside 3
end "${crowds[@]}"

undo+=("echo $(cat /proc/sys/vm/max_map_count) >/proc/sys/vm/max_map_count")
echo 200000 >/proc/sys/vm/max_map_count
start_attacker crowd 100000
start_beside
record_beside 3
pass
