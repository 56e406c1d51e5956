// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts for attaching to a JVM are read: the kernel's status of a process, the name of a library,
 * and answers.
 */
#include "processes/attacher_text.h"

#include <errno.h>
#include <string.h>

#include "expect.h"

/* Parts of a status, as the kernel writes it. */
#define HEAD   "Name:\tjava\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nPid:\t4711\n"
#define USER   "Uid:\t1000\t1000\t1000\t1000\nGid:\t100\t100\t100\t100\n"
#define GROUPS "FDSize:\t256\nGroups:\t27 100 \n"
#define PIDS   "NStgid:\t4711\t7\nNSpid:\t4711\t7\nNSpgid:\t4711\t7\n"
#define CAUGHT "SigIgn:\t0000000000000000\nSigCgt:\t2000000181005ccf\nCapInh:\t0000000000000000\n"

static struct attach_target target;

static int parse(const char *status)
{
	target = (struct attach_target){0};
	return attach_text__target(status, &target);
}

static void test_status(void)
{
	EXPECT_EQ(parse(HEAD USER GROUPS PIDS CAUGHT), 0);
	EXPECT_EQ(target.uid, 1000);
	EXPECT_EQ(target.gid, 100);
	EXPECT_EQ(target.pid, 7);
	EXPECT(target.catches_quit);
	EXPECT_EQ(parse(HEAD USER GROUPS "NSpid:\t4711\n" CAUGHT), 0);
	EXPECT_EQ(target.pid, 4711);
}

/* Bit 2 alone is SIGQUIT's; signals that are blocked or ignored are not asked about. */
static void test_caught(void)
{
	EXPECT_EQ(parse(HEAD USER PIDS "SigCgt:\t0000000000000004\n"), 0);
	EXPECT(target.catches_quit);
	EXPECT_EQ(parse(HEAD USER PIDS "SigCgt:\tfffffffffffffffb\n"), 0);
	EXPECT(!target.catches_quit);
	EXPECT_EQ(parse(HEAD USER PIDS "SigIgn:\t0000000000000004\nSigCgt:\t0000000000000000\n"),
		  0);
	EXPECT(!target.catches_quit);
}

static void test_several_users(void)
{
	EXPECT_EQ(parse(HEAD "Uid:\t1000\t0\t0\t0\nGid:\t100\t100\t100\t100\n" PIDS CAUGHT),
		  -EUCLEAN);
	EXPECT_EQ(parse(HEAD "Uid:\t1\t1\t1\t2\nGid:\t100\t100\t100\t100\n" PIDS CAUGHT), -EUCLEAN);
	EXPECT_EQ(parse(HEAD "Uid:\t1\t1\t1\t1\nGid:\t100\t42\t42\t42\n" PIDS CAUGHT), -EUCLEAN);
}

static void test_ended(void)
{
	EXPECT_EQ(parse("Name:\tjava\nState:\tZ (zombie)\n" USER PIDS CAUGHT), -ESRCH);
	EXPECT_EQ(parse("Name:\tjava\nState:\tX (dead)\n" USER PIDS CAUGHT), -ESRCH);
}

/* A name has no newline of its own, so that a text in it that looks like a line is none. */
static void test_names(void)
{
	EXPECT_EQ(parse("Name:\tx\\nUid:\t0\t0\t0\t0\nState:\tR (running)\n" USER PIDS CAUGHT), 0);
	EXPECT_EQ(target.uid, 1000);
}

static void test_damaged_status(void)
{
	static const char whole[] = HEAD USER GROUPS PIDS CAUGHT;
	char text[sizeof(whole)];
	const size_t last = strstr(whole, "SigCgt:\t") + strlen("SigCgt:\t") - whole;

	for (size_t length = 0; length <= last; length++) {
		memcpy(text, whole, length);
		text[length] = '\0';
		EXPECT(parse(text) < 0);
	}
	EXPECT_EQ(parse(HEAD "Uid:\t-\t-\t-\t-\n" PIDS CAUGHT), -EPROTO);
	EXPECT_EQ(parse(HEAD USER "NSpid:\t\n" CAUGHT), -EPROTO);
	EXPECT_EQ(parse(HEAD USER "NSpid:\t4711\t-7\n" CAUGHT), -EPROTO);
}

static void test_library(void)
{
	EXPECT(attach_text__is_library("/usr/lib/jvm/java-17/lib/server/libjvm.so"));
	EXPECT(attach_text__is_library("/libjvm.so (deleted)"));
	EXPECT(!attach_text__is_library("/usr/lib/libjvm.so.6"));
	EXPECT(!attach_text__is_library("/usr/lib/xlibjvm.so"));
	EXPECT(!attach_text__is_library("/usr/lib/libjvm.so/other"));
	EXPECT(!attach_text__is_library("libjvm.so"));
	EXPECT(!attach_text__is_library(""));
}

static int verdict(const char *answer)
{
	return attach_text__verdict(answer, strlen(answer));
}

static void test_answers(void)
{
	EXPECT_EQ(verdict("0\n"), 0);
	EXPECT_EQ(verdict("0"), 0);
	EXPECT_EQ(verdict("0\nCommand executed successfully\n"), 0);
	EXPECT_EQ(verdict("1\njava.lang.IllegalArgumentException: Unknown"), -ENOTSUP);
	EXPECT_EQ(verdict("-1\n"), -ENOTSUP);
	EXPECT_EQ(verdict("101\n"), -ENOTSUP);
	EXPECT_EQ(verdict("00\n"), -ENOTSUP);
	EXPECT_EQ(verdict("0000000000000000"), -ENOTSUP); /* as much of it as is looked at */
	EXPECT_EQ(verdict(""), -EBADMSG);
	EXPECT_EQ(verdict("\n0\n"), -EBADMSG);
	EXPECT_EQ(verdict("-\n"), -EBADMSG);
	EXPECT_EQ(verdict("0 \n"), -EBADMSG);
	EXPECT_EQ(verdict("HTTP/1.1 200 OK\n"), -EBADMSG);
	EXPECT_EQ(attach_text__verdict("0\0\n", 3), -EBADMSG);
}

int main(void)
{
	static const struct test tests[] = {
		{"who it is, in its own namespace, too", test_status},
		{"whether it catches SIGQUIT", test_caught},
		{"a program with another one's rights", test_several_users},
		{"a process that has ended", test_ended},
		{"a name that looks like a line", test_names},
		{"a status that is cut off or damaged", test_damaged_status},
		{"the name of the library", test_library},
		{"answers", test_answers},
		{0},
	};

	return run_tests("attacher_text", tests);
}
