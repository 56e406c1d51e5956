// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -Wl,--section-start=.text=0x701000
/*
 * libwork.so, for the workload `plugins`. Its code is linked at 0x701000 but lies near the start of
 * the file, so that a profiler that takes file offsets for addresses names nothing right.
 */
#include "workload.h"

FRAME void library_padding(void);
FRAME void library_padding(void)
{
	spin(1);
	KEEP_FRAME();
}

static FRAME void library_inner(uint64_t ns) /* in .symtab only */
{
	spin(ns);
	KEEP_FRAME();
}

FRAME void library_outer(uint64_t ns);
FRAME void library_outer(uint64_t ns)
{
	library_inner(ns);
	KEEP_FRAME();
}
