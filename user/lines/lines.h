/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines and inlined functions of frames, from debug information.
 *
 * Reading takes long, so lookups do not wait: they return what is known. The rest is looked up by
 * lines__work(), in reader processes, one file at a time.
 */
#ifndef TOPSTACKS_LINES_LINES_H
#define TOPSTACKS_LINES_LINES_H

#include "base/common.h"
#include "profile/frame.h"

struct lines;
struct readers;
struct spawner;

struct lines_options {
	bool demangle;
	bool no_inlined;	 /* ignore inlining: lines of functions as compiled */
	uint64_t max_bytes;	 /* limit of a file's debug information; 0: none */
	uint64_t max_cpu_ns;	 /* of CPU time for a file; 0: that of the reader's job */
	const char *symfs;	 /* searched first for debug files; NULL: not searched */
	struct readers *readers; /* borrowed */
	struct spawner *openers; /* borrowed; NULL: this process opens files */
};

/* options->symfs is borrowed. */
struct lines *lines__new(const struct lines_options *options);
void lines__free(struct lines *lines);

/*
 * Keeps fd open, an ELF file with frames of this path and build ID (NULL: none), or its debug file,
 * if there is something to read. root: "/" of a process that maps it, or -1. Without a kept file,
 * lines are found only if path and build ID lead to the file.
 */
void lines__keep(struct lines *lines, const char *path, const char *build_id, int fd, int root);

/*
 * Call it before a round of lookups: forgets the answers if there are very many. Strings of
 * lines__find() are valid until then.
 */
void lines__begin(struct lines *lines);

#define MAX_LINE_FRAMES 64

/*
 * Expands a frame: functions inlined at its address, innermost first, then its own, with file and
 * line if known. is_caller: its address is a return address. Returns the number of frames; 0:
 * nothing more is known, now or for good; if the file is not read yet, lines__work() will. Strings
 * are valid until the next lines__work().
 */
size_t lines__find(struct lines *lines, const struct frame *frame, bool is_caller,
		   struct frame frames[MAX_LINE_FRAMES]);

/*
 * Continues the lookups until all are done or until_ns (CLOCK_MONOTONIC; 0: without waiting, except
 * a moment for files that are slow to open). Returns whether all are done. Gives up soon on a file
 * system that does not answer, if called at least every half second.
 */
bool lines__work(struct lines *lines, uint64_t until_ns);

struct lines_account {
	uint64_t files_read;	    /* files with debug information */
	uint64_t files_too_big;	    /* beyond max_bytes */
	uint64_t files_failed;	    /* damaged, or beyond the limits of time and memory */
	uint64_t files_silent;	    /* their file system does not answer */
	uint64_t files_not_started; /* no reader could be started for them */
	int shortage;		    /* last shortage of those (base/shortage.h); 0: none */
	uint64_t unread;	    /* addresses not looked up yet */
};

void lines__account(struct lines *lines, struct lines_account *account);

/* CPU time of the reader at work; ended ones are counted as our children. */
uint64_t lines__reading_ns(const struct lines *lines);

#endif
