// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options: every kind at its bounds and beyond, every way to spell an option, and the sentence that
 * each mistake gives. Expected values are written by hand.
 */
#include "base/options/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

struct values {
	bool all, brief;
	size_t against;
	unsigned int rows, color;
	double rate, interval_s;
	uint64_t memory;
	const char *user, *servers;
	char *list;
	struct pid_list pids;
	struct name_list names;
	struct cpu_list cpus;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Target")},
	{'a', "all", NULL, OPT_FLAG(struct values, all), NULL, "all processes"},
	{0, "against", NULL, OPT_MARK(struct values, against), NULL, "words follow"},
	{'b', NULL, NULL, OPT_FLAG(struct values, brief), NULL, "less"},
	{'p', "pid", "PID[,PID...]", OPT_PIDS(struct values, pids, 3), NULL, "these processes"},
	{0, "names", "NAME[,NAME...]", OPT_NAMES(struct values, names, 3), NULL, "of this name"},
	{'u', "user", "NAME", OPT_STRING(struct values, user), NULL, "as this user"},
	{0, "servers", "URL", OPT_OPTIONAL(struct values, servers), NULL, "from these"},
	{0, "list", "A[,B...]", OPT_LIST(struct values, list), NULL, "all of these"},
	{OPT_SECTION("Numbers")},
	{'F', "frequency", "HZ", OPT_NUMBER(struct values, rate, 0.5, 1e5), "99",
	 "samples a second"},
	{'i', "interval", "SEC", OPT_SECONDS(struct values, interval_s, 0.05, 86400), "5", "time"},
	{'n', "rows", "N", OPT_UNSIGNED(struct values, rows, 1, 4294967295), "20", "rows"},
	{'m', "memory", "SIZE", OPT_SIZE(struct values, memory, 0x1p20, 0x1p40), "64M", "bytes"},
	{'C', "cpu", "LIST", OPT_CPUS(struct values, cpus, 1023), NULL, "these CPUs"},
	{0, "color", "auto|always|never", OPT_CHOICE(struct values, color), "auto", "colors"},
	{0},
};

/* A parsed line of words; what fails leaves its sentence in err. */
static struct {
	struct values values;
	struct options options;
	struct error err;
	char *argv[32];
	char text[4096];
	int code;
} line;

static void forget(void)
{
	if (line.options.rows)
		options__fini(&line.options);
	memset(&line, 0, sizeof(line));
}

/* One word for argv, whatever is in it. */
static void add_word(const char *word)
{
	size_t i = 0;

	while (line.argv[i])
		i++;
	line.argv[i] = i ? strchr(line.argv[i - 1], '\0') + 1 : line.text;
	strcpy(line.argv[i], word);
}

static void parse_added(enum operands operands)
{
	line.options = (struct options){.rows = rows, .operands = operands, .values = &line.values};
	line.code = options__parse(&line.options, line.argv, &line.err);
	if (line.code) {
		EXPECT_EQ(line.err.exit_code, EXIT_USAGE);
		EXPECT_EQ(line.err.code, line.code);
	}
}

/* Words of text are split at spaces. */
static int parse(enum operands operands, const char *text)
{
	char copy[1024], *word, *rest;

	forget();
	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		add_word(word);
	parse_added(operands);
	return line.code;
}

static int parse_word(const char *word)
{
	forget();
	add_word(word);
	parse_added(OPERANDS_NONE);
	return line.code;
}

static void expect_refused(const char *text, const char *sentence)
{
	EXPECT(parse(OPERANDS_NONE, text) < 0);
	EXPECT_STR(line.err.text, sentence);
}

static void expect_bad(const char *text, int code, const char *file, int at)
{
	char message[1024];

	snprintf(message, sizeof(message), "%s gives %d, \"%s\"", text, code, line.err.text);
	expect_true(code == -EINVAL && !strncmp(line.err.text, "bad value \"", 11), message, file,
		    at);
}

#define EXPECT_OK(words)  EXPECT_EQ(parse(OPERANDS_NONE, words), 0)
#define EXPECT_BAD(words) expect_bad(words, parse(OPERANDS_NONE, words), __FILE__, __LINE__)

