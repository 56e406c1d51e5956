// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interns subjects by content: names are compared as strings, paths by the subjects that they
 * consist of. Functions without names are matched by the address where they begin, if all runs have
 * the same build of the module and know starts.
 */
#include "diff/matching/match_frames.h"

#include "diff/matching/names.h"

/* ---- subjects ---- */

/* NULL for NULL. */
static const char *keep_text(struct subjects *subjects, const char *text)
{
	return text ? pool__bytes(&subjects->texts,
				  pool__number(&subjects->texts, text, strlen(text) + 1))
		    : NULL;
}

static int equal_subjects(const void *item, const void *key)
{
	const struct subject *a = item, *b = key;

	return a->item.hash == b->item.hash && a->name == b->name && a->module == b->module &&
	       a->parent == b->parent && a->function == b->function;
}

/* Returns the subject that equals wanted; a new one gets counts of 0. */
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
	subject = subjects__at(subjects, id);
	if (id == nr) {
		subject->self = subject->counts;
		subject->total = subject->counts + subjects->nr_runs;
	}
	return subject;
}

/* The subject with this name and module (NULL: none). */
static struct subject *subject_of_name(struct subjects *subjects, const char *name,
				       const char *module, enum frame_kind kind, bool machine)
{
	const struct subject key = {
		.name = keep_text(subjects, name),
		.module = keep_text(subjects, module),
		.kind = kind,
		.machine = machine,
	};

	return intern_subject(subjects, &key);
}

/* The path that extends parent (NULL: none, a root) by function. */
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
	bool is_shared;		   /* an earlier run has the same */
	bool may_interrupt;	   /* some of its frames are of [interrupts] */
};

/* ---- starts of functions without names ---- */

struct start_module {
	const char *build_id;	    /* the dictionary's */
	bool differs;		    /* between runs, or a frame has none */
	size_t run;		    /* last run with it, from 1 on */
	bool is_known, was_unknown; /* starts known in this run; unknown in an earlier one */
};

/* The module of a frame without a name. */
static struct start_module *start_module_of(struct match_starts *starts, const struct frame *frame)
{
	const size_t nr = starts->names.nr_items;
	const uint32_t id = pool__number(&starts->names, frame->module, strlen(frame->module) + 1);

	array__reserve(&starts->modules, &starts->capacity, nr + 1);
	if (id == nr)
		starts->modules[id] = (struct start_module){.build_id = frame->build_id};
	return &starts->modules[id];
}

/* Adds the frames of one more run. */
static void look_at_starts(struct match_starts *starts, const struct dictionary *dictionary)
{
	const size_t nr_frames = dictionary__nr_frames(dictionary);

	starts->nr_looked_at++;
	for (size_t i = 0; i < nr_frames; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);
		struct start_module *module;

		if (frame->function || !frame->module || frame->kind != FRAME_USER)
			continue;
		module = start_module_of(starts, frame);
		if (module->run != starts->nr_looked_at) {
			module->was_unknown |= module->run && !module->is_known;
			module->is_known = false;
			module->run = starts->nr_looked_at;
		}
		module->is_known |= frame->has_start;
		module->differs |= !frame->build_id || !module->build_id ||
				   strcmp(frame->build_id, module->build_id) != 0;
	}
}

/* ---- the subject of a frame ---- */

/* Folded text has no modules: the prefix of "module@0x10" there is only a part of the name. */
static const char *module_of(const struct frame *frame)
{
	return frame->has_start && frame__is_bare(frame) ? NULL : frame->module;
}

