/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How sure a share of samples is. Sampling is chance: another recording of the same program would
 * have other counts. The bounds hold the true share in 95 of 100 recordings; no other level is ever
 * shown.
 *
 * They are Wilson's bounds (J. Am. Stat. Assoc. 22 (1927) 209). The number of samples is that of
 * independent samples with the same scatter. The quantile is that of t where the scatter was
 * learned. Samples of bytes of memory (profile/recording.h) are independent by themselves: bursts
 * of the program do not affect which byte is hit.
 *
 * A share of weights is as sure as a share of so many samples with its own weights: n samples of
 * weight w have the sum n w and the variance n w², so that the sum of squared weights takes the
 * place of n. Where all samples weigh the same, that is a share of counts.
 */
#ifndef TOPSTACKS_PROFILE_CERTAINTY_H
#define TOPSTACKS_PROFILE_CERTAINTY_H

#include "base/common.h"
#include "profile/recording.h"
#include "profile/scatter.h"

#define CERTAINTY_LEVEL 0.95

struct certainty {
	const char *lack; /* why there are no bounds, in words; NULL: there are bounds */
	double samples;	  /* number of samples in the whole */
	double whole;	  /* sum of their values */
	double squares;	  /* sum of their squared values */
	bool weighs;	  /* values are weights: rows have squares of their own */
	/* How many units of the value one sample is, if the value is in another unit. */
	double grain;
	struct scatter scatter;
	double quantile; /* of t, for the scatter: so many standard deviations are 95 % */
	double period;	 /* of memory: bytes between two samples; 0: not memory */
};

/*
 * A part of the whole: its value, and the sum of its squared weights. squares is ignored unless the
 * certainty weighs.
 */
struct portion {
	double value, squares;
};

static inline struct portion self_part(const struct group_row *group)
{
	return (struct portion){(double)group->self, group->self_squares};
}

static inline struct portion total_part(const struct group_row *group)
{
	return (struct portion){(double)group->total, group->total_squares};
}

/* As shares of the whole. */
struct bounds {
	double low, high;
};

/* The certainty of so many equally weighted samples with this scatter. */
struct certainty certainty__of_samples(double samples, const struct scatter *scatter);

/*
 * Sets the certainty of shares of the value that is shown. The scatter is learned from the
 * recording's slices where it has some. whole: the value that is 100 %; 0: the recording's total.
 *
 */
void certainty__init(struct certainty *certainty, const struct recording *recording,
		     uint64_t whole);

/*
 * The same for shares of one value, whether it is shown or not; the whole is its total.
 */
void certainty__init_value(struct certainty *certainty, const struct recording *recording,
			   enum value value);

/*
 * True if counts are numbers of samples. Other profilers' counts may be estimates, made from fewer
 * samples: of objects, say.
 */
bool certainty__counts_samples(const struct recording *recording);

/* Returns how many independent samples of equal weight would be as informative as the whole. */
double certainty__worth(const struct certainty *certainty);

/* The bounds of a part's share. Only if the certainty has bounds: lack is NULL. */
struct bounds certainty__bounds(const struct certainty *certainty, struct portion part);

/* The larger distance of the share to its bounds: share ± this holds both. */
double certainty__error(const struct certainty *certainty, struct portion part);

/* The bounds, in bytes, of an amount of memory: the amount is an estimate from samples, too. */
struct bounds certainty__amount(const struct certainty *certainty, double bytes);

/* A row's place in a group of rows whose values do not differ for certain. */
enum tie {
	TIE_NONE, /* it differs from the rows above and below */
	TIE_FIRST,
	TIE_MIDDLE,
	TIE_LAST,
};

/*
 * Puts rows of disjoint samples, sorted by value, into groups from the top. In a group the largest
 * and the smallest row do not differ for certain: if all its rows were equal, chance alone would
 * set them as far apart in 5 of 100 recordings or more. Two rows of different groups may be equal
 * all the same. Rows of 0 are in no group.
 */
void certainty__tie(const struct certainty *certainty, const struct portion *parts, size_t nr,
		    enum tie *ties);

/* Numbers the same groups from 1; a row that is in no group gets a number of its own. */
void certainty__number(const struct certainty *certainty, const struct portion *parts, size_t nr,
		       size_t *groups);

/* "± holds the true share in 95 of 100 recordings: 493 samples", or `lack`. As snprintf. */
int certainty__describe(const struct certainty *certainty, char *text, size_t size);

#endif
