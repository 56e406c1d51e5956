// SPDX-License-Identifier: GPL-2.0-only
#include "actions/time_of_day.h"

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

int time_of_day__parse(const char *text, time_t now, time_t *at, struct error *err)
{
	struct quoted quoted;
	struct tm tm = {0}, day;
	bool is_valid = false;

	if (parse_as(text, "%H:%M:%S", &tm) || parse_as(text, "%H:%M", &tm)) {
		for (int days = 0; !is_valid && days < 2 && localtime_r(&now, &day); days++) {
			/* Goes back by a calendar day: not all days have 24 hours. */
			day.tm_mday -= days;
			day.tm_hour = tm.tm_hour;
			day.tm_min = tm.tm_min;
			day.tm_sec = tm.tm_sec;
			day.tm_isdst = -1;
			*at = mktime(&day);
			is_valid = *at != (time_t)-1 && *at <= now;
		}
	} else {
		tm = (struct tm){0};
		if (parse_as(text, "%Y-%m-%dT%H:%M:%S", &tm) ||
		    parse_as(text, "%Y-%m-%dT%H:%M", &tm)) {
			day = tm;
			day.tm_isdst = -1;
			*at = mktime(&day);
			/* mktime() takes the 31st of February for a day in March. */
			is_valid = *at != (time_t)-1 && day.tm_mday == tm.tm_mday;
		}
	}
	if (!is_valid)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s is no time: say 14:03:10, or 2026-11-26T14:03:10",
				  quote(&quoted, text));
	return *at <= now ? 0
			  : error__say(err, EXIT_USAGE, -EINVAL,
				       "%s is yet to come; only the past can be shown",
				       quote(&quoted, text));
}
