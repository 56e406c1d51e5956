/* SPDX-License-Identifier: GPL-2.0-only */
/* What files say of the code in them: modules, one for each file that has been asked for. */
#ifndef TOPSTACKS_SYMBOLS_MODULES_H
#define TOPSTACKS_SYMBOLS_MODULES_H

#include <stdbool.h>
#include <stddef.h>

struct mapped_file;
struct mapped_file_user;
struct mapped_files;
struct object;
struct strings;

/*
 * files were made with module__free, and end before their modules; all three pointers are borrowed.
 */
struct modules {
	struct mapped_files *files;
	struct strings *strings;
	const char *symfs;		/* where debug files are looked for first; NULL: nowhere */
	size_t loaded_bytes, max_bytes; /* of what was read */
};

struct module {
	struct modules *modules;
	const char *name, *path; /* path NULL: not a file */
	const char *build_id;	 /* NULL: it has none, or was not read */
	bool is_told;		 /* its file, to who wants to know of files */
	bool is_read;
	struct object *object; /* NULL: it was not read, or is no ELF file that can be */
};

void module__free(struct module *module);

/* Drops all that was read; from here on names are made in strings. */
void modules__renew(struct modules *modules, struct strings *strings);

/*
 * The module of a file, and what is known of the code in it; both are valid until the next call.
 * Reads the file if that was not done, or if it has changed. object NULL: it is not to be read, or
 * has changed since the user had it mapped. NULL: out of memory.
 */
struct module *modules__find(struct modules *modules, struct mapped_file *file,
			     const struct mapped_file_user *user, const struct object **object);

/*
 * From here on at most so many bytes of what was read are held: what was not used for longest goes,
 * and is read again when it is asked for. A file that is larger has no names.
 */
void modules__limit(struct modules *modules, size_t max_bytes);

#endif
