/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mapped files, one entry for each device, inode and path: opened and checked once, when the first
 * address in the file is looked up, and again when the file may have changed.
 *
 * This is the view of the code that names addresses, some time after they were sampled: it keeps
 * files that are gone. Unwind tables are built in the draining thread from the current mappings of
 * living processes. They share the code that reads mappings (maps.h) and opens and recognizes files
 * (file.h), but neither this table nor any of its locks.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPED_FILES_H
#define TOPSTACKS_PROCESSES_MAPPED_FILES_H

#include "base/common.h"
#include "processes/file.h"
#include "processes/maps.h"

struct module;
struct opener;
struct time_budget;

struct mapped_files {
	struct map map;
	void (*free_module)(struct module *module); /* NULL: module is never set */
	struct opener *opener; /* borrowed; NULL: this process opens files, without a time limit */
	struct time_budget *budget; /* time limit of opening and reading, borrowed; NULL: none */
	struct mapped_file *newest, *oldest; /* list of open files by last use */
	size_t nr_open;
	size_t bytes; /* of files, paths, and mappings of them */
};

struct mapped_file {
	struct map_item item;
	struct mapped_files *files;
	struct mapping mapping; /* device, inode and path only; the rest is 0 */
	size_t path_bytes;
	enum mapping_kind kind;
	size_t references;
	struct module *module; /* contents as read by a reader; NULL: not read */

	/*
	 * An open file keeps its inode, so no other file can get its number. Data read from it is
	 * valid while size and modification time are unchanged.
	 */
	int fd;	      /* -1: closed */
	int shortage; /* shortage at the last try to open it; 0: none */
	struct file_identity identity;
	struct file_identity
		refused; /* the file cannot be read while its identity is this; 0: not tried */
	int64_t changed_ns;
	bool is_told;			   /* a notice has said that it is too large */
	uint64_t checked_by, tried_by;	   /* user->serial */
	struct mapped_file *newer, *older; /* list while open, by last use */
	uint64_t idle_since_ns;		   /* 0: in use */
};

/*
 * The image for which a file is looked up. Its serial number grows at its birth and with each
 * change.
 */
struct mapped_file_user {
	struct mapped_by by;
	uint64_t serial;
	uint64_t seen_ns; /* CLOCK_MONOTONIC: when it had the file mapped */
};

/* free_module is called when a file is closed or dropped. */
void mapped_files__init(struct mapped_files *files, void (*free_module)(struct module *module));
void mapped_files__fini(struct mapped_files *files); /* zeroed is fine */

/* The file of a mapping, with a reference for the caller. */
struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapping *mapping);
void mapped_file__ref(struct mapped_file *file);
void mapped_file__unref(struct mapped_file *file);

/*
 * Opens the file if it is closed or has changed; a failed open is tried again for the next user.
 * Returns whether it is open (until the next call) and unchanged since this user had it mapped.
 */
bool mapped_file__open(struct mapped_file *file, const struct mapped_file_user *user);

/* The short name: "libc.so.6", "[anon]". Returns its length. */
size_t mapped_file__short_name(const struct mapped_file *file, const char **name);
/* The path without " (deleted)". Returns its length; 0: not a file. */
size_t mapped_file__shown_path(const struct mapped_file *file, const char **path);

/* Drops files that no image maps: closed ones at once, open ones after some time. */
void mapped_files__forget(struct mapped_files *files, uint64_t now_ns);

/* Closes the least recently used file. False: none is open. */
bool mapped_files__close_oldest(struct mapped_files *files);

/* Closes all files and frees all modules. */
void mapped_files__close_all(struct mapped_files *files);

/* Bytes of the file and its path. */
size_t mapped_file__bytes(const struct mapped_file *file);
/* Bytes of all files, with the mappings of them. */
size_t mapped_files__memory_bytes(const struct mapped_files *files);

#endif
