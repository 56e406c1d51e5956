// SPDX-License-Identifier: GPL-2.0-only
#include "readers/source_lines.h"

#include "readers/readers.h"

struct answer_cursor {
	const char *next;
	size_t nr_left;
};

static bool take_number(struct answer_cursor *cursor, uint32_t *number)
{
	if (cursor->nr_left < sizeof(*number))
		return false;
	memcpy(number, cursor->next, sizeof(*number));
	cursor->next += sizeof(*number);
	cursor->nr_left -= sizeof(*number);
	return true;
}

static bool take_text(struct answer_cursor *cursor, const char **text)
{
	uint32_t length;

	*text = NULL;
	if (!take_number(cursor, &length) || length > cursor->nr_left || length > MAX_PLACE_BYTES)
		return false;
	if (length == 0)
		return true;
	*text = cursor->next;
	cursor->next += length;
	cursor->nr_left -= length;
	return (*text)[length - 1] == '\0';
}

static bool take_places(struct answer_cursor *cursor, struct source_place *places,
			uint32_t nr_places)
{
	if (nr_places > MAX_PLACES)
		return false;
	memset(places, 0, nr_places * sizeof(*places));
	for (uint32_t i = 0; i < nr_places; i++)
		if (!take_number(cursor, &places[i].line) ||
		    !take_text(cursor, &places[i].function) || !take_text(cursor, &places[i].file))
			return false;
	return true;
}

void source_lines__each(const struct reader_answer *answer, size_t nr_addresses,
			const struct place_taker *taker)
{
	struct answer_cursor cursor = {answer->bytes, answer->nr_bytes};
	struct source_place places[MAX_PLACES];
	uint32_t address, nr_places;

	while (take_number(&cursor, &address) && address < nr_addresses &&
	       take_number(&cursor, &nr_places) && take_places(&cursor, places, nr_places))
		if (taker->take(taker->context, address, places, nr_places))
			break;
}
