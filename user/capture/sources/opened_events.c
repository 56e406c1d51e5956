// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/opened_events.h"

#include "capture/events/capture_options.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/kernel.h"
#include "capture/sources/switches.h"
#include "profile/ledger.h"

int opened_events__open(struct opened_events *events, const struct capture_options *asked,
			bool everyone, struct cpus *cpus, struct error *err)
{
	struct source_options options = {
		.asked = asked, .rate_hz = asked->rate_hz, .everyone = everyone, .cpus = cpus};
	int code = events__parse(&events->said, asked->event, err);
	size_t i, j;

	events__choose_sources(&events->said, asked);
	options.has_others = events->said.nr > 1;
	for (i = 0; i < events->said.nr && !code; i++) {
		const struct event *event = &events->said.list[i];

		options.index = (unsigned int)i;
		options.shares_programs = false;
		for (j = 0; j < events->said.nr; j++)
			options.shares_programs |=
				j != i && events->said.list[j].source == event->source;
		code = event->source->open(&events->states[i], event, &options, err);
	}
	/*
	 * A program that several events share learns its event from the link's cookie. A source
	 * that this kernel lacks has failed before with a better reason.
	 */
	if (!code && events->said.nr > 1)
		code = features__require(
			FEATURE_PERF_LINK,
			"several events at a time need Linux 5.15 or later; give -e one", err);
	return code;
}

void opened_events__close(struct opened_events *events)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++)
		events->said.list[i].source->close(events->states[i]);
	events__free(&events->said);
	*events = (struct opened_events){0};
}

void opened_events__take_one_in(const struct opened_events *events, struct topstacks_bpf *skeleton,
				uint64_t one_in)
{
	size_t i;

	skeleton->bss->session.by_chance = one_in > 1;
	for (i = 0; i < events->said.nr; i++) {
		const struct event *event = &events->said.list[i];
		__u64 *in = &skeleton->bss->session.one_in[i];

		if (!event->has_rate &&
		    __builtin_mul_overflow(event->one_in ? event->one_in : 1, one_in, in))
			*in = UINT64_MAX;
	}
}

int opened_events__start(struct opened_events *events, struct topstacks_bpf *skeleton,
			 struct error *err)
{
	int code = 0;
	size_t i;

	opened_events__take_one_in(events, skeleton, 1);
	for (i = 0; i < events->said.nr && !code; i++) {
		const struct source *source = events->said.list[i].source;

		code = source->start(events->states[i], skeleton, kernel__sampler(skeleton, source),
				     err);
	}
	return code;
}

int opened_events__add_target(struct opened_events *events, int32_t pid, struct error *err)
{
	int code = 0;
	size_t i;

	for (i = 0; i < events->said.nr && !code; i++) {
		const struct source *source = events->said.list[i].source;

		if (source->add_target)
			code = source->add_target(events->states[i], pid, err);
	}
	return code;
}

void opened_events__observe(struct opened_events *events, const struct process_event *event)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++) {
		const struct source *source = events->said.list[i].source;

		if (source->observe)
			source->observe(events->states[i], event);
	}
}

bool opened_events__follow_processes(const struct opened_events *events)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++)
		if (events->said.list[i].source->observe)
			return true;
	return false;
}

int opened_events__settle(struct opened_events *events, struct error *err)
{
	int code = 0;
	size_t i;

	for (i = 0; i < events->said.nr && !code; i++) {
		const struct source *source = events->said.list[i].source;

		if (source->settle)
			code = source->settle(events->states[i], err);
	}
	return code;
}

int opened_events__cut(struct opened_events *events, uint32_t owned, struct error *err)
{
	int code = 0;
	size_t i;

	(void)owned;
	for (i = 0; i < events->said.nr && !code; i++)
		if (events->said.list[i].source->is_timed)
			code = switches__cut(events->states[i], err);
	return code;
}

int opened_events__hand_over(struct opened_events *events, struct set *set, uint32_t generation,
			     enum drain_moment moment, const struct capture_sink *sink,
			     struct ledger *ledgers)
{
	int code = 0;
	size_t i;

	for (i = 0; i < events->said.nr && !code; i++) {
		const struct source *source = events->said.list[i].source;

		if (source->hand_over)
			code = source->hand_over(events->states[i], set, generation, moment, sink,
						 &ledgers[i]);
	}
	return code;
}

bool opened_events__have_levels(const struct opened_events *events)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++)
		if (events->said.list[i].source->is_level)
			return true;
	return false;
}

bool opened_events__are_timed(const struct opened_events *events)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++)
		if (events->said.list[i].source->is_timed)
			return true;
	return false;
}

int opened_events__follow_cpus(struct opened_events *events, struct error *err)
{
	int changed = 0, code = 0;
	size_t i;

	for (i = 0; i < events->said.nr && code >= 0; i++) {
		const struct source *source = events->said.list[i].source;

		if (source->follow_cpus)
			code = source->follow_cpus(events->states[i], err);
		changed |= code > 0;
	}
	return code < 0 ? code : changed;
}

void opened_events__stop(struct opened_events *events)
{
	size_t i;

	for (i = 0; i < events->said.nr; i++)
		events->said.list[i].source->stop(events->states[i]);
}
