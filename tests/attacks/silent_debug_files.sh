#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debug files on a file system that does not answer any more: runs end on time, and other processes keep
# their names.
. "$(dirname "$0")/lib.sh"

start_beside
make_elf linked linked
ln -s "$tmp/mount/file" "$den/linked.debug"
for operation in lookup getattr open read; do
	start_silent $operation
	start_as_attacker "$tmp/bin/bearer" "$den/linked"
	fall_silent
	record_beside 4
	end_silent
	end "$pid"
done

# Nor does anybody wait for all the time that --lines may take.
make_split
for operation in read open; do
	start_silent $operation
	ln -sf "$tmp/mount/file" "$dwo"
	start_as_attacker "$den/split"
	fall_silent
	limited 512 60 record -q --lines -p "$pid" -d 1 -F 499 -o "$tmp/profile"
	expect_status 0
	expect_on_time 1
	end_silent
	end "$pid"
done

# Nor does a report that looks for lines later.
start_as_attacker "$den/split"
limited 512 60 record -q --no-lines -p "$pid" -d 1 -F 499 -o "$tmp/profile"
expect_status 0
end "$pid"
start_silent lookup
ln -sf "$tmp/mount/file" "$den/split"
fall_silent
limited 512 60 report --lines "$tmp/profile"
expect_status 0
expect_on_time 1
expect_err 'file system does not answer'
end_silent
pass
