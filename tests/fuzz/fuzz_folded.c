// SPDX-License-Identifier: GPL-2.0-only
/* Folded text that means harm. What can be read is written, and read again, as the same text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct read_options bounds = {.max_bytes = 1 << 24, .max_memory_bytes = 64 << 20};

static void require(int condition)
{
	if (!condition)
		abort();
}

static char *write_text(const struct recording *recording, size_t *nr_bytes)
{
	static const struct write_options options;
	char *text = NULL;
	FILE *out = open_memstream(&text, nr_bytes);

	require(out && !folded__write(out, recording, &options) && !fclose(out));
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording first, second;
	struct error err = {0};
	size_t nr_first, nr_second;
	char *text, *again;

	recording__init(&first);
	recording__init(&second);
	if (!folded__read(&first, (const char *)data, size, &bounds, &err)) {
		text = write_text(&first, &nr_first);
		require(!folded__read(&second, text, nr_first, &bounds, &err));
		again = write_text(&second, &nr_second);
		require(nr_first == nr_second && !memcmp(text, again, nr_first));
		free(text);
		free(again);
	} else {
		require(err.text[0] && err.exit_code);
	}
	recording__fini(&first);
	recording__fini(&second);
	return 0;
}
