// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-stack-protector
/*
 * unwind_exceptions: exceptions in flight, for the debugger that steps through unwind.c: destructors
 * and handlers run below the C++ library's own frames, and its unwinder leaves stacks by jumps.
 */
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <unistd.h>

#include "stop.h"

#define FRAME __attribute__((noinline, noclone))

static struct stop stop;
static volatile int sink;

static FRAME int recurse(int depth)
{
	int result = depth ? recurse(depth - 1) + 1 : sink;

	__asm__ volatile("" : : : "memory");
	return result;
}

struct guard {
	FRAME ~guard()
	{
		sink = recurse(3);
	}
};

static FRAME int thrower(int depth)
{
	guard at_exit;

	if (depth)
		return thrower(depth - 1) + 1;
	throw std::runtime_error("from below");
}

/* What is caught is thrown again, with another one in between. */
static FRAME int rethrower(int depth)
{
	try {
		return thrower(depth);
	} catch (const std::runtime_error &) {
		try {
			throw depth;
		} catch (int value) {
			sink = recurse(value);
		}
		throw;
	}
}

static FRAME int catcher()
{
	try {
		return rethrower(2);
	} catch (const std::exception &) {
		return recurse(2);
	}
}

/* Nobody is to be told of the end but by STOP(). */
int main()
{
	alarm(600);
	stop.frames[0] = __builtin_return_address(0);
	stop.nr_frames = 1;
	STOP(); /* from here on step by step */
	sink = catcher();
	stop.nr_frames = 0;
	STOP(); /* to here */
	stop.is_last = 1;
	STOP();
	return 0;
}
