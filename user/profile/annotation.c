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

static int put_line(struct annotating *annotating, const struct annotated_line *line)
{
	struct entries *all = &annotating->all;

	if (array__reserve(&all->lines, &all->lines_capacity, all->nr_lines + 1))
		return -ENOMEM;
	all->lines[all->nr_lines++] = *line;
	return 0;
}

/* first: index of the innermost frame at the address; index: of the function's frame there. */
static int put_lines(struct annotating *annotating, size_t first, size_t index,
		     const struct annotated_values *values)
{
	const struct dictionary *dictionary = annotating->dictionary;
	const struct frame *frame = dictionary__frame(dictionary, annotating->frames[index]);
	const struct frame *inner = dictionary__frame(dictionary, annotating->frames[first]);
	struct annotated_line line = {.file = frame->line ? frame->file : NULL,
				      .line = frame->file ? frame->line : 0,
				      .values = *values};

	if (put_line(annotating, &line))
		return -ENOMEM;
	if (first == index)
		return 0;
	line.inlined = dictionary__frame_name(dictionary, annotating->frames[first]);
	line.inlined_file = inner->file;
	line.inlined_line = inner->file ? inner->line : 0;
	return put_line(annotating, &line);
}

static int put_address(struct annotating *annotating, const struct frame *frame, bool is_caller,
		       const struct annotated_values *values)
{
	struct entries *all = &annotating->all;

	if (array__reserve(&all->addresses, &all->addresses_capacity, all->nr_addresses + 1))
		return -ENOMEM;
	all->addresses[all->nr_addresses++] = (struct annotated_address){
		.path = frame->path,
		.build_id = frame->build_id,
		.address = frame->address,
		.role = is_caller ? ADDRESS_RETURNS : ADDRESS_RUNS,
		.values = *values,
	};
	return 0;
}

static int put_host(struct annotating *annotating, size_t host,
		    const struct annotated_values *values)
{
	struct entries *all = &annotating->all;
	const uint32_t id = annotating->frames[host];

	if (array__reserve(&all->hosts, &all->hosts_capacity, all->nr_hosts + 1))
		return -ENOMEM;
	all->hosts[all->nr_hosts++] = (struct annotated_host){
		.function = dictionary__frame_name(annotating->dictionary, id),
		.module = dictionary__frame(annotating->dictionary, id)->module,
		.values = *values,
	};
	return 0;
}

static bool is_meant(const struct annotating *annotating, uint32_t id)
{
	const struct annotated_function *function = &annotating->annotation->function;
	const struct dictionary *dictionary = annotating->dictionary;
	const struct name *name =
		dictionary__name(dictionary, dictionary__frame_function_id(dictionary, id));

	return name->text == function->name && name->module == function->module;
}

/* Index of the outermost frame at the address of this frame. */
static size_t find_host(const struct annotating *annotating, size_t index)
{
	while (index + 1 < annotating->nr_frames &&
	       dictionary__frame(annotating->dictionary, annotating->frames[index])->inlined)
		index++;
	return index;
}

/*
 * Adds an entry for one address of the stack. The function is the frame with this index, or the
 * host, or both.
 */
static int put_place(struct annotating *annotating, size_t first, size_t index, size_t host)
{
	const bool is_caller =
		first && stack__is_caller(annotating->dictionary, annotating->frames, first);
	const struct frame *frame =
		dictionary__frame(annotating->dictionary, annotating->frames[index]);
	struct annotated_values values = {0};

	memcpy(first ? values.calls : values.self, annotating->sample->values, sizeof(values.self));
	*(first ? &values.calls_squares : &values.self_squares) = annotating->sample->squares;
	if (!annotating->annotation->start_line)
		annotating->annotation->start_line = frame->start_line;
	if (put_lines(annotating, first, index, &values))
		return -ENOMEM;
	if (is_meant(annotating, annotating->frames[host]))
		return put_address(annotating, frame, is_caller, &values);
	return put_host(annotating, host, &values);
}

