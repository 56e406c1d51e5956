// SPDX-License-Identifier: GPL-2.0-only
#include "actions/moment.h"

/*
 * Parses the whole text by a format of strptime(). Blanks and signs, which strptime() takes, are
 * refused.
 */
static bool parse_as(const char *text, const char *format, struct tm *tm)
{
	const char *end;

	if (strspn(text, "0123456789:-T") != strlen(text))
		return false;
	end = strptime(text, format, tm);
	return end && !*end;
}

static bool parse_time(const char *text, struct tm *tm)
{
	return parse_as(text, "%H:%M:%S", tm) || parse_as(text, "%H:%M", tm);
}

static bool parse_date(const char *text, struct tm *tm)
{
	return parse_as(text, "%Y-%m-%dT%H:%M:%S", tm) || parse_as(text, "%Y-%m-%dT%H:%M", tm);
}

/* Refuses dates such as the 31st of February, which mktime() takes for a day in March. */
static int to_seconds(const struct tm *tm, time_t *at)
{
	struct tm normal = *tm;

	normal.tm_isdst = -1;
	*at = mktime(&normal);
	return *at == (time_t)-1 || normal.tm_mday != tm->tm_mday ? -EINVAL : 0;
}

static int find_today(const struct tm *wanted, time_t now, time_t *at)
{
	struct tm today;

	for (int days = 0; days < 2; days++) {
		/* Goes back by a calendar day: not all days have 24 hours. */
		if (!localtime_r(&now, &today))
			return -EINVAL;
		today.tm_mday -= days;
		today.tm_hour = wanted->tm_hour;
		today.tm_min = wanted->tm_min;
		today.tm_sec = wanted->tm_sec;
		today.tm_isdst = -1;
		*at = mktime(&today);
		if (*at != (time_t)-1 && *at <= now)
			return 0;
	}
	return -EINVAL;
}

int moment__parse(const char *text, time_t now, time_t *at, struct error *err)
{
	struct quoted quoted;
	struct tm tm = {0};
	int code = -EINVAL;

	if (parse_time(text, &tm)) {
		code = find_today(&tm, now, at);
	} else {
		tm = (struct tm){0};
		if (parse_date(text, &tm))
			code = to_seconds(&tm, at);
	}
	if (code)
		return error__say(err, EXIT_USAGE, code,
				  "%s is no time: say 14:03:10, or 2026-11-26T14:03:10",
				  quote(&quoted, text));
	return *at <= now ? 0
			  : error__say(err, EXIT_USAGE, -EINVAL,
				       "%s is yet to come; only the past can be shown",
				       quote(&quoted, text));
}
