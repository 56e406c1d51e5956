// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_page html|svg: writes a flame graph of the stacks on standard input. make_page layout:
 * writes its boxes, as flame/layout.h has them, at WIDTH pixels. Each is a line "first end depth
 * left right hidden".
 *
 *	10 101000000 sshd main|sshd|user read|libc.so.6|user
 *
 * This line is a count, a weight in ns, a comm, and frames root first. %XX stands for a byte, so
 * that any name can be written, and an empty module or function for none. Other lines begin with a
 * word:
 *
 *	faults ...			a sample of another event
 *	wait STATE KIND ...		a sample that is a wait
 *	at N ...			a sample in the slice N of 100 ms, from 0 on
 *	fact NAME TEXT, title TEXT	texts about the profile
 *	error SAMPLES SPREAD		the error of the counts, the spread in thousandths
 *	slice START DURATION VALUE	one slice of a time line, in ns since 1970
 *	shown START DURATION		the part of the time line that is shown
 *
 * No input is too odd to be tried, so a bad line is just an error.
 */
#include <stdlib.h>
#include <string.h>

#include "flame/flame.h"
#include "flame/layout.h"

#define MAX_FRAMES 4096
#define MAX_FACTS  32
#define MAX_TIMES  20000

static const struct metrics metrics = {
	.of = {[VALUE_COUNT] = {.name = "samples",
				.unit = "count",
				.is_events = true,
				.title = "Samples",
				.heading = "SAMPLES"},
	       [VALUE_WEIGHT] = {.name = "cpu", .unit = "nanoseconds", .title = "CPU time"}},
};

static const struct metrics fault_metrics = {
	.of = {[VALUE_COUNT] = {.name = "page-faults", .unit = "count", .is_events = true},
	       [VALUE_WEIGHT] = {.name = "page-faults", .unit = "bytes"}},
};

static const struct flame_fact clock_facts[] = {{"ledger", "of cpu-clock"}};
static const struct flame_fact fault_facts[] = {{"ledger", "of page-faults"}};

struct page {
	struct dictionary *dictionary;
	struct profile *profile, *faults;
	struct flame_event events[2];
	struct flame_fact facts[MAX_FACTS];
	struct flame_slice slices[MAX_TIMES];
	struct flame_time_line time_line;
	struct recording recording; /* of the profile, with its slices */
	struct flame_options options;
};

static char *decode(char *text)
{
	char *out = text, *at = text;
	unsigned int byte;

	for (; *at; at++) {
		if (*at == '%' && sscanf(at + 1, "%2x", &byte) == 1) {
			*out++ = (char)byte;
			at += 2;
		} else {
			*out++ = *at;
		}
	}
	*out = '\0';
	return text;
}

static enum frame_kind find_kind(const char *name)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		if (name && !strcmp(name, frame_kind__name(kind)))
			return kind;
	return FRAME_USER;
}

static uint32_t add_frame(struct page *page, char *text)
{
	char *function = strsep(&text, "|"), *module = strsep(&text, "|");
	struct frame frame = {.kind = find_kind(text), .address = 0x1234};

	frame.function = *function ? decode(function) : NULL;
	frame.module = module && *module ? decode(module) : NULL;
	return dictionary__add_frame(page->dictionary, &frame);
}

static int add_to(struct page *page, struct profile *profile, int64_t slice,
		  const struct sample *sample)
{
	profile__add(profile, sample);
	if (slice < 0)
		return 0;
	page->options.recording = &page->recording;
	return recording__add_to_slice(&page->recording, (size_t)slice, sample);
}

/* Adds the sample of a line. A slice of -1 means: none. */
static int add_sample(struct page *page, struct profile *profile, uint32_t wait, int64_t slice,
		      char *rest)
{
	struct process process = {.pid = 1, .instance = 1};
	uint32_t frames[MAX_FRAMES], leaf_first[MAX_FRAMES];
	char *count = strsep(&rest, " "), *weight = strsep(&rest, " ");
	char *comm = strsep(&rest, " "), *frame;
	size_t nr = 0;

	if (!weight || !comm)
		return -1;
	while (nr < MAX_FRAMES && (frame = strsep(&rest, " ")))
		frames[nr++] = add_frame(page, frame);
	for (size_t i = 0; i < nr; i++)
		leaf_first[i] = frames[nr - 1 - i];
	decode(comm);
	memcpy(process.comm, comm, strnlen(comm, sizeof(process.comm)));
	return add_to(page, profile, slice,
		      &(struct sample){
			      .process = dictionary__add_process(page->dictionary, &process),
			      .stack = dictionary__add_stack(page->dictionary, leaf_first, nr),
			      .wait = wait,
			      .values = {strtoull(count, NULL, 10), strtoull(weight, NULL, 10)},
		      });
}

static uint32_t take_wait(char **line)
{
	const enum wait_state state = wait_state__find(strsep(line, " "));

	return WAIT(state, wait_kind__find(strsep(line, " ")));
}

static uint64_t take_number(char **line)
{
	return *line ? strtoull(strsep(line, " "), NULL, 10) : 0;
}

