// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches an expression of a file with a text, which follows it after a newline. The expression is
 * taken apart or not, and its cost is bounded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "require.h"

#define STEPS (1ULL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *expression = strndup((const char *)data, size), *text;
	uint64_t steps = STEPS;
	struct pattern *pattern;
	int code;

	if (!expression)
		return 0;
	text = strchr(expression, '\n');
	if (text)
		*text++ = '\0';
	pattern = pattern__new(expression, &code);
	require(!pattern == !!code);
	if (pattern && pattern__matches(pattern, text ? text : "", &steps))
		require(steps > 0 && steps < STEPS);
	pattern__free(pattern);
	free(expression);
	return 0;
}
