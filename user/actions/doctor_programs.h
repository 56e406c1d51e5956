/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor's report that is about loaded BPF programs: what they cost, which samples can hit. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H
#define TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H

#include <stdio.h>

struct program_list;

/* code: of reading the list, which is ranked; below 0 there is none. */
void doctor_programs__print(FILE *out, const struct program_list *list, int code);

/* The same as a JSON object. */
void doctor_programs__print_json(FILE *out, const struct program_list *list, int code);

#endif