/*
 * Adds entries for each address of the stack where the function is. Sets *is_self if that is the
 * innermost address, *is_call for any other. A compiler may inline a part of a function, as a
 * function of the same name, into the rest of it: that is one place.
 */
static int put_stack(struct annotating *annotating, bool *is_self, bool *is_call)
{
	size_t host, index;

	for (size_t first = 0; first < annotating->nr_frames; first = host + 1) {
		host = find_host(annotating, first);
		index = first;
		while (index <= host && !is_meant(annotating, annotating->frames[index]))
			index++;
		if (index > host)
			continue;
		if (put_place(annotating, first, index, host))
			return -ENOMEM;
		*(first ? is_call : is_self) = true;
	}
	return 0;
}

static void count_sample(struct annotating *annotating, bool is_self, bool is_call)
{
	struct annotation *annotation = annotating->annotation;
	const uint64_t *values = annotating->sample->values;

	for (size_t i = 0; i < VALUES; i++) {
		if (is_self)
			annotation->values.self[i] = sum_of(annotation->values.self[i], values[i]);
		if (is_call)
			annotation->values.calls[i] =
				sum_of(annotation->values.calls[i], values[i]);
		if (is_self || is_call)
			annotation->total[i] = sum_of(annotation->total[i], values[i]);
	}
	annotation->values.self_squares += is_self ? annotating->sample->squares : 0;
	annotation->values.calls_squares += is_call ? annotating->sample->squares : 0;
}

/* Merges the entries that were added after `before`. */
static void merge_sample(struct entries *all, const struct entries *before)
{
	const size_t lines = before->nr_lines, addresses = before->nr_addresses;
	const size_t hosts = before->nr_hosts;

	if (all->nr_lines > lines)
		all->nr_lines = lines + merge(&of_lines, all->lines + lines, all->nr_lines - lines,
					      join_values);
	if (all->nr_addresses > addresses)
		all->nr_addresses = addresses + merge(&of_addresses, all->addresses + addresses,
						      all->nr_addresses - addresses, join_values);
	if (all->nr_hosts > hosts)
		all->nr_hosts = hosts + merge(&of_hosts, all->hosts + hosts, all->nr_hosts - hosts,
					      join_values);
}

static int put_sample(struct annotating *annotating)
{
	struct entries *all = &annotating->all;
	const struct entries before = *all;
	bool is_self = false, is_call = false;

	if (put_stack(annotating, &is_self, &is_call))
		return -ENOMEM;
	count_sample(annotating, is_self, is_call);
	if (is_call)
		merge_sample(all, &before);
	return 0;
}

/* ---- all of them ---- */

static int put_samples(struct annotating *annotating, const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		annotating->sample = &samples[i];
		annotating->frames = dictionary__stack(annotating->dictionary, samples[i].stack,
						       &annotating->nr_frames);
		if (put_sample(annotating))
			return -ENOMEM;
	}
	return 0;
}

int annotation__make(struct annotation *annotation, const struct profile *profile,
		     const struct annotated_function *function)
{
	struct annotating annotating = {.annotation = annotation,
					.dictionary = profile__dictionary(profile)};
	struct entries *all = &annotating.all;
	int code;

	*annotation = (struct annotation){.function = *function};
	code = put_samples(&annotating, profile);
	annotation->lines = all->lines;
	annotation->nr_lines = merge(&of_lines, all->lines, all->nr_lines, annotated_values__add);
	annotation->addresses = all->addresses;
	annotation->nr_addresses =
		merge(&of_addresses, all->addresses, all->nr_addresses, annotated_values__add);
	annotation->hosts = all->hosts;
	annotation->nr_hosts = merge(&of_hosts, all->hosts, all->nr_hosts, annotated_values__add);
	if (code)
		annotation__fini(annotation);
	return code;
}

void annotation__fini(struct annotation *annotation)
{
	free(annotation->lines);
	free(annotation->addresses);
	free(annotation->hosts);
	*annotation = (struct annotation){0};
}
