// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/* libframeless.so, for the workload `frameless`. */
#include "workload.h"

static FRAME void frameless_inner(uint64_t ns)
{
	spin(ns);
	KEEP_FRAME();
}

FRAME void frameless_outer(uint64_t ns);
FRAME void frameless_outer(uint64_t ns)
{
	frameless_inner(ns);
	KEEP_FRAME();
}
