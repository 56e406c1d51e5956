/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the names of code objects that a walk has met (interpreter.bpf.h) when its stack is stored
 * and new. The program does it that stored the stack: later the process may be gone, or its memory
 * reused.
 */
#ifndef TOPSTACKS_KERN_SAMPLE_INTERPRETER_NAMES_BPF_H
#define TOPSTACKS_KERN_SAMPLE_INTERPRETER_NAMES_BPF_H

#include <bpf/bpf_helpers.h>
#include <linux/errno.h>
#include <stdbool.h>

#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/store.bpf.h"
#include "maps/unwind_maps.bpf.h"
#include "topstacks/hash.h"
#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.bpf.h"

static __always_inline bool read_string(void *asleep, const struct interpreter *interpreter,
					__u64 string, struct code_text *text, char *to, __u32 room)
{
	const struct interpreter_string *layout = &interpreter->string;
	__u64 nr_bytes, at = layout->data_at;
	__u32 state = 0;

	*text = (struct code_text){};
	if (!string)
		return false;
	nr_bytes = read_word(asleep, string + layout->length_at);
	if (layout->state_at != NO_FIELD) { /* PyASCIIObject: interned, kind, compact, ascii */
		if (!read_target(asleep, &state, sizeof(state), string + layout->state_at))
			return false;
		state >>= layout->state_shift;
		text->width = state & 7;
		if (!(state >> 3 & 1) || (text->width != 1 && text->width != 2 && text->width != 4))
			return false;
		if (!(state >> 4 & 1))
			at = layout->wide_at;
		if (nr_bytes > room)
			nr_bytes = (__u64)room + 1;
		nr_bytes *= text->width;
	}
	text->is_cut = nr_bytes > room;
	if (nr_bytes > room)
		nr_bytes = room;
	/* keeps the bounds check below visible to the verifier */
	asm volatile("" : "+r"(nr_bytes));
	if (nr_bytes > room || !nr_bytes || !read_target(asleep, to, nr_bytes, string + at)) {
		*text = (struct code_text){};
		return false;
	}
	text->nr_bytes = nr_bytes;
	return true;
}

static __always_inline void read_lines(void *asleep, const struct interpreter *interpreter,
				       struct interpreted *state, struct code_record *record)
{
	const __u64 lines = word_at(state, interpreter->lines_at);
	__u64 nr_bytes;

	record->nr_line_bytes = 0;
	record->lines_kind = interpreter->lines_kind;
	if (!cfg_positions || interpreter->lines_kind == CODE_LINES_NONE || !lines)
		return;
	nr_bytes = read_word(asleep, lines + interpreter->lines_length_at);
	record->nr_line_bytes = nr_bytes > 0xffffffff ? 0xffffffff : (__u32)nr_bytes;
	if (nr_bytes > CODE_LINE_BYTES)
		nr_bytes = CODE_LINE_BYTES;
	asm volatile("" : "+r"(nr_bytes));
	if (nr_bytes > CODE_LINE_BYTES || !nr_bytes ||
	    !read_target(asleep, record->lines, nr_bytes, lines + interpreter->lines_data_at))
		record->nr_line_bytes = 0;
}

/*
 * Copies the names of a code object whose bytes were read. False: it has a name, which cannot be
 * read.
 */
static __always_inline bool read_names(void *asleep, const struct interpreter *interpreter,
				       struct interpreted *state, struct code_record *record)
{
	const __u64 name = word_at(state, interpreter->name_at);
	__u64 owner = 0;

	if (interpreter->owner_at != NO_FIELD)
		owner = word_at(state, interpreter->owner_at);
	if (owner)
		owner = read_word(asleep, owner + interpreter->owner_name_at);
	read_string(asleep, interpreter, owner, &record->owner_text, record->owner,
		    sizeof(record->owner));
	if (!read_string(asleep, interpreter, name, &record->name_text, record->name,
			 sizeof(record->name)) &&
	    name)
		return false;
	record->first_line = 0;
	record->file_text = (struct code_text){};
	if (!has_source(interpreter, word_at(state, interpreter->source_at)))
		return true;
	record->first_line = (__u32)word_at(state, interpreter->first_line_at);
	read_string(asleep, interpreter, word_at(state, interpreter->file_at), &record->file_text,
		    record->file, sizeof(record->file));
	return true;
}

