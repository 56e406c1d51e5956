// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread at a time; dropping the last reference frees a dictionary. A string has one pointer
 * and one id: two strings are equal if either is. Two addresses in one function are two frames of
 * one name. Many stacks differ only in addresses; named stacks are only needed for merging by
 * names, so they are made on demand.
 *
 *	stack 4: frames 17 18 2  ─┐
 *	stack 9: frames 21 18 2  ─┴─ named stack 3: names 5 6 0	(17 and 21 are both in function 5)
 */
#include "profile/dictionary.h"

#include "profile/interned.h"
#include "profile/name_rules.h"

#define CHUNK 256 /* names hashed at a time */

struct frame_item {
	struct pool_item item;
	uint32_t name;
	struct frame frame; /* its strings are interned: equal strings have equal pointers */
};

/* frames are those of the first stack with these names. */
struct named_stack {
	struct pool_item item;
	uint32_t nr_frames;
	const uint32_t *frames;
	const struct dictionary *dictionary;
};

struct process_item {
	struct pool_item item;
	uint32_t comm;
	struct process process;
};

static int equal_frames(const void *left, const void *right)
{
	const struct frame *a = &((const struct frame_item *)left)->frame;
	const struct frame *b = &((const struct frame_item *)right)->frame;

	return a->address == b->address && a->offset == b->offset && a->function == b->function &&
	       a->module == b->module && a->path == b->path && a->build_id == b->build_id &&
	       a->file == b->file && a->line == b->line && a->start_line == b->start_line &&
	       a->kind == b->kind && a->has_start == b->has_start && a->root == b->root &&
	       a->inlined == b->inlined;
}

static int equal_names(const void *left, const void *right)
{
	const struct name *a = left, *b = right;

	return a->text == b->text && a->module == b->module;
}

static int equal_named_stacks(const void *left, const void *right)
{
	const struct named_stack *a = left, *b = right;

	if (a->nr_frames != b->nr_frames)
		return false;
	for (uint32_t i = 0; i < a->nr_frames; i++)
		if (a->frames[i] != b->frames[i] &&
		    dictionary__frame_name_id(a->dictionary, a->frames[i]) !=
			    dictionary__frame_name_id(a->dictionary, b->frames[i]))
			return false;
	return true;
}

static int equal_processes(const void *left, const void *right)
{
	const struct process *a = &((const struct process_item *)left)->process;
	const struct process *b = &((const struct process_item *)right)->process;

	return a->pid == b->pid && a->start_ns == b->start_ns && a->exec_id == b->exec_id &&
	       a->owner == b->owner && a->uid == b->uid && !strcmp(a->comm, b->comm);
}

struct dictionary *dictionary__new(void)
{
	struct dictionary *dictionary = xcalloc(1, sizeof(*dictionary));

	dictionary->references = 1;
	dictionary->frames.equal = equal_frames;
	dictionary->names.equal = equal_names;
	dictionary->named_stacks.equal = equal_named_stacks;
	dictionary->processes.equal = equal_processes;
	dictionary->seed = map__random_seed();
	return dictionary;
}

void dictionary__free(struct dictionary *dictionary)
{
	if (!dictionary || --dictionary->references)
		return;
	pool__clear(&dictionary->strings);
	pool__clear(&dictionary->frames);
	pool__clear(&dictionary->names);
	pool__clear(&dictionary->stacks);
	pool__clear(&dictionary->named_stacks);
	pool__clear(&dictionary->processes);
	free(dictionary->named);
	free(dictionary);
}

size_t dictionary__memory_bytes(const struct dictionary *dictionary)
{
	return sizeof(*dictionary) + pool__memory_bytes(&dictionary->strings) +
	       pool__memory_bytes(&dictionary->frames) + pool__memory_bytes(&dictionary->names) +
	       pool__memory_bytes(&dictionary->stacks) +
	       pool__memory_bytes(&dictionary->named_stacks) +
	       dictionary->named_capacity * sizeof(*dictionary->named) +
	       pool__memory_bytes(&dictionary->processes);
}

/* ---- strings ---- */

uint32_t dictionary__add_string(struct dictionary *dictionary, const char *string)
{
	return pool__number(&dictionary->strings, string, strlen(string) + 1);
}

const char *dictionary__string(const struct dictionary *dictionary, uint32_t string)
{
	return pool__bytes(&dictionary->strings, string);
}

uint32_t dictionary__string_id(const char *string)
{
	return pool__number_of(string);
}

size_t dictionary__nr_strings(const struct dictionary *dictionary)
{
	return dictionary->strings.nr_items;
}

