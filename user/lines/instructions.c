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

/* Number of valid instructions before the first invalid one. */
static size_t count_valid(const struct read_instruction *read, size_t nr,
			  const struct instructions_request *request)
{
	const struct instruction_range *range = request->ranges;
	const struct instruction_range *end = range + request->nr_ranges;
	uint64_t next = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct read_instruction *one = &read[i];

		while (range < end && one->address >= range->end)
			range++;
		if (range == end || one->address < range->start || one->address < next ||
		    !one->size || one->size > INSTRUCTION_MAX_SIZE ||
		    one->kind >= INSTRUCTION_KINDS || !memchr(one->text, '\0', sizeof(one->text)))
			return i;
		next = one->address + one->size;
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
	if (!debug_places__await(places, &reading, monotonic_ns() + places->budget->left_ns)) {
		reading__close(&reading);
		return -ETIMEDOUT;
	}
	code = reading__finish(&reading, &instructions->answer);
	instructions->modified_ns = identity.modified_ns;
	if (code) {
		reader_answer__free(&instructions->answer);
		return code;
	}
	instructions->read = instructions->answer.bytes;
	instructions->nr_read =
		count_valid(instructions->read,
			    instructions->answer.nr_bytes / sizeof(*instructions->read), request);
	return 0;
}

int instructions__read(struct instructions *instructions,
		       const struct instructions_options *options, const char *path,
		       const char *build_id, const struct instruction_range *ranges,
		       size_t nr_ranges)
{
	struct time_budget budget = {.left_ns = MAX_NS};
	const struct debug_places places = {.fd = -1,
					    .path = path,
					    .root = -1,
					    .symfs = options->symfs,
					    .opener = options->opener,
					    .budget = &budget};
	struct instructions_request request;

	*instructions = (struct instructions){0};
	memset(&request, 0, sizeof(request));
	if (strlen(build_id) >= sizeof(request.build_id) || nr_ranges > MAX_INSTRUCTION_RANGES)
		return -EINVAL;
	strcpy(request.build_id, build_id);
	memcpy(request.ranges, ranges, nr_ranges * sizeof(*ranges));
	request.nr_ranges = (uint32_t)nr_ranges;
	for (uint32_t i = 0; i < MAX_TRIED; i++) {
		const int fd = debug_places__open_file(&places, build_id, i);
		int code;

		if (fd < 0)
			return fd;
		code = read_file(instructions, options, &places, fd, &request);
		close(fd);
		if (code != -ESTALE && code != -ENOENT && code != -ENOEXEC)
			return code;
	}
	return -ENOENT;
}

void instructions__free(struct instructions *instructions)
{
	reader_answer__free(&instructions->answer);
	*instructions = (struct instructions){0};
}
