// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/kernel.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "topstacks/abi.h"

#include "kernel_names.skel.h" /* after the types of its globals */

struct kernel_names_bpf *kernel_names__open(void)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct kernel_names_bpf *names;

	libbpf_set_print(NULL);
	names = kernel_names_bpf__open_and_load();
	rights__restore(before);
	return names;
}

void kernel_names__close(struct kernel_names_bpf *names)
{
	kernel_names_bpf__destroy(names);
}

const char *kernel_names__ask(struct kernel_names_bpf *names, uint64_t address)
{
	struct kernel_question question = {.address = address};
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &question, .ctx_size_in = sizeof(question));
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int failed =
		bpf_prog_test_run_opts(bpf_program__fd(names->progs.on_name_address), &run);

	rights__restore(before);
	if (failed || (int)run.retval <= 0)
		return NULL;
	return names->bss->answer.text;
}
