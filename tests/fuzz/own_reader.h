/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a job in the fuzzer's own process, in the place of readers/task.c. The job reads the first
 * part of the input. For any file that it asks for, it is offered the other parts.
 */
#ifndef TOPSTACKS_TESTS_FUZZ_OWN_READER_H
#define TOPSTACKS_TESTS_FUZZ_OWN_READER_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/image_file.h"
#include "parts.h"
#include "readers/jobs.h"
#include "require.h"

struct own_reader {
	struct input_part parts[MAX_PARTS];
	size_t nr_parts;
	bool is_reading;
};

static struct own_reader own_reader;

static int open_part(size_t index)
{
	const struct input_part *part = &own_reader.parts[index];
	int fd;

	if (index >= own_reader.nr_parts)
		return -ENOENT;
	fd = file_of(part->bytes, part->nr_bytes);
	require(fd >= 0);
	return fd;
}

/*
 * Requires that a question is one of those that a reader may ask. A reader that asks for anything
 * else counts as taken over.
 */
static void check_question(const struct reader_question *question)
{
	const char *name = question->name;

	require(question->kind <= QUESTION_SCRATCH);
	require(name[0] && memchr(name, '\0', sizeof(question->name)));
	if (question->kind == QUESTION_SPLIT)
		require(name[0] != '/' && !strstr(name, "../"));
	else
		require(!strchr(name, '/'));
}

/*
 * Offers a part as the file that was asked for. For debug files the second part comes before the
 * third; for the files that these refer to, the third comes first.
 */
int reader__ask(const struct reader_task *task, const struct reader_question *question)
{
	const bool is_debug =
		question->kind == QUESTION_DEBUG_ID || question->kind == QUESTION_DEBUG_LINK;

	(void)task;
	check_question(question);
	if (question->kind == QUESTION_SCRATCH)
		return memfd_create("scratch", MFD_CLOEXEC);
	if (question->index >= MAX_PARTS - 1)
		return -ENOENT;
	return open_part((is_debug ? 1 : 2) ^ (question->index ? 3 : 0));
}

int reader__answer(const struct reader_task *task, const void *bytes, size_t nr_bytes)
{
	require(write(task->answer, bytes, nr_bytes) == (ssize_t)nr_bytes);
	return 0;
}

struct own_answer {
	int code; /* of the job */
	void *bytes;
	size_t nr_bytes;
};

/* Returns the job's answer, and closes its file. The caller must free() the bytes. */
static struct own_answer take_answer(int fd, int code)
{
	struct own_answer answer = {.code = code};
	struct stat status;

	require(!fstat(fd, &status));
	answer.nr_bytes = (size_t)status.st_size;
	answer.bytes = malloc(answer.nr_bytes + 1);
	require(answer.bytes && pread(fd, answer.bytes, answer.nr_bytes, 0) == status.st_size);
	close(fd);
	return answer;
}

/* Runs a job on the first part. `more` is another file that it is given, or -1. */
static struct own_answer run_job(int (*run)(const struct reader_task *task), int more,
				 const void *arguments, size_t nr_bytes)
{
	const int files[] = {open_part(0), more};
	const int answer = memfd_create("answer", MFD_CLOEXEC);
	const struct reader_task task = {.channel = -1,
					 .answer = dup(answer),
					 .files = files,
					 .nr_files = more < 0 ? 1 : 2,
					 .arguments = arguments,
					 .nr_bytes = nr_bytes};
	int code = -ENOENT;

	require(answer >= 0 && task.answer >= 0);
	own_reader.is_reading = true;
	if (files[0] >= 0)
		code = run(&task);
	own_reader.is_reading = false;
	close(files[0]);
	close(task.answer);
	return take_answer(answer, code);
}

#endif
