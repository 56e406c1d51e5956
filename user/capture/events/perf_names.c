// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/perf_names.h"

#include <linux/perf_event.h>

/* Left out: cpu-clock is a source of its own; bpf-output and dummy count nothing outside perf. */
static const struct generic_name {
	const char *name, *other; /* other: an alias, or NULL */
	uint32_t type;
	uint64_t config;
} generic_names[] = {
	{"cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

#define NR_GENERIC (sizeof(generic_names) / sizeof(generic_names[0]))

#define LOADS	   (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define STORES	   (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCHES (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/*
 * The operations that perf knows for each cache. Which of them are counted depends on the machine.
 */
static const struct cache_name {
	const char *name;
	unsigned int operations;
} cache_names[] = {
	[PERF_COUNT_HW_CACHE_L1D] = {"L1-dcache", LOADS | STORES | PREFETCHES},
	[PERF_COUNT_HW_CACHE_L1I] = {"L1-icache", LOADS | PREFETCHES},
	[PERF_COUNT_HW_CACHE_LL] = {"LLC", LOADS | STORES | PREFETCHES},
	[PERF_COUNT_HW_CACHE_DTLB] = {"dTLB", LOADS | STORES | PREFETCHES},
	[PERF_COUNT_HW_CACHE_ITLB] = {"iTLB", LOADS},
	[PERF_COUNT_HW_CACHE_BPU] = {"branch", LOADS},
	[PERF_COUNT_HW_CACHE_NODE] = {"node", LOADS | STORES | PREFETCHES},
};

/* Names of an operation: all of them, and the misses. */
static const char *const operation_names[][2] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = {"loads", "load-misses"},
	[PERF_COUNT_HW_CACHE_OP_WRITE] = {"stores", "store-misses"},
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {"prefetches", "prefetch-misses"},
};

#define NR_OPERATIONS (sizeof(operation_names) / sizeof(operation_names[0]))
#define NR_RESULTS    2
#define NR_CACHED     (sizeof(cache_names) / sizeof(cache_names[0]) * NR_OPERATIONS * NR_RESULTS)

/*
 * Fills in the n-th cache event, n < NR_CACHED. Returns false if that cache has no such operation.
 */
static bool get_cached(size_t n, struct perf_name *name)
{
	const size_t result = n % NR_RESULTS, operation = n / NR_RESULTS % NR_OPERATIONS;
	const size_t cache = n / NR_RESULTS / NR_OPERATIONS;

	if (!(cache_names[cache].operations & 1U << operation))
		return false;
	snprintf(name->text, sizeof(name->text), "%s-%s", cache_names[cache].name,
		 operation_names[operation][result]);
	name->type = PERF_TYPE_HW_CACHE;
	name->config = cache | operation << 8 | result << 16;
	return true;
}

bool perf_names__find(const char *name, struct perf_name *found)
{
	const struct generic_name *row;
	size_t n;

	for (row = generic_names; row < generic_names + NR_GENERIC; row++) {
		if (strcmp(name, row->name) != 0 && (!row->other || strcmp(name, row->other) != 0))
			continue;
		snprintf(found->text, sizeof(found->text), "%s", row->name);
		found->type = row->type;
		found->config = row->config;
		return true;
	}
	for (n = 0; n < NR_CACHED; n++)
		if (get_cached(n, found) && !strcmp(name, found->text))
			return true;
	return false;
}

/*
 * Each generic event takes two numbers; one without an alias repeats its name. Cache events that do
 * not exist are skipped.
 */
bool perf_names__get(size_t n, char text[PERF_NAME_SIZE])
{
	const struct generic_name *row = &generic_names[n / 2 % NR_GENERIC];
	struct perf_name name;
	size_t cached;

	if (n < 2 * NR_GENERIC) {
		snprintf(text, PERF_NAME_SIZE, "%s", n % 2 && row->other ? row->other : row->name);
		return true;
	}
	n -= 2 * NR_GENERIC;
	for (cached = 0; cached < NR_CACHED; cached++)
		if (get_cached(cached, &name) && !n--) {
			snprintf(text, PERF_NAME_SIZE, "%s", name.text);
			return true;
		}
	return false;
}
