// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interns subjects by content: names are compared as strings, paths by the subjects that they
 * consist of.
 */
#include "diff/matching/match_frames.h"

#include "diff/matching/names.h"

/* ---- subjects ---- */

/* NULL for NULL. Out of memory: sets *failed. */
static const char *keep_text(struct subjects *subjects, const char *text, bool *failed)
{
	uint32_t id = text ? pool__number(&subjects->texts, text, strlen(text) + 1) : ID_NONE;

	*failed |= text && id == ID_NONE;
	return id == ID_NONE ? NULL : pool__bytes(&subjects->texts, id);
}

static int equal_subjects(const void *item, const void *key)
{
	const struct subject *a = item, *b = key;

	return a->item.hash == b->item.hash && a->name == b->name && a->module == b->module &&
	       a->parent == b->parent && a->function == b->function;
}

/* Returns the subject that equals wanted; a new one gets counts of 0. NULL: out of memory. */
static struct subject *intern_subject(struct subjects *subjects, const struct subject *wanted)
{
	const void *const parts[] = {wanted->name, wanted->module, wanted->parent,
				     wanted->function};
	size_t nr = subjects->all.nr_items, nr_counts = 2 * subjects->nr_runs;
	struct subject *subject = subjects->key;
	uint32_t id;

	*subject = *wanted;
	subject->item.hash = map__hash_more(subjects->seed, parts, sizeof(parts));
	subject->self_unit = subject->total_unit = SIZE_MAX;
	id = pool__intern(&subjects->all, &subject->item,
			  sizeof(*subject) + nr_counts * sizeof(*subject->counts));
	if (id == ID_NONE)
		return NULL;
	subject = subjects__at(subjects, id);
	if (id == nr) {
		subject->self = subject->counts;
		subject->total = subject->counts + subjects->nr_runs;
	}
	return subject;
}

static int init_subjects(struct subjects *subjects, size_t nr_runs)
{
	size_t bytes = sizeof(*subjects->key) + 2 * nr_runs * sizeof(*subjects->key->counts);

	*subjects = (struct subjects){
		.all.equal = equal_subjects,
		.key = calloc(1, bytes),
		.nr_runs = nr_runs,
		.seed = map__random_seed(),
	};
	return subjects->key ? 0 : -ENOMEM;
}

static void free_subjects(struct subjects *subjects)
{
	pool__clear(&subjects->all);
	pool__clear(&subjects->texts);
	free(subjects->key);
}

/* The subject with this name and module (NULL: none). NULL: out of memory. */
static struct subject *subject_of_name(struct subjects *subjects, const char *name,
				       const char *module, enum frame_kind kind, bool machine)
{
	bool failed = false;
	struct subject key = {
		.name = keep_text(subjects, name, &failed),
		.module = keep_text(subjects, module, &failed),
		.kind = kind,
		.machine = machine,
	};

	return failed ? NULL : intern_subject(subjects, &key);
}

/* The path that extends parent (NULL: none, a root) by function. NULL: out of memory. */
static struct subject *subject_of_path(struct subjects *subjects, const struct subject *parent,
				       const struct subject *function)
{
	struct subject key = {
		.parent = parent,
		.function = function,
		.kind = function->kind,
		.machine = function->machine,
	};

	return intern_subject(subjects, &key);
}

/* ---- dictionaries ---- */

/* The subjects of a dictionary's frames; runs with the same dictionary share them. */
struct matched_dictionary {
	const struct dictionary *dictionary;
	struct subject **subjects; /* by frame */
};

/* ---- the subject of a frame ---- */

/* Folded text has no modules: the prefix of "module@0x10" there is only a part of the name. */
static const char *module_of(const struct frame *frame)
{
	return frame->has_start && frame__is_bare(frame) ? NULL : frame->module;
}

/* The name by which a frame is matched; the caller frees it. NULL: out of memory. */
static char *make_name(struct matched_frames *frames, const struct frame *frame)
{
	const struct compared_names *names = frames->options.names;
	const bool by_start = match_starts__hold(&frames->starts, frame);
	struct frame named = *frame;
	char *name, *normal;
	int length;

	named.has_start = by_start; /* false: matched as the module's code without names */
	length = frame__name(&named, NULL, 0);
	name = malloc((size_t)length + 1);
	if (!name)
		return NULL;
	frame__name(&named, name, (size_t)length + 1);
	if (by_start)
		return name;
	normal = name_rule__apply_all(names->rules, names->nr_rules, name);
	free(name);
	return normal;
}

/*
 * The subject of a frame under its names in new. If the module was renamed, functions keep their
 * names there, except nameless ones, whose names contain the module's. The function itself may be
 * renamed as well.
 */
