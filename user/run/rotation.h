/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of recordings, one for each period, of which the newest are kept. Files are known by
 * their names alone, "topstacks-20260131T123456.789Z.pb.gz"; others are left alone.
 */
#ifndef TOPSTACKS_RUN_ROTATION_H
#define TOPSTACKS_RUN_ROTATION_H

#include <stdint.h>

#include "base/error.h"

/* Makes the directory if it is not there, and removes what a run that was killed left unfinished.
 */
int rotation__prepare(const char *directory, struct error *err);

/* The path of a file whose period begins so; free() it. NULL: out of memory. */
char *rotation__path(const char *directory, int64_t start_realtime_ns);

int rotation__remove_old(const char *directory, unsigned int nr_kept, struct error *err);

#endif
