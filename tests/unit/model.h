/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles from a notation, for tests: add(&model, "comm", 42, 3, "leaf@module caller@module")
 *
 * Frames are separated by spaces. "f@m" is a user frame, "f@[kernel]" a kernel frame, "f@perf.map"
 * a JIT frame; "@m" has no function, "@" not even a module. "f@m+20" is f at address 0x20, else at
 * 0x10; "@m+20-8" is a function without a name that begins 8 bytes before. A frame called "main" is
 * a root.
 */
#ifndef TOPSTACKS_TESTS_MODEL_H
#define TOPSTACKS_TESTS_MODEL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* A recording by CPU time has these metrics. */
static const struct metrics cpu_metrics __attribute__((unused)) = {
	.of = {[VALUE_COUNT] = {.name = "samples",
				.unit = "count",
				.is_events = true,
				.title = "Samples",
				.heading = "SAMPLES"},
	       [VALUE_WEIGHT] = {.name = "cpu", .unit = "nanoseconds", .title = "CPU time"}},
};

struct model {
	struct dictionary *dictionary;
	struct profile *profile;
};

static inline struct model model__new(void)
{
	struct model model = {.dictionary = dictionary__new()};

	model.profile = profile__new(model.dictionary);
	profile__set_metrics(model.profile, &cpu_metrics);
	return model;
}

static inline void model__free(struct model *model)
{
	profile__free(model->profile);
	dictionary__free(model->dictionary);
}

static inline uint32_t model__frame(const struct model *model, char *text)
{
	char *module = strchr(text, '@'), *address, *into;
	struct frame frame = {.address = 0x10, .offset = 4};

	*module++ = '\0';
	address = strchr(module, '+');
	if (address) {
		*address++ = '\0';
		frame.address = strtoull(address, &into, 16);
		frame.has_start = *into == '-';
		if (frame.has_start)
			frame.offset = strtoull(into + 1, NULL, 16);
	}
	frame.function = *text ? text : NULL;
	frame.module = *module ? module : NULL;
	frame.kind = !strcmp(module, "[kernel]")   ? FRAME_KERNEL
		     : !strcmp(module, "perf.map") ? FRAME_JIT
						   : FRAME_USER;
	frame.root = !strcmp(text, "main");
	return dictionary__add_frame(model->dictionary, &frame);
}

static inline uint32_t model__stack(const struct model *model, const char *stack)
{
	char *copy = strdup(stack), *rest = copy, *word;
	uint32_t frames[256];
	size_t nr_frames = 0;
	uint32_t id;

	while ((word = strsep(&rest, " ")) && nr_frames < 256)
		if (*word)
			frames[nr_frames++] = model__frame(model, word);
	id = dictionary__add_stack(model->dictionary, frames, nr_frames);
	free(copy);
	return id;
}

static inline uint32_t model__process(const struct model *model, const char *comm, int32_t pid)
{
	struct process process = {.pid = pid, .start_ns = 7, .exec_id = 1};

	snprintf(process.comm, sizeof(process.comm), "%s", comm);
	return dictionary__add_process(model->dictionary, &process);
}

/* A sample of count events, each of 10 ms. thread: its name, or NULL. */
static inline void add_named_thread(struct model *model, const char *comm, int32_t pid, int32_t tid,
				    const char *thread, uint64_t count, const char *stack)
{
	struct sample sample = {.process = model__process(model, comm, pid),
				.stack = model__stack(model, stack),
				.tid = tid,
				.values = {count, 10000000 * count}};

	sample__name_thread(&sample, model->dictionary, thread);
	profile__add(model->profile, &sample);
}

static inline void add_thread(struct model *model, const char *comm, int32_t pid, int32_t tid,
			      uint64_t count, const char *stack)
{
	add_named_thread(model, comm, pid, tid, NULL, count, stack);
}

static inline void add(struct model *model, const char *comm, int32_t pid, uint64_t count,
		       const char *stack)
{
	add_thread(model, comm, pid, 0, count, stack);
}

#endif
