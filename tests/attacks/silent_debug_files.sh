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
	record_beside 2
	end_silent
	end "$pid"
done
pass
