/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler opens capture and symbols for a target; its collector drains batches for the
 * recorder. Opening raises this process's priority and limits for good: a process samples once.
 */
#ifndef TOPSTACKS_RUN_SAMPLER_H
#define TOPSTACKS_RUN_SAMPLER_H

#include "base/common.h"
#include "capture/capture.h"
#include "capture/events/pace.h"
#include "profile/recording.h"
#include "symbols/symbols.h"

struct batch_queue;
struct sampler;

/* Opens capture and symbols; sampling does not begin yet. 0 or negative errno. */
int sampler__open(struct sampler **sampler, const struct capture_options *capture,
		  const struct symbols_options *symbols, struct error *err);

/* All batches must be freed before. sampler: NULL is fine. */
void sampler__close(struct sampler *sampler);

/*
 * Starts sampling. *queue: receives the batches from now on. *begin_ns: when sampling began
 * (CLOCK_MONOTONIC). 0 or negative errno.
 */
int sampler__start(struct sampler *sampler, struct batch_queue **queue, uint64_t *begin_ns,
		   struct error *err);

/*
 * Like the collector's functions of the same name (capture/collector.h); call them once sampling
 * has begun.
 */
int sampler__drain(struct sampler *sampler, enum drain_moment moment, const struct pace *pace,
		   uint64_t *number, struct error *err);
void sampler__cut_at(struct sampler *sampler, uint64_t then_ns);
void sampler__end_at(struct sampler *sampler, uint64_t end_ns);
bool sampler__was_cut(struct sampler *sampler, uint64_t *number);
void sampler__stop(struct sampler *sampler);

/* Like the functions of the same name in capture/capture.h; may be called at any time. */
void sampler__facts(struct sampler *sampler, struct capture_facts *facts);
size_t sampler__kernel_bytes(struct sampler *sampler);
unsigned int sampler__max_depth(const struct sampler *sampler);

/* Number of runs of our BPF programs, and the time that they took, so far. */
void sampler__program_time(struct sampler *sampler, uint64_t *nr_runs, uint64_t *run_ns);

/* The symbols of the sampled processes; they live as long as the sampler. */
struct symbols *sampler__symbols(struct sampler *sampler);

/* Like collector__take_failure(). */
bool sampler__take_failure(struct sampler *sampler, char *text, size_t size);

/* The events that are sampled; valid until sampler__close(). */
const struct events *sampler__events(const struct sampler *sampler);

/* The pace of the events before anything slows it down. rate_hz: for events that have a rate. */
struct pace sampler__first_pace(const struct sampler *sampler, double rate_hz);

/* The rights (base/system/rights.h) that these events need while sampling goes on. */
uint64_t sampler__later_rights(const struct sampler *sampler);

/* Why interpreters are not followed, as in struct capture_facts. */
const char *sampler__no_interpreters(struct sampler *sampler);

/* Rates of a recording, in Hz on each CPU. */
struct sampling_rates {
	double first_hz, asked_hz; /* the rate asked for at its begin and at its end */
	double lowered_hz;	   /* rate at its end if the bound of our cost lowered it; else 0 */
};

/* Fills in these rates, and the period, of each event of a recording. */
void sampler__describe_rates(const struct sampler *sampler, struct recording *interval,
			     const struct sampling_rates *rates);

#endif
