// SPDX-License-Identifier: GPL-2.0-only
/* Rights are tried in a child, as they cannot be given back. */
#include "base/system/rights.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static void in_child(void (*test)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		test();
		fflush(NULL);
		_exit(CU_get_number_of_failure_records() ? 1 : 0);
	}
	EXPECT(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- the filter ---- */

/* Each fails for another reason, or not at all, where it is not refused. */
static const struct {
	const char *name;
	long number, arguments[5];
} calls[] = {
	{"execve", SYS_execve, {(long)"/no/such/program", 0, 0}},
	{"execveat", SYS_execveat, {-1, (long)"no", 0, 0, 0}},
#ifndef __SANITIZE_ADDRESS__
	{"ptrace", SYS_ptrace, {PTRACE_PEEKDATA, 0x7fffffff}},
#endif
	{"process_vm_readv", SYS_process_vm_readv, {0x7fffffff}},
	{"socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
	{"socket", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
	{"connect", SYS_connect, {-1}},
	{"bind", SYS_bind, {-1}},
	{"mount", SYS_mount, {0, 0, 1}},
	{"unshare", SYS_unshare, {0}},
	{"setns", SYS_setns, {-1}},
	{"mknodat", SYS_mknodat, {-1, (long)"no", 0}},
	{"keyctl", SYS_keyctl, {-1}},
	{"personality", SYS_personality, {0xffffffff}},
#ifdef __x86_64__
	{"x32", 0x40000000 | SYS_getpid, {0}},
#endif
};

#ifdef __x86_64__
/* getpid() by i386's number, which is another call of ours; as the kernel returns it. */
static int getpid_as_i386(void)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
	return result;
}

/* Not every kernel can be called like that: it is tried in a child. */
static void test_i386(void)
{
	int status;

	if (fork() == 0)
		_exit(getpid_as_i386() != getpid());
	if (wait(&status) < 0 || status)
		return;
	if (fork() == 0)
		_exit(rights_filter__install() || getpid_as_i386() != -EPERM);
	EXPECT(wait(&status) > 0 && status == 0);
}
#endif

static int try(size_t i)
{
	const long *a = calls[i].arguments;

	return syscall(calls[i].number, a[0], a[1], a[2], a[3], a[4]) < 0 ? errno : 0;
}

static void try_filter(void)
{
	int status, ends[2];

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (try(i) == EPERM)
			EXPECT_STR(calls[i].name, "refused without a filter");
	EXPECT_EQ(rights_filter__install(), 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (try(i) != EPERM)
			EXPECT_STR(calls[i].name, "not refused");

	/* A sampler forks readers, has channels to them, and they have filters of their own. */
	EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	EXPECT_EQ(send(ends[0], "x", 1, 0), 1);
	if (fork() == 0)
		_exit(rights_filter__install() ? 1 : try(0) == EPERM ? 42 : 2);
	EXPECT(wait(&status) > 0 && WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 42);
}

static void test_filter(void)
{
	in_child(try_filter);
}

/* ---- capabilities ---- */

/* "CapEff:\t000001ffffffffff" of this thread. */
static uint64_t effective(void)
{
	unsigned long long found = 1;
	char line[256];
	FILE *status = fopen("/proc/thread-self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "CapEff: %llx", &found) == 1)
			break;
	if (status)
		fclose(status);
	return found;
}

#define ROOT_ON_FILES UINT64_C(0x3f)

static void try_as_root(void)
{
	const uint64_t permitted = rights__permitted();
	uint64_t before;

	EXPECT_EQ(rights__init(), 0);
	EXPECT_EQ(rights__permitted(), permitted);
	EXPECT_EQ(effective(), permitted & ROOT_ON_FILES);
	before = rights__raise(RIGHT_SYSLOG);
	EXPECT_EQ(before, permitted & ROOT_ON_FILES);
	EXPECT_EQ(effective(), permitted & (ROOT_ON_FILES | RIGHT_SYSLOG));
	EXPECT_EQ(rights__raise(RIGHT_SYS_PTRACE), permitted & (ROOT_ON_FILES | RIGHT_SYSLOG));
	errno = ENOTTY;
	rights__restore(before);
	EXPECT_EQ(errno, ENOTTY);
	EXPECT_EQ(effective(), permitted & ROOT_ON_FILES);
	EXPECT(!rights__exceed_caller());
	rights__give_up();
	rights__raise(UINT64_MAX);
	EXPECT_EQ(effective(), permitted & (ROOT_ON_FILES | RIGHTS_TO_CONFINE));
	EXPECT_EQ(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
}

/* With more rights than the caller's, as a program file with capabilities has them. */
static void try_as_user(void)
{
	const uint64_t permitted = rights__permitted();

	prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	EXPECT_EQ(setresuid(65534, 65534, 65534), 0);
	EXPECT_EQ(rights__init(), 0);
	EXPECT_EQ(rights__permitted(), permitted);
	EXPECT_EQ(effective(), 0);
	EXPECT(rights__exceed_caller());
	EXPECT_EQ(rights__raise(RIGHTS_TO_LOOK), 0);
	EXPECT_EQ(effective(), permitted & RIGHTS_TO_LOOK);
	rights__restore(0);
	rights__settle(0);
	EXPECT_EQ(rights__permitted() & (RIGHT_SYS_ADMIN | ROOT_ON_FILES),
		  permitted & RIGHT_DAC_READ_SEARCH);
	EXPECT_EQ(rights__raise(RIGHT_BPF), 0);
	EXPECT_EQ(effective(), permitted & RIGHT_BPF);
	rights__give_up();
	rights__raise(UINT64_MAX);
	EXPECT_EQ(effective(), 0);
	EXPECT_EQ(rights__permitted(), 0);
	EXPECT(!rights__exceed_caller());
}

static void try_without(void)
{
	EXPECT_EQ(rights__init(), 0);
	EXPECT_EQ(rights__raise(UINT64_MAX), 0);
	EXPECT_EQ(effective(), 0);
	EXPECT(!rights__exceed_caller());
}

static void test_sets(void)
{
	if (getuid() != 0) {
		in_child(try_without);
		return;
	}
	in_child(try_as_root);
	in_child(try_as_user);
}

static void test_stand_in(void)
{
	const uint64_t kept = rights__kept(RIGHT_SYS_ADMIN | RIGHT_SYSLOG);
	const uint64_t none = rights__kept(RIGHT_SYS_ADMIN | RIGHT_BPF | RIGHT_PERFMON |
					   RIGHT_CHECKPOINT_RESTORE);

	EXPECT_EQ(kept, RIGHT_SYS_ADMIN | RIGHT_SYSLOG);
	EXPECT_EQ(none, RIGHT_BPF | RIGHT_PERFMON | RIGHT_CHECKPOINT_RESTORE);
}

static void test_words(void)
{
	char text[64], little[12];

	rights__describe(0, text, sizeof(text));
	EXPECT_STR(text, "none");
	rights__describe(RIGHT_SYSLOG | RIGHT_BPF, text, sizeof(text));
	EXPECT_STR(text, "BPF, SYSLOG");
	rights__describe(RIGHT_KILL | RIGHT(12) | RIGHT(13), text, sizeof(text));
	EXPECT_STR(text, "KILL, 2 others");
	rights__describe(RIGHT(12), text, sizeof(text));
	EXPECT_STR(text, "1 other");
	rights__describe(UINT64_MAX, little, sizeof(little));
	EXPECT_STR(little, "BPF, PERFMO");
}

int main(void)
{
	static const struct test tests[] = {
		{"a sampler's filter refuses what a sampler never does", test_filter},
#ifdef __x86_64__
		{"and all that comes by i386's numbers", test_i386},
#endif
		{"capabilities are in effect while they are raised", test_sets},
		{"CAP_SYS_ADMIN stands in for what it includes", test_stand_in},
		{"rights in words", test_words},
		{0},
	};

	return run_tests("rights", tests);
}
