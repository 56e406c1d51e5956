// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of finding a function by its name, on files that mean harm, and places a probe in
 * the function. The name is that of a function of the seeds.
 *
 * The answer is always one that we take, and the place is within the function, at one of its
 * instructions.
 */
#include "capture/probes/placement.h"
#include "readers/function_code.h"

#include "own_reader.h"

static const char name[] = "shown";

static void check_place(const uint8_t *code, size_t size)
{
	struct placement place, again;

	if (placement__entry(&place, code, size, 1))
		return;
	require(place.length > 0 && place.offset < size && place.length <= size - place.offset);
	require(!placement__at(&again, code, size, place.offset));
	require(again.offset == place.offset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct function_code *said;
	struct own_answer answer;

	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(job__function, -1, name, sizeof(name));
	said = answer.bytes;
	if (!answer.code) {
		require(answer.nr_bytes >= sizeof(*said) && said->state < FUNCTION_STATES);
		require(said->nr_bytes == answer.nr_bytes - sizeof(*said));
		require(said->nr_bytes <= said->size && said->nr_bytes <= FUNCTION_MAX_CODE);
		require(said->nr_names <= FUNCTION_SHOWN_NAMES);
		for (uint32_t i = 0; i < said->nr_names; i++)
			require(memchr(said->names[i], 0, sizeof(said->names[i])) != NULL);
		check_place((const uint8_t *)(said + 1), said->nr_bytes);
	}
	free(answer.bytes);
	return 0;
}
