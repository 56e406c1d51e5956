/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A perf map or jitdump: a growing file in which a runtime names its code. A reader process reads
 * the file again when it has changed. A round (struct jit_round) limits how long all files together
 * wait for readers; an answer that comes later is taken in a later round.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_FILE_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_FILE_H

#include "base/common.h"
#include "processes/file.h"
#include "readers/jit_files.h"
#include "readers/readers.h"
#include "symbols/jit/jit_code.h"

struct time_budget;
struct late_names;
struct opener;

/* Shared by all files. A round reads each of them once, and all together only up to a limit. */
struct jit_round {
	struct opener *opener;	    /* borrowed; NULL: this process opens the files */
	struct readers *readers;    /* borrowed; NULL: nothing is read */
	struct time_budget *budget; /* time limit; NULL: none */
	struct jit_bounds bounds;
	struct late_names *late; /* NULL: there are none */
	uint64_t number;
	size_t allowance; /* bytes left to read in this round */
	size_t nr_files;  /* open files */
	uint64_t left_ns; /* waiting time left in this round */

	/* As in symbols_options; called for the first few files. */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;
	size_t nr_told;
};

struct jit_file {
	struct jit_round *round;
	enum reader_job job;
	int fd;			   /* -1: none */
	bool is_given_up;	   /* reading it took too long or too much */
	char *path;		   /* its name; NULL: not known */
	int why_unread;		   /* last reason (readers/reasons.h); 0: none */
	bool is_told;		   /* the reason was told */
	struct file_identity read; /* the file's state when it was read last */
	bool is_settled;	   /* a later write would change its state */
	bool has_more;		   /* a part of it was not read yet */
	union jit_progress progress;
	struct reading reading;
	size_t allowance; /* allowance of the reading */
	struct jit_code code;
};

/* round must outlive file. */
void jit_file__init(struct jit_file *file, struct jit_round *round, enum reader_job job);
void jit_file__fini(struct jit_file *file);

/*
 * Takes the descriptor, and forgets what another file told. False: the descriptor was closed, as
 * there are too many files, or an earlier file could not be read. path: its name.
 */
bool jit_file__open(struct jit_file *file, const char *path, int fd);

/* Reads the file if it has grown. True: there may be other functions now. */
bool jit_file__refresh(struct jit_file *file);

/*
 * Notes that the file is refused, for this reason (readers/reasons.h); tells the reason once for a
 * process.
 */
void jit_file__refuse(struct jit_file *file, const char *path, int code);

#endif
