// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations of a running process whose allocator does not report its blocks (alloc.bpf.c). Each
 * call of malloc and its like is a hit, and the program chooses calls at random, by bytes of each
 * thread (topstacks/alloc_chances.h).
 *
 *   on_malloc            user stacks along frame pointers
 *   on_malloc_walk       user stacks by unwind tables where there are any
 *
 * The kernel takes 50 ms to put a probe in or to remove it. Nothing is sampled before all probes
 * are in place, or some functions would be sampled for longer than others. At the end nothing is
 * sampled after the first probe is removed.
 *
 * Allocators call their own functions: reallocarray calls realloc, which calls malloc. A call from
 * within the code of the last call, or by a jump from its end, is for the same block. A jump can
 * only be recognized by its return address and stack, which equal those of the last call. Another
 * call of another function could have the same, but only a function pointer calls two functions
 * from one place.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "probes/allocations.bpf.h"

/* Returns true if the call is part of the thread's last call: the allocator calls itself. */
static __always_inline bool is_inner(struct malloc_thread *thread, __u64 code, __u64 stack,
				     __u64 caller)
{
	if (!thread->code || thread->code == code)
		return false;
	return (stack == thread->stack && caller == thread->caller) ||
	       caller - thread->code < thread->code_bytes ||
	       caller - thread->inner < thread->inner_bytes;
}

/* Notes a call. False: its block was counted by an outer call already. */
static __always_inline bool note_call(struct malloc_thread *thread, const struct malloc_call *call,
				      const bpf_user_pt_regs_t *registers)
{
	__u64 caller = arch__read_caller(registers), code;
	struct unwind_registers at = {};

	arch__read_interrupted(registers, &at);
	code = at.pc - call->before;
	if (is_inner(thread, code, at.sp, caller)) {
		thread->inner = code;
		thread->inner_bytes = call->code_bytes;
		return false;
	}
	thread->stack = at.sp;
	thread->caller = caller;
	thread->code = code;
	thread->code_bytes = call->code_bytes;
	thread->inner = thread->inner_bytes = 0;
	return true;
}

/* Returns the bytes asked for; 0 if they are more than any allocator can give. */
static __always_inline __u64 bytes_asked(const struct malloc_call *call,
					 const bpf_user_pt_regs_t *registers)
{
	__u64 size = read_argument(&call->size, registers);
	__u64 number = read_argument(&call->number, registers);

	if (size >= 1ULL << 47 || number >= 1ULL << 47 || (number && size > (1ULL << 47) / number))
		return 0;
	return size * number;
}

static __always_inline __u64 next_gap(const struct alloc_chances *chances)
{
	__u64 random = (__u64)bpf_get_prandom_u32() << 32;

	return alloc_chances__gap(chances, random | bpf_get_prandom_u32());
}

/* Chooses by chance: returns true if one of these bytes is hit. */
static __always_inline bool choose(struct malloc_thread *thread, __u64 size)
{
	__u32 zero = 0;
	struct alloc_chances *chances = bpf_map_lookup_elem(&alloc_chances, &zero);

	if (!chances)
		return false;
	thread->since += size;
	if (!thread->left)
		thread->left = next_gap(chances);
	if (thread->left > size) {
		thread->left -= size;
		return false;
	}
	thread->left = next_gap(chances);
	thread->size = size;
	thread->bytes = alloc_chances__weight(chances, size);
	thread->told = thread->since;
	thread->since = 0;
	return true;
}

static __always_inline struct malloc_thread *find_thread(__u64 flags)
{
	return bpf_task_storage_get(&malloc_threads, bpf_get_current_task_btf(), NULL, flags);
}

/* Has a stack frame of its own, as in hits.bpf.h. Returns 0 if the call is not sampled. */
static __noinline __u32 choose_call(const bpf_user_pt_regs_t *registers, __u32 number)
{
	struct malloc_call *call = bpf_map_lookup_elem(&malloc_calls, &number);
	struct malloc_thread *thread = find_thread(BPF_LOCAL_STORAGE_GET_F_CREATE);

	return call && thread && note_call(thread, call, registers) &&
	       choose(thread, bytes_asked(call, registers));
}

static __always_inline int sample_malloc(bpf_user_pt_regs_t *registers, bool with_tables)
{
	__u64 cookie = bpf_get_attach_cookie(registers);
	__u32 site = PROBE_COOKIE_SITE(cookie) & 0xffffff;
	struct malloc_thread *caller = NULL;

	if (!session.is_sampling)
		return 0;
	if (site >= ABI_FIRST_CALL) {
		if (!is_meant(PROBE_COOKIE_PID(cookie)) ||
		    !choose_call(registers, site - ABI_FIRST_CALL))
			return 0;
		caller = find_thread(0);
		if (!caller)
			return 0;
	}
	return sample_allocation(registers, caller, with_tables);
}

SEC("uprobe")
int on_malloc(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_malloc(registers, false);
}

/* Requires what on_cpu_unwind requires; not loaded without. */
SEC("uprobe")
int on_malloc_walk(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_malloc(registers, true);
}
