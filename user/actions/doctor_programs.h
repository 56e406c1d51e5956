/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of doctor's report on loaded BPF programs: what they cost, and which of them samples can
 * hit.
 */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H
#define TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H

#include <sys/types.h>

#include "base/common.h"

struct program_list;

/* Prints the list, which is ranked. code: result of reading it; negative: there is no list. */
void doctor_programs__print(FILE *out, const struct program_list *list, int code);

/* Prints the same as a JSON object. */
void doctor_programs__print_json(FILE *out, const struct program_list *list, int code);

/* The part of doctor's report on Java programs: what gives names to their functions. */
/* Processes named like the launcher of JVMs. */
struct doctor_java {
	pid_t pids[16];
	size_t nr_pids; /* all of them, also those not in pids */
};

/* Finds the processes that /proc shows. */
void doctor_java__find(struct doctor_java *java);

/* Prints nothing if there are none. */
void doctor_java__print(FILE *out, const struct doctor_java *java);

/* Prints an array of pids. */
void doctor_java__print_json(FILE *out, const struct doctor_java *java);

#endif
