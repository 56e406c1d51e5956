// SPDX-License-Identifier: GPL-2.0-only
#include "run/symbolizer.h"

#include <libiberty/objalloc.h>

#include "capture/events/sample.h"
#include "capture/kernel/code_objects.h"
#include "capture/kernel/raw_stacks.h"
#include "profile/profile.h"
#include "symbols/jit/late_table.h"
#include "symbols/kernel.h"
#include "symbols/symbols.h"

/* Most sides made for the cache. Beyond, it begins anew: names are looked up again. */
#define MAX_CACHED 65536

/*
 * Cache of words, as stacks share most of their frames. A word replaces another one with the same
 * hash.
 */
#define NR_KNOWN 16384

/* A named word of a stack: an address in an image, or interpreted code. */
struct known_word {
	uint64_t instance, image_version; /* as in struct stack_side */
	uint64_t word;
	uint32_t frame; /* in the dictionary; ID_NONE: the slot is free */
	bool is_caller;
	bool is_mapped, is_main, is_libc;
	bool is_root;	   /* the outermost function: it has no caller */
	bool is_interrupt; /* entry point of an interrupt */
	int unread;	   /* a code of symbols__resolve() */
};

/* One side (user or kernel) of a stack, named. */
struct stack_side {
	struct map_item item;
	uint64_t instance; /* 0: the kernel side, common to all processes */
	uint64_t image_version;
	uint64_t raw_id;
	enum raw_role {
		ROLE_SAMPLE,
		ROLE_SWITCH, /* without the tracepoint in __schedule(), and what it ran */
		ROLE_WAIT,   /* without the scheduler, which took the CPU away */
		ROLE_WAKER,  /* without the waking, and without what an interrupt interrupted */
	} role;
	enum stack_quality quality;
	bool is_unmapped; /* ended at an address outside all mappings */
	int unread;	  /* why names are missing; 0: all are known */
	enum cut cut;
	bool in_interrupt;  /* has an interrupt's entry, or softirq work */
	bool lacks_codes;   /* has interpreted code whose names may still come */
	bool wants_names;   /* has code made at run time without a known name */
	uint64_t wanted_ns; /* end of the last window whose names were asked for */
	uint32_t nr_frames;
	uint32_t frames[]; /* in the dictionary, leaf first */
};

struct symbolizer {
	struct symbols *symbols;
	struct dictionary *dictionary;
	unsigned int max_depth;
	struct late_window window; /* when the current samples were taken */
	struct map sides;
	struct objalloc *of_sides; /* has them; NULL: there are none */
	size_t nr_made;		   /* including those that were replaced */
	struct known_word *known;
	uint32_t *joined; /* room for both sides */
	/* of the last sample, as the next one's is nearly always the same; ID_NONE: none */
	struct process process;
	uint32_t process_id;
};

static int is_same(const void *item, const void *key)
{
	const struct stack_side *side = item, *wanted = key;

	return side->instance == wanted->instance && side->raw_id == wanted->raw_id &&
	       side->image_version == wanted->image_version && side->role == wanted->role;
}

/* Forgets what has an id in the dictionary, but for sides. */
static void forget_ids(struct symbolizer *symbolizer)
{
	size_t i;

	for (i = 0; i < NR_KNOWN; i++)
		symbolizer->known[i].frame = ID_NONE;
	symbolizer->process_id = ID_NONE;
}

struct symbolizer *symbolizer__new(struct symbols *symbols, struct dictionary *dictionary,
				   unsigned int max_depth)
{
	struct symbolizer *symbolizer = xcalloc(1, sizeof(*symbolizer));

	symbolizer->symbols = symbols;
	symbolizer->dictionary = dictionary;
	symbolizer->max_depth = max_depth;
	symbolizer->joined = xcalloc(4 * (size_t)max_depth + 3, sizeof(*symbolizer->joined));
	symbolizer->known = xcalloc(NR_KNOWN, sizeof(*symbolizer->known));
	map__init(&symbolizer->sides, is_same, NULL);
	forget_ids(symbolizer);
	return symbolizer;
}

static void forget_sides(struct symbolizer *symbolizer)
{
	map__clear(&symbolizer->sides);
	if (symbolizer->of_sides)
		objalloc_free(symbolizer->of_sides);
	symbolizer->of_sides = NULL;
	symbolizer->nr_made = 0;
}

void symbolizer__free(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	forget_sides(symbolizer);
	map__fini(&symbolizer->sides);
	free(symbolizer->known);
	free(symbolizer->joined);
	free(symbolizer);
}

void symbolizer__use(struct symbolizer *symbolizer, struct dictionary *dictionary)
{
	forget_sides(symbolizer);
	forget_ids(symbolizer);
	symbolizer->dictionary = dictionary;
}

