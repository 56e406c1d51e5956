// SPDX-License-Identifier: GPL-2.0-only
/* The command after "--" runs as asked, and leaves no descriptor behind. */
#include "run/command.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "descriptors.h"
#include "expect.h"

static void test_status(void)
{
	char *words[] = {"sh", "-c", "exit 7", NULL};
	const size_t nr_before = count_descriptors();
	struct command command;
	struct error err = {0};

	EXPECT_EQ(command__fork(&command, words, NULL, NULL, &err), 0);
	EXPECT_EQ(command__exec(&command, words, &err), 0);
	EXPECT_EQ(command__wait(&command), 7);
	EXPECT_EQ(count_descriptors(), nr_before);
}

/* The given environment is the command's, and the command is found by its PATH. */
static void test_environment(void)
{
	char *words[] = {"sh", "-c", "test \"$ANSWER\" = 42 && test -z \"$QUESTION\"", NULL};
	char *environment[] = {"PATH=/usr/bin:/bin", "ANSWER=42", NULL},
	     *nowhere[] = {"PATH=/nowhere", NULL};
	struct command command;
	struct error err = {0};

	setenv("QUESTION", "6 x 7", 1);
	EXPECT_EQ(command__fork(&command, words, environment, NULL, &err), 0);
	EXPECT_EQ(command__exec(&command, words, &err), 0);
	EXPECT_EQ(command__wait(&command), 0);
	EXPECT_EQ(command__fork(&command, words, nowhere, NULL, &err), 0);
	EXPECT_EQ(command__exec(&command, words, &err), -ENOENT);
	unsetenv("QUESTION");
}

static void test_exec_fails(void)
{
	char *words[] = {"/nonexistent/program", NULL};
	const size_t nr_before = count_descriptors();
	struct command command;
	struct error err = {0};

	EXPECT_EQ(command__fork(&command, words, NULL, NULL, &err), 0);
	EXPECT(command__exec(&command, words, &err) < 0);
	EXPECT_EQ(err.exit_code, EXIT_ENOENT);
	EXPECT_EQ(count_descriptors(), nr_before);
}

static void test_abandoned(void)
{
	char *words[] = {"true", NULL};
	const size_t nr_before = count_descriptors();
	struct command command;
	struct error err = {0};

	EXPECT_EQ(command__fork(&command, words, NULL, NULL, &err), 0);
	command__abandon(&command);
	EXPECT_EQ(count_descriptors(), nr_before);
}

/* The sampling process was killed before it said that it samples. */
static void test_not_told(void)
{
	char *words[] = {"sh", "-c", "exit 7", NULL};
	const size_t nr_before = count_descriptors();
	struct command command;
	struct error err = {0};

	EXPECT_EQ(command__fork(&command, words, NULL, NULL, &err), 0);
	close(command.go);
	command.go = -1;
	EXPECT_EQ(command__wait(&command), EXIT_CANCELED);
	EXPECT_EQ(count_descriptors(), nr_before);
}

/* Room for the one pipe, but not for the other. */
static void test_no_descriptors(void)
{
	char *words[] = {"true", NULL};
	const size_t nr_before = count_descriptors();
	struct rlimit before, limit;
	struct command command;
	struct error err = {0};
	int lowest = dup(0);

	close(lowest);
	getrlimit(RLIMIT_NOFILE, &before);
	limit = before;
	limit.rlim_cur = (rlim_t)lowest + 3;
	setrlimit(RLIMIT_NOFILE, &limit);
	EXPECT(command__fork(&command, words, NULL, NULL, &err) < 0);
	setrlimit(RLIMIT_NOFILE, &before);
	EXPECT_EQ(count_descriptors(), nr_before);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"its status is the command's", test_status},
		{"an environment of its own", test_environment},
		{"one that cannot be executed leaves nothing behind", test_exec_fails},
		{"nor does one that is abandoned", test_abandoned},
		{"not told to begin", test_not_told},
		{"nor one that cannot be forked", test_no_descriptors},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("command", tests);
}
