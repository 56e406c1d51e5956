/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects timer samples that are lost because the program of another event runs. The kernel runs
 * one such program at a time on a CPU, and skips the other silently. But a timer is due in equal
 * steps, so the running program can tell by the clock.
 */
#ifndef TOPSTACKS_KERN_ACCOUNT_EXCLUDED_BPF_H
#define TOPSTACKS_KERN_ACCOUNT_EXCLUDED_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "account/steps.bpf.h"
#include "maps/event.bpf.h"
#include "maps/maps.bpf.h"

#define ENDING_NS 100 /* from the last look at the clock to the program's end */

/* State of a program that may block the timer. */
struct timer_watch {
	struct timer_phase *phase; /* NULL: there is no timer, or no other event */
	__u64 start_ns;
	bool is_timer;
};

static __always_inline struct ledger_cpu *timer_row(__u32 generation)
{
	__u32 row = ledger_row(generation, cfg_timer_event, cfg_nr_events, cfg_nr_cpus,
			       bpf_get_smp_processor_id());

	return bpf_map_lookup_elem(&ledger, &row);
}

/*
 * Notes that the timer has fired. If it had only waited for the end of another program, as
 * interrupts were off, it was not lost: the loss that the other program counted is taken back.
 */
static __always_inline void note_timer(struct timer_phase *phase, __u64 now_ns, __u64 period,
				       __u32 generation)
{
	struct ledger_cpu *row;

	if (!steps__fired(phase, now_ns, period))
		return;
	row = timer_row(generation);
	if (row && row->slots[SLOT_EXCLUDED])
		row->slots[SLOT_EXCLUDED]--;
}

static __always_inline struct timer_watch begin_watch(const struct sample_event *event,
						      __u32 generation)
{
	struct timer_watch watch = {};
	__u32 zero = 0;

	if (cfg_nr_events == 1 || cfg_timer_event >= cfg_nr_events)
		return watch;
	watch.phase = bpf_map_lookup_elem(&timer_phase, &zero);
	watch.start_ns = bpf_ktime_get_ns();
	watch.is_timer = event->number == cfg_timer_event;
	if (watch.phase && watch.is_timer)
		note_timer(watch.phase, watch.start_ns, event->weight, generation);
	return watch;
}

/* Counts the timer's sample as lost if it fell due since begin_watch. */
static __always_inline void end_watch(const struct timer_watch *watch, __u32 generation)
{
	struct ledger_cpu *row;

	if (!watch->phase || watch->is_timer ||
	    !steps__are_due(watch->phase, watch->start_ns, bpf_ktime_get_ns() + ENDING_NS))
		return;
	row = timer_row(generation);
	if (row)
		row->slots[SLOT_EXCLUDED]++;
}

#endif