static void test_defaults(void)
{
	EXPECT_OK("");
	EXPECT_EQ(line.values.all, false);
	EXPECT_EQ(line.values.rows, 20);
	EXPECT_EQ(line.values.color, 0);
	EXPECT_EQ(line.values.memory, 67108864);
	EXPECT_NEAR(line.values.rate, 99, 0);
	EXPECT_NEAR(line.values.interval_s, 5, 0);
	EXPECT(!line.values.user);
	EXPECT_EQ(line.values.pids.nr_ids, 0);
	EXPECT_EQ(line.values.cpus.nr_cpus, 0);
	EXPECT_EQ(line.options.nr_words, 0);
	EXPECT(!line.options.help && !line.options.version);
}

static void test_spellings(void)
{
	EXPECT_OK("-n 3");
	EXPECT_EQ(line.values.rows, 3);
	EXPECT_OK("-n4");
	EXPECT_EQ(line.values.rows, 4);
	EXPECT_OK("--rows 5");
	EXPECT_EQ(line.values.rows, 5);
	EXPECT_OK("--rows=6");
	EXPECT_EQ(line.values.rows, 6);
	EXPECT_OK("-abn7");
	EXPECT(line.values.all && line.values.brief);
	EXPECT_EQ(line.values.rows, 7);
	EXPECT_OK("-ban 8 --color never");
	EXPECT(line.values.all && line.values.brief);
	EXPECT_EQ(line.values.rows, 8);
	EXPECT_EQ(line.values.color, 2);
	EXPECT_OK("--color never -i 2 --all");
	EXPECT(line.values.all && !line.values.brief);
	EXPECT_NEAR(line.values.interval_s, 2, 0);
}

/* No abbreviations: a script must not change its meaning when an option is added. */
static void test_no_abbreviation(void)
{
	expect_refused("--row 3", "unknown option \"--row\"; did you mean --rows?");
	expect_refused("--interv=3", "unknown option \"--interv=3\"; did you mean --interval?");
}

static void test_unsigned(void)
{
	EXPECT_OK("-n 1");
	EXPECT_OK("-n 4294967295");
	EXPECT_EQ(line.values.rows, 4294967295);
	EXPECT_OK("-n 007");
	EXPECT_EQ(line.values.rows, 7);
	EXPECT_BAD("-n 0");
	EXPECT_BAD("-n 4294967296");
	EXPECT_BAD("-n 18446744073709551617");
	EXPECT_BAD("-n 99999999999999999999999999999999999999");
	EXPECT_BAD("-n -1");
	EXPECT_BAD("-n +1");
	EXPECT_BAD("-n 1.0");
	EXPECT_BAD("-n 0x10");
	EXPECT_BAD("-n 1e3");
	EXPECT_BAD("-n 3x");
	EXPECT_BAD("-n x");
	EXPECT_BAD("--rows=");
	EXPECT_EQ(parse_word("-n 3"), -EINVAL);
	EXPECT_EQ(parse_word("-n3 "), -EINVAL);
	expect_refused("-n 0", "bad value \"0\" for -n: expected a whole number from 1 to "
			       "4294967295");
}

static void test_number(void)
{
	EXPECT_OK("-F 0.5");
	EXPECT_NEAR(line.values.rate, 0.5, 0);
	EXPECT_OK("-F 100000");
	EXPECT_OK("-F 100000.0");
	EXPECT_OK("-F .75");
	EXPECT_NEAR(line.values.rate, 0.75, 0);
	EXPECT_OK("-F 7.");
	EXPECT_NEAR(line.values.rate, 7, 0);
	EXPECT_BAD("-F 0.49999");
	EXPECT_BAD("-F 100000.01");
	EXPECT_BAD("-F nan");
	EXPECT_BAD("-F inf");
	EXPECT_BAD("-F -inf");
	EXPECT_BAD("-F infinity");
	EXPECT_BAD("-F 1e3");
	EXPECT_BAD("-F 0x1p3");
	EXPECT_BAD("-F 1,5");
	EXPECT_BAD("-F 1.2.3");
	EXPECT_BAD("-F .");
	EXPECT_BAD("-F 99Hz");
	EXPECT_BAD("-F -99");
	expect_refused("-F inf", "bad value \"inf\" for -F: expected a number from 0.5 to 100000");
}

/* So long that the number overflows a double. */
static void test_huge_number(void)
{
	char word[512] = "-F";

	memset(word + 2, '9', 400);
	EXPECT_EQ(parse_word(word), -EINVAL);
	word[1] = 'i';
	EXPECT_EQ(parse_word(word), -EINVAL);
	word[1] = 'n';
	EXPECT_EQ(parse_word(word), -EINVAL);
	word[1] = 'm';
	EXPECT_EQ(parse_word(word), -EINVAL);
	word[1] = 'p';
	EXPECT_EQ(parse_word(word), -EINVAL);
	word[1] = 'C';
	EXPECT_EQ(parse_word(word), -EINVAL);
	EXPECT(strlen(line.err.text) < 200);
}

