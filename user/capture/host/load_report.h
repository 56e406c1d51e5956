/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The map or program that the kernel refused, and the verifier's reason. libbpf tells them only in
 * the lines that it prints: a failed load closes everything.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_LOAD_REPORT_H
#define TOPSTACKS_CAPTURE_HOST_LOAD_REPORT_H

/* Findings of a load; "": not printed. */
struct load_report {
	char map[64];	    /* the first map that the kernel refused to create */
	char program[64];   /* the first program that was refused */
	char verifier[160]; /* the verifier's last line on that program, printable */
};

/* Empties the report and collects libbpf's lines of this thread in it. */
void load_report__begin(struct load_report *report);
/* Stops collecting; libbpf's lines are discarded again. */
void load_report__end(void);

#endif
