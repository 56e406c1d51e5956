// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-stack-protector -fcf-protection=full -Wl,-z,lazy
/* unwind, with indirect branch tracking: other PLT stubs, an endbr64 in each function. */
#include "unwind.c"
