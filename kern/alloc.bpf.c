// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations that the allocator has chosen to be sampled: libtopstacks-alloc.so, or an allocator
 * that keeps OpenTelemetry's contract, "otel_memory". The program reaches a probe with the block,
 * and with the bytes that it stands for.
 *
 *   on_alloc            user stacks along frame pointers
 *   on_alloc_unwind     user stacks by unwind tables, if there are any
 *   on_freed            a block is freed, perhaps one of these
 *   on_alloc_begins     a program that was executed asks the library for its first block
 *   on_alloc_ends       a process exits, and reports its allocations since the last sample
 *
 * Live blocks are in a map of their own, block by block, as only user space knows when an interval
 * ends. A sample counts as the blocks that it stands for; so does a lost one.
 *
 * These reports are untrusted. A program can only misstate its own allocations.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "probes/allocations.bpf.h"

SEC("uprobe")
int on_alloc(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_allocation(registers, NULL, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("uprobe")
int on_alloc_unwind(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_allocation(registers, NULL, true);
}

/*
 * The block of a pointer may be a newer one: realloc() may have freed the old block, and another
 * thread may have got and reported its address already. So numbers are compared.
 */
SEC("uprobe")
int on_freed(bpf_user_pt_regs_t *registers)
{
	__u32 number = PROBE_COOKIE_SITE(bpf_get_attach_cookie(registers));
	struct alloc_site *site = bpf_map_lookup_elem(&alloc_sites, &number);
	const struct live_block *block;
	struct live_key key = {};

	keep_stack_of_task();
	if (!site)
		return 0;
	key.pointer = read_argument(&site->pointer, registers);
	key.process = memory_image();
	block = bpf_map_lookup_elem(&live, &key);
	if (block && block->number <= read_argument(&site->number, registers))
		bpf_map_delete_elem(&live, &key);
	return 0;
}

SEC("uprobe")
int on_alloc_begins(void *context)
{
	struct task_struct *task = current_task();
	__u32 pid = pid_in_our_namespace(READ(task, group_leader));
	__u64 now_ns = bpf_ktime_get_ns();

	keep_stack_of_task();
	(void)context;
	bpf_map_update_elem(&alloc_begun, &pid, &now_ns, BPF_ANY);
	return 0;
}

SEC("uprobe")
int on_alloc_ends(bpf_user_pt_regs_t *registers)
{
	__u64 cookie = bpf_get_attach_cookie(registers);
	__u32 site_number = PROBE_COOKIE_SITE(cookie), generation, row;
	struct alloc_site *site = bpf_map_lookup_elem(&alloc_sites, &site_number);
	struct running running = find_running();
	struct ledger_cpu *ledger_cpu;
	struct passage *passage;
	__u64 told;

	keep_stack_of_task();
	if (!site || PROBE_COOKIE_EVENT(cookie) >= cfg_nr_events || !read_if_wanted(&running))
		return 0;
	passage = passage__enter(&passages, &session.generation, &generation);
	if (!passage)
		return 0;
	told = read_argument(&site->told, registers);
	row = ledger_row(generation, PROBE_COOKIE_EVENT(cookie), cfg_nr_events, cfg_nr_cpus,
			 bpf_get_smp_processor_id());
	ledger_cpu = bpf_map_lookup_elem(&ledger, &row);
	if (ledger_cpu && told <= ABI_MAX_WEIGHT)
		__sync_fetch_and_add(&ledger_cpu->slots[SLOT_TOLD], told);
	passage__leave(passage, generation);
	return 0;
}
