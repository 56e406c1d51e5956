/* SPDX-License-Identifier: GPL-2.0-only */
/* The interpreters that the programs know: a few files, each of which has a number. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_INTERPRETERS_H
#define TOPSTACKS_CAPTURE_UNWINDING_INTERPRETERS_H

#include <stddef.h>
#include <stdint.h>

struct interpreter;
struct known_interpreters;

/* map: of struct interpreter, INTERPRETERS_MAX of them. NULL: no memory, or no such map. */
struct known_interpreters *known_interpreters__new(int map);
/* The programs must have ended. NULL is fine. */
void known_interpreters__free(struct known_interpreters *interpreters);

/* The number under which the programs find it; 0: there are too many, or interpreters is NULL. */
uint16_t known_interpreters__add(struct known_interpreters *interpreters,
				 const struct interpreter *interpreter);

/* No program looks at it any more. 0 is fine. */
void known_interpreters__remove(struct known_interpreters *interpreters, uint16_t number);

#endif
