/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes what the live view shows to files in the working directory, named by the time. */
#ifndef TOPSTACKS_LIVE_EXPORT_H
#define TOPSTACKS_LIVE_EXPORT_H

#include "base/common.h"
#include "live/live.h"

/*
 * Writes a file, and its path into *path, which the caller frees. The file is a recording with all
 * samples of the picture and of all events, or a flame graph of the shown event's samples that pass
 * the filters. 0, or negative errno with err filled.
 */
int export__write(const struct live *live, bool flame_graph, char **path, struct error *err);

#endif
