// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of reading instructions, on files that mean harm. Ranges are asked for all over the
 * file: those of the functions of the seeds, and others. The build ID asked for is that of the
 * file, so that all of the job is reached.
 *
 * The answer is always one that we take.
 */
#include "elf/file.h"
#include "readers/instructions.h"

#include "own_reader.h"

static void ask_for(const uint8_t *data, size_t size, struct instructions_request *request)
{
	static const struct instruction_range ranges[] = {{0x400000, 0x400100},
							  {0x401000, 0x401010},
							  {0x401010, 0x402000},
							  {0x402000, 0x402000},
							  {0x500000, UINT64_MAX}};
	const int fd = file_of(data, size);
	struct elf_file file;
	struct build_id id;

	memset(request, 0, sizeof(*request));
	request->nr_ranges = sizeof(ranges) / sizeof(*ranges);
	memcpy(request->ranges, ranges, sizeof(ranges));
	require(fd >= 0);
	if (!elf_file__open(&file, fd)) {
		elf_file__build_id(&file, &id);
		build_id__format(&id, request->build_id);
		/* The code of a seed begins at its entry, and may end within the range. */
		if (file.header.e_entry) {
			request->ranges[0].start = file.header.e_entry;
			request->ranges[0].end = file.header.e_entry + 64;
			request->nr_ranges = 1;
		}
		elf_file__close(&file);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct read_instruction *read;
	struct instructions_request request;
	struct own_answer answer;

	ask_for(data, size, &request);
	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(job__instructions, -1, &request, sizeof(request));
	require(answer.nr_bytes % sizeof(*read) == 0);
	require(answer.nr_bytes / sizeof(*read) <= MAX_INSTRUCTIONS);
	read = answer.bytes;
	for (size_t i = 0; i < answer.nr_bytes / sizeof(*read); i++) {
		require(read[i].size && read[i].size <= INSTRUCTION_MAX_SIZE);
		require(read[i].kind < INSTRUCTION_KINDS);
		require(memchr(read[i].text, 0, sizeof(read[i].text)) && *read[i].text);
		require(!i || read[i].address >= read[i - 1].address + read[i - 1].size ||
			request.nr_ranges > 1);
	}
	free(answer.bytes);
	return 0;
}
