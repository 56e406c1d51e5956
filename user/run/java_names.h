/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JVMs among what is sampled are told to write the map of their code: as soon as some of it has no name, then
 * every 10 s at most while that is so again, and when sampling has ended.
 */
#ifndef TOPSTACKS_RUN_JAVA_NAMES_H
#define TOPSTACKS_RUN_JAVA_NAMES_H

#include <stdbool.h>

struct java_names;
struct spawner;
struct symbols;

/* attachers is borrowed (processes/attacher.h). is_quiet: nobody is told of what failed. NULL: out of memory. */
struct java_names *java_names__new(struct spawner *attachers, bool is_quiet);
void java_names__free(struct java_names *names); /* NULL is fine */

/* After a drain. Waits for nobody. NULL: nobody asked for it. */
void java_names__go_on(struct java_names *names, struct symbols *symbols);

/* Sampling has ended: tells each of them once more, and waits for all of them, 2 s in all. NULL, too. */
void java_names__finish(struct java_names *names, struct symbols *symbols);

#endif
