// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/memory_limit.h"

#include <sys/resource.h>

#include "base/files.h"

#define MAX_STATUS_BYTES 65536

/* The memory that counts for the limit: "VmData: 1234 kB". */
static uint64_t used_bytes(void)
{
	static const char key[] = "\nVmData:";
	uint64_t kilobytes = 0;
	char *text, *line;

	if (files__read("/proc/self/status", MAX_STATUS_BYTES, &text, NULL))
		return 0;
	line = strstr(text, key);
	if (line)
		kilobytes = strtoull(line + strlen(key), NULL, 10);
	free(text);
	return kilobytes << 10;
}

/* Limits private writable memory, on the heap or mapped, since Linux 4.7. */
void memory_limit__set(uint64_t bytes)
{
	const rlim_t wanted = used_bytes() + bytes;
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur <= wanted)
		return;
	limit.rlim_cur = wanted;
	setrlimit(RLIMIT_DATA, &limit);
}

int memory_limit__explain(int code, struct error *err)
{
	return code == -ENOMEM ? error__remedy(err, "raise --max-memory if there is more") : code;
}
