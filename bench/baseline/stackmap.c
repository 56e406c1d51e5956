// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profiler in the design of bcc's: sample for a while, then read the counts, look up the frames
 * of each and print them. It reads only once, at the end.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "bench/baseline/stackmap.skel.h"
#include "names.h"
#include "records.h"
#include "sampler.h"

struct map_reader {
	int counts_fd, stacks_fd;
	struct names *names;
	uint64_t bytes_moved;
};

static struct stackmap_bpf *load(const struct sampler_options *options)
{
	struct stackmap_bpf *skeleton = stackmap_bpf__open();

	sampler__check(skeleton ? 0 : -errno, "cannot open");
	skeleton->rodata->cfg_by_pid = options->nr_pids > 0;
	skeleton->rodata->cfg_reuse = options->reuse;
	sampler__check(bpf_map__set_max_entries(skeleton->maps.stacks, options->nr_buckets),
		       "cannot size the stack map");
	sampler__check(stackmap_bpf__load(skeleton), "cannot load");
	sampler__fill_pids(options, skeleton->maps.pids);
	return skeleton;
}

/* Frames of one id; 0 if there is no such stack (a collision, or no stack of that kind). */
static size_t read_stack(struct map_reader *reader, int32_t id, uint64_t frames[MAX_DEPTH])
{
	size_t nr = 0;

	if (id < 0 || bpf_map_lookup_elem(reader->stacks_fd, &id, frames))
		return 0;
	reader->bytes_moved += STACK_SIZE;
	while (nr < MAX_DEPTH && frames[nr])
		nr++;
	return nr;
}

static void print_key(struct map_reader *reader, const struct count_key *key, uint64_t count)
{
	uint64_t user[MAX_DEPTH], kernel[MAX_DEPTH];
	struct folded_stack stack = {key->comm, key->pid, user, kernel, 0, 0, count};

	stack.nr_user = read_stack(reader, key->user_id, user);
	stack.nr_kernel = read_stack(reader, key->kernel_id, kernel);
	names__print_folded(reader->names, stdout, &stack);
}

static void print_counts(struct map_reader *reader)
{
	struct count_key key, *previous = NULL;
	uint64_t count;

	while (!bpf_map_get_next_key(reader->counts_fd, previous, &key)) {
		if (!bpf_map_lookup_elem(reader->counts_fd, &key, &count)) {
			reader->bytes_moved += sizeof(key) + sizeof(count);
			print_key(reader, &key, count);
		}
		previous = &key;
	}
}

int main(int argc, char **argv)
{
	struct sampler_options options;
	struct stackmap_bpf *skeleton;
	struct perf_sampler sampler;
	struct map_reader reader = {0};

	sampler__parse(&options, argc, argv);
	skeleton = load(&options);
	sampler__start(&sampler, &options, skeleton->progs.on_stackmap);
	usleep(options.duration_s * 1e6);
	sampler__stop(&sampler);

	reader.counts_fd = bpf_map__fd(skeleton->maps.counts);
	reader.stacks_fd = bpf_map__fd(skeleton->maps.stacks);
	reader.names = names__new();
	print_counts(&reader);
	sampler__report(skeleton->maps.account, reader.bytes_moved);
	names__free(reader.names);
	stackmap_bpf__destroy(skeleton);
	return 0;
}
