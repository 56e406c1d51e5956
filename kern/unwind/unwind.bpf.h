/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a user stack with unwind tables (unwind_abi.h), frame by frame in bpf_loop (5.17).
 *
 * Where no table covers a pc, the walk follows a frame record that rbp may point to; only a stack
 * that ends where a table says so is complete.
 */
#ifndef TOPSTACKS_KERN_UNWIND_UNWIND_BPF_H
#define TOPSTACKS_KERN_UNWIND_UNWIND_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"
#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/stack_pieces.bpf.h"
#include "maps/unwind_maps.bpf.h"
#include "topstacks/hash.h"
#include "topstacks/unwind_abi.h"
#include "unwind/mappings.bpf.h"

#ifndef UNWIND_READ
#include "interpreters/read_running.bpf.h"
#endif
#include "interpreters/interpreter.bpf.h"

int find_row(struct unwind_walk *walk, __u64 address);

/* Returns true if a table covers the address. rows: a walk, whose current row is overwritten. */
static __always_inline bool unwind_has_row(void *rows, __u64 address)
{
	struct unwind_walk *walk = rows;

	return find_row(walk, address) && walk->row.rules != UNWIND_NONE;
}

#include "unwind/unwind_code.h"

static __always_inline struct unwind_walk *find_walk(__u32 context)
{
	return bpf_map_lookup_elem(&walks, &context);
}

/*
 * Finds the last of nr entries whose pc is not above; the first one's never is. max: a power of
 * two, at least nr. False only if a map lookup fails.
 */
static __always_inline bool bisect(void *chunk, __u32 first, __u32 nr, __u32 max, __u32 pc,
				   __u32 *found)
{
	const struct unwind_row *candidate;
	__u32 step, index;
	__u64 low = 0;

	for (step = max / 2; step; step /= 2) {
		if (low + step >= nr)
			continue;
		index = first + low + step;
		candidate = bpf_map_lookup_elem(chunk, &index);
		if (!candidate)
			return false;
		low = take_step(low, step, (__s64)candidate->pc - (__s64)pc);
	}
	*found = low;
	return true;
}

/*
 * Finds the row for a pc in walk->region: first the block, by the index, then the row in it. A
 * global function, as find_row below, so that it is verified once.
 */
__weak __noinline int search_row(struct unwind_walk *walk, __u32 pc)
{
	const struct unwind_row *candidate;
	const struct unwind_region *region;
	__u32 chunk_index, nr, block, found, index;
	void *chunk;

	if (!walk)
		return false;
	region = &walk->region;
	chunk_index = region->chunk;
	nr = region->nr_rows;
	chunk = bpf_map_lookup_elem(&unwind_chunks, &chunk_index);
	if (!chunk || !bisect(chunk, UNWIND_CHUNK_ROWS + (region->first >> UNWIND_BLOCK_SHIFT),
			      (nr + UNWIND_BLOCK_ROWS - 1) >> UNWIND_BLOCK_SHIFT,
			      UNWIND_CHUNK_BLOCKS, pc, &block))
		return false;
	block <<= UNWIND_BLOCK_SHIFT;
	if (!bisect(chunk, region->first + block, nr - block, UNWIND_BLOCK_ROWS, pc, &found))
		return false;
	index = region->first + block + found;
	candidate = bpf_map_lookup_elem(chunk, &index);
	if (!candidate)
		return false;
	walk->row = *candidate;
	return true;
}

/* As search_row, but looks in the cache first. Tables begin at blocks. */
static __always_inline bool find_row_in(struct unwind_walk *walk, __u32 pc)
{
	const struct unwind_region *region = &walk->region;
	const __u64 place = (__u64)region->chunk << 48 |
			    (__u64)(region->first >> UNWIND_BLOCK_SHIFT) << 32 | pc;
	struct found_row *found = &walk->found[hash_term(0, place) >> (64 - FOUND_ROWS_SHIFT)];

	if (found->place == place && found->row.pc == walk->epoch) {
		walk->row = found->row;
		return true;
	}
	if (!search_row(walk, pc))
		return false;
	found->place = place;
	found->row = walk->row;
	found->row.pc = walk->epoch;
	return true;
}

