/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whoever reads foreign bytes has nothing to lose. A reader is a process that has the file it reads,
 * a file in memory for its answer, and a channel on which it can ask for what the file refers to; it
 * has no rights, no other file, and bounds of time and memory. It may crash.
 *
 * An answer is as hostile as the file: whoever takes it checks it. The worst that a reader can do is
 * to tell lies about its own file.
 *
 * Nothing here waits unless it is told to. A reading belongs to one thread; readers are for all.
 */
#ifndef TOPSTACKS_READERS_READERS_H
#define TOPSTACKS_READERS_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/system/spawner.h"
#include "elf/debug_files.h"
#include "readers/jobs.h"

struct readers;

/*
 * To be called before threads exist and before anything foreign is read. find_job: jobs__find. 0 or
 * negative errno; by_confine: as of spawner__start().
 */
int readers__start(struct readers **readers, const struct job_row *(*find_job)(uint32_t job),
		   bool *by_confine);

/* Ends all that read. NULL is fine. */
void readers__stop(struct readers *readers);

/* A job under way. Zeroed: none. */
struct reading {
	struct readers *readers; /* NULL: none is under way */
	const struct job_row *job;
	uint32_t number; /* of the job */
	struct hired reader;
	int answer; /* file in memory */
	size_t nr_questions;
	uint64_t nr_scratch_bytes; /* that it was given */
	bool has_ended;
	struct worker_end end;
	uint64_t deadline_ns; /* CLOCK_MONOTONIC */
};

/*
 * Starts a job (enum reader_job) on files, which stay the caller's. 0 or negative errno,
 * which may be a shortage (base/shortage.h); -EAGAIN: as many do this job as may at once. That there are
 * too many readers in all is how it ends: -EAGAIN; that there was no process for it, too.
 */
int reading__start(struct reading *reading, struct readers *readers, uint32_t job, const int *files,
		   size_t nr_files, const void *arguments, size_t nr_bytes);

enum reading_state {
	READING_RUNS, /* until_ns has come */
	READING_ASKS, /* *question is to be answered */
	READING_ENDED,
};

/* Waits for something to do, but not past until_ns (CLOCK_MONOTONIC; 0: not at all). */
enum reading_state reading__wait(struct reading *reading, uint64_t until_ns,
				 struct reader_question *question);

/* The file that was asked for, which stays the caller's; -1: there is none. */
void reading__reply(struct reading *reading, int file);

/* Bytes that nobody can change any more. */
struct reader_answer {
	const void *bytes; /* NULL: none */
	size_t nr_bytes;
};

/*
 * Of one that has ended, and is closed then: how, and its answer, also of one that failed: what it
 * wrote until then. 0; -ETIME: it took longer than it may; -ENOMEM: or more memory; -ETIMEDOUT: its file
 * kept it waiting; -EIO: it crashed; or what the job says.
 */
int reading__finish(struct reading *reading, struct reader_answer *answer);

/*
 * A job from its start to its end, on one file, for whoever has nothing to answer to questions: waits as long as the
 * job's bounds let it. As reading__start() and reading__finish(). -ENOSYS: there are no readers (NULL).
 */
int readers__read(struct readers *readers, uint32_t job, int file, const void *arguments,
		  size_t nr_bytes, struct reader_answer *answer);

/* Ends it, whatever it does. Zeroed is fine. */
void reading__close(struct reading *reading);

/* Zeroed is fine. */
void reader_answer__free(struct reader_answer *answer);

/* CPU time that it took so far; 0 where that cannot be told. */
uint64_t reading__cpu_ns(const struct reading *reading);

/* Whether it neither runs nor waits for a CPU: for a file, say. False where that cannot be told. */
bool reading__is_idle(const struct reading *reading);

/* CPU time that readers took which have ended. */
uint64_t readers__cpu_ns(const struct readers *readers);

/* Debug files, for who searches for them inside a reader: they are asked for. */
/* The task is borrowed. */
struct debug_offers reader__offers(const struct reader_task *task);

#endif
