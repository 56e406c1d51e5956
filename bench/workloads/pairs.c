// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs NUMBER: makes NUMBER pairs of malloc and free, and does little else, so that their price is
 * measured. With 0 it goes on until SIGTERM, rests as a server does, and at SIGUSR1 says how many
 * pairs there were so far.
 *
 * Blocks come from SITES functions below 1, 5 or 9 others, and have 16 bytes to half a KiB. One
 * block of 64 is kept in a place that is chosen at random, until another one is kept there. The
 * program prints the CPU time that the thread was billed for, profilers in its way included:
 * {"pairs": 1000000, "bytes": 135580963, "cpu_s": 0.039123}
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define FRAME	      __attribute__((noipa, noinline))
#define KEEP_FRAME(p) __asm__ volatile("" ::"r"(p) : "memory")

#define SITES	   16
#define LEAST	   16
#define KEPT	   4096
#define ONE_IN	   64
#define LOOK_PAIRS 1024 /* between two looks at the signals, and two rests */
#define REST_NS	   3000000

static volatile sig_atomic_t is_over, is_asked;
static uint64_t bytes;

static uint32_t next_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
}

#define SITE(number)                                                                     \
	static FRAME void *site_##number(unsigned int levels)                            \
	{                                                                                \
		void *block;                                                             \
                                                                                         \
		if (levels) {                                                            \
			block = site_##number(levels - 1);                               \
		} else {                                                                 \
			const size_t size = LEAST + next_random() % (64u << number % 4); \
                                                                                         \
			bytes += size;                                                   \
			block = malloc(size);                                            \
		}                                                                        \
		KEEP_FRAME(block);                                                       \
		return block;                                                            \
	}

SITE(0)
SITE(1)
SITE(2)
SITE(3)
SITE(4)
SITE(5)
SITE(6)
SITE(7)
SITE(8)
SITE(9)
SITE(10)
SITE(11)
SITE(12)
SITE(13)
SITE(14)
SITE(15)

static void *(*const sites[SITES])(unsigned int levels) = {
	site_0, site_1, site_2,	 site_3,  site_4,  site_5,  site_6,  site_7,
	site_8, site_9, site_10, site_11, site_12, site_13, site_14, site_15,
};

static FRAME void make_pairs(uint64_t number)
{
	static void *kept[KEPT];
	uint64_t i;

	for (i = 0; i < number; i++) {
		void *block = sites[next_random() % SITES](next_random() % 3 * 4);

		if (i % ONE_IN == 0) {
			void **place = &kept[next_random() % KEPT], *old = *place;

			*place = block;
			block = old;
		}
		free(block);
	}
	KEEP_FRAME(kept);
}

static void say(uint64_t nr_pairs)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	printf("{\"pairs\": %llu, \"bytes\": %llu, \"cpu_s\": %ld.%09ld}\n",
	       (unsigned long long)nr_pairs, (unsigned long long)bytes, (long)used.tv_sec,
	       used.tv_nsec);
	fflush(stdout);
}

static void take_signal(int number)
{
	*(number == SIGUSR1 ? &is_asked : &is_over) = 1;
}

static void go_on(void)
{
	const struct timespec rest = {.tv_nsec = REST_NS};
	uint64_t nr_pairs = 0;

	signal(SIGTERM, take_signal);
	signal(SIGUSR1, take_signal);
	puts("ready");
	fflush(stdout);
	while (!is_over) {
		make_pairs(LOOK_PAIRS);
		nr_pairs += LOOK_PAIRS;
		nanosleep(&rest, NULL);
		if (is_asked) {
			is_asked = 0;
			say(nr_pairs);
		}
	}
	say(nr_pairs);
}

int main(int argc, char **argv)
{
	const uint64_t number = strtoull(argc > 1 ? argv[1] : "1000000", NULL, 10);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(600);
	if (!number) {
		go_on();
		return 0;
	}
	make_pairs(number);
	say(number);
	return 0;
}
