/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ for where there is little room: they begin with what matters least. */
#ifndef TOPSTACKS_VIEWS_BRIEF_H
#define TOPSTACKS_VIEWS_BRIEF_H

#include <stddef.h>

#define BRIEF_SIZE 512

/*
 * "std::vector<int> ns::parse<char>(int) const" is "ns::parse<>": without its return type, its
 * parameters, and the arguments of templates. Returns name itself where that is no such name, or
 * has no more than most columns; else what is in brief.
 */
const char *brief__name(const char *name, size_t most, char brief[BRIEF_SIZE]);

#endif
