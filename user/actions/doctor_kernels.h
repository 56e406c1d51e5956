/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor's report that is about what this kernel is known to do wrong. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_KERNELS_H
#define TOPSTACKS_ACTIONS_DOCTOR_KERNELS_H

#include <stdio.h>

struct features;

/* Those that this kernel has, as far as its release tells; nothing if there are none. */
void doctor_kernels__print(FILE *out, const struct features *features);

/* An array of all that are known, each with whether this kernel has it. */
void doctor_kernels__print_json(FILE *out, const struct features *features);

#endif
