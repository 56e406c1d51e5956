/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler opens capture and symbols for a target; its collector drains batches for the recorder. It raises this process's priority and limits for good: a process samples once.
 */
#ifndef TOPSTACKS_RUN_SAMPLER_H
#define TOPSTACKS_RUN_SAMPLER_H

#include "base/error.h"
#include "capture/capture.h"
#include "capture/events/pace.h"
#include "profile/recording.h"
#include "symbols/symbols.h"

struct batch_queue;
struct sampler;

/* Opens everything; nothing is sampled yet. 0 or negative errno. */
int sampler__open(struct sampler **sampler, const struct capture_options *capture,
		  const struct symbols_options *symbols, struct error *err);

/* All batches must be freed before. NULL is fine. */
void sampler__close(struct sampler *sampler);

/*
 * Sampling begins, into a queue that is valid from here on. *begin_ns: of the time that is sampled
 * (CLOCK_MONOTONIC). 0 or negative errno.
 */
int sampler__start(struct sampler *sampler, struct batch_queue **queue, uint64_t *begin_ns,
		   struct error *err);

/* As the functions of the collector (capture/collector.h), once sampling has begun. */
int sampler__drain(struct sampler *sampler, enum drain_moment moment, const struct pace *pace,
		   uint64_t *number, struct error *err);
void sampler__cut_at(struct sampler *sampler, uint64_t then_ns, bool is_last);
bool sampler__was_cut(struct sampler *sampler, uint64_t *number);
void sampler__stop(struct sampler *sampler);

/* As those of capture/capture.h; at any time. */
void sampler__facts(struct sampler *sampler, struct capture_facts *facts);
size_t sampler__kernel_bytes(struct sampler *sampler);
unsigned int sampler__max_depth(const struct sampler *sampler);

/* Runs of our programs in the kernel, and the time that they took, so far. */
void sampler__program_time(struct sampler *sampler, uint64_t *nr_runs, uint64_t *run_ns);

/* The symbols of what is sampled; they live as long as the sampler. */
struct symbols *sampler__symbols(struct sampler *sampler);

/* As collector__take_failure. */
bool sampler__take_failure(struct sampler *sampler, char *text, size_t size);

/* What it samples; valid until it is closed. */
const struct events *sampler__events(const struct sampler *sampler);

/* The pace of its events before anything slows it down; rate_hz: of those that have a rate. */
struct pace sampler__first_pace(const struct sampler *sampler, double rate_hz);

/* What its events take of base/system/rights.h while sampling goes on, and others do not. */
uint64_t sampler__later_rights(const struct sampler *sampler);

/* As of struct capture_facts. */
const char *sampler__no_interpreters(struct sampler *sampler);

/* Rates of a recording, a CPU. */
struct sampling_rates {
	double first_hz, asked_hz; /* asked for, at its begin and at its end */
	double lowered_hz; /* at its end, where the bound of our cost did not let it be as asked; else 0 */
};

/* Fills in these rates, and the period, of each event of a recording. */
void sampler__describe_rates(const struct sampler *sampler, struct recording *interval,
			     const struct sampling_rates *rates);

#endif
