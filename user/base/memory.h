/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of sizes that topstacks itself chooses: nodes, rows, strings, arrays that grow by what it
 * has counted. These functions never return NULL. When the system has no memory, they give a
 * reserve back and raise a flag: a run ends at its next batch and writes what it has. When even the
 * reserve is used up, the process says so and ends with EXIT_INTERNAL.
 *
 * Names and meanings are those of libiberty, whose demanglers use these, too.
 *
 * A size that a file, another process or a user chooses is asked of malloc() instead, whose failure
 * is an error of that file, process or user.
 */
#ifndef TOPSTACKS_BASE_MEMORY_H
#define TOPSTACKS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Sets the reserve aside, an eighth of the memory that the process may have but 256 MiB at most,
 * and lowers the flag. Returns whether there was that much. Untouched memory costs nothing but its
 * part of a limit.
 */
bool memory__set_aside(void);

/*
 * Names memory that the process can do without: shed() frees some of it, in any thread that needs
 * memory, and returns false if there is none left or it is in use. Called before the process ends
 * for want of memory.
 */
void memory__shed_by(bool (*shed)(void *context), void *context);

/*
 * After a shortage: sheds until a reserve can be set aside again. False: the run has to end. True
 * as well if memory is not short.
 */
bool memory__recover(void);

/* Whether the reserve was given back: callers then skip optional work. Any thread may ask. */
bool memory__is_short(void);

/* The bytes of the reserve, which count as data of the process; 0: there is none. */
size_t memory__reserve_bytes(void);

/* Sets the exit code of a process that ends without memory; EXIT_INTERNAL if it is not called. */
void memory__exit_with(int exit_code);

struct error;

/* Sets the error for lack of memory. Returns -ENOMEM. */
int memory__error(struct error *err);

/* Returns what a user can do when memory lacks: "raise --max-memory", say. Static. */
const char *memory__remedy(void);

/*
 * Gives the reserve back for good. For a process whose limit the user has set, and that has nothing
 * to save: memory that lacks ends it with words that name the option.
 */
void memory__end_at_limit(void);

/*
 * For a process that works for another one: gives the reserve back, and has the process end with
 * this code and without a word when there is no memory.
 */
void memory__end_quietly(int exit_code);

/* Zeroed, as calloc(). */
void *xcalloc(size_t count, size_t nr_bytes) __attribute__((returns_nonnull, malloc));
void *xmalloc(size_t nr_bytes) __attribute__((returns_nonnull, malloc));
void *xrealloc(void *old, size_t nr_bytes) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((returns_nonnull));
char *xstrndup(const char *text, size_t nr_bytes) __attribute__((returns_nonnull));
char *xasprintf(const char *format, ...)
	__attribute__((format(printf, 1, 2), returns_nonnull, malloc));

/* As tsearch(). */
void *xtsearch(const void *key, void **root, int (*compare)(const void *a, const void *b))
	__attribute__((returns_nonnull));

struct objalloc;

/*
 * Memory of libiberty's arena, which is made if *arena is NULL; objalloc_free() ends all of it at
 * once.
 */
void *xobjalloc(struct objalloc **arena, size_t nr_bytes) __attribute__((returns_nonnull));

/* As open_memstream(); memory that lacks while it is written to is an error of the stream. */
FILE *xmemstream(char **text, size_t *nr_bytes) __attribute__((returns_nonnull));

/* Closes such a stream, whose text is whole then: if memory lacked for it, the process ends. */
void xfclose(FILE *stream);

#endif
