/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells the sampling programs how to unwind each process: which table covers which of its
 * addresses. Tables are loaded here, never while a sample is taken.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_UNWINDING_H
#define TOPSTACKS_CAPTURE_UNWINDING_UNWINDING_H

#include "base/common.h"

struct map_calls;
struct pollfd;
struct process;
struct process_event;
struct readers;
struct spawner;
struct topstacks_bpf;
struct unwinding;

/* All pointers are borrowed. */
struct unwinding_options {
	struct topstacks_bpf *skeleton;
	/* true: only processes that were sampled get tables; false: processes in events, too */
	bool everyone;
	size_t max_bytes; /* of tables in the kernel */
	struct map_calls *map_calls;
	struct readers *readers; /* NULL: no file has a table */
	struct spawner *openers; /* NULL: files are opened here */
};

int unwinding__open(struct unwinding **unwinding, const struct unwinding_options *options,
		    struct error *err);
/* Waits for the work that open has begun; do not use map_calls before. */
void unwinding__await(struct unwinding *unwinding);
/* Frees all. The programs must have ended. NULL is fine. */
void unwinding__close(struct unwinding *unwinding);

/* Requests tables for a process, by its pid in our namespace. */
void unwinding__want(struct unwinding *unwinding, int32_t pid);

/* Takes a process event; changed mappings are loaded at the next refresh. */
void unwinding__observe(struct unwinding *unwinding, const struct process_event *event);

/* Notes samples of a process, which gets tables if it has none. */
void unwinding__sampled(struct unwinding *unwinding, const struct process *process, uint64_t count);

/*
 * Takes what has arrived and requests what is wanted, most samples first, without waiting. It works
 * for a while, and only for a part of all time. After that while, is_urgent is asked between two
 * files whether other work cannot wait; NULL: no other work. Returns 0 or negative errno with a
 * sentence.
 */
int unwinding__refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context,
		       struct error *err);

/* Returns true if a process waits for tables; it does so for 2 s at most. */
bool unwinding__is_loading(const struct unwinding *unwinding);

/* Returns true if there was progress since the last call, or an opener or reader is busy. */
bool unwinding__moves(struct unwinding *unwinding);

/* Returns true if unwinding__is_loading, or if files are being loaded that no process waits for. */
bool unwinding__is_behind(const struct unwinding *unwinding);

/*
 * Fills in descriptors to poll for a refresh, at most UNWINDING_MAX_WATCHED. Returns their number.
 */
#define UNWINDING_MAX_WATCHED 6
size_t unwinding__watch(const struct unwinding *unwinding, struct pollfd *watched);

/* As unwind_loader__take_failure. */
bool unwinding__take_failure(struct unwinding *unwinding, char *text, size_t size);

/*
 * Frees the lists and tables that were replaced before the last call. To call after a grace
 * period: programs that ran at the last call have ended.
 */
void unwinding__settle(struct unwinding *unwinding);

/* Returns how many processes found no room for their list since the last call. */
uint64_t unwinding__take_unlisted(struct unwinding *unwinding);

/* Returns true if a file with a table is an interpreter. */
bool unwinding__has_interpreters(const struct unwinding *unwinding);

/* Returns the bytes of chunks in the kernel, which are in no map of the skeleton. */
size_t unwinding__kernel_bytes(const struct unwinding *unwinding);

#endif
