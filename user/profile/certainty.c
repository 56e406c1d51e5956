// SPDX-License-Identifier: GPL-2.0-only
#include "profile/certainty.h"

#include <math.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#define TAIL	     0.05 /* probability outside the bounds, both sides together */
#define LEAST_FACTOR 1.05 /* smaller factors of scatter are not mentioned */
#define LEAST_DF     2	  /* of libRmath's ptukey(), which prints a warning for smaller ones */
#define MOST_RANGE   100  /* rows; with more rows the range is hardly wider by chance */

struct certainty certainty__of_samples(double samples, const struct scatter *scatter)
{
	return (struct certainty){
		.samples = samples,
		.whole = samples,
		.squares = samples,
		.grain = 1,
		.scatter = *scatter,
		.quantile = qt(1 - TAIL / 2, scatter->df, 1, 0),
	};
}

/*
 * The mean weight of a part's samples, each counted as often as it weighs: squares over value. One
 * sample of the whole is added, so that a part of few samples, or of none, gets a sensible weight.
 */
static double mean_weight(const struct certainty *certainty, double value, double squares)
{
	const double mean = certainty->squares / certainty->whole;

	return certainty->weighs ? (squares + mean * mean) / (value + mean) : mean;
}

/*
 * The variance of a share p is ((1 - p)² of the squares in it + p² of the others) / whole². That is
 * p (1 - p) / n with n = whole / ((1 - p) mean weight in it + p that of the others).
 */
static double samples_of(const struct certainty *certainty, struct portion part)
{
	const double share = fmin(part.value / certainty->whole, 1);
	const double inside = mean_weight(certainty, part.value, part.squares);
	const double outside = mean_weight(certainty, fmax(certainty->whole - part.value, 0),
					   fmax(certainty->squares - part.squares, 0));

	return certainty->whole / (((1 - share) * inside + share * outside) * certainty->grain);
}

double certainty__worth(const struct certainty *certainty)
{
	return certainty->whole * certainty->whole /
	       (certainty->squares * certainty->grain * certainty->scatter.factor);
}

struct bounds certainty__bounds(const struct certainty *certainty, struct portion part)
{
	const double share = part.value / certainty->whole;
	const double z2 = certainty->quantile * certainty->quantile * certainty->scatter.factor /
			  samples_of(certainty, part);
	const double middle = (share + z2 / 2) / (1 + z2);
	const double half = sqrt(z2 * (share * fmax(1 - share, 0) + z2 / 4)) / (1 + z2);

	return (struct bounds){.low = fmax(middle - half, 0), .high = fmin(middle + half, 1)};
}

double certainty__error(const struct certainty *certainty, struct portion part)
{
	const struct bounds bounds = certainty__bounds(certainty, part);
	const double share = part.value / certainty->whole;

	return fmax(share - bounds.low, bounds.high - share);
}

/* The count of samples is Poisson distributed. */
struct bounds certainty__amount(const struct certainty *certainty, double bytes)
{
	const double samples = bytes / certainty->period;
	const double z2 = certainty->quantile * certainty->quantile;
	const double middle = samples + z2 / 2, half = sqrt(z2 * (samples + z2 / 4));

	return (struct bounds){.low = fmax(middle - half, 0) * certainty->period,
			       .high = (middle + half) * certainty->period};
}

/*
 * The variance of a sum of weights: their sum of squares, estimated by mean_weight(), times the
 * scatter.
 */
static double variance_of(const struct certainty *certainty, const struct portion *part)
{
	return part->value * mean_weight(certainty, part->value, part->squares) * certainty->grain *
	       certainty->scatter.factor;
}

/*
 * Returns the number of rows from the first on that are one group. A row starts a new group if it
 * and the group's most distant row differ for certain. Sums of equal rows differ by chance, with
 * the variances of both. The outermost of nr equal rows are further apart than any two: Tukey's
 * studentized range tells how far.
 */
static size_t group_size(const struct certainty *certainty, const struct portion *parts, size_t nr)
{
	const struct portion *most = parts, *least = parts;
	size_t size = 1;

	for (; size < nr && parts[size].value > 0; size++) {
		const struct portion *part = &parts[size];
		const struct portion *largest = part->value > most->value ? part : most;
		const struct portion *smallest = part->value < least->value ? part : least;
		const double variance =
			variance_of(certainty, largest) + variance_of(certainty, smallest);
		const double z = (largest->value - smallest->value) / sqrt(variance);

		if ((largest != most || smallest != least) && z > certainty->quantile &&
		    ptukey(z * sqrt(2), 1, fmin((double)size + 1, MOST_RANGE),
			   fmax(certainty->scatter.df, LEAST_DF), 0, 0) < TAIL)
			break;
		most = largest;
		least = smallest;
	}
	return size;
}

void certainty__tie(const struct certainty *certainty, const struct portion *parts, size_t nr,
		    enum tie *ties)
{
	size_t size;

	for (size_t i = 0; i < nr; i += size) {
		size = parts[i].value > 0 ? group_size(certainty, parts + i, nr - i) : 1;
		for (size_t j = 0; j < size; j++)
			ties[i + j] = size == 1	     ? TIE_NONE
				      : j == 0	     ? TIE_FIRST
				      : j + 1 < size ? TIE_MIDDLE
						     : TIE_LAST;
	}
}

void certainty__number(const struct certainty *certainty, const struct portion *parts, size_t nr,
		       size_t *groups)
{
	enum tie *ties = xcalloc(nr + 1, sizeof(*ties));
	size_t group = 0;

	certainty__tie(certainty, parts, nr, ties);
	for (size_t i = 0; i < nr; i++) {
		group += ties[i] == TIE_NONE || ties[i] == TIE_FIRST;
		groups[i] = group;
	}
	free(ties);
}

int certainty__describe(const struct certainty *certainty, char *text, size_t size)
{
	const uint64_t nr = (uint64_t)llround(certainty->samples);
	char samples[32], independent[32], period[32], percent[ROUNDED_SIZE], more[160] = "";
	double worth, most;

	if (certainty->lack)
		return snprintf(text, size, "%s", certainty->lack);
	worth = certainty__worth(certainty);
	text__format_count(samples, sizeof(samples), nr);
	text__format_count(independent, sizeof(independent), (uint64_t)llround(worth));
	if (certainty->period > 0) {
		most = certainty__amount(certainty, certainty->whole).high;
		text__format_bytes(period, sizeof(period), (uint64_t)llround(certainty->period));
		text__format_rounded(percent, 2, 100 * (most / certainty->whole - 1));
		snprintf(more, sizeof(more), ", one in %s; their sum may be %s %% off", period,
			 percent);
	} else if (certainty->samples >= LEAST_FACTOR * worth) {
		snprintf(more, sizeof(more),
			 worth < 1.5 ? ", worth no more than one that is independent"
				     : ", worth %s independent ones",
			 independent);
	}
	return snprintf(text, size, "± holds the true share in 95 of 100 recordings: %s sample%s%s",
			samples, text__plural(nr), more);
}
