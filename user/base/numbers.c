// SPDX-License-Identifier: GPL-2.0-only
#include "base/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

void text__print_number(FILE *out, double number)
{
	fprintf(out, "%.10g", number);
}

const char *text__plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

const char *text__format_rounded(char text[ROUNDED_SIZE], int digits, double number)
{
	/* "%g" alone would write 1e+02 and 5e-05. */
	if (number >= pow(10, digits) - 0.5 && number < 1e15)
		snprintf(text, ROUNDED_SIZE, "%.0f", number);
	else
		snprintf(text, ROUNDED_SIZE, "%.*g", digits, fabs(number) < 0.0001 ? 0 : number);
	return text;
}

static bool ends_in(const char *word, size_t length, const char *end)
{
	const size_t nr = strlen(end);

	return length > nr && !strcmp(word + length - nr, end);
}

int text__noun_length(const char *plural, bool is_one)
{
	/* context-switches, branches, cache-misses; but caches */
	static const char *const long_plurals[] = {"tches", "nches", "sses"};
	const size_t length = strlen(plural);

	/* A name with a colon is a single event such as syscalls:sys_enter_times, not a plural. */
	if (!is_one || strchr(plural, ':') || ends_in(plural, length, "ss"))
		return (int)length;
	for (size_t i = 0; i < sizeof(long_plurals) / sizeof(long_plurals[0]); i++)
		if (ends_in(plural, length, long_plurals[i]))
			return (int)length - 2;
	return (int)length - ends_in(plural, length, "s");
}

int text__format_count(char *text, size_t size, uint64_t count)
{
	char grouped[32]; /* 20 digits and 6 commas, written from the end */
	char *first = grouped + sizeof(grouped) - 1;
	unsigned int nr_digits = 0;

	*first = '\0';
	do {
		if (nr_digits && nr_digits % 3 == 0)
			*--first = ',';
		*--first = (char)('0' + count % 10);
		nr_digits++;
	} while (count /= 10);
	return snprintf(text, size, "%s", first);
}

int text__format_decimal(char *text, size_t size, uint64_t value, int decimals)
{
	const uint64_t unit = (uint64_t)pow(10, decimals);
	char rest[ROUNDED_SIZE];
	int length;

	if (value < unit)
		return snprintf(text, size, "%.3g", (double)value / (double)unit);
	length = snprintf(rest, sizeof(rest), "%.3f", (double)(value % unit) / (double)unit);
	while (rest[length - 1] == '0')
		rest[--length] = '\0';
	if (rest[length - 1] == '.')
		length--;
	rest[length] = '\0';
	length = text__format_count(text, size, value / unit + (*rest == '1'));
	if (length < 0 || (size_t)length >= size)
		return length;
	return length + snprintf(text + length, size - (size_t)length, "%s", rest + 1);
}

/* Formats three significant digits without trailing zeros: 1.25, 12.5, 125, 0.5. */
static int format_scaled(char *text, size_t size, double value, const char *unit)
{
	/*
	 * The caller has chosen a unit for which value is below 999.5, as "%.3g" would print 1e+03.
	 */
	return snprintf(text, size, "%.3g %s", value, unit);
}

int text__format_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		value /= 1000;
	return format_scaled(text, size, value, units[unit]);
}

int text__format_duration(char *text, size_t size, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	const uint64_t seconds = ns / 1000000000 + (ns % 1000000000 >= 500000000);
	double value = (double)ns;
	size_t unit = ns ? 0 : 3;

	if (seconds >= 3600)
		return snprintf(text, size, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600,
				seconds / 60 % 60);
	if (ns >= 59950000000) /* values that would round to 60 s */
		return snprintf(text, size, "%" PRIu64 " min %" PRIu64 " s", seconds / 60,
				seconds % 60);
	for (; value >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		value /= 1000;
	return format_scaled(text, size, value, units[unit]);
}
