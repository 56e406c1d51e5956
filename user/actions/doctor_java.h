/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor's report that is about Java programs: what gives names to their functions. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_JAVA_H
#define TOPSTACKS_ACTIONS_DOCTOR_JAVA_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

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
