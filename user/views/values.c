// SPDX-License-Identifier: GPL-2.0-only
#include "views/values.h"

#include <string.h>

#include "base/text.h"

static const struct unit {
	const char *name;
	uint64_t ns; /* 0: bytes */
} units[] = {
	{"nanoseconds", 1},	 {"microseconds", 1000}, {"milliseconds", 1000000},
	{"seconds", 1000000000}, {"bytes", 0},
};

int value__format(char *text, size_t size, uint64_t value, const char *unit)
{
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].name, unit) != 0)
			continue;
		if (!units[i].ns)
			return text__format_bytes(text, size, value);
		if (value <= UINT64_MAX / units[i].ns)
			return text__format_duration(text, size, value * units[i].ns);
	}
	return text__format_count(text, size, value);
}