static void test_seconds(void)
{
	static const struct {
		const char *text;
		double seconds;
	} good[] = {{"-i 5", 5},	  {"-i 0.5", 0.5},	{"-i 500ms", 0.5},
		    {"-i 50ms", 0.05},	  {"-i 50000us", 0.05}, {"-i 2m", 120},
		    {"-i 2min", 120},	  {"-i 1.5h", 5400},	{"-i 1d", 86400},
		    {"-i 86400s", 86400}, {"-i 3s", 3},		{"-i 1440M", 86400}};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		EXPECT_OK(good[i].text);
		EXPECT_NEAR(line.values.interval_s, good[i].seconds, 0);
	}
	EXPECT_BAD("-i 49ms");
	EXPECT_BAD("-i 86401");
	EXPECT_BAD("-i 2d");
	EXPECT_BAD("-i 5x");
	EXPECT_BAD("-i 5ss");
	EXPECT_BAD("-i s");
	EXPECT_BAD("-i nan");
	EXPECT_BAD("-i inf");
	EXPECT_BAD("-i 1e-1");
	EXPECT_BAD("--interval=");
	expect_refused("--interval 0", "bad value \"0\" for --interval: expected seconds from "
				       "0.05 to 86400, such as 5, 0.5, 500ms or 2m");
}

static void test_sizes(void)
{
	EXPECT_OK("-m 1M");
	EXPECT_EQ(line.values.memory, 1048576);
	EXPECT_OK("-m 1048576");
	EXPECT_EQ(line.values.memory, 1048576);
	EXPECT_OK("-m 1024k");
	EXPECT_EQ(line.values.memory, 1048576);
	EXPECT_OK("-m 1.5G");
	EXPECT_EQ(line.values.memory, 1610612736);
	EXPECT_OK("-m 64MiB");
	EXPECT_EQ(line.values.memory, 67108864);
	EXPECT_OK("-m 1T");
	EXPECT_EQ(line.values.memory, 1099511627776);
	EXPECT_BAD("-m 1048575");
	EXPECT_BAD("-m 1025G");
	EXPECT_BAD("-m 64MB"); /* 10^6 or 2^20? */
	EXPECT_BAD("-m 64X");
	EXPECT_BAD("-m M");
	EXPECT_BAD("-m -64M");
	expect_refused("-m 0", "bad value \"0\" for -m: expected a size from 1M to 1T, such as 64M "
			       "or 1.5G");
}

static void test_strings(void)
{
	EXPECT_OK("-u nobody");
	EXPECT_STR(line.values.user, "nobody");
	EXPECT_OK("--user=a=b");
	EXPECT_STR(line.values.user, "a=b");
	EXPECT_OK("--servers");
	EXPECT_STR(line.values.servers, "");
	EXPECT_OK("--servers -a");
	EXPECT_STR(line.values.servers, "");
	EXPECT(line.values.all);
	EXPECT_OK("--servers=a=b");
	EXPECT_STR(line.values.servers, "a=b");
	EXPECT_OK("-a");
	EXPECT(!line.values.servers);
	expect_refused("--servers=", "bad value \"\" for --servers: expected URL");
	EXPECT_OK("--user -a");
	EXPECT_STR(line.values.user, "-a");
	EXPECT(!line.values.all);
	expect_refused("--user=", "bad value \"\" for --user: expected NAME");
}

static void test_choice(void)
{
	EXPECT_OK("--color=auto");
	EXPECT_EQ(line.values.color, 0);
	EXPECT_OK("--color=always");
	EXPECT_EQ(line.values.color, 1);
	EXPECT_OK("--color=never");
	EXPECT_EQ(line.values.color, 2);
	EXPECT_BAD("--color=auto|always");
	EXPECT_BAD("--color=al");
	EXPECT_BAD("--color=neverx");
	EXPECT_BAD("--color=");
	expect_refused("--color red",
		       "bad value \"red\" for --color: expected auto, always or never");
}

