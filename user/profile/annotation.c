// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples become entries, one for each place that the function has in a stack; equal ones are then
 * added up. Of the frames of one address all but the outermost are inlined:
 *
 *	memchr (inlined)  parse (inlined)  main   ─ one address, in main's code
 */
#include "profile/annotation.h"

#include "profile/interned.h"

struct entries {
	struct annotated_line *lines;
	size_t nr_lines, lines_capacity;
	struct annotated_address *addresses;
	size_t nr_addresses, addresses_capacity;
	struct annotated_host *hosts;
	size_t nr_hosts, hosts_capacity;
};

struct annotating {
	struct annotation *annotation;
	const struct dictionary *dictionary;
	struct entries all;
	const struct sample *sample; /* the one at hand */
	const uint32_t *frames;
	size_t nr_frames;
};

/* ---- order ---- */

static int compare_texts(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_lines(const void *left, const void *right)
{
	const struct annotated_line *a = left, *b = right;
	int order = compare_texts(a->file, b->file);

	if (!order)
		order = compare_numbers(a->line, b->line);
	if (!order)
		order = compare_texts(a->inlined, b->inlined);
	if (!order)
		order = compare_texts(a->inlined_file, b->inlined_file);
	return order ? order : compare_numbers(a->inlined_line, b->inlined_line);
}

static int compare_addresses(const void *left, const void *right)
{
	const struct annotated_address *a = left, *b = right;
	int order = compare_texts(a->path, b->path);

	if (!order)
		order = compare_texts(a->build_id, b->build_id);
	if (!order)
		order = compare_numbers(a->address, b->address);
	return order ? order : compare_numbers(a->role, b->role);
}

static int compare_hosts(const void *left, const void *right)
{
	const struct annotated_host *a = left, *b = right;
	const int order = compare_texts(a->function, b->function);

	return order ? order : compare_texts(a->module, b->module);
}

/* ---- adding up ---- */

void annotated_values__add(struct annotated_values *sum, const struct annotated_values *more)
{
	for (size_t i = 0; i < VALUES; i++) {
		sum->self[i] = sum_of(sum->self[i], more->self[i]);
		sum->calls[i] = sum_of(sum->calls[i], more->calls[i]);
	}
	sum->self_squares += more->self_squares;
	sum->calls_squares += more->calls_squares;
}

/* Merges entries of one sample: equal entries have the values of that sample once, not added up. */
static void join_values(struct annotated_values *values, const struct annotated_values *same)
{
	for (size_t i = 0; i < VALUES; i++) {
		if (!values->self[i])
			values->self[i] = same->self[i];
		if (!values->calls[i])
			values->calls[i] = same->calls[i];
	}
	if (values->self_squares <= 0)
		values->self_squares = same->self_squares;
	if (values->calls_squares <= 0)
		values->calls_squares = same->calls_squares;
}

struct merging {
	size_t size, values; /* of an entry, and the offset of its values */
	int (*compare)(const void *a, const void *b);
};

static const struct merging of_lines = {sizeof(struct annotated_line),
					offsetof(struct annotated_line, values), compare_lines};
static const struct merging of_addresses = {sizeof(struct annotated_address),
					    offsetof(struct annotated_address, values),
					    compare_addresses};
static const struct merging of_hosts = {sizeof(struct annotated_host),
					offsetof(struct annotated_host, values), compare_hosts};

/* Equal entries become one. Returns how many are left. */
static size_t merge(const struct merging *merging, void *entries, size_t nr,
		    void (*join)(struct annotated_values *, const struct annotated_values *))
{
	char *base = entries, *last = entries;

	if (!nr)
		return 0;
	qsort(entries, nr, merging->size, merging->compare);
	for (char *next = base + merging->size; next < base + nr * merging->size;
	     next += merging->size) {
		if (merging->compare(last, next)) {
			last += merging->size;
			memmove(last, next, merging->size);
		} else {
			join((struct annotated_values *)(last + merging->values),
			     (struct annotated_values *)(next + merging->values));
		}
	}
	return (size_t)(last - base) / merging->size + 1;
}

/* ---- the places of one sample ---- */

static bool is_meant(const struct annotating *annotating, uint32_t id)
{
	const struct annotated_function *function = &annotating->annotation->function;
	const struct dictionary *dictionary = annotating->dictionary;
	const struct name *name =
		dictionary__name(dictionary, dictionary__frame_function_id(dictionary, id));

	return name->text == function->name && name->module == function->module;
}

static void put_line(struct entries *all, const struct annotated_line *line)
{
	array__reserve(&all->lines, &all->lines_capacity, all->nr_lines + 1);
	all->lines[all->nr_lines++] = *line;
}

/*
 * Adds an entry for one address of the stack. first: index of the innermost frame there; index: of
 * the function's frame; host: of the outermost frame, which may be the function itself.
 */
static void put_place(struct annotating *annotating, size_t first, size_t index, size_t host)
{
	const struct dictionary *dictionary = annotating->dictionary;
	const uint32_t *frames = annotating->frames;
	const struct frame *frame = dictionary__frame(dictionary, frames[index]);
	const struct frame *inner = dictionary__frame(dictionary, frames[first]);
	const bool is_caller = first && stack__is_caller(dictionary, frames, first);
	struct entries *all = &annotating->all;
	struct annotated_values values = {0};
	struct annotated_line line = {.file = frame->line ? frame->file : NULL,
				      .line = frame->file ? frame->line : 0};

	memcpy(first ? values.calls : values.self, annotating->sample->values, sizeof(values.self));
	*(first ? &values.calls_squares : &values.self_squares) = annotating->sample->squares;
	if (!annotating->annotation->start_line)
		annotating->annotation->start_line = frame->start_line;

	line.values = values;
	put_line(all, &line);
	if (first != index) {
		line.inlined = dictionary__frame_name(dictionary, frames[first]);
		line.inlined_file = inner->file;
		line.inlined_line = inner->file ? inner->line : 0;
		put_line(all, &line);
	}
	if (is_meant(annotating, frames[host])) {
		array__reserve(&all->addresses, &all->addresses_capacity, all->nr_addresses + 1);
		all->addresses[all->nr_addresses++] = (struct annotated_address){
			.path = frame->path,
			.build_id = frame->build_id,
			.address = frame->address,
			.role = is_caller ? ADDRESS_RETURNS : ADDRESS_RUNS,
			.values = values,
		};
	} else {
		array__reserve(&all->hosts, &all->hosts_capacity, all->nr_hosts + 1);
		all->hosts[all->nr_hosts++] = (struct annotated_host){
			.function = dictionary__frame_name(dictionary, frames[host]),
			.module = dictionary__frame(dictionary, frames[host])->module,
			.values = values,
		};
	}
}

/*
 * Adds entries for each address of the stack where the function is: as self if that is the
 * innermost address, else as a call. A compiler may inline a part of a function, as a function of
 * the same name, into the rest of it: that is one place.
 */
static void put_sample(struct annotating *annotating)
{
	const struct dictionary *dictionary = annotating->dictionary;
	struct annotation *annotation = annotating->annotation;
	const struct sample *sample = annotating->sample;
	const uint32_t *frames = annotating->frames;
	struct entries *all = &annotating->all;
	const struct entries before = *all;
	bool is_self = false, is_call = false;
	size_t host, index;

	for (size_t first = 0; first < annotating->nr_frames; first = host + 1) {
		host = stack__location_end(dictionary, frames, annotating->nr_frames, first) - 1;
		index = first;
		while (index <= host && !is_meant(annotating, frames[index]))
			index++;
		if (index > host)
			continue;
		put_place(annotating, first, index, host);
		*(first ? &is_call : &is_self) = true;
	}

	for (size_t i = 0; i < VALUES; i++) {
		struct annotated_values *values = &annotation->values;

		if (is_self)
			values->self[i] = sum_of(values->self[i], sample->values[i]);
		if (is_call)
			values->calls[i] = sum_of(values->calls[i], sample->values[i]);
		if (is_self || is_call)
			annotation->total[i] = sum_of(annotation->total[i], sample->values[i]);
	}
	annotation->values.self_squares += is_self ? sample->squares : 0;
	annotation->values.calls_squares += is_call ? sample->squares : 0;

	if (is_call) { /* the function may recur, so that entries of this sample are equal */
		all->nr_lines =
			before.nr_lines + merge(&of_lines, all->lines + before.nr_lines,
						all->nr_lines - before.nr_lines, join_values);
		all->nr_addresses = before.nr_addresses +
				    merge(&of_addresses, all->addresses + before.nr_addresses,
					  all->nr_addresses - before.nr_addresses, join_values);
		all->nr_hosts =
			before.nr_hosts + merge(&of_hosts, all->hosts + before.nr_hosts,
						all->nr_hosts - before.nr_hosts, join_values);
	}
}

void annotation__make(struct annotation *annotation, const struct profile *profile,
		      const struct annotated_function *function)
{
	struct annotating annotating = {.annotation = annotation,
					.dictionary = profile__dictionary(profile)};
	struct entries *all = &annotating.all;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	*annotation = (struct annotation){.function = *function};
	for (size_t i = 0; i < nr_samples; i++) {
		annotating.sample = &samples[i];
		annotating.frames = dictionary__stack(annotating.dictionary, samples[i].stack,
						      &annotating.nr_frames);
		put_sample(&annotating);
	}
	annotation->lines = all->lines;
	annotation->nr_lines = merge(&of_lines, all->lines, all->nr_lines, annotated_values__add);
	annotation->addresses = all->addresses;
	annotation->nr_addresses =
		merge(&of_addresses, all->addresses, all->nr_addresses, annotated_values__add);
	annotation->hosts = all->hosts;
	annotation->nr_hosts = merge(&of_hosts, all->hosts, all->nr_hosts, annotated_values__add);
}

void annotation__fini(struct annotation *annotation)
{
	free(annotation->lines);
	free(annotation->addresses);
	free(annotation->hosts);
	*annotation = (struct annotation){0};
}
