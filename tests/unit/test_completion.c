// SPDX-License-Identifier: GPL-2.0-only
/* Scripts for shells from a table, and candidates of names that mean something to them. */
#include "completion/completion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "completion/hints.h"
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

/* What a shell's script has is in there as it stands. */
static void expect_script(const char *shell, const char *const parts[])
{
	struct error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(completion__print(out, shell, commands, 2, &err), 0);
	fclose(out);
	for (; *parts; parts++)
		EXPECT_STR(strstr(text, *parts) ? *parts : "missing", *parts);
	free(text);
}

static void test_bash(void)
{
	static const char *const parts[] = {
		"\t\t-u | --user) value=(asked list users) ;;\n",
		"\t\t--output) value=(files one html svg) ;;\n",
		"\t\t--unwind) value=(words one auto fp) ;;\n",
		"\t\toptions=( -a --all -u --user --output --unwind -h --help --version)\n",
		"\t\tactions=( save show)\n",
		"\t\toperands=(directories one)\n",
		"\t\truns=yes\n",
		NULL,
	};

	expect_script("bash", parts);
}

static void test_zsh(void)
{
	static const char *const parts[] = {
		"'(-a --all)'{-a,--all}'[all \\[of it\\]\\: '\\''so \\\\ to say'\\'']'",
		"'*'{-u+,--user=}'[of these]:USER\\[,USER...\\]: _topstacks_ask users list'",
		"--output='[to here]:FILE: _files -g \"*.(html|svg)\"'",
		"--unwind='[how]:unwind:( auto fp )'",
		"'1:action:( save show )'",
		"'*:operand: _files -/'",
		"'top:what'\\''s hot'",
		"running=( top )",
		NULL,
	};

	expect_script("zsh", parts);
}

static void test_fish(void)
{
	static const char *const parts[] = {
		"-n '__topstacks_is top' -s a -l all -d 'all [of it]: \\'so \\\\ to say\\''\n",
		"-s u -l user -x -a '(__topstacks_ask users list)' -d 'of these'\n",
		"-l output -x -a '(__topstacks_files html svg | string split0)' -d 'to here'\n",
		"-l unwind -x -a '(__topstacks_words one auto fp)' -d 'how'\n",
		"-n '__topstacks_runs top' -a '(__topstacks_program)'\n",
		NULL,
	};

	expect_script("fish", parts);
}

static void test_no_such(void)
{
	struct error err = {0};

	EXPECT_EQ(completion__print(stdout, "csh", commands, 2, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_EQ(completion__print_candidates(stdout, "pid", &err), -EINVAL);
	EXPECT_STR(completion__shell(3) ? "more" : "none", "none");
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
		{"a script for bash", test_bash}, {"a script for zsh", test_zsh},
		{"a script for fish", test_fish}, {"no such shell or kind", test_no_such},
		{"candidates", test_candidates},  {0},
	};

	return run_tests("completion", tests);
}