static struct subject *find_renamed(struct matched_frames *frames, const struct frame *frame,
				    const char *name, bool machine)
{
	const char *module = module_of(frame);
	const struct rename *of_module = renames__find(frames->renames, NULL, module), *rename;
	char *moved = NULL;
	struct subject *subject = NULL;

	if (of_module && !frame->function && !strncmp(name, module, strlen(module)) &&
	    asprintf(&moved, "%s%s", of_module->new_module, name + strlen(module)) < 0)
		return NULL;
	name = moved ? moved : name;
	module = of_module ? of_module->new_module : module;
	rename = renames__find(frames->renames, name, module);
	subject = subject_of_name(&frames->subjects, rename ? rename->new_name : name,
				  rename ? rename->new_module : module, frame->kind, machine);
	if (subject && (rename || of_module))
		subject->rename = rename ? rename : of_module;
	free(moved);
	return subject;
}

static struct subject *find_function(struct matched_frames *frames, const struct frame *frame,
				     bool machine)
{
	char *name = make_name(frames, frame);
	struct subject *subject = !name ? NULL
				  : frames->renames
					  ? find_renamed(frames, frame, name, machine)
					  : subject_of_name(&frames->subjects, name,
							    module_of(frame), frame->kind, machine);

	free(name);
	return subject;
}

static struct subject *find_module(struct matched_frames *frames, const struct frame *frame)
{
	const char *module = module_of(frame);
	const struct rename *rename =
		frames->renames ? renames__find(frames->renames, NULL, module) : NULL;
	struct subject *subject = subject_of_name(&frames->subjects,
						  rename   ? rename->new_module
						  : module ? module
							   : "[unknown]",
						  NULL, frame->kind, false);

	if (subject && rename)
		subject->rename = rename;
	return subject;
}

static struct subject *find_subject(struct matched_frames *frames, const struct frame *frame)
{
	const struct compared_names *names = frames->options.names;
	bool kernel = frame->kind == FRAME_KERNEL;
	bool machine =
		kernel && compared_names__is_machine(names, frame->function, frames->is_time);

	if (kernel && compared_names__is_interrupt(names, frame->function, frames->is_time))
		return frames->interrupts;
	if (frames->options.by != MATCH_MODULES)
		return find_function(frames, frame, machine);
	return machine ? frames->machine : find_module(frames, frame);
}

/* Looks up a function's subject: its name is normalised only once for all its frames. */
static struct subject *find_alias(struct matched_frames *frames, const struct frame *frame)
{
	const char *const key[] = {frame->function, frame->module};
	size_t nr_aliases = frames->aliases.nr_items;
	uint32_t alias;

	if (!frame->function)
		return find_subject(frames, frame);
	if (array__reserve(&frames->of_alias, &frames->alias_capacity, nr_aliases + 1))
		return NULL;
	alias = pool__number(&frames->aliases, key, sizeof(key));
	if (alias == ID_NONE)
		return NULL;
	if (alias == nr_aliases)
		frames->of_alias[alias] = find_subject(frames, frame);
	return frames->of_alias[alias];
}

/* ---- frames of runs ---- */

static int name_specials(struct matched_frames *frames)
{
	struct subjects *subjects = &frames->subjects;

	frames->no_stack = subject_of_name(subjects, "[no stack]", NULL, FRAME_USER, false);
	frames->machine = subject_of_name(subjects, "[machine]", NULL, FRAME_KERNEL, true);
	frames->interrupts = subject_of_name(subjects, "[interrupts]", NULL, FRAME_KERNEL, true);
	if (!frames->no_stack || !frames->machine || !frames->interrupts)
		return -ENOMEM;
	return 0;
}

const struct metric *matched_frames__count(const struct matched_frames *frames)
{
	return frames->nr_runs ? &profile__metrics(frames->runs[0].profile)->of[VALUE_COUNT]
			       : &metric__samples;
}

int matched_frames__init(struct matched_frames *frames, const struct run *runs, size_t nr_runs,
			 const struct match_options *options, const struct renames *renames)
{
	*frames = (struct matched_frames){
		.runs = runs,
		.nr_runs = nr_runs,
		.options = *options,
		.renames = renames,
		.dictionaries = calloc(nr_runs + 1, sizeof(*frames->dictionaries)),
	};
	frames->is_time = !strcmp(metric__noun(matched_frames__count(frames)),
				  metric__noun(&metric__samples));
	if (!frames->dictionaries || init_subjects(&frames->subjects, nr_runs))
		return -ENOMEM;
	for (size_t run = 0; run < nr_runs; run++)
		if (match_starts__look_at(&frames->starts, profile__dictionary(runs[run].profile)))
			return -ENOMEM;
	return name_specials(frames);
}

