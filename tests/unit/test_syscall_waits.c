// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "capture/sources/syscall_waits.h"
#include "topstacks/waits.h"

static uint8_t waits[SYSCALL_WAITS];

/* By the numbers of this machine. */
static void test_known(void)
{
	static const struct {
		long number;
		int kind;
	} rows[] = {
		{SYS_futex, WAIT_FOR_LOCK},	 {SYS_flock, WAIT_FOR_LOCK},
		{SYS_ppoll, WAIT_FOR_POLL},	 {SYS_epoll_pwait, WAIT_FOR_POLL},
		{SYS_nanosleep, WAIT_FOR_SLEEP}, {SYS_clock_nanosleep, WAIT_FOR_SLEEP},
		{SYS_wait4, WAIT_FOR_CHILD},	 {SYS_waitid, WAIT_FOR_CHILD},
		{SYS_accept4, WAIT_FOR_NET},	 {SYS_recvmsg, WAIT_FOR_NET},
		{SYS_read, WAIT_BY_FILE},	 {SYS_write, WAIT_BY_FILE},
		{SYS_fsync, WAIT_FOR_DISK},	 {SYS_openat, WAIT_FOR_DISK},
#ifdef SYS_poll
		{SYS_poll, WAIT_FOR_POLL},	 {SYS_select, WAIT_FOR_POLL},
		{SYS_epoll_wait, WAIT_FOR_POLL}, {SYS_pause, WAIT_FOR_SLEEP},
		{SYS_open, WAIT_FOR_DISK},
#endif
	};

	syscall_waits__fill(waits);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		EXPECT_EQ(waits[rows[i].number], rows[i].kind);
}

/* Calls that cannot wait, and numbers without a call, have a kind as well. */
static void test_others(void)
{
	for (unsigned int i = 0; i < SYSCALL_WAITS; i++)
		waits[i] = WAIT_FOR_NOTHING;
	syscall_waits__fill(waits);
	EXPECT_EQ(waits[SYS_getpid], WAIT_FOR_OTHER);
	EXPECT_EQ(waits[SYS_sched_yield], WAIT_FOR_OTHER);
	EXPECT_EQ(waits[SYSCALL_WAITS - 1], WAIT_FOR_OTHER);
	for (unsigned int i = 0; i < SYSCALL_WAITS; i++)
		EXPECT((waits[i] > WAIT_FOR_NOTHING && waits[i] < WAIT_KINDS) ||
		       waits[i] == WAIT_BY_FILE);
}

int main(void)
{
	static const struct test tests[] = {
		{"system calls that wait", test_known},
		{"all others", test_others},
		{0},
	};

	return run_tests("syscall_waits", tests);
}