/* The name by which a frame is matched; the caller frees it. */
static char *make_name(struct matched_frames *frames, const struct frame *frame)
{
	const struct compared_names *names = frames->options.names;
	const struct start_module *module =
		frame->has_start ? start_module_of(&frames->starts, frame) : NULL;
	const bool by_start =
		module && !module->differs && module->is_known && !module->was_unknown;
	struct frame named = *frame;
	char *name, *normal;
	size_t size;

	named.has_start = by_start; /* false: matched as the module's code without names */
	size = (size_t)frame__name(&named, NULL, 0) + 1;
	name = xmalloc(size);
	frame__name(&named, name, size);
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
static struct subject *find_function(struct matched_frames *frames, const struct frame *frame,
				     bool machine)
{
	const char *module = module_of(frame);
	const struct rename *of_module = renames__find(frames->renames, NULL, module), *rename;
	char *name = make_name(frames, frame);
	struct subject *subject;

	if (of_module && !frame->function && !strncmp(name, module, strlen(module))) {
		char *moved = xasprintf("%s%s", of_module->new_module, name + strlen(module));

		free(name);
		name = moved;
	}
	if (of_module)
		module = of_module->new_module;
	rename = renames__find(frames->renames, name, module);
	subject = subject_of_name(&frames->subjects, rename ? rename->new_name : name,
				  rename ? rename->new_module : module, frame->kind, machine);
	if (rename || of_module)
		subject->rename = rename ? rename : of_module;
	free(name);
	return subject;
}

static struct subject *find_subject(struct matched_frames *frames, const struct frame *frame)
{
	const struct compared_names *names = frames->options.names;
	const bool kernel = frame->kind == FRAME_KERNEL;
	const bool machine =
		kernel && compared_names__is_machine(names, frame->function, frames->is_time);
	const char *module = module_of(frame);
	const struct rename *rename;
	struct subject *subject;

	if (kernel && compared_names__is_interrupt(names, frame->function, frames->is_time))
		return frames->interrupts;
	if (frames->options.by != MATCH_MODULES)
		return find_function(frames, frame, machine);
	if (machine)
		return frames->machine;
	rename = renames__find(frames->renames, NULL, module);
	if (rename)
		module = rename->new_module;
	subject = subject_of_name(&frames->subjects, module ? module : "[unknown]", NULL,
				  frame->kind, false);
	if (rename)
		subject->rename = rename;
	return subject;
}

/* Keeps a dictionary's string. kept: by its id; NULL: not kept yet. So it is hashed once. */
static const char *keep_once(struct subjects *subjects, const char **kept, const char *string)
{
	const char **text = string ? &kept[dictionary__string_id(string)] : NULL;

	if (text && !*text)
		*text = keep_text(subjects, string);
	return text ? *text : NULL;
}

/* Looks up a function's subject: its name is normalised only once for all its frames and runs. */
static struct subject *find_alias(struct matched_frames *frames, const struct frame *frame,
				  const char **kept)
{
	struct subjects *subjects = &frames->subjects;
	const size_t nr_aliases = frames->aliases.nr_items;
	uintptr_t key[3];
	uint32_t alias;

	if (!frame->function)
		return find_subject(frames, frame);
	key[0] = (uintptr_t)keep_once(subjects, kept, frame->function);
	key[1] = (uintptr_t)keep_once(subjects, kept, frame->module);
	key[2] = frame->kind;
	alias = pool__number(&frames->aliases, key, sizeof(key));
	array__reserve(&frames->of_alias, &frames->alias_capacity, nr_aliases + 1);
	if (alias == nr_aliases)
		frames->of_alias[alias] = find_subject(frames, frame);
	return frames->of_alias[alias];
}

/* ---- frames of runs ---- */

const struct metric *matched_frames__metric(const struct matched_frames *frames)
{
	return frames->nr_runs ? &profile__metrics(frames->runs[0].profile)->of[VALUE_COUNT]
			       : &metric__samples;
}

static void init(struct matched_frames *frames, const struct run *runs, size_t nr_runs,
		 const struct match_options *options, const struct renames *renames)
{
	struct subjects *subjects = &frames->subjects;
	const size_t subject_bytes = sizeof(struct subject) + 2 * nr_runs * sizeof(uint64_t);

	*frames = (struct matched_frames){
		.runs = runs,
		.nr_runs = nr_runs,
		.options = *options,
		.subjects = {.all.equal = equal_subjects,
			     .key = xcalloc(1, subject_bytes),
			     .nr_runs = nr_runs,
			     .seed = map__random_seed()},
		.renames = renames,
		.dictionaries = xcalloc(nr_runs, sizeof(*frames->dictionaries)),
	};
	frames->is_time = !strcmp(metric__noun(matched_frames__metric(frames)),
				  metric__noun(&metric__samples));
	for (size_t run = 0; run < nr_runs; run++)
		look_at_starts(&frames->starts, profile__dictionary(runs[run].profile));
	frames->no_stack = subject_of_name(subjects, "[no stack]", NULL, FRAME_USER, false);
	frames->machine = subject_of_name(subjects, "[machine]", NULL, FRAME_KERNEL, true);
	frames->interrupts = subject_of_name(subjects, "[interrupts]", NULL, FRAME_KERNEL, true);
}

/* Finds the subject of each frame in a run's dictionary. */
static void add_run(struct matched_frames *frames, size_t run)
{
	const struct dictionary *dictionary = profile__dictionary(frames->runs[run].profile);
	struct matched_dictionary *matched = &frames->dictionaries[run];
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	const char **kept;

	for (size_t i = 0; i < run; i++)
		if (frames->dictionaries[i].dictionary == dictionary) {
			*matched = frames->dictionaries[i];
			matched->is_shared = true;
			return;
		}
	matched->dictionary = dictionary;
	matched->subjects = xcalloc(nr_frames, sizeof(*matched->subjects));
	kept = xcalloc(dictionary__nr_strings(dictionary), sizeof(*kept));
	for (size_t i = 0; i < nr_frames; i++) {
		matched->subjects[i] =
			find_alias(frames, dictionary__frame(dictionary, (uint32_t)i), kept);
		matched->may_interrupt |= matched->subjects[i] == frames->interrupts;
	}
	free(kept);
}

void matched_frames__fini(struct matched_frames *frames)
{
	for (size_t run = 0; run < frames->nr_runs; run++)
		if (!frames->dictionaries[run].is_shared)
			free(frames->dictionaries[run].subjects);
	free(frames->dictionaries);
	pool__clear(&frames->starts.names);
	free(frames->starts.modules);
	pool__clear(&frames->aliases);
	free(frames->of_alias);
	pool__clear(&frames->subjects.all);
	pool__clear(&frames->subjects.texts);
	free(frames->subjects.key);
}

/* ---- stacks of samples ---- */

struct chain chain__of(const struct matched_frames *frames, size_t run, const struct sample *sample)
{
	const struct matched_dictionary *matched = &frames->dictionaries[run];
	struct chain chain = {.subjects = matched->subjects,
			      .may_interrupt = matched->may_interrupt};

	chain.frames = dictionary__stack(matched->dictionary, sample->stack, &chain.nr_frames);
	return chain;
}

struct subject *chain__subject(const struct chain *chain, size_t i)
{
	return chain->subjects[chain->frames[i]];
}

struct subject *chain__leaf(const struct chain *chain, const struct matched_frames *frames)
{
	for (size_t i = 0; i < chain->nr_frames && chain->may_interrupt; i++) {
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
	for (size_t i = chain->nr_frames; i-- > 0;)
		path = subject_of_path(&frames->subjects, path, chain__subject(chain, i));
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
		if (subject->stamp == frames->stamp)
			continue;
		subject->stamp = frames->stamp;
		return subject;
	}
	return NULL;
}

/* ---- counting ---- */

static void count_path(struct matched_frames *frames, size_t run, const struct sample *sample)
{
	struct chain chain = chain__of(frames, run, sample);
	struct subject *subject = chain__owner(&chain, frames);
	uint64_t count = sample->values[VALUE_COUNT];
	struct chain_walk walk;

	subject->self[run] = sum_of(subject->self[run], count);
	if (subject->machine || frames->options.by == MATCH_STACKS)
		return;
	walk = chain_walk__begin(frames, &chain);
	while ((subject = chain_walk__next(&walk)))
		subject->total[run] = sum_of(subject->total[run], count);
}

/* The total of a function or module in one run. */
struct counter {
	uint64_t total;
	size_t last; /* 1 + the last sample that it counted, so that recursion counts once */
};

/*
 * Counts a run by function or module. It is the loop over all frames of all stacks of all runs: its
 * counters lie side by side meanwhile, and fit a cache.
 */
static void count_functions(struct matched_frames *frames, size_t run, const struct sample *samples,
			    size_t nr_samples)
{
	const struct matched_dictionary *matched = &frames->dictionaries[run];
	const size_t nr_frames = dictionary__nr_frames(matched->dictionary);
	const size_t nr_subjects = frames->subjects.all.nr_items;
	struct counter *counters = xcalloc(nr_subjects, sizeof(*counters));
	uint32_t *ids = ids__new(nr_frames); /* subjects by frame */

	for (size_t i = 0; i < nr_frames; i++)
		ids[i] = matched->subjects[i]->item.id;
	for (size_t i = 0; i < nr_samples; i++) {
		const struct chain chain = chain__of(frames, run, &samples[i]);
		const uint64_t count = samples[i].values[VALUE_COUNT];
		struct subject *leaf = chain__leaf(&chain, frames);

		leaf->self[run] = sum_of(leaf->self[run], count);
		for (size_t j = 0; j < chain.nr_frames && !leaf->machine; j++) {
			struct counter *counter = &counters[ids[chain.frames[j]]];

			if (counter->last == i + 1)
				continue;
			counter->last = i + 1;
			counter->total = sum_of(counter->total, count);
		}
	}
	for (size_t i = 0; i < nr_subjects; i++)
		subjects__at(&frames->subjects, i)->total[run] = counters[i].total;
	free(counters);
	free(ids);
}

void matched_frames__count(struct matched_frames *frames, const struct run *runs, size_t nr_runs,
			   const struct match_options *options, const struct renames *renames)
{
	init(frames, runs, nr_runs, options, renames);
	for (size_t run = 0; run < nr_runs; run++) {
		size_t nr_samples;
		const struct sample *samples = profile__samples(runs[run].profile, &nr_samples);

		add_run(frames, run);
		if (!has_paths(frames))
			count_functions(frames, run, samples, nr_samples);
		for (size_t i = 0; i < nr_samples && has_paths(frames); i++)
			count_path(frames, run, &samples[i]);
	}
}
