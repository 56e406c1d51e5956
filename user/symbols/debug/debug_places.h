/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the questions of readers while they read a file: opens files that may belong to it. The
 * reader checks whether they do.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_PLACES_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_PLACES_H

#include "base/common.h"

struct error;
struct time_budget;
struct opener;
struct reader_question;
struct reading;

/* The file that is read, and where to look for its debug files. */
struct debug_places {
	int fd;		       /* -1: the file itself is looked for */
	const char *path;      /* path as its process sees it; "": not known */
	int root;	       /* the process's "/"; -1: out of reach */
	const char *symfs;     /* directory to look in first; NULL: none */
	int64_t since_ns;      /* debug_places__open_file() skips older files; CLOCK_REALTIME */
	struct opener *opener; /* NULL: this process opens the files */
	struct time_budget *budget; /* time limit; NULL: none */
	char *used; /* PATH_MAX bytes for the file last given to a reader; or NULL */
};

/* Checks the directory of --symfs; NULL is fine. 0, or negative errno with err filled. */
int debug_places__check_symfs(const char *symfs, struct error *err);

/*
 * Opens a file that a reader asks for: the one with the question's index among the regular files at
 * the possible places, as far as the owner of fd may read them. Returns a descriptor for reading,
 * which the caller closes. -ENOENT: there are not so many.
 */
int debug_places__open(const struct debug_places *places, const struct reader_question *question);

/*
 * The same for a file known by path and build ID only (places->fd is -1): the file itself, or its
 * debug file. The reader checks its build ID. Skips files older than since_ns, except at places
 * that only this function looks at. -ENOENT: there are not so many; other errors as in
 * opener__open().
 */
int debug_places__open_file(const struct debug_places *places, const char *build_id,
			    uint32_t index);

/*
 * Waits for a reading of the file, and answers its questions meanwhile. Returns whether it has
 * ended by until_ns (CLOCK_MONOTONIC; 0: without waiting).
 */
bool debug_places__await(const struct debug_places *places, struct reading *reading,
			 uint64_t until_ns);

#endif
