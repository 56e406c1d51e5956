// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O3 -fomit-frame-pointer -static
/* unwind, with the C library inside, other optimizations and the stack protector. */
#include "unwind.c"