/* An option of a list adds to it each time. */
static void test_list(void)
{
	EXPECT_OK("--list one");
	EXPECT_STR(line.values.list, "one");
	EXPECT_OK("--list one/a,b/,two --list=one");
	EXPECT_STR(line.values.list, "one/a,b/,two,one");
	EXPECT_BAD("--list=");
	EXPECT_BAD("--list one --list=");
}

static void test_names(void)
{
	EXPECT_OK("--names nginx");
	EXPECT_EQ(line.values.names.nr_names, 1);
	EXPECT_OK("--names nginx,php-fpm,nginx --names=php-fpm,x");
	EXPECT_EQ(line.values.names.nr_names, 3);
	EXPECT_STR(line.values.names.names[0], "nginx");
	EXPECT_STR(line.values.names.names[1], "php-fpm");
	EXPECT_STR(line.values.names.names[2], "x");
	EXPECT_OK("--names php,php-fpm,ph");
	EXPECT_EQ(line.values.names.nr_names, 3);
	EXPECT_BAD("--names a,b,c,d");
	EXPECT_BAD("--names a, ");
	EXPECT_BAD("--names ,a");
	EXPECT_BAD("--names a,,b");
	EXPECT_BAD("--names=");
	expect_refused("--names a,",
		       "bad value \"a,\" for --names: expected NAME[,NAME...], up to 3 of them");
}

static void test_pids(void)
{
	EXPECT_OK("-p 4711");
	EXPECT_EQ(line.values.pids.nr_ids, 1);
	EXPECT_EQ(line.values.pids.ids[0], 4711);
	EXPECT_OK("-p 3,1,2");
	EXPECT_EQ(line.values.pids.nr_ids, 3);
	EXPECT_EQ(line.values.pids.ids[0], 3);
	EXPECT_EQ(line.values.pids.ids[2], 2);
	EXPECT_OK("-p 5,5 -p 6 --pid=5,6,5");
	EXPECT_EQ(line.values.pids.nr_ids, 2);
	EXPECT_EQ(line.values.pids.ids[1], 6);
	EXPECT_OK("-p 4194304");
	EXPECT_BAD("-p 4194305");
	EXPECT_BAD("-p 4294967297");
	EXPECT_BAD("-p 0");
	EXPECT_BAD("-p -1");
	EXPECT_BAD("-p 1,2,3,4");
	EXPECT_BAD("-p 1,2 -p 3,4");
	EXPECT_BAD("-p 1,");
	EXPECT_BAD("-p ,1");
	EXPECT_BAD("-p 1,,2");
	EXPECT_BAD("-p 1;2");
	EXPECT_BAD("-p 1.5");
	EXPECT_BAD("-p redis-server");
	EXPECT_BAD("--pid=");
	expect_refused("-p 12,ab",
		       "bad value \"12,ab\" for -p: expected up to 3 process ids from 1 "
		       "to 4194304, such as 4711 or 12,34");
}

static void test_cpus(void)
{
	size_t listed = 0, i;

	EXPECT_OK("-C 0,2-5");
	EXPECT_EQ(line.values.cpus.nr_cpus, 6);
	for (i = 0; i < line.values.cpus.nr_cpus; i++)
		listed = listed * 2 + line.values.cpus.cpus[i];
	EXPECT_EQ(listed, 0x2f); /* 101111: CPU 0 is the leftmost bit */
	EXPECT_OK("-C 5-5 -C 1");
	EXPECT_EQ(line.values.cpus.nr_cpus, 6);
	EXPECT(line.values.cpus.cpus[5] && line.values.cpus.cpus[1] && !line.values.cpus.cpus[0]);
	EXPECT_OK("-C 1023");
	EXPECT_EQ(line.values.cpus.nr_cpus, 1024);
	EXPECT_OK("-C 0-1023");
	EXPECT_BAD("-C 1024");
	EXPECT_BAD("-C 0-1024");
	EXPECT_BAD("-C 0-18446744073709551616");
	EXPECT_BAD("-C 5-2");
	EXPECT_BAD("-C 1-");
	EXPECT_BAD("-C -1");
	EXPECT_BAD("-C 1-2-3");
	EXPECT_BAD("-C 1,");
	EXPECT_BAD("-C all");
	EXPECT_BAD("--cpu=");
	expect_refused("-C 3-1", "bad value \"3-1\" for -C: expected CPU numbers from 0 to 1023, "
				 "such as 0 or 0,2-5");
}

