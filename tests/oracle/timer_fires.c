// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer_fires RATE CPU: counts the timer fires of the profiler's event on that CPU until standard
 * input ends. Prints "ready" when it counts, and at the end {"fires": N, "idle_fires": N}.
 *
 * Choose a rate that nobody else uses: events are told apart by their period.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "capture/events.h"
#include "timer_fires.skel.h"

static unsigned long long find_function(const char *wanted)
{
	unsigned long long address;
	char line[512], name[256];
	FILE *file = fopen("/proc/kallsyms", "re");

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, wanted)) {
			fclose(file);
			return address;
		}
	fclose(file);
	return 0;
}

int main(int argc, char **argv)
{
	struct timer_fires *skeleton;

	if (argc != 3)
		return 2;
	skeleton = timer_fires__open();
	if (!skeleton)
		return 1;
	skeleton->rodata->cfg_function = find_function("perf_swevent_hrtimer");
	skeleton->rodata->cfg_period_ns =
		events__period_ns(strtod(argv[1], NULL), (unsigned int)atoi(argv[2]));
	if (!skeleton->rodata->cfg_function || timer_fires__load(skeleton) ||
	    timer_fires__attach(skeleton)) {
		timer_fires__destroy(skeleton);
		return 1;
	}
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	printf("{\"fires\": %llu, \"idle_fires\": %llu}\n",
	       (unsigned long long)skeleton->bss->fires,
	       (unsigned long long)skeleton->bss->idle_fires);
	timer_fires__destroy(skeleton);
	return 0;
}
