// SPDX-License-Identifier: GPL-2.0-only
/* Costs of the loaded object: the time of its programs and the memory of its maps. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/event.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/kernel.h"
#include "capture/kernel/sets.h"
#include "topstacks/abi.h"

/* Counts a program that several events share once. */
void kernel__program_time(const struct topstacks_bpf *skeleton, const struct events *events,
			  uint64_t *nr_runs, uint64_t *run_ns)
{
	const struct bpf_program *programs[ABI_MAX_EVENTS];
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	size_t i, same;

	*nr_runs = *run_ns = 0;
	for (i = 0; i < events->nr; i++) {
		struct bpf_prog_info info = {0};
		__u32 size = sizeof(info);

		programs[i] = kernel__sampler(skeleton, events->list[i].source);
		for (same = 0; programs[same] != programs[i]; same++)
			;
		if (same < i || bpf_obj_get_info_by_fd(bpf_program__fd(programs[i]), &info, &size))
			continue;
		*nr_runs += info.run_cnt;
		*run_ns += info.run_time_ns;
	}
	rights__restore(before);
}

size_t kernel__targets_bytes(void)
{
	return set_shape__hash_bytes(ABI_MAX_TARGETS, 8, sizeof(struct target_entry)) +
	       set_shape__hash_bytes(ABI_MAX_DYING, 8, sizeof(struct dying_task));
}

size_t kernel__memlock_of(int map)
{
	char path[64], line[128];
	size_t bytes = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", map);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "memlock: %zu", &bytes) == 1)
			break;
	fclose(file);
	return bytes;
}

size_t kernel__map_bytes(const struct topstacks_bpf *skeleton)
{
	const struct bpf_map *map;
	size_t bytes = 0;

	bpf_object__for_each_map(map, skeleton->obj) bytes += kernel__memlock_of(bpf_map__fd(map));
	return bytes;
}
