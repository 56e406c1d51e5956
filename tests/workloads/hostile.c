// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * hostile [SECONDS]: computes under a name that no output may repeat as it is: a quote, a
 * backslash, a newline, a semicolon, an escape sequence and a byte that is no UTF-8.
 */
#include "workload.h"

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));

	prctl(PR_SET_NAME, "a\"\\\n;\033[31m\xff z");
	workload_ready();
	while (!past(deadline))
		spin(MS);
	return 0;
}
