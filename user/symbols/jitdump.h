/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records in which runtimes tell of the functions they make: jit-PID.dump, which they map so
 * that profilers find it (tools/perf/Documentation/jitdump-specification.txt in Linux). Of it the
 * functions, not their code, lines and unwind tables.
 */
#ifndef TOPSTACKS_SYMBOLS_JITDUMP_H
#define TOPSTACKS_SYMBOLS_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_code;

/* How far a file has been read. Zero: not at all. */
struct jitdump {
	uint64_t taken; /* bytes: the header and whole records */
	bool is_ended;	/* by its own word, or it is no such file of this machine */
};

/*
 * Takes the records that were added to a regular file since the last time, as long as *allowance
 * lasts, a number of bytes that gets smaller by what was looked at. True: there may be other
 * functions now. A file that is shorter than what was read begins anew.
 */
bool jitdump__read(struct jitdump *dump, int fd, struct jit_code *code, size_t *allowance);

/* ".../jit-4711.dump" names pid 4711; 0: the path is another one's. */
int32_t jitdump__pid(const char *path);

#endif
