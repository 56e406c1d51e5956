/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an executable mapping of a process to the file behind it, with its table: the file is opened
 * by an opener and read by a reader, while nobody waits. What has been asked for arrives when
 * unwind_loader__work() is called, also if whoever asked has gone.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_LOADER_H
#define TOPSTACKS_CAPTURE_UNWINDING_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping;
struct pollfd;
struct readers;
struct spawner;
struct unwind_files;
struct unwind_loader;
struct unwind_part;

#define UNWIND_MAX_WATCHED 5

/*
 * All are borrowed. readers: NULL: no file has a table. openers: of processes/opener.h; NULL: files
 * are opened here, however long that takes. NULL: no memory.
 */
struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers);
/* All parts must have been put. NULL is fine. */
void unwind_loader__free(struct unwind_loader *loader);

/*
 * Asks for the file behind an executable mapping of a process. The part of the process's memory
 * that it is, to be put. NULL: no memory.
 */
struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid);

/* The same for nobody: whoever maps the file next finds it. Nothing happens if there is much to do. */
void unwind_loader__learn(struct unwind_loader *loader, const struct mapping *mapping, int32_t pid);

/* Parts whose turn has not come. */
size_t unwind_loader__nr_queued(const struct unwind_loader *loader);

/* Takes what has arrived, and asks on. Whether a part is done that was not. */
bool unwind_loader__work(struct unwind_loader *loader);

/* Something is under way. */
bool unwind_loader__is_busy(const struct unwind_loader *loader);

/*
 * Whether anything happened since the last call, or somebody is at work; else all wait for file
 * systems.
 */
bool unwind_loader__moves(struct unwind_loader *loader);

/* What to poll for until there is work, UNWIND_MAX_WATCHED at most. Returns how many. */
size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched);

/*
 * Why a file has no table for which there might be one: "libx.so: took more than 5 s", with its name
 * as it is, once a file. False: there is nothing more to tell.
 */
bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size);

#endif
