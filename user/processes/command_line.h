/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command lines of processes. They may hold passwords: they are shown only to users who may
 * sample the process, and are written to a file only if the caller asks for it.
 *
 * A process controls the text, and can delay its reader as it can for its mappings. So an opener
 * reads it, with a limit of size.
 */
#ifndef TOPSTACKS_PROCESSES_COMMAND_LINE_H
#define TOPSTACKS_PROCESSES_COMMAND_LINE_H

struct command_lines;
struct time_budget;
struct opener;
struct process;

struct command_lines *command_lines__new(void);
void command_lines__free(struct command_lines *lines); /* NULL is fine */

/*
 * The arguments joined by spaces, such as "cc1 -quiet main.c"; raw bytes of the process. NULL: the
 * process is gone or has none, they are not known, or its name has changed, so that it may run
 * another program. Looks each image up once, with an opener if given, as opener__open(). Valid
 * until the next call.
 */
const char *command_lines__find(struct command_lines *lines, const struct process *process,
				struct opener *opener, struct time_budget *budget);

#endif