void symbolizer__set_window(struct symbolizer *symbolizer, const struct late_window *window)
{
	symbolizer->window = *window;
}

/*
 * A stack is whole if its last frame is a root by name, or if the unwind table says so, and nothing
 * was guessed on the way there. The kernel knows its own stacks.
 */
static void set_quality(struct stack_side *side, enum stack_end end, bool at_root, bool is_full,
			bool kernel)
{
	side->quality = end == END_EARLY ? STACK_EARLY : STACK_UNVERIFIED;
	if (at_root || end == END_WHOLE) {
		if (kernel || !stack_end__is_guessed(end))
			side->quality = STACK_WHOLE;
	} else if (stack_end__is_cut(end)) {
		side->quality = STACK_TRUNCATED;
		side->cut = (enum cut)stack_end__cut(end);
	} else if (is_full) {
		side->quality = STACK_TRUNCATED;
		side->cut = CUT_DEPTH;
	}
}

/*
 * The frame of an interpreter's function. It has no address, so that it is equal in all processes
 * and runs.
 */
static struct frame frame_of_code(const struct code *code, uint64_t word, const char *language)
{
	struct frame frame = {.kind = FRAME_INTERPRETED, .module = language};

	if (!code || !*code->name)
		return frame;
	frame.function = code->name;
	if (*code->file)
		frame.file = frame.path = code->file;
	if (*code->module)
		frame.module = code->module;
	frame.start_line = code->first_line;
	frame.line = code__line(code, word);
	return frame;
}

/*
 * Fills the rest of *known. code: the interpreted code that the word stands for; NULL: the word is
 * an address, or its code is not known. image: NULL for the kernel, or when it is not known.
 */
static void name_word(struct symbolizer *symbolizer, struct known_word *known,
		      const struct code *code, struct image *image, bool kernel)
{
	const uint64_t key[] = {known->word + known->is_caller, known->instance,
				known->image_version};
	const uint32_t hash = map__hash(&symbolizer->sides, key, sizeof(key));
	struct known_word *slot = &symbolizer->known[hash % NR_KNOWN];
	const char *language = word__language(known->word);
	struct frame frame = {0};

	if (slot->frame != ID_NONE && slot->word == known->word &&
	    slot->instance == known->instance && slot->image_version == known->image_version &&
	    slot->is_caller == known->is_caller) {
		*known = *slot;
		return;
	}
	if (language)
		frame = frame_of_code(code, known->word, language);
	else if (kernel)
		symbols__resolve_kernel(symbolizer->symbols, known->word, known->is_caller, &frame);
	else
		known->unread = symbols__resolve(symbolizer->symbols, image, known->word,
						 known->is_caller, &frame);
	known->is_mapped = frame.module || language;
	known->is_main = frame.function && !strcmp(frame.function, "main");
	/* The function in libc that calls main has a name only in libc's full symbols. */
	known->is_libc = frame.module && !strncmp(frame.module, "libc.", strlen("libc."));
	known->is_root = frame.root;
	known->is_interrupt = kernel && interrupt__is_entry(frame.function);
	known->frame = dictionary__add_frame(symbolizer->dictionary, &frame);
	/* A JIT may replace its code, and an unknown name may still come. */
	if (frame__is_identified(&frame) && frame.kind != FRAME_JIT)
		*slot = *known;
}

static const struct frame *frame_of(const struct symbolizer *symbolizer,
				    const struct stack_side *side, uint32_t index)
{
	return dictionary__frame(symbolizer->dictionary, side->frames[index]);
}

/* A JIT may name these frames later: remembers that they are wanted. */
static void want_names(struct symbolizer *symbolizer, struct stack_side *side, struct image *image)
{
	if (!side->wants_names || side->wanted_ns == symbolizer->window.to_ns)
		return;
	side->wanted_ns = symbolizer->window.to_ns;
	for (uint32_t i = 0; i < side->nr_frames; i++) {
		const struct frame *frame = frame_of(symbolizer, side, i);

		if (frame__may_be_told(frame))
			symbols__want_name(image, frame, i > 0, &symbolizer->window);
	}
}

/*
 * Whether the frame is a kernel function by which a thread leaves its CPU, or is woken. Frames
 * before it belong to tracepoints.
 */
static bool is_leaving(const struct frame *frame, enum raw_role role)
{
	static const char *const names[] = {"__schedule",
					    "schedule",
					    "schedule_idle",
					    "schedule_rtlock",
					    "preempt_schedule",
					    "preempt_schedule_notrace",
					    "preempt_schedule_common",
					    "preempt_schedule_irq",
					    "__cond_resched"};

	if (!frame->function)
		return false;
	if (role == ROLE_WAKER)
		return !strcmp(frame->function, "try_to_wake_up");
	if (role == ROLE_SWITCH)
		return !strcmp(frame->function, "__schedule");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(frame->function, names[i]))
			return true;
	return false;
}

