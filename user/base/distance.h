/* SPDX-License-Identifier: GPL-2.0-only */
/* The distance between two words, to suggest names for a mistyped one. */
#ifndef TOPSTACKS_BASE_DISTANCE_H
#define TOPSTACKS_BASE_DISTANCE_H

#include "base/common.h"

/*
 * The Levenshtein distance: the number of characters to insert, delete or replace to turn a (length
 * bytes) into b. SIZE_MAX: b has more than 63 characters.
 */
size_t distance__measure(const char *a, size_t length, const char *b);

/*
 * The distance of functions by their own names: "parse" for "void ns::parse<int>(char*)". A name
 * that contains all of wanted has the length of wanted as distance. SIZE_MAX: more than a third
 * differs, or wanted has more than 63 characters.
 */
size_t distance__of_functions(const char *wanted, const char *name);

#endif
