/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules: what mappings show, one for each file (device, inode and path), read when the first
 * address in it is asked for.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPED_FILES_H
#define TOPSTACKS_PROCESSES_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/file.h"
#include "processes/process.h"

struct debug_query;
struct object;
struct modules;

enum module_kind {
	MODULE_FILE,
	MODULE_VDSO,	  /* of 64-bit processes */
	MODULE_ANONYMOUS, /* memory that somebody writes code into */
	MODULE_OTHER,	  /* "[vsyscall]" and such, which nobody can read */
};

/* Where the names of a kind of module come from. The first source of its kind that can, does. */
struct source {
	const char *name; /* NULL ends a table */
	enum module_kind kind;
	int (*read)(const struct debug_query *query, struct object **object);
};

struct module {
	struct modules *modules;
	struct mapping identity; /* of the file: device, inode, path; the rest is 0 */
	enum module_kind kind;
	size_t references;

	/* Interned by whoever shows them first; NULL: not yet, or, of path and build ID, none. */
	const char *name, *path, *build_id;

	/*
	 * An open file keeps its inode, so that no other file can get its number; what was read
	 * holds as long as size and time of modification do.
	 */
	int fd;
	bool loaded;
	bool is_kept;	       /* for lines */
	struct object *object; /* NULL: no source can read it */
	struct stamp stamp;
	uint64_t checked_by, tried_by; /* user->serial */
	uint64_t used;		       /* modules->uses */
	uint64_t idle_since_ns;	       /* 0: in use */
};

/* Who asks: an image, by its serial number, which grows when it is born and when it changes. */
struct module_user {
	struct witness witness;
	uint64_t serial;
	uint64_t seen_ns; /* CLOCK_MONOTONIC: it had the file mapped then */
};

/*
 * sources must outlive it, and so must symfs, the directory where debug files are looked for first;
 * NULL: none. NULL: out of memory.
 */
struct modules *modules__new(const struct source *sources, const char *symfs);
void modules__free(struct modules *modules);

/* The module of a mapping, with a reference for the caller. NULL: out of memory. */
struct module *modules__get(struct modules *modules, const struct mapping *mapping);
void module__ref(struct module *module);
void module__unref(struct module *module);

/*
 * What is known of the code in it, or NULL; valid until the next call. Reads the file if that was
 * not done, or if it has changed; a failure is tried again for the next user.
 */
const struct object *module__object(struct module *module, const struct module_user *user);

/* The name a person knows it by: "libc.so.6", "[anon]". Returns its length. */
size_t module__short_name(const struct module *module, const char **name);
/* Without " (deleted)"; 0: not a file. */
size_t module__shown_path(const struct module *module, const char **path);

/* Drops what nobody has mapped: at once if it was never read, else after some time. */
void modules__forget(struct modules *modules, uint64_t now_ns);

/*
 * From here on at most so many bytes of what was read from files are held: what was not used for
 * longest goes, and is read again when it is asked for. A file that is larger has no names.
 */
void modules__limit(struct modules *modules, size_t max_bytes);

/* Drops all that was read, and the names that others have interned. */
void modules__unload_all(struct modules *modules);

size_t modules__nr_modules(const struct modules *modules);
size_t modules__loaded_bytes(const struct modules *modules);
size_t modules__memory_bytes(const struct modules *modules);

#endif
