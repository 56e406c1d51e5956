#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The polling thread of an io_uring is the kernel's, in the process's name: it has no user stack, and so lacks none.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/polled.c" <<'C'
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct io_uring_params params;
	int ring;

	(void)argv;

	memset(&params, 0, sizeof(params));
	params.flags = IORING_SETUP_SQPOLL;
	params.sq_thread_idle = 50; /* ms */
	ring = (int)syscall(SYS_io_uring_setup, 8, &params);
	if (ring < 0)
		return 77;
	for (int i = 0; i < (argc > 1 ? 100 : 15); i++) {
		syscall(SYS_io_uring_enter, ring, 0, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0);
		usleep(100000);
	}
	return 0;
}
C
gcc -O1 -o "$tmp/polled" "$tmp/polled.c" 2>/dev/null || skip "no headers of io_uring"
timeout 20 "$tmp/polled" || skip "no io_uring with a thread that polls"

check_polled() {
	check <<-'PYTHON'
		expect_eq("missing stacks", run.intervals[0]["ledger"]["stacks"]["missing"], 0)
		polling = [one for one in run.samples if one.has("io_sq_thread")]
		expect_at_least("waits of the thread", sum(one.count for one in polling), 5)
		expect_eq("of them with a user stack", sum(one.count for one in polling if one.user), 0)
	PYTHON
}

json -e off-cpu -- "$tmp/polled"
check_polled
"$tmp/polled" long &
started+=("$!")
json -e off-cpu -p "$!" -d 1 --once # found while it waits, and polls
check_polled
pass