/* Finds the subject of each frame in a run's dictionary. */
static int add_run(struct matched_frames *frames, size_t run)
{
	const struct dictionary *dictionary = profile__dictionary(frames->runs[run].profile);
	struct matched_dictionary *matched = &frames->dictionaries[run];
	size_t nr_frames = dictionary__nr_frames(dictionary);

	matched->dictionary = dictionary;
	for (size_t i = 0; i < run; i++) {
		if (frames->dictionaries[i].dictionary == dictionary) {
			matched->subjects = frames->dictionaries[i].subjects;
			return 0;
		}
	}
	matched->subjects = calloc(nr_frames + 1, sizeof(*matched->subjects));
	if (!matched->subjects)
		return -ENOMEM;
	for (size_t i = 0; i < nr_frames; i++) {
		matched->subjects[i] =
			find_alias(frames, dictionary__frame(dictionary, (uint32_t)i));
		if (!matched->subjects[i])
			return -ENOMEM;
	}
	return 0;
}

static bool is_shared(const struct matched_frames *frames, size_t run)
{
	for (size_t i = 0; i < run; i++) {
		if (frames->dictionaries[i].subjects == frames->dictionaries[run].subjects)
			return true;
	}
	return false;
}

void matched_frames__fini(struct matched_frames *frames)
{
	for (size_t run = 0; frames->dictionaries && run < frames->nr_runs; run++) {
		if (!is_shared(frames, run))
			free(frames->dictionaries[run].subjects);
	}
	free(frames->dictionaries);
	match_starts__fini(&frames->starts);
	pool__clear(&frames->aliases);
	free(frames->of_alias);
	free_subjects(&frames->subjects);
}

/* ---- stacks of samples ---- */

struct chain chain__of(const struct matched_frames *frames, size_t run, const struct sample *sample)
{
	const struct matched_dictionary *matched = &frames->dictionaries[run];
	struct chain chain = {.subjects = matched->subjects};

	chain.frames = dictionary__stack(matched->dictionary, sample->stack, &chain.nr_frames);
	return chain;
}

struct subject *chain__subject(const struct chain *chain, size_t i)
{
	return chain->subjects[chain->frames[i]];
}

struct subject *chain__leaf(const struct chain *chain, const struct matched_frames *frames)
{
	for (size_t i = 0; i < chain->nr_frames; i++) {
		if (chain__subject(chain, i) == frames->interrupts)
			return frames->interrupts;
	}
	return chain->nr_frames ? chain__subject(chain, 0) : frames->no_stack;
}

static bool has_paths(const struct matched_frames *frames)
{
	return frames->options.by == MATCH_STACKS || frames->options.by == MATCH_SUBTREES;
}

struct subject *chain__owner(const struct chain *chain, struct matched_frames *frames)
{
	struct subject *path = NULL, *leaf = chain__leaf(chain, frames);

	if (!has_paths(frames) || leaf == frames->no_stack || leaf == frames->interrupts)
		return leaf;
	for (size_t i = chain->nr_frames; i-- > 0;) {
		path = subject_of_path(&frames->subjects, path, chain__subject(chain, i));
		if (!path)
			return NULL;
	}
	return path;
}

struct chain_walk chain_walk__begin(struct matched_frames *frames, const struct chain *chain)
{
	frames->stamp++;
	return (struct chain_walk){frames, chain, NULL, chain->nr_frames};
}

struct subject *chain_walk__next(struct chain_walk *walk)
{
	struct matched_frames *frames = walk->frames;

	while (walk->left-- > 0) {
		struct subject *subject = chain__subject(walk->chain, walk->left);

		if (has_paths(frames))
			subject = walk->path =
				subject_of_path(&frames->subjects, walk->path, subject);
		if (!subject || subject->stamp == frames->stamp)
			continue;
		subject->stamp = frames->stamp;
		return subject;
	}
	return NULL;
}

/* ---- counting ---- */

static int count_sample(struct matched_frames *frames, size_t run, const struct sample *sample)
{
	struct chain chain = chain__of(frames, run, sample);
	struct subject *subject = chain__owner(&chain, frames);
	uint64_t count = sample->values[VALUE_COUNT];
	struct chain_walk walk;

	if (!subject)
		return -ENOMEM;
	subject->self[run] = sum_of(subject->self[run], count);
	if (subject->machine || frames->options.by == MATCH_STACKS)
		return 0;
	walk = chain_walk__begin(frames, &chain);
	while ((subject = chain_walk__next(&walk)))
		subject->total[run] = sum_of(subject->total[run], count);
	return 0;
}

int matched_frames__count_runs(struct matched_frames *frames)
{
	int err = 0;

	for (size_t run = 0; run < frames->nr_runs && !err; run++) {
		size_t nr_samples;
		const struct sample *samples =
			profile__samples(frames->runs[run].profile, &nr_samples);

		err = add_run(frames, run);
		for (size_t i = 0; i < nr_samples && !err; i++)
			err = count_sample(frames, run, &samples[i]);
	}
	return err;
}
