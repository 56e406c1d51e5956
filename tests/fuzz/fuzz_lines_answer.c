// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the answer of a reader of source lines that an attacker has taken over. Each string that is
 * handed on is text within the answer, and is about an address that was asked for.
 */
#include "readers/readers.h"
#include "readers/source_lines.h"
#include "require.h"

struct taking {
	const char *begin, *end;
	size_t nr_addresses, left;
};

static void check_text(const struct taking *taking, const char *text)
{
	if (!text)
		return;
	require(text >= taking->begin && text < taking->end);
	require(strnlen(text, (size_t)(taking->end - text)) < MAX_PLACE_BYTES);
	require(text + strlen(text) < taking->end);
}

static int take(void *context, size_t address, const struct source_place *places, size_t nr_places)
{
	struct taking *taking = context;

	require(address < taking->nr_addresses && nr_places <= MAX_PLACES);
	for (size_t i = 0; i < nr_places; i++) {
		require(!places[i].directory);
		check_text(taking, places[i].function);
		check_text(taking, places[i].file);
	}
	require(taking->left > 0);
	return --taking->left ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = copy_of(data, size);
	const struct reader_answer answer = {size ? bytes : NULL, size};
	struct taking taking = {bytes, bytes + size, 256, SIZE_MAX};
	const struct place_taker taker = {take, &taking};

	source_lines__each(&answer, taking.nr_addresses, &taker);
	taking.left = 3; /* a taker that has enough is told no more */
	source_lines__each(&answer, taking.nr_addresses, &taker);
	free(bytes);
	return 0;
}