/*
 * Returns the regions of the running process. A child without a list of its own uses its parent's
 * while both run the same file; once it has mapped anything else, it gets its own.
 */
static __always_inline struct unwind_regions *find_regions(__u64 process)
{
	struct unwind_regions *regions = bpf_map_lookup_elem(&unwind_procs, &process);
	struct task_struct *task = current_task();
	struct task_struct *parent;

	if (regions)
		return regions;
	parent = FOLLOW(task, group_leader, real_parent, group_leader);
	if (FOLLOW(task, mm, exe_file) != FOLLOW(parent, mm, exe_file))
		return NULL;
	process = hash_process(FOLLOW(parent, tgid), FOLLOW(parent, start_boottime),
			       FOLLOW(parent, self_exec_id));
	return bpf_map_lookup_elem(&unwind_procs, &process);
}

static __always_inline void take_listing(struct unwind_walk *walk,
					 const struct unwind_regions *regions)
{
	walk->listing = regions ? LISTING_FOUND : LISTING_NONE;
	if (regions)
		walk->regions = *regions;
}

static __always_inline bool is_listed(struct unwind_walk *walk)
{
	if (walk->listing == LISTING_UNASKED)
		take_listing(walk, find_regions(walk->process));
	return walk->listing == LISTING_FOUND;
}

/*
 * Finds the last listed region that starts at or below address. A global function, as find_row
 * below. The number of steps does not depend on what they find, so the verifier also goes through
 * each only once.
 */
__weak __noinline int find_listed(struct unwind_walk *walk, __u64 address)
{
	const struct unwind_region *candidate;
	__u64 low = 0;
	__u32 nr, index;

	if (!walk || !is_listed(walk))
		return false;
	nr = walk->regions.nr &
	     ((2U << UNWIND_REGIONS_SHIFT) - 1); /* for the verifier: no list is longer */
	for (; nr > 1; nr = (nr + 1) / 2) {
		index = walk->regions.first + low + nr / 2;
		candidate = bpf_map_lookup_elem(&unwind_regions, &index);
		if (!candidate)
			return false;
		low = take_step(low, nr / 2, (__s64)candidate->start - (__s64)address);
	}
	index = walk->regions.first + low;
	candidate = bpf_map_lookup_elem(&unwind_regions, &index);
	if (!candidate || !walk->regions.nr ||
	    address - candidate->start >= candidate->end - candidate->start)
		return false;
	walk->region = *candidate;
	return true;
}

/* A global function, as find_row below. Returns enum region_answer. */
__weak __noinline int find_mapped(struct unwind_walk *walk, __u64 address)
{
	return walk && cfg_reads_kernel ? recall_region(walk, address) : REGION_UNKNOWN;
}

/*
 * Returns to the region before the last one, if the address is in it: a library's function calls
 * the program's, which calls the library's.
 */
static __always_inline bool return_to_region(struct unwind_walk *walk, __u64 address)
{
	const struct unwind_region left = walk->left;

	walk->left = walk->region;
	if (!is_in(&left, address))
		return false;
	walk->region = left;
	return true;
}

/*
 * Finds the region of an address. The kernel's mappings are asked first: the list is some
 * milliseconds old, and a library may have replaced another one. But only the list knows copies: of
 * which file anonymous memory has the text.
 */
static __always_inline bool find_region(struct unwind_walk *walk, __u64 address)
{
	int answer = REGION_UNKNOWN;

	if (is_in(&walk->region, address))
		return true;
	if (walk->context != CONTEXT_ASLEEP) { /* a sleeping task is not the current process */
		if (return_to_region(walk, address))
			return true;
		if (!(address >> 63))
			answer = find_mapped(walk, address);
	}
	if (answer == REGION_NO_CODE || (answer == REGION_READ && walk->region.nr_rows))
		return answer == REGION_READ;
	return find_listed(walk, address) || answer == REGION_READ;
}