const char *dictionary__keep(struct dictionary *dictionary, const char *string)
{
	if (!string)
		return NULL;
	return dictionary__string(dictionary, dictionary__add_string(dictionary, string));
}

/* ---- frames and their names ---- */

/* The name is the function's, or for frames without a function a made one, interned. */
static const char *keep_name(struct dictionary *dictionary, const struct frame *frame)
{
	const char *name;
	char *made;
	size_t size;

	if (frame->function)
		return frame->function;
	size = (size_t)frame__name(frame, NULL, 0) + 1;
	made = xmalloc(size);
	frame__name(frame, made, size);
	name = dictionary__keep(dictionary, made);
	free(made);
	return name;
}

static void hash_name(const struct dictionary *dictionary, struct name *key)
{
	const char *const hashed[] = {key->text, key->module};

	key->item.hash = map__hash_more(dictionary->seed, hashed, sizeof(hashed));
}

/*
 * True if the name may have a compiler's suffix, which starts with a dot. Names of JITs and
 * interpreters have none, and some languages have dots of their own: main.cold of Go,
 * exports.default of JavaScript.
 */
static bool may_have_suffix(const struct frame *frame)
{
	static const char *const endings[] = {".go",  ".js", ".mjs",  ".cjs", ".jsx", ".ts",
					      ".tsx", ".py", ".java", ".kt",  ".rb",  ".cs"};
	const char *dot = frame->file ? strrchr(frame->file, '.') : NULL;

	if (!frame->function || frame_kind__is_dynamic(frame->kind) ||
	    !strchr(frame->function, '.'))
		return false;
	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(dot, endings[i]))
			return false;
	return true;
}

static uint32_t add_name(struct dictionary *dictionary, const struct frame *frame)
{
	struct name key = {.text = keep_name(dictionary, frame),
			   .module = frame->module,
			   .kind = frame->kind,
			   .function = ID_NONE};
	const struct pool_item *known;
	struct name function;
	char *folded;

	hash_name(dictionary, &key);
	known = pool__find(&dictionary->names, &key.item);
	if (known)
		return known->id;
	if (may_have_suffix(frame)) {
		folded = name_rule__apply_all(compiler_rules, nr_compiler_rules, key.text);
		function = key;
		if (folded[0] && strcmp(folded, key.text) != 0) {
			function.text = dictionary__keep(dictionary, folded);
			hash_name(dictionary, &function);
			key.function =
				pool__intern(&dictionary->names, &function.item, sizeof(function));
		}
		free(folded);
	}
	return pool__intern(&dictionary->names, &key.item, sizeof(key));
}

uint32_t dictionary__add_kept_frame(struct dictionary *dictionary, const struct frame *frame)
{
	struct frame_item key = {.frame = *frame};
	const uint64_t hashed[] = {
		frame->address,		  frame->offset,	  (uintptr_t)frame->function,
		(uintptr_t)frame->module, (uintptr_t)frame->file, frame->line};
	const struct pool_item *known;

	key.item.hash = map__hash_more(dictionary->seed, hashed, sizeof(hashed));
	known = pool__find(&dictionary->frames, &key.item);
	if (known)
		return known->id;
	key.name = add_name(dictionary, &key.frame);
	return pool__intern(&dictionary->frames, &key.item, sizeof(key));
}

uint32_t dictionary__add_frame(struct dictionary *dictionary, const struct frame *frame)
{
	struct frame kept = *frame;

	kept.function = dictionary__keep(dictionary, frame->function);
	kept.module = dictionary__keep(dictionary, frame->module);
	kept.path = dictionary__keep(dictionary, frame->path);
	kept.build_id = dictionary__keep(dictionary, frame->build_id);
	kept.file = dictionary__keep(dictionary, frame->file);
	return dictionary__add_kept_frame(dictionary, &kept);
}

const struct frame *dictionary__frame(const struct dictionary *dictionary, uint32_t frame)
{
	return &((const struct frame_item *)dictionary->frames.items[frame])->frame;
}

uint32_t dictionary__frame_name_id(const struct dictionary *dictionary, uint32_t frame)
{
	return ((const struct frame_item *)dictionary->frames.items[frame])->name;
}

uint32_t dictionary__frame_function_id(const struct dictionary *dictionary, uint32_t frame)
{
	const uint32_t name = dictionary__frame_name_id(dictionary, frame);
	const uint32_t function = dictionary__name(dictionary, name)->function;

	return function == ID_NONE ? name : function;
}

const struct name *dictionary__name(const struct dictionary *dictionary, uint32_t name)
{
	return (const struct name *)dictionary->names.items[name];
}

