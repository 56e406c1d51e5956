/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs copy their own text into memory with huge pages, which they put at the text's own addresses: iodlr, node
 * --use-largepages, Chromium, HHVM. That memory has no file, or a file that is none of theirs; what lies around it
 * tells whose it may be. Whether there is text at an address, the file's segments say.
 */
#ifndef TOPSTACKS_PROCESSES_TEXT_COPIES_H
#define TOPSTACKS_PROCESSES_TEXT_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "processes/process.h"

/* As maps__each_executable(); mappings that may hold a copy of a file's text have an original. */
int text_copies__each_executable(int text,
				 int (*on_mapping)(void *context, const struct mapping *mapping),
				 void *context);

/* Whether memory such as this may hold one: it is no file, or a file in memory. */
bool text_copies__may_be(const struct mapping *mapping);

#endif
