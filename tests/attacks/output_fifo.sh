#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where the output goes to a FIFO that nobody reads, or that appears meanwhile, a run ends on time
# nevertheless, and says so. A link does not lead to a device.
. "$(dirname "$0")/lib.sh"

expect_failed() {
	[ "$status" -eq 2 ] || [ "$status" -eq 4 ] || fail "exit status $status"
}
mkfifo "$tmp/fifo"
limited 512 20 record -q -a -d 1 -o "$tmp/fifo"
expect_failed
expect_on_time 1
expect_err fifo
printf 'main;f 1\n' >"$tmp/profile"
limited 512 20 report --format folded -o "$tmp/fifo" "$tmp/profile"
expect_failed

# It was not there when the run began.
(
	sleep 1
	mkfifo "$tmp/late"
) &
started+=("$!")
limited 512 20 record -q -a -d 2 -o "$tmp/late"
expect_on_time 2
[ "$status" -eq 0 ] || expect_err late

# A reader that is there gets all of it.
cat "$tmp/fifo" >"$tmp/read" &
started+=("$!")
limited 512 20 record -q -a -d 1 -o "$tmp/fifo"
expect_status 0
wait "${started[-1]}"
top report "$tmp/read"
expect_status 0

# A device through a link, which was there or comes meanwhile, is not written to, and the link stays.
ln -s /dev/full "$tmp/link"
limited 512 20 record -q -a -d 1 -o "$tmp/link"
expect_failed
expect_err 'by its own name only'
(
	sleep 1
	ln -s /dev/full "$tmp/late_link"
) &
started+=("$!")
limited 512 20 record -q -a -d 2 -o "$tmp/late_link"
expect_failed
expect_on_time 2
expect_err 'by its own name only'
[ -L "$tmp/link" ] && [ -L "$tmp/late_link" ] || fail "a link was replaced"
pass
