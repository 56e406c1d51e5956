// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/alloc_probes.h"

#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "capture/events/capture_options.h"
#include "capture/events/source.h"
#include "capture/host/cpus.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/probes/allocators.h"
#include "capture/probes/probed_processes.h"
#include "processes/opener.h"

/* Adds the places of allocators, and closes these. */
static int add_allocators(struct alloc_probes *probes, struct allocators *allocators,
			  struct error *err)
{
	const int code = alloc_places__add_allocators(&probes->places, allocators, probes->passage);

	allocators__close(allocators);
	return code ? error__set(err, EXIT_SYSTEM, code,
				 "cannot keep descriptors of allocators' files")
		    : 0;
}

static int find_places(struct alloc_probes *probes, const struct capture_options *asked,
		       struct error *err)
{
	struct allocators allocators;
	struct opener *opener;
	int code = 0;

	if (probes->cpu < 0) {
		opener = asked->openers ? opener__new(asked->openers) : NULL;
		for (size_t i = 0; i < asked->nr_ids && !code; i++) {
			code = allocators__find(&allocators, asked->ids[i], opener, asked->readers,
						err);
			if (!code)
				code = add_allocators(probes, &allocators, err);
		}
		opener__free(opener);
		return code;
	}
	/*
	 * An allocator that is linked into a program may report blocks. The program has not
	 * started: other files are not known.
	 */
	if (asked->alloc_program) {
		code = allocators__of_program(&allocators, *asked->alloc_program, asked->readers,
					      err);
		return code ? code : add_allocators(probes, &allocators, err);
	}
	if (!asked->alloc_library)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "allocations are sampled of a command or of processes by their "
				  "ids: add -- COMMAND or -p PID, or take -e growth");
	return alloc_places__of_library(&probes->places, asked->alloc_library, probes->passage,
					err);
}

int alloc_probes__open(struct alloc_probes *probes, enum alloc_passage passage,
		       const struct source_options *options, struct error *err)
{
	const enum capture_scope scope = options->asked->scope;
	int code = features__require(FEATURE_PERF_LINK,
				     "allocations are sampled on Linux 5.15 or later", err);

	/* Named processes have probes of their own, as they may lack our library. */
	*probes = (struct alloc_probes){
		.passage = passage,
		.event = options->index,
		.cpu = scope == SCOPE_PROCESSES || scope == SCOPE_THREAD
			       ? -1
			       : cpus__first(options->cpus),
		.follows_children = options->asked->follow_children,
	};
	if (!code)
		code = probed_processes__pmu_type(&probes->pmu_type, err);
	if (!code)
		code = find_places(probes, options->asked, err);
	if (!code)
		probe_set__init(&probes->set, probes->places.nr);
	return code;
}

#define MOST_SITES (ABI_MAX_ALLOC_SITES / ALLOC_PASSAGES) /* of each kind of passage */

static int prepare(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
		   const struct bpf_program *program, size_t place, struct error *err)
{
	const struct alloc_place *at = &probes->places.list[place];
	const uint32_t site = (uint32_t)(probes->passage * MOST_SITES + place);
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int code = bpf_map_update_elem(bpf_map__fd(skeleton->maps.alloc_sites), &site,
					     &at->site, BPF_ANY)
				 ? -errno
				 : 0;

	rights__restore(before);
	probes->set.list[place].request = (struct probe_request){
		.program = program,
		.pmu_type = probes->pmu_type,
		.file = at->file,
		.offset = at->offset,
		.semaphore = at->semaphore,
		.event = probes->event,
		.site = site,
		.cpu = probes->cpu,
	};
	return code ? features__explain(NULL, err, code, "fill the BPF map alloc_sites") : 0;
}

static int explain(int code, struct error *err)
{
	return probed_processes__explain(code, "put probes where blocks are told of", err);
}

int alloc_probes__start(struct alloc_probes *probes, const struct topstacks_bpf *skeleton,
			const struct bpf_program *program, struct error *err)
{
	int code = 0;

	if (probes->places.nr > MOST_SITES)
		return error__say(err, EXIT_SYSTEM, -E2BIG,
				  "these allocators tell of blocks at %zu places, and %d are the "
				  "most: name fewer processes",
				  probes->places.nr, (int)MOST_SITES);
	for (size_t i = 0; i < probes->places.nr && !code; i++)
		code = prepare(probes, skeleton, program, i, err);
	if (!code && probes->cpu >= 0) {
		code = probe_set__add(&probes->set, 0);
		code = code ? explain(code, err) : 0;
	}
	return code;
}

int alloc_probes__add_target(struct alloc_probes *probes, int32_t pid, struct error *err)
{
	const int code = probes->cpu < 0 ? probe_set__add(&probes->set, pid) : 0;

	return code && code != -ESRCH ? explain(code, err) : 0;
}

void alloc_probes__observe(struct alloc_probes *probes, const struct process_event *event)
{
	if (probes->cpu < 0)
		probe_set__observe(&probes->set, event, probes->follows_children);
}

void alloc_probes__stop(struct alloc_probes *probes)
{
	probe_set__stop(&probes->set);
}

void alloc_probes__close(struct alloc_probes *probes)
{
	probe_set__free(&probes->set);
	alloc_places__free(&probes->places);
	*probes = (struct alloc_probes){0};
}
