// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interned frames and their names. Two addresses in one function are two frames of one name.
 */

#include "profile/dictionary.h"
#include "profile/interned.h"
#include "profile/name_rules.h"

struct frame_item {
	struct pool_item item;
	uint32_t name;
	struct frame frame; /* its strings are interned: equal strings have equal pointers */
};

int frame__equal(const void *left, const void *right)
{
	const struct frame *a = &((const struct frame_item *)left)->frame;
	const struct frame *b = &((const struct frame_item *)right)->frame;

	return a->address == b->address && a->offset == b->offset && a->function == b->function &&
	       a->module == b->module && a->path == b->path && a->build_id == b->build_id &&
	       a->file == b->file && a->line == b->line && a->start_line == b->start_line &&
	       a->kind == b->kind && a->has_start == b->has_start && a->root == b->root &&
	       a->inlined == b->inlined;
}

int name__equal(const void *left, const void *right)
{
	const struct name *a = left, *b = right;

	return a->text == b->text && a->module == b->module;
}

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
	name = dictionary__keep(dictionary, made, NULL);
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
			function.text = dictionary__keep(dictionary, folded, NULL);
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

	kept.function = dictionary__keep(dictionary, frame->function, NULL);
	kept.module = dictionary__keep(dictionary, frame->module, NULL);
	kept.path = dictionary__keep(dictionary, frame->path, NULL);
	kept.build_id = dictionary__keep(dictionary, frame->build_id, NULL);
	kept.file = dictionary__keep(dictionary, frame->file, NULL);
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

int name__compare(const struct name *a, const struct name *b)
{
	int order = strcmp(a->text, b->text);

	if (order || a->module == b->module)
		return order;
	return strcmp(a->module ? a->module : "", b->module ? b->module : "");
}
