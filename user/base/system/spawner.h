/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small process that forks workers for a large one. It starts before untrusted data is read, so
 * its workers inherit nothing: no maps, no profile, no files but those passed to them.
 *
 * The process that hires a worker talks to it by a channel, and the spawner reports how it ended. A
 * worker that was dismissed is killed. Any thread may hire workers; each belongs to that thread.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SPAWNER_H
#define TOPSTACKS_BASE_SYSTEM_SPAWNER_H

#include <sys/types.h>

#include "base/common.h"

#define WORKER_MAX_FILES 16
#define WORKER_MAX_BYTES 4096 /* maximal size of arguments */

/* A worker's own view. Besides these files only 0 to 2 are open, as /dev/null. */
struct worker {
	int channel; /* to the process that hired it (base/system/channel.h) */
	int files[WORKER_MAX_FILES];
	size_t nr_files;
	const void *arguments;
	size_t nr_bytes;
};

struct spawner_plan {
	const char *name; /* name of its processes, up to 15 bytes */
	/* Runs once in the spawner to give up rights; may be NULL. 0 or negative errno. */
	int (*confine)(const void *context);
	/* Runs in each worker. Its result, 0 or negative errno, is the worker's end. */
	int (*run)(const void *context, uint32_t kind, const struct worker *worker);
	const void *context;
	/*
	 * The signal for a dismissed worker, which is killed only some time later; 0: it is killed
	 * at once. A worker that must clean up asks for the same signal at the spawner's end
	 * (PR_SET_PDEATHSIG).
	 */
	int farewell;
};

struct spawner;

/*
 * Forks a spawner, and does not wait until it is ready: workers can be hired at once, and start
 * then. 0 or negative errno.
 */
int spawner__start(struct spawner **spawner, const struct spawner_plan *plan);

/*
 * Waits until a spawner is ready; to be called once. 0, or negative errno: no worker will run.
 * *by_confine: whether confine() failed (may be NULL).
 */
int spawner__await(struct spawner *spawner, bool *by_confine);

/* Kills it with all its workers; waits up to 0.2 s for it, and for no worker. NULL is fine. */
void spawner__stop(struct spawner *spawner);

/* A hired worker. */
struct hired {
	struct spawner *spawner;
	int channel; /* to the worker */
	int status;  /* readable when the spawner reports something */
	pid_t pid;   /* 0: not reported yet */
};

/*
 * Hires a worker without waiting; the caller keeps the files. 0 or negative errno: -EAGAIN: too
 * many requests are open; or a shortage (base/shortage.h); -ECHILD: the spawner was killed, for
 * good. If there are too many workers, the worker ends with -EAGAIN; if it cannot be forked, with a
 * shortage.
 */
int spawner__hire(struct spawner *spawner, uint32_t kind, const int *files, size_t nr_files,
		  const void *arguments, size_t nr_bytes, struct hired *hired);

struct worker_end {
	/*
	 * 0 or negative errno: -EIO: it crashed; -ENOMEM: it was killed; -ETIME: its CPU time was
	 * used up; -ECHILD: the spawner was killed; -EAGAIN: it was not started.
	 */
	int code;
	uint64_t cpu_ns; /* used by the worker */
	bool is_gone;	 /* it has ended and its memory is freed; false: not known, as the
			  * spawner is gone */
};

/* Reads reports without waiting. Returns whether the worker has ended; then *end is filled. */
bool hired__has_ended(struct hired *hired, struct worker_end *end);

/* Sum of the CPU times passed to spawner__add_cpu(), by any thread. */
uint64_t spawner__cpu_ns(const struct spawner *spawner);
void spawner__add_cpu(struct spawner *spawner, uint64_t cpu_ns);

/* CPU time of the worker so far; 0 if not known. */
uint64_t hired__cpu_ns(const struct hired *hired);

/* Whether the worker is sleeping: neither running nor waiting for a CPU; false if not known. */
bool hired__is_idle(const struct hired *hired);

/* Kills the worker if it has not ended. */
void hired__dismiss(struct hired *hired);

#endif
