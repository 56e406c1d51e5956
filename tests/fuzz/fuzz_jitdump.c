// SPDX-License-Identifier: GPL-2.0-only
/* A jitdump that means harm. Read while it grows, it says the same as read at once. */
#include "growing.h"

FUZZ_GROWING(struct jitdump, jitdump__read)
