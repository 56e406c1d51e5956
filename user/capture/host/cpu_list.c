// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/cpus.h"

void cpu_list__parse(const char *text, bool *cpus, size_t nr)
{
	unsigned long first, last;
	char *end;

	memset(cpus, 0, nr * sizeof(*cpus));
	for (;;) {
		first = last = strtoul(text, &end, 10);
		if (end == text)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < nr; first++)
			cpus[first] = true;
		if (*end != ',')
			return;
		text = end + 1;
	}
}
