/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces native frames of an interpreter's loop by the frames of the language that it runs
 * (interpreter_abi.h). When a walk reaches a loop, it follows the linked list of the thread's
 * frames, up to the frame that ends this activation of the loop; then it goes on natively.
 *
 * A frame's word identifies its code object: a hash of the process, the object's address and a part
 * of its content, as an address may be reused a moment later. interpreter_names.bpf.h copies the
 * names.
 *
 * All this is memory of the target and untrusted. It is read by helpers that fail safely, into
 * buffers of fixed size, and each frame uses up one of the walk's steps.
 */
#ifndef TOPSTACKS_KERN_INTERPRETERS_INTERPRETER_BPF_H
#define TOPSTACKS_KERN_INTERPRETERS_INTERPRETER_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "interpreters/pthread.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/stack_pieces.bpf.h"
#include "maps/unwind_maps.bpf.h"
#include "topstacks/hash.h"
#include "topstacks/interpreter_abi.h"

#define NO_POSITION 0xffff

/* Returns a word of the bytes last read; 0 if it lies beyond them. */
static __always_inline __u64 word_at(const struct interpreted *state, __u32 at)
{
	return at <= INTERPRETER_CODE_BYTES - sizeof(__u64)
		       ? *(const __u64 *)((const __u8 *)state->bytes + at)
		       : 0;
}

static __always_inline bool read_bytes(void *asleep, struct interpreted *state, __u32 nr_bytes,
				       __u64 from)
{
	if (nr_bytes > sizeof(state->bytes))
		return false;
	return read_target(asleep, state->bytes, nr_bytes, from);
}

/*
 * Reads a frame and the memory below it in its page. The callers' frames are mostly there, as
 * interpreters keep frames on stacks of their own that grow upwards.
 */
static __always_inline bool copy_frames(void *asleep, struct frame_piece *piece, __u64 frame,
					__u64 frame_bytes)
{
	const __u64 end = frame + frame_bytes, page = frame & ~(__u64)PAGE_MASK;
	__u64 start = end - FRAME_PIECE_BYTES, nr_bytes;

	if (start < page || start > end)
		start = page;
	nr_bytes = end - start;
	/* keeps the bounds check below visible to the verifier */
	asm volatile("" : "+r"(nr_bytes));
	if (!nr_bytes || nr_bytes > FRAME_PIECE_BYTES ||
	    !read_target(asleep, piece->words, nr_bytes, start))
		return false;
	piece->start = start;
	piece->nr_bytes = nr_bytes;
	return true;
}

/* Returns the frame's offset in the piece; FRAME_PIECE_BYTES: it cannot be read. */
static __always_inline __u64 find_frame(void *asleep, struct frame_piece *piece, __u64 frame,
					__u64 frame_bytes)
{
	__u64 offset = frame - piece->start;

	if (offset < piece->nr_bytes && piece->nr_bytes - offset >= frame_bytes)
		return offset;
	return copy_frames(asleep, piece, frame, frame_bytes) ? frame - piece->start
							      : FRAME_PIECE_BYTES;
}

static __always_inline __u64 frame_word(const struct frame_piece *piece, __u64 at)
{
	return at <= FRAME_PIECE_BYTES - sizeof(__u64)
		       ? *(const __u64 *)((const __u8 *)piece->words + at)
		       : 0;
}

static __always_inline const struct interpreter *find_interpreter(__u32 interpreter)
{
	__u32 number = interpreter - 1;

	return bpf_map_lookup_elem(&interpreters, &number);
}

/* ---- the innermost frame of a thread ---- */

static __always_inline __u64 find_first(void *asleep, const struct interpreter *interpreter,
					__u64 bias)
{
	__u64 at = bias + interpreter->anchor;

	if (interpreter->anchor_kind == ANCHOR_PTHREAD_KEY)
		at = read_thread_value(asleep, at);
	if (at)
		at = read_word(asleep, at + interpreter->hops[0]);
	if (at && interpreter->nr_hops > 1)
		at = read_word(asleep, at + interpreter->hops[1]);
	return at;
}