static void test_twice(void)
{
	EXPECT_OK("-n 3 --rows=4 -n5");
	EXPECT_EQ(line.values.rows, 5);
	EXPECT_OK("-u a --user b");
	EXPECT_STR(line.values.user, "b");
	EXPECT_OK("-a -a --all");
	EXPECT(line.values.all);
}

static void test_missing_value(void)
{
	expect_refused("-n", "-n needs a value: a whole number from 1 to 4294967295");
	expect_refused("-abn", "-n needs a value: a whole number from 1 to 4294967295");
	expect_refused("--color", "--color needs a value: auto, always or never");
	/* "--" ends the options even here: a command must never be taken for a value */
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-u -- ls"), -EINVAL);
	EXPECT_STR(line.err.text, "-u needs a value: NAME");
}

static void test_unknown(void)
{
	expect_refused("-x", "unknown option \"-x\"");
	expect_refused("-abx", "unknown option -x in \"-abx\"");
	expect_refused("--xyzzy", "unknown option \"--xyzzy\"");
	expect_refused("--xyzzy=5", "unknown option \"--xyzzy=5\"");
	expect_refused("--inteval 5", "unknown option \"--inteval\"; did you mean --interval?");
	expect_refused("--colour", "unknown option \"--colour\"; did you mean --color?");
	expect_refused("--hlep", "unknown option \"--hlep\"; did you mean --help?");
	expect_refused("--sews", "unknown option \"--sews\"");
	expect_refused("--versoin", "unknown option \"--versoin\"; did you mean --version?");
	expect_refused("--=5", "unknown option \"--=5\"");
	expect_refused("--all=yes", "--all takes no value, but is given \"yes\"");
	expect_refused("--all=", "--all takes no value, but is given \"\"");
}

/* A typed word may be a file's name that a shell's pattern brought along. */
static void test_hostile_words(void)
{
	static const char *const words[] = {"-n\033[31m", "-\033c",	  "-a\033",
					    "--all=\r\n", "--\033]0;x\a", "\033[2J",
					    "-i\xff\xfe", "--rows\x7f=1"};
	char word[3000];
	size_t i;
	const char *c;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		EXPECT(parse_word(words[i]) < 0);
		for (c = line.err.text; *c; c++)
			EXPECT(*c >= ' ' && *c != 0x7f);
	}
	memset(word, 'x', sizeof(word));
	memcpy(word, "--", 2);
	word[sizeof(word) - 1] = '\0';
	EXPECT(parse_word(word) < 0);
	EXPECT(strlen(line.err.text) < sizeof(word)); /* it is shortened */
}

static void test_no_operands(void)
{
	expect_refused("foo", "unexpected word \"foo\"; only options are accepted here");
	expect_refused("-a foo", "unexpected word \"foo\"; only options are accepted here");
	expect_refused("-", "unexpected word \"-\"; only options are accepted here");
	expect_refused("-- foo", "unexpected word \"foo\"; only options are accepted here");
	EXPECT_OK("-a --");
	EXPECT(line.values.all);
	EXPECT_EQ(parse_word(""), -EINVAL);
	EXPECT_STR(line.err.text, "unexpected word \"\"; only options are accepted here");
}

static void test_command(void)
{
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-a -- ls -l -- -n 3"), 0);
	EXPECT_EQ(line.options.nr_words, 5);
	EXPECT_STR(line.options.words[0], "ls");
	EXPECT_STR(line.options.words[1], "-l");
	EXPECT_STR(line.options.words[2], "--");
	EXPECT_STR(line.options.words[4], "3");
	EXPECT(!line.options.words[5]);
	EXPECT_EQ(line.values.rows, 20);
	EXPECT(line.values.all);
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-a"), 0);
	EXPECT_EQ(line.options.nr_words, 0);
	EXPECT(!line.options.words[0]);
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-a --"), -EINVAL);
	EXPECT_STR(line.err.text, "-- needs a command to run after it");
	EXPECT_EQ(parse(OPERANDS_COMMAND, "ls -a"), -EINVAL);
	EXPECT_STR(line.err.text, "unexpected word \"ls\"; put -- before a command to run");
}

static void test_words(void)
{
	EXPECT_EQ(parse(OPERANDS_WORDS, "one -n 3 two --all - -- -n four"), 0);
	EXPECT_EQ(line.options.nr_words, 5);
	EXPECT_STR(line.options.words[0], "one");
	EXPECT_STR(line.options.words[1], "two");
	EXPECT_STR(line.options.words[2], "-");
	EXPECT_STR(line.options.words[3], "-n");
	EXPECT_STR(line.options.words[4], "four");
	EXPECT(!line.options.words[5]);
	EXPECT_EQ(line.values.rows, 3);
	EXPECT_EQ(parse(OPERANDS_WORDS, "--"), 0);
	EXPECT_EQ(line.options.nr_words, 0);
}

