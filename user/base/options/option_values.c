// SPDX-License-Identifier: GPL-2.0-only
/*
 * For each kind one function parses a value, and one describes the accepted values; the table at
 * the end joins them. Parsing is stricter than strtod() and strtoul(): no sign, no space, no
 * hexadecimal, no exponent, no infinity, and only a known unit after the number. The program never
 * sets LC_NUMERIC, so the decimal point is a point.
 */
#include "base/options/options.h"

#include <strings.h>

enum { PID_MAX = 4194304 }; /* PID_MAX_LIMIT of include/linux/threads.h on 64 bits */

/* A number is multiplied and then divided, so that "50ms" is exactly 0.05. */
struct option_unit {
	const char *name;
	double multiply, divide;
};

static const struct option_unit time_units[] = {{"", 1, 1},	{"s", 1, 1},	 {"ms", 1, 1e3},
						{"us", 1, 1e6}, {"m", 60, 1},	 {"min", 60, 1},
						{"h", 3600, 1}, {"d", 86400, 1}, {0}};

static const struct option_unit size_units[] = {{"", 1, 1},	    {"K", 0x1p10, 1},
						{"KiB", 0x1p10, 1}, {"M", 0x1p20, 1},
						{"MiB", 0x1p20, 1}, {"G", 0x1p30, 1},
						{"GiB", 0x1p30, 1}, {"T", 0x1p40, 1},
						{"TiB", 0x1p40, 1}, {0}};

static const struct option_unit no_units[] = {{"", 1, 1}, {0}};

/* Parses "1.5m" and the like, within the row's bounds. */
static int scan_number(const struct option_row *row, const struct option_unit *unit,
		       const char *text, double *value)
{
	const size_t length = strspn(text, "0123456789.");
	char *end;

	*value = strtod(text, &end);
	while (unit->name && strcasecmp(unit->name, text + length))
		unit++;
	if (!length || end != text + length || !unit->name)
		return -EINVAL;
	*value = *value * unit->multiply / unit->divide;
	return *value >= row->min && *value <= row->max ? 0 : -EINVAL;
}

/* Parses digits and moves behind them. The number must not exceed max, which is below ULONG_MAX. */
static int scan_whole(const char **text, unsigned long max, unsigned long *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	*value = strtoul(*text, &end, 10); /* ULONG_MAX on overflow */
	if (*value > max)
		return -EINVAL;
	*text = end;
	return 0;
}

/* Steps over the comma between two items; an item must follow it. */
static int scan_comma(const char **text)
{
	if (**text == '\0')
		return 0;
	if (**text != ',' || (*text)[1] == '\0')
		return -EINVAL;
	++*text;
	return 0;
}

static int store_unsigned(const struct option_row *row, void *field, const char *text)
{
	unsigned long value;

	if (scan_whole(&text, (unsigned long)row->max, &value) || *text ||
	    value < (unsigned long)row->min)
		return -EINVAL;
	*(unsigned int *)field = (unsigned int)value;
	return 0;
}

static int store_number(const struct option_row *row, void *field, const char *text)
{
	return scan_number(row, no_units, text, field);
}

static int store_seconds(const struct option_row *row, void *field, const char *text)
{
	return scan_number(row, time_units, text, field);
}

static int store_size(const struct option_row *row, void *field, const char *text)
{
	double bytes;
	int code = scan_number(row, size_units, text, &bytes);

	if (!code)
		*(uint64_t *)field = (uint64_t)bytes;
	return code;
}

static int store_string(const struct option_row *row, void *field, const char *text)
{
	(void)row;
	if (!*text)
		return -EINVAL;
	*(const char **)field = text;
	return 0;
}

static int store_list(const struct option_row *row, void *field, const char *text)
{
	const char *between = row->kind == OPTION_PATTERN ? "|" : ",";
	char **list = field, *before = *list;

	if (!*text)
		return -EINVAL;
	*list = xasprintf("%s%s%s", before ? before : "", before ? between : "", text);
	free(before);
	return 0;
}

/* Parses a word; the metavar "auto|always|never" is the list of words. */
static int store_choice(const struct option_row *row, void *field, const char *text)
{
	const char *word = row->metavar;
	unsigned int index = 0;

	for (;; index++) {
		size_t length = strcspn(word, "|");

		if (strlen(text) == length && !strncmp(word, text, length)) {
			*(unsigned int *)field = index;
			return 0;
		}
		if (!word[length])
			return -EINVAL;
		word += length + 1;
	}
}

static int store_pids(const struct option_row *row, void *field, const char *text)
{
	struct pid_list *list = field;

	if (!list->ids)
		list->ids = xcalloc((size_t)row->max, sizeof(*list->ids));
	do {
		unsigned long pid;
		size_t i = 0;

		if (scan_whole(&text, PID_MAX, &pid) || pid == 0 || scan_comma(&text))
			return -EINVAL;
		while (i < list->nr_ids && list->ids[i] != (pid_t)pid)
			i++;
		if (i < list->nr_ids)
			continue;
		if (list->nr_ids >= (size_t)row->max)
			return -EINVAL;
		list->ids[list->nr_ids++] = (pid_t)pid;
	} while (*text);
	return 0;
}

