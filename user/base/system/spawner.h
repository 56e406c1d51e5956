/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small process that forks workers for a large one. It is started before anything foreign was
 * read, so that workers begin with nothing: no maps, no profile, no files but those they are given.
 *
 * Whoever hires a worker talks to it by a channel, and learns from the spawner how it ended. A
 * worker that nobody waits for any more is killed. Any thread may hire; what it hired is its own.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SPAWNER_H
#define TOPSTACKS_BASE_SYSTEM_SPAWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WORKER_MAX_FILES 16
#define WORKER_MAX_BYTES 4096 /* of arguments */

/* As the worker sees it. Nothing else is open but 0 to 2, which are /dev/null. */
struct worker {
	int channel; /* to who hired it (base/system/channel.h) */
	int files[WORKER_MAX_FILES];
	size_t nr_files;
	const void *arguments;
	size_t nr_bytes;
};

struct spawner_plan {
	const char *name; /* of its processes, 15 bytes at most */
	/* Once, in the spawner; NULL: it stays as we are. 0 or negative errno. */
	int (*confine)(const void *context);
	/* In each worker. How it ends: 0 or negative errno. */
	int (*run)(const void *context, uint32_t kind, const struct worker *worker);
	const void *context;
	/*
	 * Signal for a worker that nobody waits for any more, which is killed only later; 0: it is killed at
	 * once. A worker with something to tidy up asks for the same one when the spawner ends (PR_SET_PDEATHSIG).
	 */
	int farewell;
};

struct spawner;

/*
 * The context is borrowed until it returns. 0 or negative errno; *by_confine: it is what confine gave (NULL: nobody
 * asks).
 */
int spawner__start(struct spawner **spawner, const struct spawner_plan *plan, bool *by_confine);

/* Ends it with all its workers, waits for it 0.2 s at most, and for none of them. NULL is fine. */
void spawner__stop(struct spawner *spawner);

/* A worker of the caller's. */
struct hired {
	struct spawner *spawner;
	int channel; /* to the worker */
	int status;  /* readable when there is news of it */
	pid_t pid;   /* 0: not heard of yet */
};

/*
 * The files stay the caller's. Does not wait. 0 or negative errno: -EAGAIN: too much was asked for
 * and not taken yet; or a shortage (base/shortage.h). That there are too many workers is how this one
 * ends, with -EAGAIN; that none could be forked, with a shortage. A spawner that was ended is a shortage,
 * too (-ECHILD), and for good.
 */
int spawner__hire(struct spawner *spawner, uint32_t kind, const int *files, size_t nr_files,
		  const void *arguments, size_t nr_bytes, struct hired *hired);

struct worker_end {
	/* 0 or negative errno: -EIO: it crashed; -ETIME: its CPU time was used up; -ECHILD: the spawner was
	 * ended; -EAGAIN: it was not begun. */
	int code;
	uint64_t cpu_ns; /* that it took */
	bool is_gone;	 /* and so is its memory; else nobody knows (the spawner is gone) */
};

/* Takes the news, without waiting. Whether it has ended; if so, how. */
bool hired__has_ended(struct hired *hired, struct worker_end *end);

/* CPU time of workers that was told of with spawner__add_cpu(), by any thread. */
uint64_t spawner__cpu_ns(const struct spawner *spawner);
void spawner__add_cpu(struct spawner *spawner, uint64_t cpu_ns);

/* CPU time that it took so far; 0 where that cannot be told. */
uint64_t hired__cpu_ns(const struct hired *hired);

/* Whether it neither runs nor waits for a CPU just now; false where that cannot be told. */
bool hired__is_idle(const struct hired *hired);

/* Kills it if it has not ended. */
void hired__dismiss(struct hired *hired);

#endif
