// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does to stacks all that C can do: leaves without a frame, callbacks out of the C library, signal
 * handlers, frames that grow and frames that are realigned, jumps out of the depth, calls in the
 * place of returns.
 */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define FRAME __attribute__((noinline))

static volatile unsigned int sink;
static jmp_buf top;

FRAME static unsigned int leaf(unsigned int n)
{
	for (unsigned int i = 0; i < 20; i++)
		n = n * 1103515245 + 12345;
	return n;
}

FRAME static int order(const void *a, const void *b)
{
	return (int)(leaf(*(const unsigned char *)a) & 255) - (int)(*(const unsigned char *)b);
}

FRAME static void sort(unsigned int n)
{
	unsigned char bytes[16];

	memset(bytes, (int)n, sizeof(bytes));
	bytes[n % 16] = 7;
	qsort(bytes, sizeof(bytes), 1, order);
	sink += bytes[9];
}

FRAME static void grow(unsigned int n)
{
	char *text = alloca(16 + n % 512);

	snprintf(text, 16 + n % 512, "%u %g", n, n / 3.0);
	sink += leaf((unsigned char)text[1]);
}

FRAME static void realign(unsigned int n)
{
	_Alignas(64) volatile unsigned int numbers[32];

	numbers[n % 32] = leaf(n);
	sink += numbers[n % 32];
}

FRAME static void jump(unsigned int n)
{
	sink += leaf(n);
	longjmp(top, 1);
}

FRAME static unsigned int descend(unsigned int depth, unsigned int n)
{
	static void (*const ends[])(unsigned int) = {sort, grow, realign, jump};

	if (!depth) {
		ends[n % 4](n);
		return n;
	}
	return descend(depth - 1, n) + leaf(depth);
}

static void on_signal(int number)
{
	sink += leaf((unsigned int)number);
	realign(sink);
}

int main(void)
{
	const struct itimerval often = {{0, 500}, {0, 500}};
	static volatile unsigned int n;

	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &often, NULL);
	for (;;) {
		n++;
		if (!setjmp(top))
			sink += descend(n % 20, n);
	}
}