/*
 * Changes to another interpreter. Two interpreters may call each other, so the state of the last
 * one is kept.
 */
static __always_inline void change_interpreter(void *asleep, struct interpreted *state,
					       const struct interpreter *interpreter,
					       const struct unwind_region *region)
{
	const struct left_interpreter left = {state->frame, state->bias, state->interpreter, 0};
	const struct left_interpreter next = state->left;

	state->left = left;
	state->interpreter = region->interpreter;
	state->bias = region->bias;
	if (next.interpreter == region->interpreter && next.bias == region->bias) {
		state->frame = next.frame;
		return;
	}
	state->frame = find_first(asleep, interpreter, state->bias);
	state->is_stateless |= !state->frame;
}

/* Resets the state, which may be from an earlier walk. */
static __always_inline void begin_interpreted(struct interpreted *state, __u64 process)
{
	state->process = process;
	state->left.interpreter = 0;
	state->frames.nr_bytes = 0;
	state->frame = state->last.place = 0;
	for (__u32 i = 0; i < MET_FILES; i++)
		state->files[i].address = 0;
	state->interpreter = state->is_lost = state->is_stateless = state->nr_codes = 0;
	state->nr_unread = 0;
}

/* Handles a walk that has reached a loop. Returns true if there are frames to add. */
static __always_inline bool enter_loop(void *asleep, struct unwind_walk *walk)
{
	const struct interpreter *interpreter;
	struct interpreted *state;
	__u32 context = walk->context;

	state = bpf_map_lookup_elem(&interpreted, &context);
	interpreter = find_interpreter(walk->region.interpreter);
	if (!state || !interpreter)
		return false;
	if (!walk->met_loop)
		begin_interpreted(state, walk->process);
	walk->met_loop = true;
	if (state->interpreter != walk->region.interpreter)
		change_interpreter(asleep, state, interpreter, &walk->region);
	state->is_lost |= !state->frame && !state->is_stateless;
	return state->frame != 0;
}

/*
 * For the running task. A global function, as find_row (unwind.bpf.h), so that it is verified once;
 * so are those below.
 */
__weak __noinline int enter_running_loop(struct unwind_walk *walk)
{
	return walk && enter_loop(NULL, walk);
}

/* ---- frames of the language ---- */

/* kind: a word whose first byte is the one at source_at. */
static __always_inline bool has_source(const struct interpreter *interpreter, __u64 kind)
{
	return !interpreter->source_mask || kind & interpreter->source_mask;
}

static __always_inline __u32 find_position(void *asleep, const struct interpreter *interpreter,
					   __u64 code, __u64 position)
{
	__u32 line = 0;

	switch (interpreter->position_kind) {
	case POSITION_INDEX:
		position = (__u32)position;
		break;
	case POSITION_OFFSET:
		position = (__u32)position / 2;
		break;
	case POSITION_POINTER:
		position = (position - code - interpreter->instructions_at) / 2;
		break;
	case POSITION_LINE:
		if (has_source(interpreter, read_word(asleep, code + interpreter->source_at)))
			read_target(asleep, &line, sizeof(line),
				    position + interpreter->instructions_at);
		position = line;
		break;
	default:
		return 0;
	}
	return position < NO_POSITION ? (__u32)position : NO_POSITION;
}

/*
 * Returns a cookie that distinguishes code objects at the same address: pointers, which may happen
 * to be equal, and a number of the object, if it has one. read_cookie adds hashes of names. The
 * object's bytes were read before.
 */
static __always_inline __u64 mix_pointers(const struct interpreter *interpreter,
					  const struct interpreted *state)
{
	__u64 cookie = hash_term(0, (__u32)word_at(state, interpreter->first_line_at)) +
		       hash_term(1, word_at(state, interpreter->file_at)) +
		       hash_term(2, word_at(state, interpreter->lines_at));

	if (interpreter->cookie_at != NO_FIELD)
		cookie += hash_term(3, (__u32)word_at(state, interpreter->cookie_at));
	return cookie;
}

