// SPDX-License-Identifier: GPL-2.0-only
#include "chance.h"

#define LOG_BITS 48		       /* binary digits of a logarithm that are worked out */
#define LN2	 0xb17217f7d1cf79acULL /* of 2^64 */
#define TERMS	 14		       /* of a series: the next is less than 2^-62 of the first */

/* Sebastiano Vigna's splitmix64. */
uint64_t chance__next(uint64_t *state)
{
	uint64_t word = *state += 0x9e3779b97f4a7c15ULL;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ULL;
	word = (word ^ word >> 27) * 0x94d049bb133111ebULL;
	return word ^ word >> 31;
}

static uint64_t multiply(uint64_t left, uint64_t right, int shift)
{
	return (uint64_t)((unsigned __int128)left * right >> shift);
}

/*
 * log2(2^64 / word), in units of 2^-LOG_BITS. Each squaring gives a digit: 1 if the square is 2 or
 * more.
 */
static uint64_t log2_below(uint64_t word)
{
	const int zeros = __builtin_clzll(word);
	uint64_t power = word << zeros; /* 1 to 2, of 2^63 */
	uint64_t digits = 0;

	for (int i = 0; i < LOG_BITS; i++) {
		const unsigned __int128 square = (unsigned __int128)power * power;
		const int carry = (int)(square >> 127);

		digits = digits << 1 | (uint64_t)carry;
		power = (uint64_t)(square >> (63 + carry));
	}
	return ((uint64_t)zeros + 1) * (1ULL << LOG_BITS) - digits;
}

uint64_t chance__gap(uint64_t random, uint64_t mean)
{
	const uint64_t log = log2_below(random ? random : 1);

	return multiply(multiply(log, LN2, 64), mean, LOG_BITS);
}

/* size / mean, in units of 1 / CHANCE_ONE; larger ratios count as 63. */
static uint64_t ratio(uint64_t size, uint64_t mean, int *halvings)
{
	unsigned __int128 quotient;

	if (size / mean > 63)
		size = 63 * mean;
	quotient = ((unsigned __int128)size << 62) / mean;
	for (*halvings = 0; quotient > CHANCE_ONE / 2; ++*halvings)
		quotient >>= 1;
	return (uint64_t)quotient;
}

/*
 * A series for ratios up to a half; for twice the ratio, the chance that either half or both are
 * hit.
 */
uint64_t chance__of_hit(uint64_t size, uint64_t mean)
{
	int halvings;
	const uint64_t x = ratio(size, mean, &halvings);
	uint64_t chance = CHANCE_ONE;

	for (unsigned int n = TERMS; n > 1; n--)
		chance = CHANCE_ONE - multiply(x, chance, 62) / n;
	chance = multiply(x, chance, 62);
	while (halvings--)
		chance = multiply(chance, 2 * CHANCE_ONE - chance, 62);
	return chance;
}