/*
 * Finds the row of an address, UNWIND_NONE if there is none. Returns false if not even a region is
 * known.
 *
 * The verifier checks global functions once, for any arguments, and not again for each path that
 * calls them: 5,000 instructions rather than 200,000.
 */
__weak __noinline int find_row(struct unwind_walk *walk, __u64 address)
{
	__u64 pc;

	if (!walk)
		return false;
	walk->row = (struct unwind_row){.rules = UNWIND_NONE};
	if (!find_region(walk, address))
		return false;
	pc = address - walk->region.bias;
	if (walk->region.nr_rows && pc <= 0xffffffff)
		find_row_in(walk, pc);
	return true;
}

/* Steps by walk->row to the caller's registers. Returns enum unwind_step. */
__weak __noinline int step_to_caller(struct unwind_walk *walk)
{
	if (!walk)
		return UNWIND_STEP_NONE;
	return unwind_step(walk->row, &walk->registers, unwind_memory(walk->context));
}

/*
 * Derives a row from the code at pc, where no table covers it: code that is about to return;
 * trampolines that a program makes at run time, as Python does with -X perf, which call and then
 * return; and signal trampolines.
 */
static __always_inline bool look_at_code(struct unwind_walk *walk, void *asleep)
{
	__u64 code;

	return !unwind_read(asleep, walk->registers.pc, &code, sizeof(code)) &&
	       unwind_row__of_code(code, &walk->registers, asleep, &walk->row);
}

static __always_inline enum unwind_bare find_bare_row(struct unwind_walk *walk, void *asleep)
{
	struct unwind_row row;
	enum unwind_bare bare;

	if (look_at_code(walk, asleep))
		return UNWIND_BARE_SURE;
	bare = unwind_bare__find(&walk->registers, !walk->nr_natives, asleep, walk, &row);
	walk->row = row;
	walk->nr_guessed += bare == UNWIND_BARE_GUESS;
	return bare;
}

static __always_inline void find_caller_row(struct unwind_walk *walk)
{
	walk->is_mapped = find_row(walk, walk->registers.pc - 1);
	if (walk->row.rules != UNWIND_NONE)
		return;
	walk->is_mapped = find_row(walk, walk->registers.pc);
	walk->row = unwind_row__of_made(walk->row);
}

/* Adds a word to the stack. False: there is no more room. */
static __always_inline bool keep_word(struct unwind_walk *walk, __u64 word)
{
	const __u32 index = walk->nr_frames;
	struct spilled_stack *stack;
	__u32 buffer = walk->context;

	stack = bpf_map_lookup_elem(&record_buffer, &buffer);
	if (!stack || index >= cfg_max_depth || index >= ABI_MAX_DEPTH)
		return false;
	stack->words[index] = word;
	walk->key = hash_word(walk->key, word);
	walk->check = hash_check_word(walk->check, word);
	walk->nr_frames = index + 1;
	return true;
}

static __always_inline __u32 why_none(const struct unwind_walk *walk)
{
	if (walk->is_mapped)
		return walk->region.no_room ? UNWIND_STEP_NO_ROOM : UNWIND_STEP_NONE;
	return walk->regions.is_partial ? UNWIND_STEP_UNLISTED : UNWIND_STEP_UNMAPPED;
}

/* ---- adding the current frame ---- */

/* Returns true if the pc is in the interpreter's loop. A return address may lie just behind it. */
static __always_inline bool is_in_loop(const struct unwind_walk *walk)
{
	const __u32 pc = (__u32)(walk->registers.pc - walk->region.bias) - !!walk->nr_natives;
	const struct interpreter *about = find_interpreter(walk->region.interpreter);

	return about && (pc - about->loops[0].start < about->loops[0].end - about->loops[0].start ||
			 pc - about->loops[1].start < about->loops[1].end - about->loops[1].start);
}

/*
 * Returns true for a native frame of an interpreter that is left out: between two of its loops, and
 * before the first.
 */
