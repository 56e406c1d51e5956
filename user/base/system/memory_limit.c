// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/memory_limit.h"

#include <sys/resource.h>

#include "base/files.h"

#define MAX_STATUS_BYTES 65536

/* Limits private writable memory, on the heap or mapped, since Linux 4.7. */
void memory_limit__set(uint64_t bytes)
{
	static const char key[] = "\nVmData:"; /* the memory that counts: "VmData: 1234 kB" */
	struct rlimit limit;
	char *text, *line;

	memory__end_at_limit(); /* the reserve would count as used */
	if (!files__read("/proc/self/status", MAX_STATUS_BYTES, &text, NULL)) {
		line = strstr(text, key);
		if (line)
			bytes += strtoull(line + strlen(key), NULL, 10) << 10;
		free(text);
	}
	if (getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur <= bytes)
		return;
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_DATA, &limit);
}

int memory_limit__explain(int code, struct error *err)
{
	return code == -ENOMEM ? error__remedy(err, "%s", memory__remedy()) : code;
}
