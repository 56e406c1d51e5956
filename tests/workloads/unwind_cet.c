// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-stack-protector -fcf-protection=full -Wl,-z,lazy
// cflags-arm64: -O2 -fomit-frame-pointer -fno-stack-protector -mbranch-protection=standard -Wl,-z,lazy
/*
 * This is unwind with indirect branch tracking: other PLT stubs, an endbr64 in each function; on
 * aarch64 a bti, and return addresses that are signed.
 */
#include "unwind.c"
