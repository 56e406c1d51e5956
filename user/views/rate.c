// SPDX-License-Identifier: GPL-2.0-only
#include "views/rate.h"

#include <math.h>

#include "profile/recording.h"

/*
 * The time that a program loses with each sample of its CPU, including the interrupt: at 4,999 Hz
 * it lost about a tenth of its speed (bench/slowdown).
 */
#define SAMPLE_COSTS_S 16e-6
#define LEAST_PERCENT  3.0 /* less than the difference from run to run */
/* at higher rates samples are skipped, so that nothing can be measured */
#define CLAIMED_PERCENT 90.0

const char *rate__format(char *text, size_t size, double hz)
{
	char number[32];

	if (!(hz >= 0 && hz < 1e15)) {
		snprintf(text, size, "unknown rate");
	} else if (hz < 999.95 && fabs(hz - round(hz)) >= 0.05) {
		snprintf(text, size, "%.1f Hz", hz);
	} else {
		text__format_count(number, sizeof(number), (uint64_t)llround(hz));
		snprintf(text, size, "%s Hz", number);
	}
	return text;
}

const char *rate__format_asked(char *text, size_t size, const struct recording *recording)
{
	char first[32], numbers[64], asked[80], lowered[32];

	rate__format(first, sizeof(first), recording->first_hz);
	if (asked_rates__format(&recording->asked_rates, numbers, sizeof(numbers)))
		snprintf(asked, sizeof(asked), "%s Hz", numbers);
	else
		rate__format(asked, sizeof(asked), recording->asked_hz);
	rate__format(lowered, sizeof(lowered), recording->lowered_hz);
	snprintf(text, size, "%s%s%s%s%s", recording->first_hz > 0 ? first : "",
		 recording->first_hz > 0 ? ", then " : "", asked,
		 recording->lowered_hz > 0 ? ", lowered to " : "",
		 recording->lowered_hz > 0 ? lowered : "");
	return text;
}

const char *rate__format_brief(char *text, size_t size, double hz)
{
	snprintf(text, size, fabs(hz - round(hz)) < 0.05 || hz >= 1000 ? "%.0f" : "%.1f", hz);
	return text;
}

int rate__describe_slowdown(double hz, unsigned int nr_cpus, char *text, size_t size)
{
	double percent = fmin(CLAIMED_PERCENT, 100 * hz * SAMPLE_COSTS_S);

	if (percent < LEAST_PERCENT)
		return 0;
	return snprintf(
		text, size, "at %g Hz programs on %u CPU%s run some %.0f %% slower; %s-F lowers it",
		hz, nr_cpus, text__plural(nr_cpus), percent, nr_cpus > 1 ? "-C narrows it, " : "");
}
