/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the tables by which BPF programs choose blocks (topstacks/alloc_chances.h). */
#ifndef TOPSTACKS_CAPTURE_SOURCES_ALLOC_CHANCES_H
#define TOPSTACKS_CAPTURE_SOURCES_ALLOC_CHANCES_H

#include "base/common.h"
#include "topstacks/alloc_chances.h"

/* Fills the tables. mean: bytes, 1 to 1 TiB. */
void alloc_chances__fill(struct alloc_chances *chances, uint64_t mean);

#endif
