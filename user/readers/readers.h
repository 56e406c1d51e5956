/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader is a process that reads an untrusted file. It has that file, a file in memory for its
 * answer, and a channel on which it can ask for files that belong to the first one. It has no
 * rights and no other file, and limits of time and memory. It may crash.
 *
 * An answer is as untrusted as the file, so its user checks it. The worst that a hostile file can
 * do is to make its reader lie about that file.
 *
 * No function here waits unless the comment says so. A reading belongs to one thread; readers may
 * be used by all.
 */
#ifndef TOPSTACKS_READERS_READERS_H
#define TOPSTACKS_READERS_READERS_H

#include "base/common.h"
#include "base/system/spawner.h"
#include "elf/debug_files.h"
#include "readers/jobs.h"

struct readers;

/*
 * Call it before there are threads and before untrusted data is read. find_job: jobs__find(). 0 or
 * negative errno, as spawner__start().
 */
int readers__start(struct readers **readers, const struct job_row *(*find_job)(uint32_t job));

/* As spawner__await(). */
int readers__await(const struct readers *readers, bool *by_confine);

/* Kills all readers. NULL is fine. */
void readers__stop(struct readers *readers);

/* A job under way. Zeroed: none. */
struct reading {
	struct readers *readers; /* NULL: no job is under way */
	const struct job_row *job;
	uint32_t number; /* enum reader_job */
	struct hired reader;
	int answer; /* a file in memory */
	size_t nr_questions;
	uint64_t nr_scratch_bytes; /* scratch files given to it */
	bool has_ended;
	struct worker_end end;
	uint64_t deadline_ns; /* CLOCK_MONOTONIC */
};

/*
 * Starts a job (enum reader_job) on files, which the caller keeps. 0 or negative errno, which may
 * be a shortage (base/shortage.h); -EAGAIN: the limit of this job is reached. If there are too many
 * readers altogether, or no process can be forked, the reading ends with that error.
 */
int reading__start(struct reading *reading, struct readers *readers, uint32_t job, const int *files,
		   size_t nr_files, const void *arguments, size_t nr_bytes);

enum reading_state {
	READING_RUNS, /* until_ns has come */
	READING_ASKS, /* *question must be answered */
	READING_ENDED,
};

/* Waits for a question or the end, at most until until_ns (CLOCK_MONOTONIC; 0: without waiting). */
enum reading_state reading__wait(struct reading *reading, uint64_t until_ns,
				 struct reader_question *question);

/* Replies with a file, which the caller keeps; -1: there is none. */
void reading__reply(struct reading *reading, int file);

/* Bytes that no process can change any more. */
struct reader_answer {
	const void *bytes; /* NULL: none */
	size_t nr_bytes;
};

/*
 * Closes a reading that has ended. Returns its result, and the answer, also after a failure: what
 * was written until then. 0; -ETIME: it exceeded its time; -ENOMEM: or its memory; -ETIMEDOUT:
 * reading its file blocked; -EIO: it crashed; or the job's own code.
 */
int reading__finish(struct reading *reading, struct reader_answer *answer);

/*
 * Runs a job on one file to its end, and answers no questions; waits as long as the job's limits
 * allow. Returns as reading__start() and reading__finish(). -ENOSYS: readers is NULL.
 */
int readers__read(struct readers *readers, uint32_t job, int file, const void *arguments,
		  size_t nr_bytes, struct reader_answer *answer);

/* Kills the reader. A zeroed reading is fine. */
void reading__close(struct reading *reading);

/* A zeroed answer is fine. */
void reader_answer__free(struct reader_answer *answer);

/* CPU time of the reader so far; 0 if not known. */
uint64_t reading__cpu_ns(const struct reading *reading);

/* Whether the reader is sleeping, as when it waits for a file. False if not known. */
bool reading__is_idle(const struct reading *reading);

/* CPU time of the readers that have ended. */
uint64_t readers__cpu_ns(const struct readers *readers);

#endif
