// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=full
// cflags-arm64: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -mbranch-protection=standard
/*
 * This is frameless with return addresses that are signed on aarch64, and branches that are tracked
 * on x86-64.
 */
#include "frameless.c"