static __always_inline bool is_plumbing(const struct unwind_walk *walk)
{
	__u32 context = walk->context;
	const struct interpreted *state;

	if (cfg_all_frames || !walk->met_loop)
		return false;
	state = bpf_map_lookup_elem(&interpreted, &context);
	return state && state->interpreter == walk->region.interpreter && !state->is_stateless;
}

static __always_inline bool tell_native(void *asleep, struct unwind_walk *walk,
					enum handing handing)
{
	walk->phase = PHASE_TOLD;
	if (handing == HANDS_OVER && cfg_hands_over && walk->is_mapped &&
	    walk->region.interpreter && session.takes_over) {
		walk->phase = PHASE_HANDED_OVER;
		return false;
	}
	if (handing != HANDS_OVER && cfg_follow_interpreters && walk->is_mapped &&
	    walk->region.interpreter) {
		if (!is_in_loop(walk)) {
			if (is_plumbing(walk))
				return true;
		} else if (asleep ? enter_loop(asleep, walk) : enter_running_loop(walk)) {
			walk->phase = PHASE_INTERPRETED;
			return true;
		}
	}
	return keep_word(walk, word_of_address(walk->registers.pc));
}

static __always_inline bool tell_interpreted(void *asleep, struct unwind_walk *walk)
{
	__u64 word = 0;

	if (asleep ? !next_interpreted(asleep, walk, &word) : !next_of_running(walk, &word))
		walk->phase = PHASE_TOLD;
	return !word || keep_word(walk, word);
}

/*
 * Takes one step of a walk. asleep: NULL: the running task; else the sleeping task, whose memory
 * may have to be waited for. handing: as in struct sample_event, a constant. Returns 1 if the walk
 * is over.
 */
static __always_inline long walk_one(struct unwind_walk *walk, void *asleep, enum handing handing)
{
	const bool sp_was_lost = walk->registers.sp_lost;
	__u32 step;

	if (walk->phase == PHASE_NATIVE && !tell_native(asleep, walk, handing))
		return 1;
	if (handing != HANDS_OVER && cfg_follow_interpreters && walk->phase == PHASE_INTERPRETED) {
		if (!tell_interpreted(asleep, walk))
			return 1;
		if (walk->phase == PHASE_INTERPRETED)
			return 0;
	}
	walk->phase = PHASE_NATIVE;
	walk->bare = UNWIND_BARE_NONE;
	walk->end = why_none(walk);
	if (walk->row.rules == UNWIND_NONE) {
		if (!walk->is_mapped)
			return 1;
		walk->bare = find_bare_row(walk, asleep);
		if (walk->bare == UNWIND_BARE_NONE)
			return 1;
	}
	step = asleep ? unwind_step(walk->row, &walk->registers, asleep)
		      : (enum unwind_step)step_to_caller(walk);
	walk->nr_guessed += unwind_row__is_unsure(walk->row, step, walk->nr_natives++);
	if (sp_was_lost && unwind_step__was_no_record(step, &walk->registers, asleep)) {
		walk->end = UNWIND_STEP_LOST;
		return 1;
	}
	if (step > UNWIND_STEP_INTERRUPTED) {
		if (walk->bare != UNWIND_BARE_GUESS)
			walk->end = step;
		return 1;
	}
#ifdef UNWIND_HAS_LINK
	/* Only a row would tell where the frame began and how far sp was moved. */
	walk->registers.sp_lost = walk->bare && step == UNWIND_STEP_CALLER;
#endif
	if (step == UNWIND_STEP_INTERRUPTED)
		walk->is_mapped = find_row(walk, walk->registers.pc);
	else
		find_caller_row(walk);
	if (walk->bare == UNWIND_BARE_GUESS &&
	    !walk->is_mapped) /* the frame was no record, as its pc is not in mapped code */
		return 1;
	walk->end = UNWIND_STEP_DEEP;
	return 0;
}

/* A context of bpf_loop, which must be on the stack (6.1). */
struct walk_place {
	__u32 context;
};

