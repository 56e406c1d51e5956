/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of what the live view shows, in the working directory, named by the time. */
#ifndef TOPSTACKS_LIVE_EXPORT_H
#define TOPSTACKS_LIVE_EXPORT_H

#include <stddef.h>

#include "live/live.h"

/*
 * Each writes a file and its path into *path (free() it). 0, or negative errno with err filled.
 * The recording has all samples of the picture, the flame graph those that are let through.
 */
int export__recording(const struct live *live, char **path, struct error *err);
int export__flame_graph(const struct live *live, char **path, struct error *err);

#endif
