/* SPDX-License-Identifier: GPL-2.0-only */
/* How far two words are from each other, for telling what somebody meant who mistyped one. */
#ifndef TOPSTACKS_BASE_DISTANCE_H
#define TOPSTACKS_BASE_DISTANCE_H

#include <stddef.h>

/*
 * Levenshtein's distance: how many characters of a (length bytes of it) are to be put in, taken out or
 * exchanged, so that it is b. SIZE_MAX: b has more than 63 characters.
 */
size_t distance__measure(const char *a, size_t length, const char *b);

/*
 * The same of functions, by what they are called themselves: "parse" of "void ns::parse<int>(char*)". What contains
 * it whole is as far as it is long. SIZE_MAX: more than a third differs, or wanted has more than 63 characters.
 */
size_t distance__of_functions(const char *wanted, const char *name);

#endif
