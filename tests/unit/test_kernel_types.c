// SPDX-License-Identifier: GPL-2.0-only
/* Types for programs that are opened again and again, as after a load that was refused. */
#include "capture/host/kernel_types.h"

#include <bpf/libbpf.h>

#include "capture/host/skeleton.h"
#include "expect.h"

/* libbpf looks up the handler of each program as it opens an object. */
static void open_once(void)
{
	struct kernel_types *types = kernel_types__new(true, NULL);
	LIBBPF_OPTS(bpf_object_open_opts, options);
	struct topstacks_bpf *skeleton;

	EXPECT(types != NULL);
	options.btf_custom_path = kernel_types__path(types);
	skeleton = topstacks_bpf__open_opts(&options);
	EXPECT(skeleton != NULL);
	/* A handler is ours as long as its type is not the kernel's own. */
	EXPECT_EQ(bpf_program__type(skeleton->progs.on_list_task), BPF_PROG_TYPE_RAW_TRACEPOINT);
	EXPECT_EQ(bpf_program__type(skeleton->progs.on_task_time), BPF_PROG_TYPE_RAW_TRACEPOINT);
	topstacks_bpf__destroy(skeleton);
	kernel_types__free(types);
}

static void test_again(void)
{
	for (int i = 0; i < 3; i++)
		open_once();
}

/* Without ours, libbpf's own handlers are in force again. */
static void test_none_left(void)
{
	struct topstacks_bpf *skeleton;

	open_once();
	skeleton = topstacks_bpf__open();
	EXPECT(skeleton != NULL);
	EXPECT_EQ(bpf_program__type(skeleton->progs.on_list_task), BPF_PROG_TYPE_TRACING);
	topstacks_bpf__destroy(skeleton);
}

int main(void)
{
	static const struct test tests[] = {
		{"objects are opened again", test_again},
		{"no handler of ours is left", test_none_left},
		{0},
	};

	return run_tests("kernel types", tests);
}
