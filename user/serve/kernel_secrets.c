// SPDX-License-Identifier: GPL-2.0-only
#include "serve/kernel_secrets.h"

#include <stdlib.h>

#include "base/files.h"

#define MOST_BYTES 64

static long read_setting(const char *path)
{
	char *text;
	long value;

	if (files__read(path, MOST_BYTES, &text, NULL))
		return 9; /* more than any of them */
	value = strtol(text, NULL, 10);
	free(text);
	return value;
}

bool kernel_secrets__are_kept(void)
{
	return read_setting("/proc/sys/kernel/perf_event_paranoid") > 1 ||
	       read_setting("/proc/sys/kernel/kptr_restrict") != 0;
}
