/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module holds what a file tells of the code in it; each file that was asked for has one. Readers
 * read the files, which may take longer than a caller waits.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_MODULES_H
#define TOPSTACKS_SYMBOLS_FILES_MODULES_H

#include "base/common.h"
#include "readers/readers.h"

struct mapped_file;
struct mapped_file_user;
struct mapped_files;
struct module_reading;
struct object;
struct strings;

#define MAX_READINGS 17 /* at a time; each kind of job has a lower limit */

/*
 * files is created with module__free and is destroyed before its modules. All pointers but those of
 * readings are borrowed.
 */
struct modules {
	struct mapped_files *files;
	struct strings *strings;
	const char *symfs;		/* searched first for debug files; NULL: not searched */
	struct readers *readers;	/* NULL: nothing is read */
	size_t loaded_bytes, max_bytes; /* of data read */

	/* As in symbols_options. */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;

	/*
	 * Called when a file was read after a caller had asked too early. NULL: this may hold for
	 * any file.
	 */
	void (*on_late)(void *context, const struct mapped_file *file);
	void *context;

	struct module_reading *readings[MAX_READINGS];
	size_t nr_readings;
	bool has_turned_away; /* a file found no free reader */
	size_t nr_told;	      /* files told to be too large */
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
	bool is_large;		 /* reading it exceeded the limits of most files */
	bool is_told;		 /* on_file has been called for its file */
	enum module_state state;
	int shortage; /* lack that kept the last reader from starting (base/shortage.h); 0: none */
	struct object *object;		/* NULL: not read, or no valid ELF file */
	struct reader_answer answer;	/* owns the bytes of object */
	struct module_reading *reading; /* NULL: none is under way */
};

void module__free(struct module *module);

/* Drops all that was read; new names are made in strings. */
void modules__renew(struct modules *modules, struct strings *strings);

/*
 * The module of a file, and what is known of the code in it; both are valid until the next call.
 * Has the file read if that was not done, or if it has changed, and waits for it unless there is a
 * budget. object NULL: it is not to be read, is still being read, or has changed since the user had
 * it mapped.
 */
struct module *modules__find(struct modules *modules, struct mapped_file *file,
			     const struct mapped_file_user *user, const struct object **object);

/* Whether the file has not been read yet. */
bool module__is_pending(const struct module *module, const struct mapped_file *file);

/*
 * For a pending module: -EINPROGRESS: it is being read, or will be; or a shortage
 * (base/shortage.h).
 */
int module__why_pending(const struct module *module);

/* Handles readings that went on in the background. */
void modules__go_on(struct modules *modules);

/*
 * Limits the bytes of held data to max_bytes: drops the least recently used modules, which are read
 * again on demand. A file larger than that gives no names.
 */
void modules__limit(struct modules *modules, size_t max_bytes);

/* CPU time of the readers at work. */
uint64_t modules__reading_ns(const struct modules *modules);

#endif
