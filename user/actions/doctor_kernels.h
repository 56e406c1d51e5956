/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor's report on known defects of this kernel. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_KERNELS_H
#define TOPSTACKS_ACTIONS_DOCTOR_KERNELS_H

#include "base/common.h"

struct features;

/* Prints the defects that this kernel has by its release; prints nothing if there are none. */
void doctor_kernels__print(FILE *out, const struct features *features);

/* Prints an array of all known defects, each with whether this kernel has it. */
void doctor_kernels__print_json(FILE *out, const struct features *features);

#endif