/* Each name is stored once. */
static int store_names(const struct option_row *row, void *field, const char *text)
{
	struct name_list *list = field;
	size_t length, i;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (!length || list->nr_names >= (size_t)row->max)
			return -EINVAL;
		for (i = 0; i < list->nr_names; i++)
			if (!strncmp(list->names[i], text, length) && !list->names[i][length])
				break;
		if (!list->names)
			list->names = xcalloc((size_t)row->max, sizeof(*list->names));
		if (i == list->nr_names)
			list->names[list->nr_names++] = xstrndup(text, length);
		if (!text[length])
			return 0;
	}
}

static int store_cpus(const struct option_row *row, void *field, const char *text)
{
	unsigned long highest = (unsigned long)row->max;
	struct cpu_list *list = field;

	if (!list->cpus)
		list->cpus = xcalloc(highest + 1, sizeof(*list->cpus));
	do {
		unsigned long first, last;

		if (scan_whole(&text, highest, &first))
			return -EINVAL;
		last = first;
		if (*text == '-' && (text++, scan_whole(&text, highest, &last)))
			return -EINVAL;
		if (last < first || scan_comma(&text))
			return -EINVAL;
		memset(list->cpus + first, true, last - first + 1);
		if (last >= list->nr_cpus)
			list->nr_cpus = last + 1;
	} while (*text);
	return 0;
}

static void describe_unsigned(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "a whole number from %.0f to %.0f", row->min, row->max);
}

static void describe_number(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "a number from %.10g to %.10g", row->min, row->max);
}

static void describe_seconds(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "seconds from %.10g to %.10g, such as %s", row->min, row->max,
		 row->min <= 0.5 ? "5, 0.5, 500ms or 2m" : "60, 5m or 1h");
}

/* Formats with the largest unit of one letter that gives a whole number: 1048576 is "1M". */
static void format_size(char *text, size_t size, double bytes)
{
	const struct option_unit *best = size_units, *unit;

	for (unit = size_units; unit->name; unit++)
		if (bytes >= unit->multiply && (uint64_t)bytes % (uint64_t)unit->multiply == 0 &&
		    strlen(unit->name) <= 1)
			best = unit;
	snprintf(text, size, "%.0f%s", bytes / best->multiply, best->name);
}

static void describe_size(const struct option_row *row, char *text, size_t size)
{
	char min[32], max[32];

	format_size(min, sizeof(min), row->min);
	format_size(max, sizeof(max), row->max);
	snprintf(text, size, "a size from %s to %s, such as 64M or 1.5G", min, max);
}

static void describe_string(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->metavar);
}

/* Turns "auto|always|never" into "auto, always or never". */
static void describe_choice(const struct option_row *row, char *text, size_t size)
{
	const char *last = strrchr(row->metavar, '|');
	const char *from;
	size_t used = 0;

	for (from = row->metavar; *from && used + 5 < size; from++) {
		if (*from == '|')
			used += (size_t)snprintf(text + used, size - used, "%s",
						 from == last ? " or " : ", ");
		else
			text[used++] = *from;
	}
	text[used] = '\0';
}

static void describe_pids(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "up to %.0f process ids from 1 to %d, such as 4711 or 12,34", row->max,
		 PID_MAX);
}

static void describe_names(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "%s, up to %.0f of them", row->metavar, row->max);
}

static void describe_cpus(const struct option_row *row, char *text, size_t size)
{
	snprintf(text, size, "CPU numbers from 0 to %.0f, such as 0 or 0,2-5", row->max);
}

static const struct {
	int (*store)(const struct option_row *row, void *field, const char *text);
	void (*describe)(const struct option_row *row, char *text, size_t size);
} kinds[] = {
	[OPTION_UNSIGNED] = {store_unsigned, describe_unsigned},
	[OPTION_NUMBER] = {store_number, describe_number},
	[OPTION_SECONDS] = {store_seconds, describe_seconds},
	[OPTION_SIZE] = {store_size, describe_size},
	[OPTION_STRING] = {store_string, describe_string},
	[OPTION_OPTIONAL] = {store_string, describe_string},
	[OPTION_LIST] = {store_list, describe_string},
	[OPTION_PATTERN] = {store_list, describe_string},
	[OPTION_CHOICE] = {store_choice, describe_choice},
	[OPTION_PIDS] = {store_pids, describe_pids},
	[OPTION_NAMES] = {store_names, describe_names},
	[OPTION_CPUS] = {store_cpus, describe_cpus},
};

int option__store(const struct option_row *row, void *values, const char *text)
{
	return kinds[row->kind].store(row, (char *)values + row->offset, text);
}

void option__describe(const struct option_row *row, char *text, size_t size)
{
	kinds[row->kind].describe(row, text, size);
}

void option__release(const struct option_row *row, void *values)
{
	void *field = (char *)values + row->offset;

	if (row->kind == OPTION_PIDS) {
		free(((struct pid_list *)field)->ids);
		*(struct pid_list *)field = (struct pid_list){0};
	} else if (row->kind == OPTION_LIST || row->kind == OPTION_PATTERN) {
		free(*(char **)field);
		*(char **)field = NULL;
	} else if (row->kind == OPTION_NAMES) {
		struct name_list *list = field;

		for (size_t i = 0; i < list->nr_names; i++)
			free(list->names[i]);
		free(list->names);
		*list = (struct name_list){0};
	} else if (row->kind == OPTION_CPUS) {
		free(((struct cpu_list *)field)->cpus);
		*(struct cpu_list *)field = (struct cpu_list){0};
	}
}