static void add_slice(struct page *page, char *line)
{
	struct flame_slice *slice = &page->slices[page->time_line.nr_slices];

	if (page->time_line.nr_slices == MAX_TIMES)
		return;
	slice->start_ns = (int64_t)take_number(&line);
	slice->duration_ns = take_number(&line);
	slice->value = take_number(&line);
	page->time_line.nr_slices++;
}

static int add_line(struct page *page, char *line)
{
	char *begin = line, *word = strsep(&line, " ");

	if (!strcmp(word, "title") && line) {
		page->options.title = strdup(decode(line));
	} else if (!strcmp(word, "fact") && line && page->options.nr_facts < MAX_FACTS) {
		char *name = strsep(&line, " ");

		page->facts[page->options.nr_facts++] =
			(struct flame_fact){strdup(decode(name)), strdup(line ? decode(line) : "")};
	} else if (!strcmp(word, "slice") && line) {
		add_slice(page, line);
	} else if (!strcmp(word, "shown") && line) {
		page->time_line.shown_ns = (int64_t)take_number(&line);
		page->time_line.shown_duration_ns = take_number(&line);
	} else if (!strcmp(word, "error") && line) {
		struct flame_error *error = &page->options.errors[VALUE_COUNT];

		error->samples = (double)take_number(&line);
		error->spread = (double)take_number(&line) / 1000;
	} else if (!strcmp(word, "faults") && line) {
		page->options.nr_events = 2;
		return add_sample(page, page->faults, 0, -1, line);
	} else if (!strcmp(word, "at") && line) {
		const uint64_t slice = take_number(&line);

		return add_sample(page, page->profile, 0, (int64_t)slice, line);
	} else if (!strcmp(word, "wait") && line) {
		const uint32_t wait = take_wait(&line);

		return add_sample(page, page->profile, wait, -1, line);
	} else {
		if (line)
			line[-1] = ' ';
		return add_sample(page, page->profile, 0, -1, begin);
	}
	return 0;
}

static int read_page(struct page *page)
{
	size_t capacity = 0;
	char *line = NULL;
	int code = 0;

	while (!code && getline(&line, &capacity, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		code = add_line(page, line);
	}
	free(line);
	return code;
}

static void free_page(struct page *page)
{
	for (size_t i = 0; i < page->options.nr_facts; i++) {
		free((char *)page->facts[i].name);
		free((char *)page->facts[i].text);
	}
	free((char *)page->options.title);
	page->recording.profile = NULL;
	recording__fini(&page->recording);
	profile__free(page->profile);
	profile__free(page->faults);
	dictionary__free(page->dictionary);
}

#define WIDTH 1000

static int write_layout(const struct page *page)
{
	struct tree *tree = tree__new(page->profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	struct layout layout;

	if (!tree)
		return 1;
	layout__init(&layout, tree, WIDTH, 1);
	for (size_t i = 0; i < layout.nr_boxes; i++) {
		const struct flame_box *box = &layout.boxes[i];

		printf("%zu %zu %u %.9f %.9f %zu\n", box->node.first, box->node.end,
		       box->node.depth, box->left, box->right, box->nr_hidden);
	}
	layout__fini(&layout);
	tree__free(tree);
	return 0;
}

static int write_page(struct page *page, const char *format)
{
	if (read_page(page)) {
		fprintf(stderr, "make_page: bad input\n");
		return 2;
	}
	if (!strcmp(format, "layout"))
		return write_layout(page);
	if (!strcmp(format, "svg"))
		return flame__write_svg(stdout, page->profile, &page->options) ? 1 : 0;
	page->recording.duration_ns = page->recording.nr_slices * page->recording.slice_ns;
	return flame__write_page(stdout, page->profile, &page->options) ? 1 : 0;
}

int main(int argc, char **argv)
{
	static struct page page;
	int code = 2;

	page.dictionary = dictionary__new();

	page.profile = page.dictionary ? profile__new(page.dictionary) : NULL;
	page.faults = page.dictionary ? profile__new(page.dictionary) : NULL;
	page.events[0] =
		(struct flame_event){.profile = page.profile, .facts = clock_facts, .nr_facts = 1};
	page.events[1] =
		(struct flame_event){.profile = page.faults, .facts = fault_facts, .nr_facts = 1};
	page.options.events = page.events;
	page.options.facts = page.facts;
	page.time_line.slices = page.slices;
	page.time_line.metric = &metrics.of[VALUE_COUNT];
	page.options.time_line = &page.time_line;
	page.recording = (struct recording){.profile = page.profile,
					    .slice_ns = 100000000,
					    .start_realtime_ns = 1700000000000000000,
					    .nr_cpus = 2,
					    .whole_system = true};
	if (page.profile)
		profile__set_metrics(page.profile, &metrics);
	if (page.faults)
		profile__set_metrics(page.faults, &fault_metrics);
	if (argc > 1 && page.profile && page.faults)
		code = write_page(&page, argv[1]);
	free_page(&page);
	return code;
}
