/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command lines of processes. They may hold passwords: they are for the screen of whoever may sample
 * the process, and go into a file only where the caller asks for that.
 *
 * A process can write there what it likes, and can keep whoever reads it waiting, as it keeps its
 * mappings: so an opener reads it, bounded.
 */
#ifndef TOPSTACKS_PROCESSES_COMMAND_LINE_H
#define TOPSTACKS_PROCESSES_COMMAND_LINE_H

struct command_lines;
struct hurry;
struct opener;
struct process;

/* What an opener is asked for (OPENING_PROCESS). */
#define COMMAND_LINE_FILE "cmdline"

/*
 * By the opener: its name of 16 bytes and its command line, copied. process: its directory in /proc. A
 * descriptor of the caller's, or negative errno.
 */
int command_line__copy(int process);

/* NULL: out of memory. */
struct command_lines *command_lines__new(void);
void command_lines__free(struct command_lines *lines); /* NULL is fine */

/*
 * "cc1 -quiet main.c": the arguments with a space between them, raw bytes of the process's. NULL: it is
 * gone, it has none, nobody knows, or it has another name by now, and so may run another program. Asked
 * once for each image, perhaps with an opener, as opener__open(); valid until the next call.
 */
const char *command_lines__find(struct command_lines *lines, const struct process *process,
				struct opener *opener, struct hurry *hurry);

#endif
