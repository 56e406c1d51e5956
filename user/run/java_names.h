/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asks the sampled JVMs to write the map of their compiled code: as soon as some of that code has
 * no name, then at most every 10 s while there is more without a name, and when sampling has ended.
 */
#ifndef TOPSTACKS_RUN_JAVA_NAMES_H
#define TOPSTACKS_RUN_JAVA_NAMES_H

#include "base/common.h"

struct java_names;
struct spawner;
struct symbols;

/* attachers is borrowed (processes/attacher.h). is_quiet: failures are not printed. */
struct java_names *java_names__new(struct spawner *attachers, bool is_quiet);
void java_names__free(struct java_names *names); /* NULL is fine */

/* Call after a drain. Starts and collects requests without waiting. names: NULL does nothing. */
void java_names__go_on(struct java_names *names, struct symbols *symbols);

/*
 * Call when sampling has ended. Asks each JVM once more, and waits for all of them, 2 s in all.
 * names: NULL does nothing.
 */
void java_names__finish(struct java_names *names, struct symbols *symbols);

#endif
