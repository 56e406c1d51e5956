// SPDX-License-Identifier: GPL-2.0-only
#include "capture/element_visits.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "base/rights.h"
#include "capture/kernel_types.h"
#include "capture/skeleton.h"
#include "topstacks/element_visits.h"

struct element_visits {
	struct ring_buffer *ring;
	uint32_t generation;
	int (*take)(void *context, const void *record); /* of the visit that is under way */
	void *context;
};

/* ---- choice ---- */

/* Whether "r0 = 0; exit" is refused as an iterator over the elements of a map. Other failures are for the load to tell. */
static bool iterators_are_refused(const struct topstacks_bpf *skeleton,
				  const struct kernel_types *types)
{
	static const struct bpf_insn instructions[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const int hook = kernel_types__find_hook(types, skeleton->progs.on_drain_count);
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_ITER,
		    .attach_btf_id = (uint32_t)hook);
	bool is_refused;
	uint64_t before;
	int fd;

	if (hook < 0)
		return true;
	before = rights__raise(RIGHTS_TO_SAMPLE);
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "probe", "GPL", instructions,
			   sizeof(instructions) / sizeof(*instructions), &options);
	is_refused = fd < 0 && (errno == EPERM || errno == EACCES);
	rights__restore(before);
	if (fd >= 0)
		close(fd);
	return is_refused;
}

void element_visits__choose(struct topstacks_bpf *skeleton, const struct kernel_types *types)
{
	const struct {
		struct bpf_program *iterator, *visit;
	} ways[] = {
		{skeleton->progs.on_drain_count, skeleton->progs.on_visit_counts},
		{skeleton->progs.on_drain_spill, skeleton->progs.on_visit_spill},
		{skeleton->progs.on_drain_code, skeleton->progs.on_visit_codes},
		{skeleton->progs.on_drain_proc, skeleton->progs.on_visit_procs},
		{skeleton->progs.on_dying_time, skeleton->progs.on_visit_dying},
		{skeleton->progs.on_sweep_target, skeleton->progs.on_visit_target},
	};
	const bool visit = iterators_are_refused(skeleton, types);
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const bool is_needed = bpf_program__autoload(ways[i].iterator);

		bpf_program__set_autoload(ways[i].iterator, is_needed && !visit);
		bpf_program__set_autoload(ways[i].visit, is_needed && visit);
	}
	bpf_map__set_autocreate(skeleton->maps.visited, visit);
}

bool element_visits__are_used(const struct topstacks_bpf *skeleton)
{
	return bpf_program__autoload(skeleton->progs.on_visit_counts);
}

/* ---- visits ---- */

static int take_record(void *context, void *record, size_t nr_bytes)
{
	struct element_visits *visits = context;

	(void)nr_bytes;
	return visits->take(visits->context, record);
}

static int ignore_record(void *context, const void *record)
{
	(void)context;
	(void)record;
	return 0;
}

struct element_visits *element_visits__new(const struct topstacks_bpf *skeleton,
					   uint32_t generation)
{
	struct element_visits *visits = malloc(sizeof(*visits));
	uint64_t before;

	if (!visits)
		return NULL;
	*visits = (struct element_visits){.generation = generation};
	before = rights__raise(RIGHTS_TO_SAMPLE);
	visits->ring =
		ring_buffer__new(bpf_map__fd(skeleton->maps.visited), take_record, visits, NULL);
	rights__restore(before);
	if (visits->ring)
		return visits;
	free(visits);
	return NULL;
}

void element_visits__free(struct element_visits *visits)
{
	if (!visits)
		return;
	ring_buffer__free(visits->ring);
	free(visits);
}

/* Runs a program once. Returns its enum visit_result, or negative errno. */
static int run(const struct bpf_program *program, uint32_t generation)
{
	struct visit_request request = {.generation = generation};
	LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &request, .ctx_size_in = sizeof(request));
	const int code = bpf_prog_test_run_opts(bpf_program__fd(program), &options);

	if (code)
		return code;
	return options.retval == VISIT_FAILED ? -EPROTO : (int)options.retval;
}

int element_visits__run(struct element_visits *visits, const struct bpf_program *program,
			int (*take)(void *context, const void *record), void *context)
{
	int result = VISIT_GOES_ON, taken = 1;

	visits->take = take;
	visits->context = context;
	while (result == VISIT_GOES_ON && taken > 0) {
		result = run(program, visits->generation);
		taken = result < 0 ? result : ring_buffer__consume(visits->ring);
	}
	if (taken < 0) { /* what is left in the ring is no record of the next visit */
		visits->take = ignore_record;
		ring_buffer__consume(visits->ring);
		return taken;
	}
	return result == VISIT_GOES_ON ? -EPROTO : 0; /* no record fits */
}

int element_visits__pass(const struct bpf_program *program)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int result = run(program, 0);

	rights__restore(before);
	return result;
}
