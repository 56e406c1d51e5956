// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof profiles that mean harm, not compressed, so that the fuzzer sees what it changes. What can
 * be read can be written, and read again as the same.
 */
#include <stdint.h>
#include <stdlib.h>

#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct read_options bounds = {.max_bytes = 1 << 24, .max_memory_bytes = 64 << 20};

static void require(int condition)
{
	if (!condition)
		abort();
}

static void write_and_read(const struct recording *recording)
{
	static const struct write_options options;
	struct recording again;
	struct error err = {0};
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	require(out && !pprof__write(out, recording, &options) && !fclose(out));
	require(!formats__read(&again, text, nr_bytes, &bounds, &err));
	/* Values beyond what the format can hold are cut, and then sums differ. */
	if (profile__total(recording->profile, VALUE_COUNT) <= INT64_MAX)
		require(profile__total(again.profile, VALUE_COUNT) ==
			profile__total(recording->profile, VALUE_COUNT));
	recording__fini(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording recording;
	struct error err = {0};

	recording__init(&recording);
	if (!pprof__read(&recording, (const char *)data, size, &bounds, &err))
		write_and_read(&recording);
	else
		require(err.text[0] && err.exit_code);
	recording__fini(&recording);
	return 0;
}
