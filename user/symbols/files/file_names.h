/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions in files that are known by path and build ID alone: those of frames that were
 * recorded before, where there was no name to be had. A file of another build ID is never asked.
 *
 * What may name a file is, in this order: what lies at its path, debug files of its build ID, what --symfs has, and
 * what is in the user's cache of debuginfod. It is looked for when the first address in it is asked for, and waited for.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_FILE_NAMES_H
#define TOPSTACKS_SYMBOLS_FILES_FILE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/frame.h"

struct file_names;
struct readers;
struct spawner;

struct file_names_options {
	bool demangle;
	const char *symfs;	 /* directory to look in, too; NULL: none; stays valid */
	uint64_t max_ns;	 /* that all files may take together; then others have no names */
	struct readers *readers; /* of files, borrowed */
	struct spawner *openers; /* likewise; NULL: files are opened here */
};

/* NULL: out of memory. */
struct file_names *file_names__new(const struct file_names_options *options);
void file_names__free(struct file_names *names); /* NULL is fine */

/*
 * From here on files that have not changed since then (CLOCK_REALTIME) are not read: whoever recorded
 * frames at that time did it. 0: all are read.
 */
void file_names__begin(struct file_names *names, int64_t since_ns);

/*
 * And frames of files without a build ID are named from what lies at their path, or below symfs, unless it changed after
 * that time (CLOCK_REALTIME; 0: nobody knows it): other tools' files have nothing better. Until the next begin.
 */
void file_names__trust_paths(struct file_names *names, int64_t until_ns);

/* A frame that lacks a name, and is in a file that may be found by its build ID. */
static inline bool file_names__may_name(const struct frame *frame)
{
	return frame->kind == FRAME_USER && !frame->function && !frame->inlined && frame->build_id;
}

/*
 * What such a frame is called: *named is the frame with its function, or at least with where that
 * begins, if the frame does not say it. is_caller: its address is a return address. False: nothing more
 * is known than the frame says. Strings live as long as names.
 */
bool file_names__find(struct file_names *names, const struct frame *frame, bool is_caller,
		      struct frame *named);

/* A function of a file, as its sources have it. */
struct file_function {
	const char *name; /* NULL: it has none; lives as long as names */
	uint64_t start, end;
};

/* The one that an address is in, of any frame with a build ID. False: nobody knows. */
bool file_names__function(struct file_names *names, const struct frame *frame, uint64_t address,
			  struct file_function *function);

/*
 * Whether such a frame is in a file of which no source was found that has all names; and that one may have come since
 * for files of this build ID.
 */
bool file_names__lack(struct file_names *names, const struct frame *frame);
void file_names__look_again(struct file_names *names, const char *build_id);

/* Whether any was asked for. */
bool file_names__has_any(const struct file_names *names);

/* What became of a file that was asked for. Strings live as long as names. */
struct file_names_result {
	const char *path;      /* as frames have it; "": none */
	const char *build_id;  /* "": none, so that another build may have been read */
	const char *from;      /* the file that named its functions; NULL: none did */
	uint64_t nr_functions; /* named from there */
	bool is_unread;	       /* there was no time for it, or no reader */
};

/* Hands out a result for each file that named functions, and one for each file without any. */
void file_names__each(struct file_names *names,
		      void (*take)(void *context, const struct file_names_result *result),
		      void *context);

#endif