static void drop_first(struct stack_side *side, uint32_t nr)
{
	side->nr_frames -= nr;
	memmove(side->frames, side->frames + nr, side->nr_frames * sizeof(*side->frames));
}

#define MOST_LEAVING 16 /* frames */

/*
 * Drops the leaf frames of the scheduler: a wait's stack begins with its cause, a switch's with the
 * caller of the scheduler.
 */
static void drop_leaving(const struct symbolizer *symbolizer, struct stack_side *side)
{
	uint32_t i, nr_dropped = 0;

	for (i = 0; i < side->nr_frames && i < MOST_LEAVING; i++)
		if (is_leaving(frame_of(symbolizer, side, i), side->role))
			nr_dropped = i + 1;
	if (nr_dropped < side->nr_frames)
		drop_first(side, nr_dropped);
}

/* Our preloaded library, which stands between the program and its allocator. */
#define ALLOC_LIBRARY "libtopstacks-alloc.so"

/*
 * Drops all frames of our preloaded library but one, the function that the program called: malloc,
 * say.
 */
static void drop_sampler(const struct symbolizer *symbolizer, struct stack_side *side)
{
	uint32_t nr_own = 0;

	for (; nr_own < side->nr_frames; nr_own++) {
		const char *module = frame_of(symbolizer, side, nr_own)->module;

		if (!module || strcmp(module, ALLOC_LIBRARY) != 0)
			break;
	}
	if (nr_own > 1)
		drop_first(side, nr_own - 1);
}

static void name_frames(struct symbolizer *symbolizer, struct stack_side *side,
			const struct raw_stack *raw, struct image *image, bool kernel)
{
	struct known_word known = {.instance = side->instance,
				   .image_version = side->image_version};
	bool after_main = false, is_main = false, at_root = false;
	uint32_t i;

	for (i = 0; i < raw->nr_frames; i++) {
		known.word = raw->words[i];
		known.is_caller = i > 0;
		known.unread = 0;
		name_word(symbolizer, &known, raw_stack__code(raw, i), image, kernel);
		after_main = is_main;
		is_main = known.is_main;
		at_root = known.is_root || (after_main && known.is_libc);
		if (!kernel && image && i > 0 && !known.is_mapped) {
			side->is_unmapped = true; /* the frame pointer led to no caller */
			break;
		}
		side->frames[i] = known.frame;
		side->lacks_codes |= word__language(known.word) && !raw_stack__code(raw, i);
		side->in_interrupt |= known.is_interrupt;
		if (known.is_interrupt && side->role == ROLE_WAKER) {
			i++; /* the interrupted code is not the waker */
			break;
		}
		side->wants_names |= frame__may_be_told(frame_of(symbolizer, side, i));
		if (known.unread)
			side->unread = known.unread;
	}
	side->nr_frames = i;
	set_quality(side, raw->end, at_root, i >= symbolizer->max_depth, kernel);
	if (kernel && side->role != ROLE_SAMPLE)
		drop_leaving(symbolizer, side);
	if (!kernel)
		drop_sampler(symbolizer, side);
}

static const struct stack_side *name_side(struct symbolizer *symbolizer,
					  const struct raw_stack *raw,
					  const struct process *process, bool kernel,
					  enum raw_role role)
{
	struct stack_side key = {.raw_id = raw->id, .role = role};
	struct stack_side *side;
	struct image *image = NULL;

	if (!kernel && process) {
		key.instance = process->instance;
		image = symbols__image(symbolizer->symbols, process);
		key.image_version = symbols__image_version(image);
	}
	key.item = map__number(&symbolizer->sides, key.instance ^ key.raw_id << 32).item;
	side = map__find(&symbolizer->sides, &key.item);
	if (side && side->lacks_codes) {
		map__remove(&symbolizer->sides, &side->item);
		side = NULL;
	}
	if (!side) {
		side = xobjalloc(&symbolizer->of_sides,
				 sizeof(*side) + raw->nr_frames * sizeof(*side->frames));
		symbolizer->nr_made++;
		*side = key;
		name_frames(symbolizer, side, raw, image, kernel);
		map__add(&symbolizer->sides, &side->item);
	}
	want_names(symbolizer, side, image);
	return side;
}

static size_t join(struct symbolizer *symbolizer, size_t nr_frames, const struct stack_side *side,
		   struct symbolized_stack *named)
{
	memcpy(symbolizer->joined + nr_frames, side->frames,
	       side->nr_frames * sizeof(*side->frames));
	if (side->quality > named->quality) {
		named->quality = side->quality;
		named->cut = side->cut;
	}
	named->is_unmapped |= side->is_unmapped;
	if (side->unread)
		named->unread = side->unread;
	return nr_frames + side->nr_frames;
}

