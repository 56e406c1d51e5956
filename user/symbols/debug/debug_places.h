/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers what readers ask for while they read a file: files that may belong to it. Whether one does
 * is for the reader to find out.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_PLACES_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct hurry;
struct opener;
struct reader_question;
struct reading;

/* The file that is read, and where to look for what belongs to it. */
struct debug_places {
	int fd;		   /* -1: it is what is looked for */
	const char *path;  /* as its process knows it; "": not known */
	int root;	   /* directory that is the process's "/"; -1: out of reach */
	const char *symfs; /* directory to look in first; NULL: none */
	int64_t since_ns;  /* debug_places__open_file leaves out what is older; CLOCK_REALTIME */
	struct opener *opener; /* NULL: files are opened here */
	struct hurry *hurry;   /* NULL: there is none */
	char *used; /* PATH_MAX bytes: the file that a reader was given last; NULL: nobody asks */
};

/* NULL or a directory: 0; else negative errno, with err filled. */
int debug_places__check_symfs(const char *symfs, struct error *err);

/*
 * A descriptor of the caller's, for reading, of the file with the question's index among the regular
 * files that are in these places, and that the owner of fd may read. -ENOENT: there are not so many.
 */
int debug_places__open(const struct debug_places *places, const struct reader_question *question);

/*
 * The same where places->fd is -1, for a file of which path and build ID are known: itself, or its debug
 * file. Whether it has the build ID is for its reader to find out. What is older than since_ns is left out,
 * but for what nobody but this function looks at. -ENOENT: there are not so many; otherwise as
 * opener__open().
 */
int debug_places__open_file(const struct debug_places *places, const char *build_id,
			    uint32_t index);

/*
 * Waits for a reading of the file, and answers what it asks meanwhile. Whether it has ended by until_ns
 * (CLOCK_MONOTONIC; 0: it is only looked at).
 */
bool debug_places__await(const struct debug_places *places, struct reading *reading,
			 uint64_t until_ns);

#endif
