/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How sure a share of samples is. Sampling is chance: another recording of the same would have other
 * counts. Bounds hold the true share in 95 of 100 recordings, the only one that is told of.
 *
 * They are Wilson's (J. Am. Stat. Assoc. 22 (1927) 209), of as many independent samples as there are for
 * their scatter, with the quantile of t where the scatter was learned. Of bytes of memory (profile/recording.h)
 * samples are independent by themselves: what the program does in bursts has no part in where a byte is hit.
 *
 * A share of weights is as sure as that of as many samples of its own weights: of n of weight w it has the sum n w and
 * the variance n w², so that the sum of squared weights takes the place of n. Where all weigh the same, that is a
 * share of counts.
 */
#ifndef TOPSTACKS_PROFILE_CERTAINTY_H
#define TOPSTACKS_PROFILE_CERTAINTY_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/recording.h"
#include "profile/scatter.h"

#define CERTAINTY_LEVEL 0.95

struct certainty {
	const char *lack; /* why there are no bounds, in words; NULL: there are */
	double samples;	  /* that the whole is made of */
	double whole;	  /* the value that they have together */
	double squares;	  /* of their values, added up */
	bool weighs;	  /* values are weights: rows have squares of their own */
	double grain; /* squares of one; where values are in another unit, how many units are one */
	struct scatter scatter;
	double quantile; /* of the scatter's t: so many standard deviations are 95 % */
	double period;	 /* of memory: bytes between two samples; 0: of anything else */
};

/* A value of the whole, and the squares of its weights; these are not asked for where values are no weights. */
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

/* As parts of the whole. */
struct bounds {
	double low, high;
};

/* Of samples that are as many as they are worth. */
struct certainty certainty__of_samples(double samples, const struct scatter *scatter);

/*
 * Of the shares of what is shown, the scatter learned from slices where there are some. whole: what
 * shares are of; 0: all of it. 0 or -ENOMEM.
 */
int certainty__init(struct certainty *certainty, const struct recording *recording, uint64_t whole);

/* The same of all of one of both values, shown or not. */
int certainty__init_value(struct certainty *certainty, const struct recording *recording,
			  enum value value);

/*
 * Its counts are of samples. Those of other profilers may be what they made of fewer: objects, which they
 * guess from some that they saw.
 */
bool certainty__counts_samples(const struct recording *recording);

/* How many independent samples of equal weight tell as much of the whole. */
double certainty__worth(const struct certainty *certainty);

/* The bounds of a part of the whole; there are some. */
struct bounds certainty__bounds(const struct certainty *certainty, struct portion part);

/* The larger distance of the share to its bounds: share ± this holds both. */
double certainty__error(const struct certainty *certainty, struct portion part);

/* Of memory the amount is sampled, too: bounds of so many bytes, in bytes. */
struct bounds certainty__amount(const struct certainty *certainty, double bytes);

/* Where a row of a table is among those that cannot be told apart from it. */
enum tie {
	TIE_NONE, /* from those above and below it can */
	TIE_FIRST,
	TIE_MIDDLE,
	TIE_LAST,
};

/*
 * Rows of disjoint samples, sorted by value, go into groups from the top: chance alone sets the largest
 * and the smallest of a group as far apart as they are, or further, in 5 of 100 recordings or more, if
 * all of it were equal. Whether rows of different groups differ is not told. Rows of 0 are in none.
 */
void certainty__tie(const struct certainty *certainty, const struct portion *parts, size_t nr,
		    enum tie *ties);

/* The same as numbers of groups, from 1; a row that is in none has one of its own. 0 or -ENOMEM. */
int certainty__number(const struct certainty *certainty, const struct portion *parts, size_t nr,
		      size_t *groups);

/* "± holds the true share in 95 of 100 recordings: 493 samples", or the lack. As snprintf. */
int certainty__describe(const struct certainty *certainty, char *text, size_t size);

#endif
