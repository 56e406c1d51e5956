/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What files say of the code in them: modules, one for each file that has been asked for. Files are
 * read by readers, which may take longer than anybody waits.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_MODULES_H
#define TOPSTACKS_SYMBOLS_FILES_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "readers/readers.h"

struct mapped_file;
struct mapped_file_user;
struct mapped_files;
struct module_reading;
struct object;
struct strings;

#define MAX_READINGS 17 /* at a time; jobs have bounds below that */

/*
 * files were made with module__free, and end before their modules; all pointers but those of
 * readings are borrowed.
 */
struct modules {
	struct mapped_files *files;
	struct strings *strings;
	const char *symfs;		/* where debug files are looked for first; NULL: nowhere */
	struct readers *readers;	/* NULL: nothing is read */
	size_t loaded_bytes, max_bytes; /* of what was read */

	/* As in symbols_options. */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;

	/* A file was read after somebody had asked in vain. NULL: any file may be from here on. */
	void (*on_late)(void *context, const struct mapped_file *file);
	void *context;

	struct module_reading *readings[MAX_READINGS];
	size_t nr_readings;
	bool has_turned_away; /* files for which there was no reader */
	size_t nr_told;	      /* files that are too large */
};

enum module_state {
	MODULE_NEW,
	MODULE_READING,
	MODULE_READ,
};

struct module {
	struct modules *modules;
	const char *name, *path; /* path NULL: not a file */
	const char *build_id;	 /* NULL: it has none, or was not read */
	bool is_large;		 /* it took more than most files may */
	bool is_told;		 /* its file, to who wants to know of files */
	enum module_state state;
	int shortage; /* that the last reader could not be had for (base/shortage.h); 0: none */
	struct object *object;		/* NULL: it was not read, or is no ELF file that can be */
	struct reader_answer answer;	/* which that is made of */
	struct module_reading *reading; /* NULL: none is under way */
};

void module__free(struct module *module);

/* Drops all that was read; from here on names are made in strings. */
void modules__renew(struct modules *modules, struct strings *strings);

/*
 * The module of a file, and what is known of the code in it; both are valid until the next call.
 * Has the file read if that was not done, or if it has changed, and waits for it unless there is a
 * hurry. object NULL: it is not to be read, is still being read, or has changed since the user had it
 * mapped. NULL: out of memory.
 */
struct module *modules__find(struct modules *modules, struct mapped_file *file,
			     const struct mapped_file_user *user, const struct object **object);

/* The file is there, and not read yet. */
bool module__is_pending(const struct module *module, const struct mapped_file *file);

/* Of one that is: -EINPROGRESS: it is being read, or will be; or a shortage (base/shortage.h). */
int module__why_pending(const struct module *module);

/* Goes on with readings that nobody waits for any more. */
void modules__go_on(struct modules *modules);

/*
 * From here on at most so many bytes of what was read are held: what was not used for longest goes,
 * and is read again when it is asked for. A file that is larger has no names.
 */
void modules__limit(struct modules *modules, size_t max_bytes);

/* CPU time of the readers that are at work. */
uint64_t modules__reading_ns(const struct modules *modules);

#endif
