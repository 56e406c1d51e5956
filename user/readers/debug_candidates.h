/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug files, for who searches for them inside a reader: they are asked for. */
#ifndef TOPSTACKS_READERS_DEBUG_CANDIDATES_H
#define TOPSTACKS_READERS_DEBUG_CANDIDATES_H

#include "elf/debug_files.h"
#include "readers/jobs.h"

/* The task is borrowed. */
struct debug_offers reader__offers(const struct reader_task *task);

#endif
