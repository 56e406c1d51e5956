/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that grows, in which a runtime tells of its code: read by a reader whenever it has changed.
 * Nobody waits for that longer than a round allows; what comes later is known in a later round.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_FILE_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/file.h"
#include "readers/jit_files.h"
#include "readers/readers.h"
#include "symbols/jit/jit_code.h"

struct hurry;
struct late_names;
struct opener;

/* What all files share. In a round each of them is read once, and all together only so much. */
struct jit_round {
	struct opener *opener;	 /* borrowed; NULL: files are opened here */
	struct readers *readers; /* likewise; NULL: nothing is read */
	struct hurry *hurry;	 /* NULL: there is none */
	struct jit_bounds bounds;
	struct late_names *late; /* NULL: there are none */
	uint64_t number;
	size_t allowance; /* bytes that may still be read in it */
	size_t nr_files;  /* that are open */
	uint64_t left_ns; /* that may still be waited in it */

	/* As in symbols_options; the first few files are told of. */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;
	size_t nr_told;
};

struct jit_file {
	struct jit_round *round;
	enum reader_job job;
	int fd;			   /* -1: none */
	bool is_given_up;	   /* it took too long or too much to read it */
	char *path;		   /* what it is called; NULL: not known */
	int why_unread;		   /* for what of readers/reasons.h, last; 0: for nothing */
	bool is_told;		   /* that it is not */
	struct file_identity read; /* what it was when it was read last */
	bool is_settled;	   /* if it was written to since, it is another one */
	bool has_more;		   /* than was read of it */
	union jit_progress progress;
	struct reading reading;
	size_t allowance; /* of that */
	struct jit_code code;
};

/* round must outlive it. */
void jit_file__init(struct jit_file *file, struct jit_round *round, enum reader_job job);
void jit_file__fini(struct jit_file *file);

/*
 * Takes the descriptor, and forgets what another file told. False: it was closed, since there are
 * too many, or one before could not be read. path: what it is called.
 */
bool jit_file__open(struct jit_file *file, const char *path, int fd);

/* True: there may be other functions now. */
bool jit_file__refresh(struct jit_file *file);

/* It is not read, for this reason (readers/reasons.h); of a process it is told once. */
void jit_file__refuse(struct jit_file *file, const char *path, int code);

#endif