/* Describes a code object that the walk has met and recognized. */
static __always_inline bool describe_code(void *asleep, __u64 place, __u32 context)
{
	struct interpreted *state = bpf_map_lookup_elem(&interpreted, &context);
	struct code_record *record = bpf_map_lookup_elem(&record_buffer, &context);
	const struct interpreter *interpreter;

	if (!state || !record)
		return false;
	interpreter = find_interpreter(MET_INTERPRETER(place));
	if (!interpreter ||
	    !read_bytes(asleep, state, interpreter->code_bytes, MET_ADDRESS(place)) ||
	    !read_names(asleep, interpreter, state, record))
		return false;
	read_lines(asleep, interpreter, state, record);
	return true;
}

__weak __noinline int describe_running(__u64 place, __u32 context)
{
	return describe_code(NULL, place, context);
}

/* A context of bpf_loop, which must be on the stack (6.1). */
struct naming {
	struct current_set set;
	void *asleep;
};

static __always_inline enum ledger_slot name_code(void *asleep, const struct naming *naming,
						  __u64 index)
{
	const struct current_set *set = &naming->set;
	__u32 context = set->context, generation = set->generation;
	struct interpreted *state = bpf_map_lookup_elem(&interpreted, &context);
	struct code_record *record = bpf_map_lookup_elem(&record_buffer, &context);
	void *known_map = bpf_map_lookup_elem(&known, &generation);
	const __u64 *known_check;
	struct met_code met;
	__u64 check;
	long err;

	if (!state || !record || !known_map || index >= cfg_max_depth || index >= ABI_MAX_DEPTH)
		return LEDGER_SLOTS;
	met = state->codes[index];
	check = hash_check_word(hash_check_word(HASH_CHECK_SEED ^ cfg_hash_seed ^ state->process,
						MET_ADDRESS(met.place)),
				met.cookie);
	known_check = bpf_map_lookup_elem(known_map, &met.code);
	if (known_check) /* different objects with one hash; the second one gets no name */
		return *known_check == check ? LEDGER_SLOTS : SLOT_BAD_CODE;
	if (asleep ? !describe_code(asleep, met.place, context)
		   : !describe_running(met.place, context))
		return SLOT_BAD_CODE;
	record->code = met.code;
	record->check = check;
	err = store_record(STORE_IN(set) | STORE_KIND(LOG_CODE) |
				   STORE_WORDS(CODE_RECORD_BYTES(cfg_positions)),
			   met.code, check);
	return err == -EEXIST ? LEDGER_SLOTS : err ? SLOT_CODES_FULL : SLOT_NEW_CODES;
}

static long name_next(__u64 index, struct naming *naming)
{
	const enum ledger_slot slot = name_code(NULL, naming, index);

	if (slot < LEDGER_SLOTS)
		naming->set.ledger_cpu->slots[slot]++;
	return 0;
}

static __attribute__((unused)) long name_next_asleep(__u64 index, struct naming *naming)
{
	const enum ledger_slot slot = name_code(naming->asleep, naming, index);

	if (slot < LEDGER_SLOTS)
		naming->set.ledger_cpu->slots[slot]++;
	return 0;
}

/*
 * Ends a walk whose stack is stored. is_new: the stack is new in this generation, so its codes may
 * be new, too.
 */
static __always_inline void end_interpreted(void *asleep, const struct current_set *set,
					    __u32 context, bool is_new)
{
	const struct unwind_walk *walk = bpf_map_lookup_elem(&walks, &context);
	struct naming naming = {.set = *set, .asleep = asleep};
	struct interpreted *state;

	if (!walk || !walk->met_loop)
		return;
	state = bpf_map_lookup_elem(&interpreted, &context);
	if (!state)
		return;
	set->ledger_cpu->slots[SLOT_NO_STATE] += state->is_stateless;
	set->ledger_cpu->slots[SLOT_OUT_OF_STEP] += state->is_lost;
	if (is_new && asleep)
		bpf_loop(state->nr_codes, name_next_asleep, &naming, 0);
	else if (is_new)
		bpf_loop(state->nr_codes, name_next, &naming, 0);
}

#endif
