/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor's report that is about loaded BPF programs: what they cost, which samples can hit. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H
#define TOPSTACKS_ACTIONS_DOCTOR_PROGRAMS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct program_list;

/* code: of reading the list, which is ranked; below 0 there is none. */
void doctor_programs__print(FILE *out, const struct program_list *list, int code);

/* The same as a JSON object. */
void doctor_programs__print_json(FILE *out, const struct program_list *list, int code);

/* The part of doctor's report that is about Java programs: what gives names to their functions. */
/* Processes of the name that the launcher of JVMs has. */
struct doctor_java {
	pid_t pids[16];
	size_t nr_pids; /* of them all */
};

/* As far as /proc shows them. */
void doctor_java__find(struct doctor_java *java);

/* Nothing if there are none. */
void doctor_java__print(FILE *out, const struct doctor_java *java);

/* An array of pids. */
void doctor_java__print_json(FILE *out, const struct doctor_java *java);

#endif
