/* SPDX-License-Identifier: GPL-2.0-only */
/* Words for why a file was not opened or read, and the remedy. */
#ifndef TOPSTACKS_READERS_REASONS_H
#define TOPSTACKS_READERS_REASONS_H

#include "base/common.h"
#include "readers/jobs.h"

/*
 * Writes "took more than 10 s", "no descriptor is left; raise the limit (ulimit -n)". code: from an
 * opener, a reader or the check of a file; other codes get errno's words. False, without text: code
 * is 0.
 */
bool reason__text(int code, enum reader_job job, char *text, size_t size);

/* Sets the error "WHAT: REASON". Returns code. */
int reason__error(struct error *err, int code, const char *what);

#endif
