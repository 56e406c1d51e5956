// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations of a running process, whose allocator may not tell of its blocks (alloc.bpf.c): then each call of malloc
 * and its like is a hit, and the program chooses, by chance and by bytes of each thread (topstacks/alloc_chances.h).
 *
 *   on_malloc            user stacks along frame pointers
 *   on_malloc_walk     user stacks by unwind tables where there are any
 *
 * It takes the kernel 50 ms to put a probe in, or out. Until all of them are there nothing is sampled, or some functions
 * would have more of the time than others; and when it ends, nothing is sampled before the first one goes.
 *
 * Allocators call their own functions: reallocarray realloc, and that malloc. What is called from within the code of
 * the last one, or by a jump from its end, is the same block. A jump leaves no trace but that it returns to where the
 * last call does, with the same stack. So may another call of another function, but from one place of a program two
 * functions are called by a pointer alone.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "probes/allocations.bpf.h"

/* Whether it is on behalf of the thread's last call. */
static __always_inline bool is_inner(struct malloc_thread *thread, __u64 code, __u64 stack,
				     __u64 caller)
{
	if (!thread->code || thread->code == code)
		return false;
	return (stack == thread->stack && caller == thread->caller) ||
	       caller - thread->code < thread->code_bytes ||
	       caller - thread->inner < thread->inner_bytes;
}

/* false: this call is of a block that was counted. */
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

/* What no allocator gives is not counted. */
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

/* Whether one of these bytes is hit. */
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

/* A frame of its own, as in hits.bpf.h. 0: this call is none that is sampled. */
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

/* Needs what on_cpu_unwind does: not loaded without. */
SEC("uprobe")
int on_malloc_walk(bpf_user_pt_regs_t *registers)
{
	keep_stack_of_task();
	return sample_malloc(registers, true);
}
