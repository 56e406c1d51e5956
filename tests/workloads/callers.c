// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers MORE ROUNDS: hot does its usual work and, by MORE, additional work. Four fifths of the
 * addition are for handle_request, and the rest for load_config. MORE is in units of the usual work
 * of these two; another caller has none of the addition.
 */
#include <stdlib.h>

#define UNIT 20000

static volatile unsigned long sum;

__attribute__((noinline)) static void hot(long n)
{
	for (long i = 0; i < n; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) static void parse(long n)
{
	hot(n);
	sum++;
}

__attribute__((noinline)) static void handle_request(long n)
{
	parse(n);
	sum++;
}

__attribute__((noinline)) static void load_config(long n)
{
	parse(n);
	sum++;
}

__attribute__((noinline)) static void report(long n)
{
	hot(n);
	sum++;
}

__attribute__((noinline)) static void rest(long n)
{
	for (long i = 0; i < n; i++)
		sum ^= (unsigned long)i;
}

int main(int argc, char **argv)
{
	const long more = argc > 1 ? atol(argv[1]) : 0, rounds = argc > 2 ? atol(argv[2]) : 100;

	for (long i = 0; i < rounds; i++) {
		handle_request(5 * UNIT + 8 * more * UNIT);
		load_config(5 * UNIT + 2 * more * UNIT);
		report(5 * UNIT);
		rest(60 * UNIT);
	}
	return 0;
}
