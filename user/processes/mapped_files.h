/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mappings show, one for each file (device, inode and path): opened and checked once, when the
 * first address in it is asked for, and again when it may have changed.
 *
 * This is the view of whoever names addresses, some time after they were sampled: it has to know a
 * file that is gone. Unwind tables are made in the draining thread while a process runs, of what is
 * mapped at that moment; they share how mappings are read (maps.h) and how files are opened and
 * known again (file.h), but neither this table nor any lock with it.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPED_FILES_H
#define TOPSTACKS_PROCESSES_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "processes/file.h"
#include "processes/maps.h"

struct module;
struct opener;
struct hurry;

struct mapped_files {
	struct map map;
	void (*free_module)(struct module *module); /* NULL: nobody sets one */
	struct opener *opener; /* borrowed; NULL: all is opened here, however long it takes */
	struct hurry *hurry;   /* of who opens and reads, borrowed; NULL: there is none */
	struct mapped_file *newest, *oldest; /* of the open ones, by their last use */
	size_t nr_open;
	size_t bytes; /* of files, their paths, and the mappings of them */
};

struct mapped_file {
	struct map_item item;
	struct mapped_files *files;
	struct mapping mapping; /* of it only device, inode and path; the rest is 0 */
	size_t path_bytes;
	enum mapping_kind kind;
	size_t references;
	struct module *module; /* what its contents say to whoever reads them; NULL: nothing yet */

	/*
	 * An open file keeps its inode, so that no other file can get its number; what was read
	 * holds as long as size and time of modification do.
	 */
	int fd;	      /* -1: it is closed */
	int shortage; /* that it could not be opened for when it was tried last; 0: none */
	struct file_identity identity;
	struct file_identity
		refused; /* it cannot be read as long as it is this; 0: it was not tried */
	int64_t changed_ns;
	bool is_told;			   /* that it is too large */
	uint64_t checked_by, tried_by;	   /* user->serial */
	struct mapped_file *newer, *older; /* while it is open: by last use */
	uint64_t idle_since_ns;		   /* 0: in use */
};

/* Who asks: an image, by its serial number, which grows when it is born and when it changes. */
struct mapped_file_user {
	struct mapped_by by;
	uint64_t serial;
	uint64_t seen_ns; /* CLOCK_MONOTONIC: it had the file mapped then */
};

/* free_module is called when a file is closed or forgotten. 0 or -ENOMEM. */
int mapped_files__init(struct mapped_files *files, void (*free_module)(struct module *module));
void mapped_files__fini(struct mapped_files *files); /* zeroed is fine */

/* The file of a mapping, with a reference for the caller. NULL: out of memory. */
struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapping *mapping);
void mapped_file__ref(struct mapped_file *file);
void mapped_file__unref(struct mapped_file *file);

/*
 * Whether it is open, until the next call, and has been the same since this user had it mapped.
 * Opens it if that was not done, or if it has changed; a failure is tried again for the next user.
 */
bool mapped_file__open(struct mapped_file *file, const struct mapped_file_user *user);

/* The name a person knows it by: "libc.so.6", "[anon]". Returns its length. */
size_t mapped_file__short_name(const struct mapped_file *file, const char **name);
/* Without " (deleted)"; 0: not a file. */
size_t mapped_file__shown_path(const struct mapped_file *file, const char **path);

/* Drops what nobody has mapped: at once if it is not open, else after some time. */
void mapped_files__forget(struct mapped_files *files, uint64_t now_ns);

/* Closes the one that was not used for longest. False: none is open. */
bool mapped_files__close_oldest(struct mapped_files *files);

/* Closes all, and frees the modules of all. */
void mapped_files__close_all(struct mapped_files *files);

/* That the file and its path take. */
size_t mapped_file__bytes(const struct mapped_file *file);
/* With all mappings of its files. */
size_t mapped_files__memory_bytes(const struct mapped_files *files);

#endif
