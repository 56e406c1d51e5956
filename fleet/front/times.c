// SPDX-License-Identifier: GPL-2.0-only
#include "front/times.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

/*
 * A number of a unit, digits with at most one point among them; beyond nanoseconds digits are
 * dropped.
 */
static int take_number(const char **text, int64_t unit_ns, int64_t *ns)
{
	const char *at = *text;
	int64_t fraction = unit_ns, whole = 0;
	size_t nr_digits = 0;

	for (; isdigit((unsigned char)*at); at++, nr_digits++) {
		whole = whole * 10 + (*at - '0');
		if (whole > TIMES_LONGEST_NS / unit_ns)
			return -ERANGE;
	}
	*ns = whole * unit_ns;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at); at++, nr_digits++) {
			*ns += fraction / 10 * (*at - '0');
			fraction /= 10;
		}
	*text = at;
	if (!nr_digits || at[-1] == '.')
		return -EINVAL;
	return *ns > TIMES_LONGEST_NS ? -ERANGE : 0;
}

int times__seconds(const char *text, int64_t *ns)
{
	const bool is_negative = *text == '-';
	int code;

	text += is_negative;
	code = take_number(&text, SECOND_NS, ns);
	if (code)
		return code;
	if (is_negative)
		*ns = -*ns;
	return *text ? -EINVAL : 0;
}

/* ---- durations ---- */

struct time_unit {
	const char *name;
	int64_t ns;
};

/* A unit with a longer name stands before one that is its prefix. */
static const struct time_unit units[] = {
	{"h", 3600 * SECOND_NS},
	{"ms", SECOND_NS / 1000},
	{"m", 60 * SECOND_NS},
	{"s", SECOND_NS},
};

/* The unit after a number; without one, where nothing follows, they are seconds. */
static const struct time_unit *find_unit(const char *text)
{
	text += strspn(text, "0123456789.");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strncmp(text, units[i].name, strlen(units[i].name)))
			return &units[i];
	return NULL;
}

/* Units fall: "1m30s", not "30s1m". */
int times__duration(const char *text, int64_t *ns)
{
	int64_t last_ns = INT64_MAX, part;
	int code;

	if (!find_unit(text))
		return *text == '-' ? -EINVAL : times__seconds(text, ns);
	for (*ns = 0; *text; *ns += part) {
		const struct time_unit *unit = find_unit(text);

		if (!unit || unit->ns >= last_ns)
			return -EINVAL;
		last_ns = unit->ns;
		code = take_number(&text, unit->ns, &part);
		if (code)
			return code;
		if (strncmp(text, unit->name, strlen(unit->name)) != 0)
			return -EINVAL;
		text += strlen(unit->name);
	}
	return *ns > TIMES_LONGEST_NS ? -ERANGE : 0;
}

/* ---- moments ---- */

/* A pattern: 0 matches a digit, other characters match themselves. */
static bool has_shape(const char *text, const char *shape, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
			return false;
	return true;
}

static int two_digits(const char *text)
{
	return (text[0] - '0') * 10 + (text[1] - '0');
}

/* "14:03:10", then maybe ".5", then nothing else. Leap seconds are not of this clock. */
static int take_clock(const char *text, const char *end, struct tm *time, int64_t *fraction_ns)
{
	int code = 0;

	*fraction_ns = 0;
	if (end - text < 8 || !has_shape(text, "00:00:00", 8))
		return -EINVAL;
	time->tm_hour = two_digits(text);
	time->tm_min = two_digits(text + 3);
	time->tm_sec = two_digits(text + 6);
	text += 8;
	if (*text == '.')
		code = take_number(&text, SECOND_NS, fraction_ns);
	if (text != end || time->tm_hour > 23 || time->tm_min > 59 || time->tm_sec > 59)
		return -EINVAL;
	return code;
}

static int take_universal(const char *text, int64_t *ns)
{
	const char *end = text + strlen(text) - 1;
	struct tm time = {0}, again;
	int64_t fraction_ns;
	time_t seconds;

	if (*end != 'Z' || !has_shape(text, "0000-00-00T", 11) ||
	    take_clock(text + 11, end, &time, &fraction_ns))
		return -EINVAL;
	time.tm_year = two_digits(text) * 100 + two_digits(text + 2) - 1900;
	time.tm_mon = two_digits(text + 5) - 1;
	time.tm_mday = two_digits(text + 8);
	again = time;
	seconds = timegm(&again); /* timegm() turns the 31st of April into the 1st of May */
	if (time.tm_year < 70 || time.tm_year > 300 || again.tm_mon != time.tm_mon ||
	    again.tm_mday != time.tm_mday)
		return -EINVAL;
	*ns = (int64_t)seconds * SECOND_NS + fraction_ns;
	return 0;
}

/* For the day that began this many days ago. */
static int64_t local_ns(const struct tm *clock, int64_t now_ns, int days_ago)
{
	const time_t now = (time_t)(now_ns / SECOND_NS);
	struct tm day;

	localtime_r(&now, &day);
	day.tm_hour = clock->tm_hour;
	day.tm_min = clock->tm_min;
	day.tm_sec = clock->tm_sec;
	day.tm_mday -= days_ago;
	day.tm_isdst = -1;
	return (int64_t)mktime(&day) * SECOND_NS;
}

int times__moment(const char *text, int64_t now_ns, int64_t *ns)
{
	struct tm clock = {0};
	int64_t fraction_ns;

	if (strlen(text) > 11 && text[10] == 'T')
		return take_universal(text, ns);
	if (take_clock(text, text + strlen(text), &clock, &fraction_ns))
		return -EINVAL;
	*ns = local_ns(&clock, now_ns, 0) + fraction_ns;
	if (*ns > now_ns)
		*ns = local_ns(&clock, now_ns, 1) + fraction_ns;
	return 0;
}
