/* SPDX-License-Identifier: GPL-2.0-only */
/* The interpreters that BPF programs know: a few files, each with a number. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_INTERPRETERS_H
#define TOPSTACKS_CAPTURE_UNWINDING_INTERPRETERS_H

#include "base/common.h"

struct interpreter;
struct known_interpreters;

/*
 * map: descriptor of an array of INTERPRETERS_MAX struct interpreter. NULL: no memory, or no such
 * map.
 */
struct known_interpreters *known_interpreters__new(int map);
/* Frees all. The programs must have ended. NULL is fine. */
void known_interpreters__free(struct known_interpreters *interpreters);

/*
 * Adds an interpreter. Returns its number for the programs; 0: there are too many, or interpreters
 * is NULL.
 */
uint16_t known_interpreters__add(struct known_interpreters *interpreters,
				 const struct interpreter *interpreter);

/* Removes an interpreter that no program uses any more. number may be 0. */
void known_interpreters__remove(struct known_interpreters *interpreters, uint16_t number);

#endif
