// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/* libswap_large.so, for the workload `swaps`. */
#define ROOM 4000
#include "swap.h"
