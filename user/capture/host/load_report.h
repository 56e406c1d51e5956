/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbpf tells which map or program the kernel refused, and the verifier's reasons, in the lines that it prints, and
 * nowhere else: a load that fails closes and forgets all of them.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_LOAD_REPORT_H
#define TOPSTACKS_CAPTURE_HOST_LOAD_REPORT_H

/* "" is what was not told. */
struct load_report {
	char map[64];	    /* that was refused first */
	char program[64];   /* likewise */
	char verifier[160]; /* its last line on that program, printable */
};

/* Empties the report, and fills it with what libbpf prints in this thread from here on. */
void load_report__begin(struct load_report *report);
/* From here on libbpf's lines go nowhere. */
void load_report__end(void);

#endif
