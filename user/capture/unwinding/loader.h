/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the file of an executable mapping, and its unwind table. The file is opened by an opener
 * and read by a reader, asynchronously. Results arrive in unwind_loader__work(), even if the
 * process that they were requested for is gone.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LOADER_H
#define TOPSTACKS_CAPTURE_UNWINDING_LOADER_H

#include "base/common.h"

struct mapping;
struct pollfd;
struct readers;
struct spawner;
struct unwind_files;
struct unwind_loader;
struct unwind_part;

#define UNWIND_MAX_WATCHED 5

/*
 * All arguments are borrowed. readers: NULL: no file gets a table. openers: of processes/opener.h;
 * NULL: files are opened here, however long that takes. Returns NULL without memory.
 */
struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers);
/* Frees the loader. All parts must have been put. NULL is fine. */
void unwind_loader__free(struct unwind_loader *loader);

/*
 * Requests the file of an executable mapping of a process. Returns a part of the process's memory,
 * to be put. NULL: no memory.
 */
struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid);

/*
 * Requests the file without a part, for the next process that maps it. Does nothing if many files
 * wait.
 */
void unwind_loader__learn(struct unwind_loader *loader, const struct mapping *mapping, int32_t pid);

/* Returns the number of parts that wait. */
size_t unwind_loader__nr_queued(const struct unwind_loader *loader);

/* Takes results and starts further requests. Returns true if a part was completed. */
bool unwind_loader__work(struct unwind_loader *loader);

/* Returns true if any request is under way. */
bool unwind_loader__is_busy(const struct unwind_loader *loader);

/*
 * Returns true if there was progress since the last call, or an opener or reader is busy; false:
 * all wait for file systems.
 */
bool unwind_loader__moves(struct unwind_loader *loader);

/* Fills in descriptors to poll for work, at most UNWIND_MAX_WATCHED. Returns their number. */
size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched);

/*
 * Writes why a file that should have a table has none, once for each file: "libx.so: took more than
 * 5 s", with the name in quotes. Returns false if there is no further failure.
 */
bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size);

#endif
