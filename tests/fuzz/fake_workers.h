/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes up workers, in the place of base/system/spawner.c. All messages of a worker are in its
 * channel when it is hired, and it hears nothing. A message of the script:
 *
 *	u8: how many files go with it, and its length above that; u8 length; bytes
 */
#ifndef TOPSTACKS_TESTS_FUZZ_FAKE_WORKERS_H
#define TOPSTACKS_TESTS_FUZZ_FAKE_WORKERS_H

#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/system/channel.h"
#include "base/system/spawner.h"
#include "require.h"

#define MAX_FILES    3
#define MAX_MESSAGES 64

struct script {
	const uint8_t *next;
	size_t left;
	const uint8_t *answer; /* into the first file that it is given; NULL: nothing */
	size_t answer_bytes;
	int code;	/* its exit code */
	bool has_ended; /* as soon as it is hired */
	bool is_gone;	/* its end of the channel, after that */
	bool is_lost;	/* its end is uncertain: it may go on writing */
	int other_end;
};

static struct script script;

static void say(const uint8_t *bytes, size_t nr_bytes, size_t nr_files)
{
	const int files[MAX_FILES] = {0, 0, 0}; /* standard input */

	channel__send(script.other_end, false, bytes, nr_bytes, files, nr_files);
}

static void say_all(void)
{
	for (int i = 0; i < MAX_MESSAGES && script.left >= 2; i++) {
		const size_t nr_files = script.next[0] % (MAX_FILES + 1);
		size_t nr_bytes = (size_t)(script.next[0] >> 2) << 3 ^ script.next[1];

		script.next += 2;
		script.left -= 2;
		if (nr_bytes > script.left)
			nr_bytes = script.left;
		say(script.next, nr_bytes, nr_files);
		script.next += nr_bytes;
		script.left -= nr_bytes;
	}
}

int spawner__hire(struct spawner *spawner, uint32_t kind, const int *files, size_t nr_files,
		  const void *arguments, size_t nr_bytes, struct hired *hired)
{
	int ends[2];

	(void)spawner;
	(void)kind;
	(void)arguments;
	(void)nr_bytes;
	if (channel__open(ends))
		return -1;
	script.other_end = ends[1];
	say_all();
	if (nr_files && script.answer)
		require(write(files[0], script.answer, script.answer_bytes) ==
			(ssize_t)script.answer_bytes);
	if (script.is_gone)
		close(script.other_end);
	*hired = (struct hired){.channel = ends[0], .status = -1};
	return 0;
}

int spawner__start(struct spawner **spawner, const struct spawner_plan *plan)
{
	(void)plan;
	*spawner = NULL;
	return 0;
}

int spawner__await(struct spawner *spawner, bool *by_confine)
{
	(void)spawner;
	(void)by_confine;
	return 0;
}

void spawner__stop(struct spawner *spawner)
{
	(void)spawner;
}

bool hired__has_ended(struct hired *hired, struct worker_end *end)
{
	(void)hired;
	*end = (struct worker_end){.code = script.code, .is_gone = !script.is_lost};
	return script.has_ended;
}

uint64_t spawner__cpu_ns(const struct spawner *spawner)
{
	(void)spawner;
	return 0;
}

void spawner__add_cpu(struct spawner *spawner, uint64_t cpu_ns)
{
	(void)spawner;
	(void)cpu_ns;
}

uint64_t hired__cpu_ns(const struct hired *hired)
{
	(void)hired;
	return 0;
}

bool hired__is_idle(const struct hired *hired)
{
	(void)hired;
	return false;
}

void hired__dismiss(struct hired *hired)
{
	close(hired->channel);
	if (!script.is_gone)
		close(script.other_end);
}

/*
 * Returns the lowest descriptor that is free, which the next one gets. If it changes, some were
 * left open.
 */
static int lowest_descriptor(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}

#endif
