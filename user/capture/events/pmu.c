// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/pmu.h"

#include <dirent.h>

#include "base/files.h"
#include "capture/events/event_words.h"
#include "capture/events/suggestions.h"

#define MAX_FILE_BYTES 4096
#define MAX_LISTED     4096 /* entries of a directory to search for similar names */

/* The bits that a term sets, lowest first; number: 0 for config, 1 for config1, 2 for config2. */
struct term_bits {
	unsigned int number;
	uint64_t bits;
};

struct pmu {
	const char *directory; /* the directory of all PMUs */
	const struct event_words *words;
	struct perf_event_attr *attr;
	struct error *err;
};

/*
 * Reads the first line of a file below the directory; name may be "". -ENOENT also for names that
 * would lead out of the directory. *text is to be freed.
 */
static int read_file(const char *directory, const char *pmu, const char *kind, const char *name,
		     char **text)
{
	char *path;
	int code;

	*text = NULL;
	if (pmu[0] == '.' || name[0] == '.' || strchr(pmu, '/') || strchr(name, '/'))
		return -ENOENT;
	path = xasprintf("%s/%s/%s%s", directory, pmu, kind, name);
	code = files__read(path, MAX_FILE_BYTES, text, NULL);
	free(path);
	if (!code)
		(*text)[strcspn(*text, "\n")] = '\0';
	return code == -ENOTDIR || code == -EISDIR || code == -ENAMETOOLONG ? -ENOENT : code;
}

/*
 * Reads decimal digits and sets *end behind them. False: there are none, or the number is above
 * most.
 */
static bool read_decimal(const char *text, unsigned long most, unsigned long *number, char **end)
{
	if (*text < '0' || *text > '9')
		return false;
	*number = strtoul(text, end, 10);
	return *number <= most;
}

int pmu__read_type(const char *directory, const char *name, uint32_t *type)
{
	unsigned long number;
	char *text, *end;
	int code = read_file(directory, name, "", "type", &text);

	if (code)
		return code;
	if (!read_decimal(text, UINT32_MAX, &number, &end) || *end)
		code = -EBADMSG;
	else
		*type = (uint32_t)number;
	free(text);
	return code;
}

/* ---- formats ---- */

/* Parses a list of bits: "0-7,32-35". */
static bool parse_bits(const char *text, uint64_t *bits)
{
	unsigned long first, last;
	char *end;

	for (*bits = 0;; text = end + 1) {
		if (!read_decimal(text, 63, &first, &end))
			return false;
		last = first;
		if (*end == '-' && (!read_decimal(end + 1, 63, &last, &end) || last < first))
			return false;
		*bits |= (UINT64_MAX >> (63 - (last - first))) << first;
		if (*end != ',')
			return !*end;
	}
}

/* Parses a format: "config1:0-63". */
static bool parse_format(const char *text, struct term_bits *format)
{
	static const char *const numbers[] = {"config:", "config1:", "config2:"};
	unsigned int i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strncmp(text, numbers[i], strlen(numbers[i])) != 0)
			continue;
		format->number = i;
		return parse_bits(text + strlen(numbers[i]), &format->bits);
	}
	return false;
}

/* Recognizes config, config1 and config2, which need no format file: config=0x1b7. */
static bool is_number_itself(const char *key, struct term_bits *format)
{
	static const char *const numbers[] = {"config", "config1", "config2"};
	unsigned int i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(key, numbers[i])) {
			*format = (struct term_bits){.number = i, .bits = UINT64_MAX};
			return true;
		}
	return false;
}

/* Spreads the value's bits over the given bits, lowest first. False: the value has too many. */
static bool scatter(uint64_t value, uint64_t bits, uint64_t *scattered)
{
	*scattered = 0;
	for (; bits; bits &= bits - 1, value >>= 1)
		if (value & 1)
			*scattered |= bits & -bits;
	return !value;
}

static int set_bits(const struct pmu *pmu, const struct event_term *term,
		    const struct term_bits *format)
{
	const uint64_t value = term->text ? term->number : 1;
	struct quoted quoted, quoted_key;
	uint64_t scattered;

	if (term->text && (!term->is_number || term->is_negative))
		return error__say(pmu->err, EXIT_USAGE, -EINVAL, "%s of %s is a number, not %s",
				  quote__noun(&quoted_key, term->key), pmu->words->name,
				  quote(&quoted, term->text));
	if (!scatter(value, format->bits, &scattered))
		return error__say(pmu->err, EXIT_USAGE, -ERANGE,
				  "%s of %s is a number of %d bits, which %s is not",
				  quote__noun(&quoted_key, term->key), pmu->words->name,
				  __builtin_popcountll(format->bits),
				  quote(&quoted, term->text ? term->text : "1"));
	if (format->number == 0)
		pmu->attr->config |= scattered;
	else if (format->number == 1)
		pmu->attr->config1 |= scattered;
	else
		pmu->attr->config2 |= scattered;
	return 0;
}

/* ---- names ---- */

/*
 * Excludes the files that tell perf how to print an event's counts, which stand beside the events'
 * files.
 */
static bool is_event_file(const char *name)
{
	static const char *const endings[] = {".scale", ".unit", ".per-pkg", ".snapshot"};
	size_t i, length = strlen(name), ending;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		ending = strlen(endings[i]);
		if (length >= ending && !strcmp(name + length - ending, endings[i]))
			return false;
	}
	return name[0] != '.';
}