static long walk_frame(__u64 index, struct walk_place *place)
{
	struct unwind_walk *walk = find_walk(place->context);

	(void)index;
	return !walk || walk_one(walk, NULL, HANDS_NOTHING) ? 1 : 0;
}

/* For a program that hands over. */
static long walk_native_frame(__u64 index, struct walk_place *place)
{
	struct unwind_walk *walk = find_walk(place->context);

	(void)index;
	return !walk || walk_one(walk, NULL, HANDS_OVER) ? 1 : 0;
}

/*
 * Returns the limit of steps. Frames of interpreters are steps, too, and native frames that are
 * left out add no word.
 */
static __always_inline __u32 most_steps(bool follows)
{
	return follows ? 4 * cfg_max_depth : cfg_max_depth + 1;
}

/* Returns false if there are no user registers, as in a kernel worker thread of the process. */
static __always_inline bool read_user_registers(const bpf_user_pt_regs_t *interrupted,
						struct unwind_registers *registers)
{
	if (is_user_mode(interrupted)) {
		arch__read_interrupted(interrupted, registers);
		return true;
	}
	arch__read_saved(bpf_get_current_task_btf(), registers);
	return registers->pc != 0;
}

static __always_inline void begin_walk(struct unwind_walk *walk, enum program_context context)
{
	__builtin_memset(walk, 0, offsetof(struct unwind_walk, told));
	walk->key = HASH_SEED ^ cfg_hash_seed;
	walk->check = HASH_CHECK_SEED ^ cfg_hash_seed;
	walk->context = context;
	walk->end = UNWIND_STEP_DEEP;
}

/*
 * Completes the stack in the buffer. With nature 0 its hash equals that of the same frames walked
 * along frame pointers by the kernel.
 */
static __always_inline void finish_walk(const struct unwind_walk *walk, struct spilled_stack *stack)
{
	const __u64 nature = (__u64)walk->nr_guessed << 32 | walk->end;

	stack->key = STACK_REST(nature ? hash_word(walk->key, nature) : walk->key);
	stack->check = nature ? hash_check_word(walk->check, nature) : walk->check;
	stack->nr_frames = walk->nr_frames;
	stack->end = walk->end;
	stack->nr_guessed = walk->nr_guessed;
}

/*
 * Walks into the context's buffer; the hash includes frames and end. NULL: there is no user stack,
 * or no table covers any of it.
 */
static __always_inline struct spilled_stack *walk_with_tables(const struct sample_event *event,
							      __u64 process, __u32 generation)
{
	const enum program_context context = event->context;
	struct unwind_walk *walk = find_walk(context);
	struct walk_place place = {.context = context};
	struct spilled_stack *stack;
	__u32 buffer = context;

	stack = bpf_map_lookup_elem(&record_buffer, &buffer);
	if (!stack || !walk)
		return NULL;
	if (event->handing == TAKES_OVER && cfg_takes_over) {
		walk->phase = PHASE_NATIVE;
	} else {
		begin_walk(walk, context);
		walk->process = process;
		if (!read_user_registers(event->interrupted, &walk->registers))
			return NULL;
		begin_regions(walk);
		begin_pieces(context);
		walk->is_mapped = find_row(walk, walk->registers.pc);
		if (!walk->is_mapped && !is_listed(walk))
			return NULL;
	}
	if (event->handing == HANDS_OVER)
		bpf_loop(most_steps(false), walk_native_frame, &place, 0);
	else
		bpf_loop(most_steps(cfg_follow_interpreters), walk_frame, &place, 0);
	if (event->handing == HANDS_OVER && cfg_hands_over && walk->phase == PHASE_HANDED_OVER) {
		walk->generation = generation;
		bpf_tail_call(event->program, &taking_over, 0); /* does not return */
	}
	if (event->handing != HANDS_OVER && cfg_follow_interpreters)
		walk->nr_guessed += is_doubtful(walk);
	finish_walk(walk, stack);
	return stack;
}

#endif
