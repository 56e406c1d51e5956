// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scripts of shells ask for completions: the table of options, and candidates with harmless names.
 */
#include "completion/completion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

struct row_values {
	struct name_list users;
	const char *output;
	unsigned int unwinder;
	bool all;
};

static const struct option_row rows[] = {
	{OPT_SECTION("What")},
	{'a', "all", NULL, OPT_FLAG(struct row_values, all), NULL, "all [of it]: 'so \\ to say'"},
	{'u', "user", "USER[,USER...]", OPT_NAMES_OF(struct row_values, users, 4, HINT_USER), NULL,
	 "of these"},
	{0, "output", "FILE", OPT_STRING_OF(struct row_values, output, HINT_PICTURE), NULL,
	 "to here"},
	{0, "unwind", "auto|fp", OPT_CHOICE(struct row_values, unwinder), "auto", "how"},
	{0},
};

static const struct completion_command commands[] = {
	{"top", "what's hot", rows, OPERANDS_COMMAND, NULL, HINT_NONE},
	{"keep", "for later", rows, OPERANDS_WORDS, "save|show", HINT_DIRECTORY},
};

static void test_script(void)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};
	struct error err = {0};
	char *text = NULL;
	size_t size;

	for (size_t i = 0; i < 3; i++) {
		FILE *out = open_memstream(&text, &size);

		EXPECT_EQ(completion__print_script(out, shells[i], &err), 0);
		fclose(out);
		EXPECT_EQ(strstr(text, "topstacks help --candidates options") != NULL, true);
		free(text);
	}
}

static void test_table(void)
{
	static const char *const lines =
		"top\t.\tnone\tone\t-\t-\twhat's hot\n"
		"top\t-a --all\tnone\tone\t-\t-\tall [of it]: 'so \\ to say'\n"
		"top\t-u --user\tasked\tlist\tusers\tUSER[,USER...]\tof these\n"
		"top\t--output\tfiles\tone\thtml svg\tFILE\tto here\n"
		"top\t--unwind\twords\tone\tauto fp\tauto|fp\thow\n";
	static const char *const last = "keep\t1\twords\tone\tsave show\t-\t-\n"
					"keep\t*\tdirectories\tone\t-\t-\t-\n";
	struct error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(completion__print_candidates(out, "options", commands, 2, &err), 0);
	fclose(out);
	EXPECT_EQ(strncmp(text, lines, strlen(lines)), 0);
	EXPECT_EQ(strstr(text, "\ntop\t--\tnone\tone\t-\t-\t-\nkeep\t.\t") != NULL, true);
	EXPECT_STR(text + size - strlen(last), last);
	free(text);

	out = open_memstream(&text, &size);
	EXPECT_EQ(completion__print_candidates(out, "commands", commands, 2, &err), 0);
	fclose(out);
	EXPECT_STR(text, "top\twhat_s hot\nkeep\tfor later\n");
	free(text);
}

static void test_no_such(void)
{
	struct error err = {0};

	EXPECT_EQ(completion__print_script(stdout, "csh", &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_EQ(completion__print_candidates(stdout, "pid", commands, 2, &err), -EINVAL);
}

static void expect_candidate(const char *name, const char *marks, const char *meaning,
			     const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	candidate__print(out, name, marks, meaning, "");
	fclose(out);
	EXPECT_STR(text, expected);
	free(text);
}

static void test_candidates(void)
{
	expect_candidate("4711", "", "redis-server", "4711\tredis-server\n");
	expect_candidate("4711", "", "$(sh x)`'\"\n\t\\;", "4711\t__sh_x________\n");
	expect_candidate("4711", "", "b\xc3\xa4r", "4711\tb__r\n");
	expect_candidate("4711", "", "", "4711\n");
	expect_candidate("sched:switch", ":", NULL, "sched:switch\n");
	/* Another name would be another thing. */
	expect_candidate("sched:switch", "", NULL, "");
	expect_candidate("$(sh x)", ":/", NULL, "");
	expect_candidate("a b", ":/", NULL, "");
	expect_candidate("a\nb", ":/", NULL, "");
	expect_candidate("-rf", "", NULL, "");
	expect_candidate("", "", "x", "");
}

int main(void)
{
	static const struct test tests[] = {
		{"scripts", test_script},
		{"the table of options", test_table},
		{"no such shell or kind", test_no_such},
		{"candidates", test_candidates},
		{0},
	};

	return run_tests("completion", tests);
}