/* A mark keeps how many words came before it, and 0 if it is not there. */
static void test_mark(void)
{
	EXPECT_EQ(parse(OPERANDS_WORDS, "one two"), 0);
	EXPECT_EQ(line.values.against, 0);
	EXPECT_EQ(parse(OPERANDS_WORDS, "--against one"), 0);
	EXPECT_EQ(line.values.against, 1);
	EXPECT_EQ(parse(OPERANDS_WORDS, "one -n 3 two --against three -- four"), 0);
	EXPECT_EQ(line.values.against, 3);
	EXPECT_EQ(line.options.nr_words, 4);
	EXPECT_EQ(parse(OPERANDS_WORDS, "--against=one"), -EINVAL);
	EXPECT_STR(line.err.text, "--against takes no value, but is given \"one\"");
}

static void test_help_and_version(void)
{
	EXPECT_OK("--help");
	EXPECT(line.options.help);
	EXPECT_OK("-ah --nonsense");
	EXPECT(line.options.help && line.values.all);
	EXPECT_OK("--version -n 0");
	EXPECT(line.options.version);
	EXPECT_BAD("-n 0 --help");
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-- ls --help"), 0);
	EXPECT(!line.options.help);
	EXPECT_EQ(parse(OPERANDS_COMMAND, "-u --help"), 0);
	EXPECT_STR(line.values.user, "--help");
}

static void test_help_text(void)
{
	static const struct option_row few[] = {
		{'a', "all", NULL, OPT_FLAG(struct values, all), NULL, "all processes"},
		{OPT_SECTION("Numbers")},
		{'n', "rows", "N", OPT_UNSIGNED(struct values, rows, 1, 9), "2",
		 "one two three four five six seven eight nine ten eleven twelve a thirteen"},
		{0, "color", "always|never|sometimes|whenever", OPT_CHOICE(struct values, color),
		 "never", "paint"},
		{0},
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	options__print_help(out, few);
	fclose(out);
	EXPECT_STR(
		text,
		"  -a, --all      all processes\n"
		"\n"
		"Numbers:\n"
		"  -n, --rows N   one two three four five six seven eight nine ten eleven twelve\n"
		"                 a thirteen (default 2)\n"
		"      --color always|never|sometimes|whenever\n"
		"                 paint (default never)\n"
		"\n"
		"Other:\n"
		"  -h, --help     print this help\n"
		"      --version  print the version\n");
	free(text);
}

static void test_wrapping(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	options__print_wrapped(out, "one\ntwo three", 0);
	options__print_wrapped(out, "", 4);
	options__print_wrapped(out,
			       "a_word_of_more_than_eighty_columns_in_one_line_is_not_broken_but_"
			       "stands_alone_on_it x",
			       2);
	fclose(out);
	EXPECT_STR(text, "one two three\n"
			 "\n"
			 "a_word_of_more_than_eighty_columns_in_one_line_is_not_broken_but_"
			 "stands_alone_on_it\n"
			 "  x\n");
	free(text);
}

int main(void)
{
	static const struct test tests[] = {
		{"defaults", test_defaults},
		{"every spelling of an option", test_spellings},
		{"no abbreviations", test_no_abbreviation},
		{"whole numbers", test_unsigned},
		{"numbers", test_number},
		{"numbers of 400 digits", test_huge_number},
		{"seconds", test_seconds},
		{"sizes", test_sizes},
		{"strings", test_strings},
		{"choices", test_choice},
		{"names", test_names},
		{"a list that is said in parts", test_list},
		{"process ids", test_pids},
		{"CPU lists", test_cpus},
		{"options given twice", test_twice},
		{"values that are missing", test_missing_value},
		{"unknown options", test_unknown},
		{"hostile words", test_hostile_words},
		{"commands without operands", test_no_operands},
		{"a command to run", test_command},
		{"operands between options", test_words},
		{"a mark among words", test_mark},
		{"--help and --version", test_help_and_version},
		{"the help text", test_help_text},
		{"lines are broken", test_wrapping},
		{0},
	};
	int code = run_tests("options", tests);

	forget();
	return code;
}
