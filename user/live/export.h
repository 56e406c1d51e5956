/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of what the live view shows, in the working directory, named by the time. */
#ifndef TOPSTACKS_LIVE_EXPORT_H
#define TOPSTACKS_LIVE_EXPORT_H

#include <stddef.h>

#include "live/live.h"

/*
 * Writes a file and its path into *path (free() it): a recording with all samples of the picture, of
 * all events, or a flame graph of those of the event that is shown which are let through. 0, or negative errno with err filled.
 */
int export__write(const struct live *live, bool flame_graph, char **path, struct error *err);

#endif
