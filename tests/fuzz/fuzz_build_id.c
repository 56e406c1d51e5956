// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of reading a build ID, on files that mean harm. The ID is in hex and terminated, or
 * there is none.
 */
#include "elf/file.h"
#include "own_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct own_answer answer;
	const char *text;

	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(job__build_id, -1, NULL, 0);
	text = answer.bytes;
	if (!answer.code) {
		require(answer.nr_bytes > 1 && answer.nr_bytes <= BUILD_ID_TEXT_SIZE);
		require(text[answer.nr_bytes - 1] == '\0');
		require(strspn(text, "0123456789abcdef") == answer.nr_bytes - 1);
	}
	free(answer.bytes);
	return 0;
}
