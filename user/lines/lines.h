/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of the source, and functions that were inlined: what debug information says of a frame.
 *
 * Reading it takes long, so nobody waits for it here: who asks gets what is known, and what is not
 * known yet is looked up by lines__work, in processes of their own, one file at a time.
 */
#ifndef TOPSTACKS_LINES_LINES_H
#define TOPSTACKS_LINES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/frame.h"

struct lines;
struct readers;
struct spawner;

struct lines_options {
	bool demangle;
	bool no_inlined;     /* lines of functions as they were compiled */
	uint64_t max_bytes;  /* of a file's debug information; with more it is left out; 0: any */
	uint64_t max_cpu_ns; /* that reading a file may take; 0: what readers have anyway */
	const char *symfs;   /* directory where debug files are looked for first; NULL: none */
	struct readers *readers; /* of files, borrowed */
	struct spawner *openers; /* likewise; NULL: files are opened here */
};

/* NULL: out of memory. options->symfs is borrowed. */
struct lines *lines__new(const struct lines_options *options);
void lines__free(struct lines *lines);

/*
 * An ELF file that frames of this path and build ID (NULL: none) are in: it, or the debug file that
 * belongs to it, stays open if there is something to read. root: the "/" of a process that has it
 * mapped, or -1. Frames of files that nobody kept have no lines unless path and build ID lead to
 * the file.
 */
void lines__keep(struct lines *lines, const char *path, const char *build_id, int fd, int root);

/*
 * Before a round of questions: what is known is forgotten if it is very much. Strings that
 * lines__find gave are valid until then.
 */
void lines__begin(struct lines *lines);

#define MAX_LINE_FRAMES 64

/*
 * The frames that this one is: functions inlined at its address, innermost first, then its own,
 * with file and line where they are known. is_caller: its address is a return address. 0: nothing
 * more is known than the frame says, now or ever; if it may be later, lines__work will find out.
 * Strings are valid until the next lines__work.
 */
size_t lines__find(struct lines *lines, const struct frame *frame, bool is_caller,
		   struct frame frames[MAX_LINE_FRAMES]);

/*
 * Goes on with what was asked for, until all is known or until_ns (CLOCK_MONOTONIC; 0: does not
 * wait, but a moment for files that are slow to open) has come. Whether all is known. A file system
 * that does not answer is given up soon (lines/patience.h), if this is called at least each half a second.
 */
bool lines__work(struct lines *lines, uint64_t until_ns);

struct lines_account {
	uint64_t files_read;	    /* files with debug information */
	uint64_t files_too_big;	    /* beyond max_bytes */
	uint64_t files_failed;	    /* damaged, or beyond the bounds of time and memory */
	uint64_t files_silent;	    /* their file system does not answer */
	uint64_t files_not_started; /* no process could be had to read them */
	int shortage;		    /* of that, the last one (base/shortage.h); 0: none */
	uint64_t unread;	    /* addresses asked for, and not looked up yet */
};

void lines__account(struct lines *lines, struct lines_account *account);

/* CPU time of the process that reads just now; those that have ended are our children. */
uint64_t lines__reading_ns(const struct lines *lines);

#endif
