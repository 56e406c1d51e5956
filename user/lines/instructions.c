// SPDX-License-Identifier: GPL-2.0-only
/*
 * Offers the candidates for the file to a reader, one after the other, until one has the build ID
 * and the code. The reader's answer is not trusted.
 */
#include "lines/instructions.h"

#include <unistd.h>

#include "base/time_budget.h"
#include "processes/file.h"
#include "symbols/debug/debug_places.h"

#define MAX_TRIED 16		 /* candidates for a file */
#define MAX_NS	  30000000000ULL /* for all candidates */

static bool is_in(const struct read_instruction *read, const struct instruction_range *range)
{
	return read->address >= range->start && read->address < range->end;
}

static bool is_valid(const struct read_instruction *read)
{
	return read->size && read->size <= INSTRUCTION_MAX_SIZE && read->kind < INSTRUCTION_KINDS &&
	       memchr(read->text, '\0', sizeof(read->text));
}

/* Number of valid instructions before the first invalid one. */
static size_t count_valid(const struct read_instruction *read, size_t nr,
			  const struct instruction_range *ranges, size_t nr_ranges)
{
	uint64_t next = 0;
	size_t range = 0;

	for (size_t i = 0; i < nr; i++) {
		while (range < nr_ranges && read[i].address >= ranges[range].end)
			range++;
		if (range == nr_ranges || !is_in(&read[i], &ranges[range]) ||
		    read[i].address < next || !is_valid(&read[i]))
			return i;
		next = read[i].address + read[i].size;
	}
	return nr;
}

static int read_file(struct instructions *instructions, const struct instructions_options *options,
		     const struct debug_places *places, int fd,
		     const struct instructions_request *request)
{
	struct reading reading = {0};
	struct file_identity identity;
	int code = file__identify(fd, &identity);

	if (!code)
		code = reading__start(&reading, options->readers, READ_INSTRUCTIONS, &fd, 1,
				      request, sizeof(*request));
	if (code)
		return code;
	if (!debug_places__await(places, &reading, monotonic_ns() + places->hurry->left_ns)) {
		reading__close(&reading);
		return -ETIMEDOUT;
	}
	code = reading__finish(&reading, &instructions->answer);
	instructions->modified_ns = identity.modified_ns;
	if (code)
		reader_answer__free(&instructions->answer);
	return code;
}

static void take_answer(struct instructions *instructions,
			const struct instructions_request *request)
{
	const struct reader_answer *answer = &instructions->answer;

	instructions->read = answer->bytes;
	instructions->nr_read =
		count_valid(instructions->read, answer->nr_bytes / sizeof(*instructions->read),
			    request->ranges, request->nr_ranges);
}

static int fill_request(struct instructions_request *request, const char *build_id,
			const struct instruction_range *ranges, size_t nr_ranges)
{
	memset(request, 0, sizeof(*request));
	if (strlen(build_id) >= sizeof(request->build_id) || nr_ranges > MAX_INSTRUCTION_RANGES)
		return -EINVAL;
	strcpy(request->build_id, build_id);
	memcpy(request->ranges, ranges, nr_ranges * sizeof(*ranges));
	request->nr_ranges = (uint32_t)nr_ranges;
	return 0;
}

int instructions__read(struct instructions *instructions,
		       const struct instructions_options *options, const char *path,
		       const char *build_id, const struct instruction_range *ranges,
		       size_t nr_ranges)
{
	struct hurry hurry = {.left_ns = MAX_NS};
	const struct debug_places places = {.fd = -1,
					    .path = path,
					    .root = -1,
					    .symfs = options->symfs,
					    .opener = options->opener,
					    .hurry = &hurry};
	struct instructions_request request;
	int code = fill_request(&request, build_id, ranges, nr_ranges);

	*instructions = (struct instructions){0};
	for (uint32_t i = 0; !code && i < MAX_TRIED; i++) {
		const int fd = debug_places__open_file(&places, build_id, i);

		if (fd < 0)
			return fd;
		code = read_file(instructions, options, &places, fd, &request);
		close(fd);
		if (!code)
			take_answer(instructions, &request);
		if (code != -ESTALE && code != -ENOENT && code != -ENOEXEC)
			return code;
		code = 0;
	}
	return code ? code : -ENOENT;
}

void instructions__free(struct instructions *instructions)
{
	reader_answer__free(&instructions->answer);
	*instructions = (struct instructions){0};
}
