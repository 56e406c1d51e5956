/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions in files that are known by path and build ID alone: for recorded frames that
 * have no name. A file with another build ID is never used.
 *
 * Sources of names are, in this order: the file at the path, debug files of the build ID, files
 * below --symfs, and the user's debuginfod cache. The first address in a file starts the search,
 * and waits for it.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_FILE_NAMES_H
#define TOPSTACKS_SYMBOLS_FILES_FILE_NAMES_H

#include "base/common.h"
#include "profile/frame.h"

struct file_names;
struct readers;
struct spawner;

struct file_names_options {
	bool demangle;
	const char *symfs;	 /* additional directory; NULL: none; stays valid */
	uint64_t max_ns;	 /* time limit for all files together; files after it give no
				  * names */
	struct readers *readers; /* borrowed */
	struct spawner *openers; /* borrowed; NULL: this process opens the files */
};

struct file_names *file_names__new(const struct file_names_options *options);
void file_names__free(struct file_names *names); /* NULL is fine */

/*
 * Begins another recording. Files unchanged since since_ns (CLOCK_REALTIME) are not read: the
 * recorder has read them already. 0: all are read.
 */
void file_names__begin(struct file_names *names, int64_t since_ns);

/*
 * Also names frames of files without a build ID, from the file at the path or below symfs, unless
 * that changed after until_ns (CLOCK_REALTIME; 0: not known). Recordings of other tools have no
 * better key. Valid until the next begin.
 */
void file_names__trust_paths(struct file_names *names, int64_t until_ns);

/* Whether the frame lacks a name and is in a file that may be found by its build ID. */
static inline bool file_names__may_name(const struct frame *frame)
{
	return frame->kind == FRAME_USER && !frame->function && !frame->inlined && frame->build_id;
}

/*
 * Finds the name of such a frame. *named: the frame with its function, or at least with the start
 * of the function, if the frame lacks that. is_caller: its address is a return address. False:
 * nothing was found. Strings live as long as names.
 */
bool file_names__find(struct file_names *names, const struct frame *frame, bool is_caller,
		      struct frame *named);

/* A function of a file, by the file's symbols. */
struct file_function {
	const char *name; /* NULL: no name is known; lives as long as names */
	uint64_t start, end;
};

/*
 * Finds the function that contains an address of a frame's file; the frame has a build ID. False:
 * not known.
 */
bool file_names__function(struct file_names *names, const struct frame *frame, uint64_t address,
			  struct file_function *function);

/*
 * file_names__lack(): whether no source with a full symbol table was found for the frame's file.
 * file_names__look_again(): sources for this build ID may be new, so look again.
 */
bool file_names__lack(struct file_names *names, const struct frame *frame);
void file_names__look_again(struct file_names *names, const char *build_id);

/* Whether any file was looked for. */
bool file_names__has_any(const struct file_names *names);

/* The result for a file that was looked for. Strings live as long as names. */
struct file_names_result {
	const char *path;      /* as in frames; "": none */
	const char *build_id;  /* "": none, so another build may have been read */
	const char *from;      /* the file that gave the names; NULL: none did */
	uint64_t nr_functions; /* number of functions that got names */
	bool is_unread;	       /* time or readers were lacking */
};

/* Calls take for each file that gave names, and once for each file without any. */
void file_names__each(struct file_names *names,
		      void (*take)(void *context, const struct file_names_result *result),
		      void *context);

#endif
