// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of reading where code is loaded, on files that mean harm. The answer tells all or
 * nothing, within its bounds.
 */
#include "own_reader.h"
#include "readers/file_segments.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct segments_request any;
	struct file_segments said;
	struct own_answer answer;

	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(job__segments, -1, &any, sizeof(any));
	if (!answer.code) {
		require(answer.nr_bytes == sizeof(said));
		memcpy(&said, answer.bytes, sizeof(said));
		require(said.nr > 0 && said.nr <= MAX_FILE_SEGMENTS && said.has_offsets <= 1);
	}
	free(answer.bytes);
	return 0;
}