static void add_names(const char *directory, const char *pmu, const char *kind, const char *wanted,
		      struct suggestions *near)
{
	char *path = xasprintf("%s/%s%s", directory, pmu, kind);
	DIR *names = opendir(path);
	struct dirent *entry;
	size_t nr_listed;

	free(path);
	for (nr_listed = 0; names && nr_listed < MAX_LISTED; nr_listed++) {
		entry = readdir(names);
		if (!entry)
			break;
		if (is_event_file(entry->d_name))
			suggestions__add(near, entry->d_name, wanted, 0);
	}
	if (names)
		closedir(names);
}

void pmu__suggest(const char *directory, const char *wanted, struct suggestions *near)
{
	add_names(directory, "", "", wanted, near);
}

static int say_unknown_term(const struct pmu *pmu, const struct event_term *term)
{
	struct suggestions near = {0};
	struct quoted quoted;
	char names[256];

	add_names(pmu->directory, pmu->words->name, "/events", term->key, &near);
	add_names(pmu->directory, pmu->words->name, "/format", term->key, &near);
	error__say(pmu->err, EXIT_USAGE, -ENOENT, "the PMU %s has no %s %s%s", pmu->words->name,
		   term->text ? "term" : "event", quote(&quoted, term->key),
		   suggestions__format(&near, "; near: ", names, sizeof(names)));
	suggestions__fini(&near);
	return -ENOENT;
}

static int say_no_sense(const struct pmu *pmu, const struct event_term *term)
{
	struct quoted quoted;

	return error__say(pmu->err, EXIT_SYSTEM, -EBADMSG,
			  "what the kernel says of %s of the PMU %s makes no sense here",
			  quote(&quoted, term->key), pmu->words->name);
}

/* ---- terms ---- */

static int set_term(const struct pmu *pmu, const struct event_term *term)
{
	struct term_bits format;
	char *text;
	int code = read_file(pmu->directory, pmu->words->name, "format/", term->key, &text);
	bool is_known;

	if (code == -ENOENT && is_number_itself(term->key, &format))
		return set_bits(pmu, term, &format);
	if (code == -ENOENT)
		return say_unknown_term(pmu, term);
	if (code)
		return say_no_sense(pmu, term);
	is_known = parse_format(text, &format);
	free(text);
	return is_known ? set_bits(pmu, term, &format) : say_no_sense(pmu, term);
}

/*
 * Applies the terms that a name stands for. They have the grammar of -e, but must not contain
 * further names.
 */
static int set_named(const struct pmu *pmu, const struct event_term *name, const char *terms)
{
	char *item = xasprintf("%s/%s/", pmu->words->name, terms);
	struct event_words meant;
	size_t i;
	int code = event_words__parse(&meant, item, strlen(item), NULL);

	free(item);
	if (code)
		return say_no_sense(pmu, name);
	for (i = 0; i < meant.nr_terms && !code; i++)
		code = set_term(pmu, &meant.terms[i]);
	event_words__free(&meant);
	return code == -ENOENT ? say_no_sense(pmu, name) : code;
}

static int apply_term(const struct pmu *pmu, const struct event_term *term)
{
	struct quoted quoted;
	char *text = NULL;
	int code = -ENOENT;

	if (term->op > EVENT_OP_SET)
		return error__say(pmu->err, EXIT_USAGE, -EINVAL,
				  "only fields of tracepoints are compared, not %s of the PMU %s",
				  quote(&quoted, term->key), pmu->words->name);
	if (!term->text && is_event_file(term->key))
		code = read_file(pmu->directory, pmu->words->name, "events/", term->key, &text);
	if (code == -ENOENT)
		return set_term(pmu, term);
	code = code ? say_no_sense(pmu, term) : set_named(pmu, term, text);
	free(text);
	return code;
}

int pmu__configure(const char *directory, const struct event_words *words,
		   struct perf_event_attr *attr, struct error *err)
{
	const struct pmu pmu = {directory, words, attr, err};
	struct suggestions near = {0};
	struct quoted quoted;
	char names[256];
	uint32_t type;
	size_t i;
	int code = pmu__read_type(directory, words->name, &type);

	if (code == -ENOENT) {
		pmu__suggest(directory, words->name, &near);
		error__say(err, EXIT_USAGE, -ENOENT, "this machine has no PMU %s%s",
			   quote(&quoted, words->name),
			   suggestions__format(&near, "; near: ", names, sizeof(names)));
		suggestions__fini(&near);
		return -ENOENT;
	}
	if (code)
		return error__say(err, EXIT_SYSTEM, code,
				  "what the kernel says of the PMU %s makes no sense here",
				  quote(&quoted, words->name));
	/* The directory also has the kernel's pseudo-PMUs, whose config is no counter. */
	if (type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT ||
	    type == PERF_TYPE_BREAKPOINT || !strcmp(words->name, "kprobe") ||
	    !strcmp(words->name, "uprobe"))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "events of %s are not said as those of a PMU: docs/events.md",
				  quote(&quoted, words->name));
	attr->type = type;
	for (i = 0; i < words->nr_terms && !code; i++)
		code = apply_term(&pmu, &words->terms[i]);
	return code;
}
