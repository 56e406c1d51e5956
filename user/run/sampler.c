// SPDX-License-Identifier: GPL-2.0-only
#include "run/sampler.h"

#include <ctype.h>
#include <dirent.h>

#include "base/system/rights.h"
#include "base/system/thread.h"
#include "base/time_budget.h"
#include "capture/collector.h"
#include "capture/events/source.h"

struct sampler {
	struct capture *capture;
	struct collector *collector;
	struct symbols *symbols;
	bool everyone;	    /* the whole system is sampled */
	size_t max_waiting; /* as in struct capture_options */
	double first_hz;    /* the default rate when the events were opened */
};

/* Limit for reading the mappings of processes: those left are read when they are sampled. */
#define READ_NS 500000000ULL

/*
 * Reads the mappings of processes that already run: of the targets, or of everyone. Those of later
 * processes come as events. A process that ends before the first drain could not be read any more.
 */
static void read_running(struct sampler *sampler)
{
	const uint64_t until_ns = monotonic_ns() + READ_NS;
	struct time_budget budget = {.left_ns = READ_NS};
	struct time_budget *usual = symbols__set_time_budget(sampler->symbols, &budget);
	DIR *processes = sampler->everyone ? opendir("/proc") : NULL;
	struct dirent *process;
	uint64_t before = 0;
	int32_t pid;

	symbols__put_off(sampler->symbols, true);
	if (processes) /* once, as /proc may hide others' processes, too (hidepid) */
		before = rights__raise(RIGHTS_TO_LOOK);
	while (processes && monotonic_ns() < until_ns && (process = readdir(processes)))
		if (isdigit((unsigned char)process->d_name[0]))
			symbols__read_process(sampler->symbols, atoi(process->d_name));
	for (size_t n = 0; !sampler->everyone && (pid = capture__target_pid(sampler->capture, n));
	     n++)
		symbols__read_process(sampler->symbols, pid);
	symbols__put_off(sampler->symbols, false);
	symbols__read_put_off(sampler->symbols);
	if (processes) {
		rights__restore(before);
		closedir(processes);
	}
	symbols__set_time_budget(sampler->symbols, usual);
}

/* ---- sampling ---- */

int sampler__start(struct sampler *sampler, struct batch_queue **queue, uint64_t *begin_ns,
		   struct error *err)
{
	int code;

	thread__hurry();
	code = collector__start(&sampler->collector, sampler->capture, sampler->max_waiting, err);
	if (code)
		return code;
	*queue = collector__queue(sampler->collector);
	*begin_ns = collector__begin_ns(sampler->collector);
	if (sampler->everyone)
		read_running(sampler);
	return 0;
}

int sampler__drain(struct sampler *sampler, enum drain_moment moment, const struct pace *pace,
		   uint64_t *number, struct error *err)
{
	return collector__drain(sampler->collector, moment, pace, number, err);
}

void sampler__cut_at(struct sampler *sampler, uint64_t then_ns)
{
	collector__cut_at(sampler->collector, then_ns);
}

void sampler__end_at(struct sampler *sampler, uint64_t end_ns)
{
	collector__end_at(sampler->collector, end_ns);
}

bool sampler__was_cut(struct sampler *sampler, uint64_t *number)
{
	return collector__was_cut(sampler->collector, number);
}

void sampler__stop(struct sampler *sampler)
{
	collector__stop(sampler->collector);
}

void sampler__facts(struct sampler *sampler, struct capture_facts *facts)
{
	if (sampler->collector)
		collector__facts(sampler->collector, facts);
	else
		capture__facts(sampler->capture, facts);
}

size_t sampler__kernel_bytes(struct sampler *sampler)
{
	return sampler->collector ? collector__kernel_bytes(sampler->collector)
				  : capture__kernel_bytes(sampler->capture);
}

void sampler__program_time(struct sampler *sampler, uint64_t *nr_runs, uint64_t *run_ns)
{
	capture__program_time(sampler->capture, nr_runs, run_ns);
}

struct symbols *sampler__symbols(struct sampler *sampler)
{
	return sampler->symbols;
}

unsigned int sampler__max_depth(const struct sampler *sampler)
{
	return capture__max_depth(sampler->capture);
}

/* ---- opening ---- */

static const char *ask_kernel(void *context, uint64_t address)
{
	return capture__kernel_name(context, address);
}

int sampler__open(struct sampler **out, const struct capture_options *capture,
		  const struct symbols_options *symbols, struct error *err)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));
	struct symbols_options with_kernel = *symbols;
	int code;

	thread__raise_stack();
	code = capture__open(&sampler->capture, capture, err);
	if (code) {
		sampler__close(sampler);
		return code;
	}
	with_kernel.ask_kernel = ask_kernel;
	with_kernel.context = sampler->capture;
	sampler->symbols = symbols__new(&with_kernel);
	sampler->everyone = capture->scope == SCOPE_SYSTEM;
	sampler->first_hz = capture->rate_hz;
	sampler->max_waiting = capture->max_waiting_bytes;
	if (!sampler->everyone)
		read_running(sampler);
	*out = sampler;
	return 0;
}

const struct events *sampler__events(const struct sampler *sampler)
{
	return capture__events(sampler->capture);
}

struct pace sampler__first_pace(const struct sampler *sampler, double rate_hz)
{
	const struct events *events = capture__events(sampler->capture);
	struct pace pace = {0};
	size_t i;

	for (i = 0; i < events->nr; i++)
		if (events->list[i].has_rate)
			pace.rate_hz = rate_hz;
		else
			pace.one_in = 1;
	return pace;
}

uint64_t sampler__later_rights(const struct sampler *sampler)
{
	const struct events *events = capture__events(sampler->capture);
	uint64_t rights = 0;
	size_t i;

	for (i = 0; i < events->nr; i++)
		rights |= events->list[i].source->later_rights;
	return rights;
}

const char *sampler__no_interpreters(struct sampler *sampler)
{
	struct capture_facts facts;

	sampler__facts(sampler, &facts);
	return facts.no_interpreters;
}

/*
 * The rate of an event in Hz. An event with a rate of its own changes in proportion to the common
 * rate.
 */
static double rate_of(const struct sampler *sampler, const struct event *event, double rate_hz)
{
	if (!event->has_rate)
		return 0;
	return event->words.freq_hz ? (double)event->words.freq_hz * rate_hz / sampler->first_hz
				    : rate_hz;
}

void sampler__describe_rates(const struct sampler *sampler, struct recording *interval,
			     const struct sampling_rates *rates)
{
	const double asked_hz = rates->asked_hz;
	const struct events *events = capture__events(sampler->capture);
	size_t i;

	for (i = 0; i < events->nr && interval; i++, interval = interval->more) {
		interval->asked_hz = rate_of(sampler, &events->list[i], asked_hz);
		if (rates->first_hz != asked_hz)
			interval->first_hz = rate_of(sampler, &events->list[i], rates->first_hz);
		if (rates->lowered_hz > 0)
			interval->lowered_hz =
				rate_of(sampler, &events->list[i], rates->lowered_hz);
		interval->period = capture__period(sampler->capture, i, asked_hz);
		if (interval->thinned.one_in)
			interval->period *= interval->thinned.one_in;
	}
}

bool sampler__take_failure(struct sampler *sampler, char *text, size_t size)
{
	return sampler->collector && collector__take_failure(sampler->collector, text, size);
}

void sampler__close(struct sampler *sampler)
{
	if (!sampler)
		return;
	collector__free(sampler->collector);
	capture__close(sampler->capture);
	symbols__free(sampler->symbols);
	free(sampler);
}
