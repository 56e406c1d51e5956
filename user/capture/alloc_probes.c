// SPDX-License-Identifier: GPL-2.0-only
#include "capture/alloc_probes.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/rights.h"
#include "capture/capture_options.h"
#include "capture/cpus.h"
#include "capture/features.h"
#include "capture/probed_processes.h"
#include "capture/skeleton.h"
#include "capture/source.h"

struct alloc_probe {
	struct probed_processes processes;
};

static int find_places(struct alloc_probes *probes, const struct capture_options *asked,
		       struct error *err)
{
	return alloc_places__of_library(&probes->places, asked->alloc_library, probes->passage,
					err);
}

int alloc_probes__open(struct alloc_probes *probes, enum alloc_passage passage,
		       const struct source_options *options, struct error *err)
{
	int code = features__require(FEATURE_PERF_LINK,
				     "allocations are sampled on Linux 5.15 or later", err);

	*probes = (struct alloc_probes){.passage = passage, .event = options->index};
	if (!code)
		code = probed_processes__pmu_type(&probes->pmu_type, err);
	if (!code)
		code = find_places(probes, options->asked, err);
	if (code)
		return code;
	probes->cpu = cpus__first(options->cpus);
	probes->list = calloc(probes->places.nr, sizeof(*probes->list));
	if (!probes->list)
		return error__no_memory(err);
	for (size_t i = 0; i < probes->places.nr; i++)
		probed_processes__init(&probes->list[i].processes);
	return 0;
}

/* Each kind has numbers of its own. */
static uint32_t site_number(const struct alloc_probes *probes, size_t place)
{
	return (uint32_t)(probes->passage * (ABI_MAX_ALLOC_SITES / ALLOC_PASSAGES) + place);
}

static int tell_site(const struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
		     size_t place)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const uint32_t number = site_number(probes, place);
	const int code = bpf_map_update_elem(bpf_map__fd(skeleton->maps.alloc_sites), &number,
					     &probes->places.list[place].site, BPF_ANY);

	rights__restore(before);
	return code;
}

static int put_in(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
		  const struct bpf_program *program, size_t place)
{
	const struct alloc_place *at = &probes->places.list[place];
	const struct probe_request request = {
		.program = program,
		.pmu_type = probes->pmu_type,
		.file = at->file,
		.offset = at->offset,
		.event = probes->event,
		.site = site_number(probes, place),
		.cpu = probes->cpu,
	};
	const int code = tell_site(probes, skeleton, place);

	return code ? code : probed_processes__add(&probes->list[place].processes, &request, 0);
}

int alloc_probes__start(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
			const struct bpf_program *program, struct error *err)
{
	int code = 0;

	for (size_t i = 0; i < probes->places.nr && !code; i++)
		code = put_in(probes, skeleton, program, i);
	return code ? features__explain(NULL, err, code, "put probes where blocks are told of") : 0;
}

void alloc_probes__stop(struct alloc_probes *probes)
{
	for (size_t i = 0; probes->list && i < probes->places.nr; i++)
		probed_processes__close(&probes->list[i].processes);
}

void alloc_probes__close(struct alloc_probes *probes)
{
	alloc_probes__stop(probes);
	free(probes->list);
	alloc_places__free(&probes->places);
	*probes = (struct alloc_probes){0};
}