/* Reads the words of a string object. If it ends at the end of mapped memory, the rest is zeros. */
static __always_inline bool read_words(void *asleep, __u64 *words, __u64 from)
{
	__u64 nr_bytes = PAGE_MASK + 1 - (from & PAGE_MASK);

	if (read_target(asleep, words, FILE_WORDS * sizeof(*words), from))
		return true;
	if (nr_bytes >= FILE_WORDS * sizeof(*words))
		return false;
	__builtin_memset(words, 0, FILE_WORDS * sizeof(*words));
	/* keeps the bounds check below visible to the verifier */
	asm volatile("" : "+r"(nr_bytes));
	return nr_bytes && nr_bytes < FILE_WORDS * sizeof(*words) &&
	       read_target(asleep, words, nr_bytes, from);
}

/*
 * Hashes the length and the text, as far as they were read. Memory behind the text belongs to other
 * objects.
 */
static __always_inline __u64 hash_words(const __u64 *words, const struct interpreter_string *layout,
					__u32 from)
{
	const __u32 length_at = (layout->length_at - from) / sizeof(*words);
	const __u64 length = length_at < FILE_WORDS ? words[length_at] : 0;
	__u64 hash = hash_word(HASH_SEED, length), nr_bytes, is_last;
	__u32 at;

	for (__u32 i = 0; i < FILE_WORDS; i++) {
		/* before the text the difference wraps around */
		at = from + i * (__u32)sizeof(*words) - layout->data_at;
		if (at >= length)
			continue;
		nr_bytes = length - at;
		/* without a branch, as in take_step (unwind/mappings.bpf.h) */
		is_last = (nr_bytes - sizeof(*words)) >> 63;
		asm volatile("" : "+r"(is_last));
		hash = hash_word(hash,
				 words[i] & (((1ULL << 8 * (nr_bytes & 7)) - 1) | (is_last - 1)));
	}
	return hash;
}

/* Returns the hash of a file name, from a cache: the frames of a stack are from few files. */
static __always_inline __u64 hash_file(void *asleep, const struct interpreter *interpreter,
				       struct interpreted *state, __u64 file)
{
	const __u16 from = interpreter->string.length_at < interpreter->name_hash_at
				   ? interpreter->string.length_at
				   : interpreter->name_hash_at;
	struct met_file *met = &state->files[hash_term(0, file) >> (64 - MET_FILES_SHIFT)];
	__u64 hash = 0;

	if (met->address == file)
		return met->hash;
	if (read_words(asleep, state->words, file + from))
		hash = hash_words(state->words, &interpreter->string, from);
	else
		state->nr_unread++;
	*met = (struct met_file){.address = file, .hash = hash};
	return hash;
}

static __always_inline __u64 read_cookie(void *asleep, const struct interpreter *interpreter,
					 struct interpreted *state)
{
	const __u64 name = word_at(state, interpreter->hashed_name_at);
	__u64 cookie = mix_pointers(interpreter, state), hash;

	if (name && read_target(asleep, &hash, sizeof(hash), name + interpreter->name_hash_at))
		cookie += hash_term(4, hash);
	else
		state->nr_unread += name != 0;
	if (interpreter->cookie_at == NO_FIELD &&
	    has_source(interpreter, word_at(state, interpreter->source_at)))
		cookie += hash_term(5, hash_file(asleep, interpreter, state,
						 word_at(state, interpreter->file_at)));
	return cookie;
}

static __always_inline void meet_code(struct interpreted *state, const struct met_code *code)
{
	const __u32 nr = state->nr_codes;

	state->last = *code;
	if (nr >= cfg_max_depth || nr >= ABI_MAX_DEPTH)
		return;
	state->codes[nr] = *code;
	state->nr_codes = nr + 1;
}

/* limit of failed reads in a walk; a failing read takes as long as several good ones */
#define MOST_UNREAD 16

static __always_inline void lose_frames(struct interpreted *state)
{
	state->frame = 0;
	state->is_lost = true;
}

/*
 * Reads a code object. Returns false if that fails, or if it does not begin as all code objects do.
 */
static __always_inline bool read_code(void *asleep, const struct interpreter *interpreter,
				      struct interpreted *state, __u64 address)
{
	if (!read_bytes(asleep, state, interpreter->code_bytes, address))
		return false;
	return !interpreter->code_type ||
	       word_at(state, interpreter->type_at) == state->bias + interpreter->code_type;
}

