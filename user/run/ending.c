// SPDX-License-Identifier: GPL-2.0-only
#include "run/ending.h"

#include "formats/formats.h"

const char *ending__format(const char *output)
{
	const char *ending = output ? strrchr(output, '.') : NULL;
	struct error ignored;

	return ending && formats__find(ending + 1, &ignored) ? ending + 1 : NULL;
}
