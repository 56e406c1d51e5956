// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar; spaces are optional:
 *
 *	MEASURE [of comm=NAME | of pid=PID | of cgroup=PATH] > N% for T
 *
 * A name ends at a space or at ">"; in quotes, "a b", at the second one.
 */
#include "serve/rule.h"

#include "base/options/options.h"

#define MAX_PID	    4194304
#define MAX_PERCENT 1e6
#define MAX_FOR_S   86400
#define BLANKS	    " \t"

static const char *const measures[RULE_MEASURES] = {
	[RULE_CPU] = "cpu",
	[RULE_PRESSURE_CPU] = "pressure.cpu",
	[RULE_PRESSURE_MEMORY] = "pressure.memory",
	[RULE_PRESSURE_IO] = "pressure.io",
};

const char *rule_measure__name(enum rule_measure measure)
{
	return measures[measure];
}

/* ---- parsing ---- */

struct rule_text {
	const char *whole, *at;
};

/* Sets an error such as "a rule needs a measure at character 5: "> 5%..."". */
static int refuse(const struct rule_text *text, struct error *err, const char *wanted)
{
	struct quoted quoted;

	if (!*text->at)
		return error__say(err, EXIT_USAGE, -EINVAL, "a rule lacks %s, at its end", wanted);
	return error__say(err, EXIT_USAGE, -EINVAL, "a rule needs %s at character %zu: %s", wanted,
			  (size_t)(text->at - text->whole) + 1, quote(&quoted, text->at));
}

static void skip_blanks(struct rule_text *text)
{
	text->at += strspn(text->at, BLANKS);
}

/* Length of a word of letters, digits, points and underscores. */
static size_t word_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._");
}

/* Takes this word if it comes next. */
static bool take_word(struct rule_text *text, const char *word)
{
	const size_t length = strlen(word);

	skip_blanks(text);
	if (word_length(text->at) != length || strncmp(text->at, word, length) != 0)
		return false;
	text->at += length;
	return true;
}

static bool take_sign(struct rule_text *text, char sign)
{
	skip_blanks(text);
	if (*text->at != sign)
		return false;
	text->at++;
	return true;
}

/* ---- the parts ---- */

static int take_measure(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	for (enum rule_measure measure = 0; measure < RULE_MEASURES; measure++) {
		if (!take_word(text, measures[measure]))
			continue;
		rule->measure = measure;
		return 0;
	}
	return refuse(text, err, "cpu, pressure.cpu, pressure.memory or pressure.io");
}

static int take_name(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	const bool is_quoted = *text->at == '"';
	const char *begin = text->at + is_quoted;
	const size_t length = strcspn(begin, is_quoted ? "\"" : BLANKS ">");

	if (!length)
		return refuse(text, err, "a name");
	if (is_quoted && begin[length] != '"')
		return refuse(text, err, "a second \" after a name");
	if (length >= sizeof(rule->name))
		return refuse(text, err, "a name of at most 255 bytes");
	memcpy(rule->name, begin, length);
	rule->name[length] = '\0';
	text->at = begin + length + is_quoted;
	return 0;
}

static int take_pid(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	const size_t length = strspn(text->at, "0123456789");
	const long pid = length && length < 8 ? strtol(text->at, NULL, 10) : 0;

	if (pid < 1 || pid > MAX_PID)
		return refuse(text, err, "the id of a process");
	rule->pid = (int32_t)pid;
	text->at += length;
	return 0;
}

static int take_cgroup(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	const struct rule_text before = *text;
	int code = take_name(rule, text, err);

	/* The path is appended to a directory, so it must not lead out of it. */
	if (!code &&
	    (rule->name[0] != '/' || strstr(rule->name, "/../") ||
	     (strlen(rule->name) >= 3 && !strcmp(rule->name + strlen(rule->name) - 3, "/.."))))
		return refuse(&before, err, "the path of a cgroup, such as /system.slice");
	return code;
}

static const struct {
	const char *name;
	enum rule_subject subject;
	int (*take)(struct when_rule *rule, struct rule_text *text, struct error *err);
} subjects[] = {
	{"comm", RULE_OF_COMM, take_name},
	{"pid", RULE_OF_PID, take_pid},
	{"cgroup", RULE_OF_CGROUP, take_cgroup},
};

static int take_subject(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	struct rule_text before;

	if (!take_word(text, "of"))
		return 0;
	skip_blanks(text);
	before = *text;
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		if (!take_word(text, subjects[i].name))
			continue;
		rule->subject = subjects[i].subject;
		if (rule->measure != RULE_CPU && rule->subject != RULE_OF_CGROUP)
			return refuse(&before, err,
				      "of cgroup=, as the kernel knows the pressure of cgroups and "
				      "of the whole machine only,");
		if (!take_sign(text, '='))
			return refuse(text, err, "=");
		skip_blanks(text);
		return subjects[i].take(rule, text, err);
	}
	return refuse(text, err, "comm=, pid= or cgroup= after of");
}

static int take_limit(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	size_t length;
	char *end;

	if (!take_sign(text, '>'))
		return refuse(text, err, ">");
	skip_blanks(text);
	length = strspn(text->at, "0123456789.");
	rule->above = strtod(text->at, &end);
	if (!length || end != text->at + length || !(rule->above > 0) || rule->above > MAX_PERCENT)
		return refuse(text, err, "a number above 0");
	text->at = end;
	return take_sign(text, '%') ? 0 : refuse(text, err, "% after the number");
}

/* Takes a duration as options accept it: "10s", "2m". */
static int take_duration(struct when_rule *rule, struct rule_text *text, struct error *err)
{
	struct seconds_value {
		double seconds;
	} value = {0};
	static const struct option_row row = {.kind = OPTION_SECONDS, .min = 1, .max = MAX_FOR_S};
	char word[32] = "";
	size_t length;

	if (!take_word(text, "for"))
		return refuse(text, err, "for, and how long");
	skip_blanks(text);
	length = word_length(text->at);
	if (length < sizeof(word))
		memcpy(word, text->at, length);
	if (option__store(&row, &value, word))
		return refuse(text, err, "a time from 1s to 24h");
	rule->for_ns = (uint64_t)(value.seconds * 1e9);
	text->at += length;
	return 0;
}

int rule__parse(struct when_rule *rule, const char *text, struct error *err)
{
	struct rule_text rest = {.whole = text, .at = text};
	int code;

	*rule = (struct when_rule){0};
	code = take_measure(rule, &rest, err);
	if (!code)
		code = take_subject(rule, &rest, err);
	if (!code)
		code = take_limit(rule, &rest, err);
	if (!code)
		code = take_duration(rule, &rest, err);
	if (code)
		return code;
	skip_blanks(&rest);
	return *rest.at ? refuse(&rest, err, "nothing more") : 0;
}
