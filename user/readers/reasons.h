/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a file was not opened or not read, in words for whoever wants to know, and what helps. */
#ifndef TOPSTACKS_READERS_REASONS_H
#define TOPSTACKS_READERS_REASONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "readers/jobs.h"

/*
 * "took more than 10 s", "no descriptor is left; raise the limit (ulimit -n)": code as an opener, a
 * reader or who believes a file gives it; other codes have their own words. False, with no text: code is 0.
 */
bool reason__text(int code, enum reader_job job, char *text, size_t size);

/* Says that, and fails: "WHAT: REASON". Returns code. */
int reason__error(struct error *err, int code, const char *what);

#endif