/*
 * Returns true for code that belongs to the interpreter itself, such as an object's construction:
 * its file is missing or equals its name.
 */
static __always_inline bool is_of_no_file(const struct interpreter *interpreter,
					  const struct interpreted *state)
{
	const __u64 file = word_at(state, interpreter->file_at);

	return has_source(interpreter, word_at(state, interpreter->source_at)) &&
	       (!file || file == word_at(state, interpreter->name_at));
}

/* Returns the word of a frame; 0: the frame is skipped. position_word: from the frame. */
static __always_inline __u64 tell_code(void *asleep, const struct unwind_walk *walk,
				       const struct interpreter *interpreter,
				       struct interpreted *state, __u64 address,
				       __u64 position_word)
{
	struct met_code code = {.place = MET_PLACE(address, state->interpreter)};
	__u32 position = 0;

	if (cfg_positions)
		position = find_position(asleep, interpreter, address, position_word);
	if (state->last.place == code.place) /* recursion: the object is not read again */
		return state->last.code | (__u64)position << WORD_POSITION_SHIFT;
	if (!read_code(asleep, interpreter, state, address)) {
		lose_frames(state);
		return 0;
	}
	if (is_of_no_file(interpreter, state))
		return 0;
	code.cookie = read_cookie(asleep, interpreter, state);
	if (state->nr_unread > MOST_UNREAD)
		lose_frames(state);
	code.code = WORD_INTERPRETED(
		interpreter->language, 0,
		hash_word(hash_word(HASH_SEED ^ cfg_hash_seed ^ walk->process, address),
			  code.cookie));
	meet_code(state, &code);
	return code.code | (__u64)position << WORD_POSITION_SHIFT;
}

/*
 * Writes the next frame's word to *word; 0: the frame is skipped. Returns true if the activation
 * has further frames.
 */
static __always_inline bool next_interpreted(void *asleep, struct unwind_walk *walk, __u64 *word)
{
	const struct interpreter *interpreter;
	struct interpreted *state;
	struct frame_piece *piece;
	bool is_marked;
	__u64 code, at;
	__u32 context = walk->context;

	*word = 0;
	state = bpf_map_lookup_elem(&interpreted, &context);
	if (!state)
		return false;
	interpreter = find_interpreter(state->interpreter);
	if (!interpreter || !state->frame)
		return false;
	piece = &state->frames;
	at = find_frame(asleep, piece, state->frame, interpreter->frame_bytes);
	if (at >= FRAME_PIECE_BYTES) {
		lose_frames(state);
		return false;
	}
	state->frame = frame_word(piece, at + interpreter->back_at);
	is_marked = ((__u32)frame_word(piece, at + interpreter->entry_at) &
		     interpreter->entry_mask) >= interpreter->entry_value;
	if (interpreter->entry_kind == ENTRY_EXTRA && is_marked)
		return false;
	code = frame_word(piece, at + interpreter->code_at) >> interpreter->code_bits
								       << interpreter->code_bits;
	if (code)
		*word = tell_code(asleep, walk, interpreter, state, code,
				  frame_word(piece, at + interpreter->position_at));
	return interpreter->entry_kind != ENTRY_EACH &&
	       !(interpreter->entry_kind == ENTRY_LAST && is_marked) && state->frame;
}

__weak __noinline int next_of_running(struct unwind_walk *walk, __u64 *word)
{
	return walk && word && next_interpreted(NULL, walk, word);
}

/*
 * Returns true, at the end of a walk, if frames of the language and native loops do not match, so
 * that frames may be missing.
 */
static __always_inline bool is_doubtful(const struct unwind_walk *walk)
{
	__u32 context = walk->context;
	struct interpreted *state;

	if (!walk->met_loop)
		return false;
	state = bpf_map_lookup_elem(&interpreted, &context);
	if (!state)
		return false;
	state->is_lost |= (state->frame && walk->end == UNWIND_STEP_END) || state->nr_unread;
	return state->is_lost;
}

#endif
