/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a compiler says of addresses in its debug information: functions, those inlined into them,
 * and lines of the source.
 *
 * libdw does the reading, of a file that somebody else wrote: it may crash, hang or take all the
 * memory. So it does that in a process of its own, which can be hostile to nobody: it has bounds of
 * time and memory, the rights of the file's owner, and may crash. What it found until then counts.
 *
 * Nothing here waits unless it is told to.
 */
#ifndef TOPSTACKS_LINES_READER_H
#define TOPSTACKS_LINES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One function at an address. */
struct source_place {
	const char *function; /* as the linker knows it, if the compiler says that; NULL: unnamed */
	const char *directory; /* that file is relative to; NULL: none */
	const char *file;      /* NULL: not known */
	uint32_t line;	       /* 0: not known */
};

#define MAX_PLACES 64 /* at one address; those further out are left out */

struct dwarf_query {
	int fd;		    /* of the ELF file with .debug_info */
	int alternate;	    /* of the file that its .gnu_debugaltlink names; negative: not known */
	uint64_t max_bytes; /* of debug sections; 0: any */

	const uint64_t *addresses; /* virtual ones within the file, ascending */
	size_t nr_addresses;

	/*
	 * Called once for each address of which something is known, in no order: the innermost
	 * function first, the one that all are inlined into last. Returns 0, or what ends it.
	 */
	int (*on_places)(void *context, size_t address, const struct source_place *places,
			 size_t nr_places);
	void *context;
};

/*
 * For the process that reads, since this may end it. 0; -ENOENT: no debug information; -EFBIG: more of it than
 * max_bytes; other negative errno.
 */
int dwarf__find(const struct dwarf_query *query);

struct line_reader {
	pid_t pid; /* 0: none is under way */
	int ended; /* readable when it has ended */
	int answers;
	uint64_t deadline_ns; /* CLOCK_MONOTONIC */
};

/* Starts one, if none is under way; the query's descriptors may be closed then. 0 or -errno. */
int line_reader__start(struct line_reader *reader, const struct dwarf_query *query);

/* Waits until it has ended, but not past until_ns (0: not at all). Whether it has. */
bool line_reader__wait(struct line_reader *reader, uint64_t until_ns);

/*
 * Of one that has ended: hands out what it found, as dwarf__find does of nr_addresses, places being
 * borrowed for the call, and returns what that returned; also -EIO: it crashed, or took too long or
 * too much memory. It is closed then.
 */
int line_reader__finish(struct line_reader *reader, size_t nr_addresses,
			int (*on_places)(void *context, size_t address,
					 const struct source_place *places, size_t nr_places),
			void *context);

/* CPU time it took so far; 0 where that cannot be told. */
uint64_t line_reader__cpu_ns(const struct line_reader *reader);

/* Ends it, whatever it does. */
void line_reader__close(struct line_reader *reader);

#endif
