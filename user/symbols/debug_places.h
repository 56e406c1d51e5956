/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers what readers ask for while they read a file: files that may belong to it. Whether one does
 * is for the reader to find out.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_PLACES_H
#define TOPSTACKS_SYMBOLS_DEBUG_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct hurry;
struct opener;
struct reader_question;
struct reading;

/* The file that is read, and where to look for what belongs to it. */
struct debug_places {
	int fd;
	const char *path;      /* as its process knows it; "": not known */
	int root;	       /* directory that is the process's "/"; -1: out of reach */
	const char *symfs;     /* directory to look in first; NULL: none */
	struct opener *opener; /* NULL: files are opened here */
	struct hurry *hurry;   /* NULL: there is none */
};

/*
 * A descriptor of the caller's, for reading, of the file with the question's index among the regular
 * files that are in these places, and that the owner of fd may read. -ENOENT: there are not so many.
 */
int debug_places__open(const struct debug_places *places, const struct reader_question *question);

/*
 * Waits for a reading of the file, and answers what it asks meanwhile. Whether it has ended by until_ns
 * (CLOCK_MONOTONIC; 0: it is only looked at).
 */
bool debug_places__await(const struct debug_places *places, struct reading *reading,
			 uint64_t until_ns);

#endif
