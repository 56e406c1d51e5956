// SPDX-License-Identifier: GPL-2.0-only
/* Exceptions, thrown from the depth through destructors and handlers: most moments are in the unwinder. */
#include <alloca.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#define FRAME __attribute__((noinline))

static volatile unsigned int sink;

struct guard {
	FRAME ~guard()
	{
		sink = sink + 1;
	}
};

FRAME static void thrower(unsigned int depth)
{
	guard at_exit;

	if (depth % 3 == 1) {
		volatile char *room = static_cast<char *>(alloca(16 + depth));

		room[0] = 1;
		thrower(depth - 1);
		sink = sink + static_cast<unsigned int>(room[0]);
	} else if (depth) {
		thrower(depth - 1);
	} else {
		throw std::runtime_error(std::to_string(sink));
	}
	sink = sink + 1;
}

FRAME static void rethrower(const std::function<void(unsigned int)> &call, unsigned int depth)
{
	try {
		call(depth);
	} catch (const std::runtime_error &) {
		sink = sink + 1;
		throw;
	}
}

FRAME static void catcher(unsigned int depth)
{
	try {
		rethrower(thrower, depth);
	} catch (const std::exception &error) {
		sink = sink + static_cast<unsigned int>(error.what()[0]);
	}
}

FRAME static void work()
{
	for (unsigned int n = 0;; n++)
		catcher(n % 12);
}

int main()
{
	std::thread other(work);

	work();
}
