// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-builtin -fplt -fcf-protection=full -Wl,-z,ibtplt
// cflags-arm64: -O1 -fno-builtin -fplt
/*
 * stubs [SECONDS]: calls a function of the C library that has nothing to do, so that much of the
 * time is spent on the way there: in the stub.
 */
#include "workload.h"

static char nothing[1];

static FRAME void call_library(void)
{
	for (int i = 0; i < 100000; i++)
		memset(nothing, 0, 0);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));

	workload_ready();
	while (!past(deadline))
		call_library();
	return 0;
}
