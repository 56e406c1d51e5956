// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of finding how a file allocates memory, on files that mean harm. The answer is
 * always one that we take.
 */
#include "readers/allocator_file.h"

#include "own_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct own_answer answer;

	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(job__allocator, -1, NULL, 0);
	if (!answer.code)
		require(allocator_file__is_valid(answer.bytes, answer.nr_bytes));
	free(answer.bytes);
	return 0;
}
