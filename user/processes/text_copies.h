/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Some programs copy their own text into memory with huge pages, at the text's own addresses:
 * iodlr, node --use-largepages, Chromium, HHVM. That memory has no file, or an unrelated one; the
 * mappings around it tell whose text it may be. The file's segments tell whether there is text at
 * an address.
 */
#ifndef TOPSTACKS_PROCESSES_TEXT_COPIES_H
#define TOPSTACKS_PROCESSES_TEXT_COPIES_H

#include "base/common.h"
#include "processes/process.h"

/*
 * Like maps__each_executable(); mappings that may hold a copy of a file's text have their original
 * set.
 */
int text_copies__each_executable(int text,
				 int (*on_mapping)(void *context, const struct mapping *mapping),
				 void *context);

/* Whether the mapping is memory that may hold a copy: it has no file, or a file in memory. */
bool text_copies__may_be(const struct mapping *mapping);

#endif
