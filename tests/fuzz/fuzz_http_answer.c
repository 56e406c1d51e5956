// SPDX-License-Identifier: GPL-2.0-only
/* Reads the answer of an unknown program that listens in the place of topstacks serve. */
#include "require.h"
#include "serve/http_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = copy_of(data, size);
	struct http_answer answer;
	struct error err = {0};

	if (!http_answer__parse(&answer, bytes, size, &err)) {
		require(answer.body >= bytes && answer.nr_bytes <= size &&
			answer.body + answer.nr_bytes <= bytes + size);
		require(answer.status <= 999 && !err.code);
		require(http_answer__refuse(&answer, &err) < 0 && err.text[0]);
		for (const char *at = err.text; *at; at++)
			require((unsigned char)*at >= ' ' && *at != 0x7f);
	} else {
		require(err.text[0] && err.exit_code);
	}
	free(bytes);
	return 0;
}
