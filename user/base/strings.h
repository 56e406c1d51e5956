/* SPDX-License-Identifier: GPL-2.0-only */
/* Interns the strings of frames: one copy each, at a fixed address. */
#ifndef TOPSTACKS_BASE_STRINGS_H
#define TOPSTACKS_BASE_STRINGS_H

#include "base/common.h"

struct strings;

struct strings *strings__new(void);
void strings__free(struct strings *strings);

/* The single copy of at most 4 GiB, terminated; lives as long as strings. */
const char *strings__intern(struct strings *strings, const char *text, size_t length);

/* Allocates memory that lives as long as strings. */
void *strings__allocate(struct strings *strings, size_t bytes);

size_t strings__memory_bytes(const struct strings *strings);

#endif
