// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is the BPF program's own source, compiled for user space. Its helpers read another process's
 * memory, and look up regions and rows in plain arrays. There is no kernel's tree of mappings, so
 * the program uses the list.
 *
 * Helpers get no context, so at_hand keeps all that a walk needs while it lasts.
 */
#include "kernel_walk.h"

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <stdint.h>
#include <sys/uio.h>

/* The program has pragmas of clang, and functions that the verifier takes one by one. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define asm __asm__
#define typeof __typeof__

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

static struct {
	pid_t pid;
	const struct kernel_maps *maps;
	struct spilled_stack stack;
} at_hand;

static void *look_up(const void *map, const void *key);

static long read_user(void *to, size_t nr_bytes, const void *from)
{
	const struct iovec local = {.iov_base = to, .iov_len = nr_bytes};
	const struct iovec remote = {.iov_base = (void *)(uintptr_t)from, .iov_len = nr_bytes};
	const ssize_t nr_read = process_vm_readv(at_hand.pid, &local, 1, &remote, 1, 0);

	return nr_read == (ssize_t)nr_bytes ? 0 : -1;
}

#undef BPF_CORE_READ
#undef BPF_PROBE_READ
#undef bpf_core_field_exists
#undef bpf_core_field_offset
#undef bpf_core_type_size
#define BPF_CORE_READ(from, field, ...)	    ((void)(from), (typeof((from)->field))0)
#define BPF_PROBE_READ(from, field)	    BPF_CORE_READ(from, field)
#define bpf_core_field_exists(field)	    0
#define bpf_core_field_offset(field)	    0
#define bpf_core_type_size(type)	    sizeof(type)
#define bpf_get_current_task()		    0
#define bpf_get_current_task_btf()	    0
#define bpf_task_pt_regs(task)		    (task)
#define bpf_probe_read_kernel(to, nr, from) ((void)(from), -1)
#define bpf_probe_read_user(to, nr, from)   read_user(to, nr, from)
#define bpf_map_lookup_elem(map, key)	    look_up(map, key)
#define bpf_loop(times, step, context, flags)                            \
	do {                                                             \
		for (__u32 i = 0; i < (times) && !step(i, context); i++) \
			;                                                \
	} while (0)

#define DEFINE_MAPS
#include "../../kern/unwind/unwind.bpf.h"

static struct unwind_walk walk;
static struct stack_piece piece;
static struct unwind_regions listed;

/* The values of the maps in which a walk keeps its state. There is one walk at a time. */
static const struct {
	const void *map;
	void *value;
} scratch[] = {
	{&record_buffer, &at_hand.stack},
	{&walks, &walk},
	{&stack_pieces, &piece},
	{&unwind_procs, &listed},
};

static void *look_up(const void *map, const void *key)
{
	const __u32 index = *(const __u32 *)key;

	for (size_t i = 0; i < sizeof(scratch) / sizeof(scratch[0]); i++)
		if (map == scratch[i].map)
			return scratch[i].value;
	if (map == &unwind_regions)
		return index < at_hand.maps->nr_regions
			       ? (void *)(uintptr_t)&at_hand.maps->regions[index]
			       : NULL;
	if (map == &unwind_chunks)
		return index < at_hand.maps->nr_chunks ? at_hand.maps->chunks[index] : NULL;
	if (map == &unwind_tree || map == &interpreted || map == &interpreters)
		return NULL;
	return (struct unwind_row *)(uintptr_t)map + index;
}

const struct spilled_stack *kernel_walk(pid_t pid, const struct kernel_maps *maps,
					const struct unwind_registers *from)
{
	const bpf_user_pt_regs_t registers = {
		.cs = 3, .rip = from->pc, .rsp = from->sp, .rbp = from->fp};

	at_hand.pid = pid;
	at_hand.maps = maps;
	listed.nr = (__u32)maps->nr_regions;
	session.tables_epoch++; /* the tables are another program's, perhaps */
	return walk_with_tables(&registers, CONTEXT_PERF_EVENT, 0);
}
