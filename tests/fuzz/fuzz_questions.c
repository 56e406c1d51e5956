// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes questions of a reader that an attacker has taken over. It asks for names, and for paths
 * that stay below a directory. Other files that came do not stay open. Byte 0 is the job, byte 1
 * says how the reader ends.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "fake_workers.h"
#include "readers/readers.h"
#include "symbols/debug/debug_places.h"

/*
 * True if the path stays below its directory. ".." may end it: the path is a directory then, and no
 * file of it is asked for.
 */
static bool stays_below(const struct reader_question *question)
{
	const char *part = question->name;

	if (question->kind != QUESTION_SPLIT)
		return !strchr(part, '/');
	for (; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
		if (!strncmp(part, "../", 3) || (part == question->name && part[0] == '/'))
			return false;
	return true;
}

static void reply(struct reading *reading, const struct reader_question *question)
{
	const struct debug_places places = {.fd = 0, .path = "/no/directory/file", .root = -1};
	int fd;

	require(question->kind < NR_DEBUG_QUESTIONS);
	require(memchr(question->name, '\0', sizeof(question->name)) != NULL);
	require(question->name[0] && stays_below(question));
	fd = debug_places__open(&places, question);
	reading__reply(reading, fd);
	if (fd >= 0)
		close(fd);
}

static void hear_out(struct reading *reading)
{
	struct reader_question question;
	enum reading_state state;
	int nr_asked = 0;

	while ((state = reading__wait(reading, 0, &question)) == READING_ASKS) {
		require(++nr_asked <= MAX_MESSAGES);
		reply(reading, &question);
	}
	script.has_ended = true;
	require(state == READING_ENDED || reading__wait(reading, 0, &question) == READING_ENDED);
}

static void read_it(struct readers *readers, const uint8_t *data, size_t size)
{
	static const int codes[] = {0, -EIO, -ENOMEM, -ETIME, 4711};
	struct reader_answer answer = {0};
	struct reading reading = {0};
	const int file = 0;
	int code;

	script = (struct script){.next = data + 2,
				 .left = size - 2,
				 .answer = data,
				 .answer_bytes = size,
				 .code = codes[data[1] % 5],
				 .has_ended = data[1] & 128,
				 .is_gone = data[1] & 64,
				 .is_lost = data[1] & 32};
	if (reading__start(&reading, readers, data[0] % (NR_READER_JOBS + 1), &file, 1, NULL, 0))
		return;
	hear_out(&reading);
	code = reading__finish(&reading, &answer);
	require(code || (answer.nr_bytes == size && !memcmp(answer.bytes, data, size)));
	reader_answer__free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct readers *readers;
	int lowest;

	if (!readers)
		require(!readers__start(&readers, jobs__find));
	lowest = lowest_descriptor();
	if (size >= 2)
		read_it(readers, data, size);
	require(lowest_descriptor() == lowest);
	return 0;
}
