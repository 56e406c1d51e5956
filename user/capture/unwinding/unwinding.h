/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sampling program knows of each process in order to unwind its stacks: which table
 * speaks about which of its addresses. Tables are loaded here, never while a sample is taken.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_UNWINDING_H
#define TOPSTACKS_CAPTURE_UNWINDING_UNWINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct map_calls;
struct pollfd;
struct process;
struct process_event;
struct readers;
struct spawner;
struct topstacks_bpf;
struct unwinding;

/* All are borrowed. */
struct unwinding_options {
	struct topstacks_bpf *skeleton;
	bool everyone; /* only processes that were sampled get tables, else all that events tell of */
	size_t max_bytes; /* of tables in the kernel */
	struct map_calls *map_calls;
	struct readers *readers; /* NULL: no file has a table */
	struct spawner *openers; /* NULL: files are opened here */
};

int unwinding__open(struct unwinding **unwinding, const struct unwinding_options *options,
		    struct error *err);
/* Until what it has begun with is done: nobody else may look at map_calls before. */
void unwinding__await(struct unwinding *unwinding);
/* The programs must have ended. NULL is fine. */
void unwinding__close(struct unwinding *unwinding);

/* Asks for a process's tables, by its pid in our namespace. 0 or -ENOMEM. */
int unwinding__want(struct unwinding *unwinding, int32_t pid);

/* Takes one event: what it changes is loaded at the next refresh. */
void unwinding__observe(struct unwinding *unwinding, const struct process_event *event);

/* A process was sampled: it gets tables, if it has none. */
void unwinding__sampled(struct unwinding *unwinding, const struct process *process, uint64_t count);

/*
 * Takes what has arrived and asks for what is wanted, the most sampled first, for a while, no more
 * than a part of the time; waits for nothing. is_urgent is asked between two files when that while
 * is over: whether there is other work that cannot wait; NULL: none can be. 0 or negative errno with a
 * sentence.
 */
int unwinding__refresh(struct unwinding *unwinding, bool (*is_urgent)(void *context), void *context,
		       struct error *err);

/* A process waits for tables, for 2 s at most. */
bool unwinding__is_loading(const struct unwinding *unwinding);

/* Whether something came of it since the last call, or will soon: nobody just waits for others. */
bool unwinding__moves(struct unwinding *unwinding);

/* The same, or files are on their way that nobody waits for. */
bool unwinding__is_behind(const struct unwinding *unwinding);

/* What to poll for until it should be refreshed, UNWINDING_MAX_WATCHED at most. Returns how many. */
#define UNWINDING_MAX_WATCHED 6
size_t unwinding__watch(const struct unwinding *unwinding, struct pollfd *watched);

/* As unwind_loader__take_failure. */
bool unwinding__take_failure(struct unwinding *unwinding, char *text, size_t size);

/* No program runs any more that ran at the last call: what was replaced until then is free. */
void unwinding__settle(struct unwinding *unwinding);

/* Processes whose list found no room, since the last call. */
uint64_t unwinding__take_unlisted(struct unwinding *unwinding);

/* Bytes of chunks in the kernel, which are in no map of the skeleton's. */
size_t unwinding__kernel_bytes(const struct unwinding *unwinding);

#endif