/*
 * Adds the stack of the waker above the waiting stack, root first, so that the waker's root is the
 * leaf, and the frame between the two: "[woken by redis-server]". Returns the number of frames.
 */
static size_t add_waker(struct symbolizer *symbolizer, const struct raw_waker *waker)
{
	struct symbolized_stack unused = {0};
	struct frame frame = {.kind = FRAME_USER};
	const struct stack_side *side;
	bool is_interrupt = false;
	size_t nr_frames = 0;
	char name[64];

	if (waker->kernel) {
		side = name_side(symbolizer, waker->kernel, NULL, true, ROLE_WAKER);
		is_interrupt = side->in_interrupt;
		nr_frames = join(symbolizer, nr_frames, side, &unused);
	}
	if (waker->user && !is_interrupt) {
		side = name_side(symbolizer, waker->user, waker->process, false, ROLE_SAMPLE);
		nr_frames = join(symbolizer, nr_frames, side, &unused);
	}
	for (size_t i = 0; i < nr_frames / 2; i++) {
		const uint32_t first = symbolizer->joined[i];

		symbolizer->joined[i] = symbolizer->joined[nr_frames - 1 - i];
		symbolizer->joined[nr_frames - 1 - i] = first;
	}
	if (is_interrupt)
		snprintf(name, sizeof(name), "[woken by an interrupt]");
	else
		snprintf(name, sizeof(name), "[woken by %.*s]", PROCESS_COMM_SIZE,
			 waker->process ? waker->process->comm : "[unknown]");
	frame.function = name;
	symbolizer->joined[nr_frames] = dictionary__add_frame(symbolizer->dictionary, &frame);
	return nr_frames + 1;
}

/* Adds a frame that says why a stack is missing: not asked for, or not available. */
static size_t add_words(struct symbolizer *symbolizer, size_t nr_frames,
			const struct raw_sample *raw)
{
	struct frame frame = {.kind = FRAME_USER};

	if (raw->missing == MISSING_UNNAMED)
		frame.function = "[not named]";
	else if (raw->missing >= 0)
		frame.function = "[missing]";
	else if (nr_frames == 0 && raw->process && raw->process->kernel_thread)
		frame = (struct frame){.kind = FRAME_KERNEL, .function = "[in the kernel]"};
	else if (nr_frames == 0)
		frame.function = "[in user space]";
	else
		return nr_frames;
	symbolizer->joined[nr_frames] = dictionary__add_frame(symbolizer->dictionary, &frame);
	return nr_frames + 1;
}

void symbolizer__name(struct symbolizer *symbolizer, const struct raw_sample *raw,
		      struct symbolized_stack *named)
{
	struct process process = {.comm = "[unknown]"};
	const struct stack_side *side;
	size_t nr_frames = 0;

	*named = (struct symbolized_stack){.quality = STACK_WHOLE};
	if (symbolizer->nr_made > MAX_CACHED)
		forget_sides(symbolizer);
	if (raw->waker.is_known)
		nr_frames = add_waker(symbolizer, &raw->waker);
	if (raw->object) {
		/* The lock that the thread waits for is the leaf: "[lock 0x55d0c0]". */
		struct frame frame = {.kind = raw->object >> 63 ? FRAME_KERNEL : FRAME_USER};
		char name[40];

		snprintf(name, sizeof(name), "[lock 0x%" PRIx64 "]", raw->object);
		frame.function = name;
		symbolizer->joined[nr_frames++] =
			dictionary__add_frame(symbolizer->dictionary, &frame);
	}
	if (raw->kernel) {
		side = name_side(symbolizer, raw->kernel, NULL, true,
				 raw->wait	  ? ROLE_WAIT
				 : raw->in_switch ? ROLE_SWITCH
						  : ROLE_SAMPLE);
		named->is_idle = raw->process && raw->process->instance == 0 && !side->in_interrupt;
		nr_frames = join(symbolizer, nr_frames, side, named);
	}
	if (raw->user) {
		side = name_side(symbolizer, raw->user, raw->process, false, ROLE_SAMPLE);
		nr_frames = join(symbolizer, nr_frames, side, named);
	}
	if (named->is_idle)
		return;
	nr_frames = add_words(symbolizer, nr_frames, raw);
	if (raw->process) {
		process = *raw->process;
		process.cgroup_path = symbols__cgroup_path(symbolizer->symbols, raw->process);
		process.command_line = symbols__command_line(symbolizer->symbols, raw->process);
	}
	if (symbolizer->process_id == ID_NONE ||
	    memcmp(&symbolizer->process, &process, sizeof(process)) != 0) {
		symbolizer->process = process;
		symbolizer->process_id = dictionary__add_process(symbolizer->dictionary, &process);
	}
	named->process = symbolizer->process_id;
	named->stack = dictionary__add_stack(symbolizer->dictionary, symbolizer->joined, nr_frames);
}