const char *dictionary__frame_name(const struct dictionary *dictionary, uint32_t frame)
{
	return dictionary__name(dictionary, dictionary__frame_name_id(dictionary, frame))->text;
}

size_t dictionary__nr_frames(const struct dictionary *dictionary)
{
	return dictionary->frames.nr_items;
}

/* ---- stacks ---- */

uint32_t dictionary__add_stack(struct dictionary *dictionary, const uint32_t *frames,
			       size_t nr_frames)
{
	static const uint32_t nothing[1];

	return pool__number(&dictionary->stacks, nr_frames ? frames : nothing,
			    nr_frames * sizeof(*frames));
}

const uint32_t *dictionary__stack(const struct dictionary *dictionary, uint32_t stack,
				  size_t *nr_frames)
{
	*nr_frames = pool__nr_bytes(&dictionary->stacks, stack) / sizeof(uint32_t);
	return pool__bytes(&dictionary->stacks, stack);
}

uint32_t dictionary__named_stack(struct dictionary *dictionary, uint32_t stack)
{
	array__reserve(&dictionary->named, &dictionary->named_capacity,
		       dictionary->stacks.nr_items);
	for (; dictionary->nr_named <= stack; dictionary->nr_named++) {
		uint32_t names[CHUNK], hash = dictionary->seed, nr;
		size_t nr_frames;
		const uint32_t *frames =
			dictionary__stack(dictionary, (uint32_t)dictionary->nr_named, &nr_frames);
		struct named_stack key = {.nr_frames = (uint32_t)nr_frames,
					  .frames = frames,
					  .dictionary = dictionary};

		for (uint32_t done = 0; done < key.nr_frames; done += nr) {
			nr = key.nr_frames - done < CHUNK ? key.nr_frames - done : CHUNK;
			for (uint32_t i = 0; i < nr; i++)
				names[i] = dictionary__frame_name_id(dictionary, frames[done + i]);
			hash = map__hash_more(hash, names, nr * sizeof(*names));
		}
		key.item.hash = hash;
		dictionary->named[dictionary->nr_named] =
			pool__intern(&dictionary->named_stacks, &key.item, sizeof(key));
	}
	return dictionary->named[stack];
}

bool stack__is_caller(const struct dictionary *dictionary, const uint32_t *frames, size_t index)
{
	return index > 0 &&
	       (dictionary__frame(dictionary, frames[index])->kind == FRAME_KERNEL) ==
		       (dictionary__frame(dictionary, frames[index - 1])->kind == FRAME_KERNEL);
}

size_t stack__location_end(const struct dictionary *dictionary, const uint32_t *frames,
			   size_t nr_frames, size_t first)
{
	while (first + 1 < nr_frames && dictionary__frame(dictionary, frames[first])->inlined)
		first++;
	return first + 1;
}

size_t dictionary__nr_stacks(const struct dictionary *dictionary)
{
	return dictionary->stacks.nr_items;
}

/* ---- processes ---- */

uint32_t dictionary__add_kept_process(struct dictionary *dictionary, const struct process *process)
{
	struct process_item key = {.process = *process};
	uint64_t hashed[] = {(uint64_t)process->pid, process->start_ns, process->exec_id,
			     (uint64_t)process->owner << 32 | process->uid, 0};

	key.process.seen_ns = 0;
	memset(key.process.comm, 0, sizeof(key.process.comm));
	memcpy(key.process.comm, process->comm, strnlen(process->comm, PROCESS_COMM_SIZE - 1));
	hashed[4] = key.comm = dictionary__add_string(dictionary, key.process.comm);
	key.item.hash = map__hash_more(dictionary->seed, hashed, sizeof(hashed));
	return pool__intern(&dictionary->processes, &key.item, sizeof(key));
}

uint32_t dictionary__add_process(struct dictionary *dictionary, const struct process *process)
{
	struct process kept = *process;

	kept.cgroup_path = dictionary__keep(dictionary, process->cgroup_path);
	kept.command_line = dictionary__keep(dictionary, process->command_line);
	return dictionary__add_kept_process(dictionary, &kept);
}

const struct process *dictionary__process(const struct dictionary *dictionary, uint32_t process)
{
	return &((const struct process_item *)dictionary->processes.items[process])->process;
}

uint32_t dictionary__comm(const struct dictionary *dictionary, uint32_t process)
{
	return ((const struct process_item *)dictionary->processes.items[process])->comm;
}

size_t dictionary__nr_processes(const struct dictionary *dictionary)
{
	return dictionary->processes.nr_items;
}
