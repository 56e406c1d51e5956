/* SPDX-License-Identifier: GPL-2.0-only */
/* The head of all files above base/: the C library's everyday headers, and base/'s own. */
#ifndef TOPSTACKS_BASE_COMMON_H
#define TOPSTACKS_BASE_COMMON_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/quote.h"
#include "base/text.h"

#endif
