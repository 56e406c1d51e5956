// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the floor for a while. Its cost is what the kernel says of its program; it prints nothing.
 */
#include <errno.h>
#include <unistd.h>

#include "bench/baseline/floor.skel.h"
#include "sampler.h"

int main(int argc, char **argv)
{
	struct sampler_options options;
	struct floor_bpf *skeleton;
	struct perf_sampler sampler;

	sampler__parse(&options, argc, argv);
	skeleton = floor_bpf__open_and_load();
	sampler__check(skeleton ? 0 : -errno, "cannot load");
	sampler__start(&sampler, &options, skeleton->progs.on_floor);
	usleep(options.duration_s * 1e6);
	sampler__stop(&sampler);
	floor_bpf__destroy(skeleton);
	return 0;
}
