/* SPDX-License-Identifier: GPL-2.0-only */
/* What a drain hands over: raw stacks and samples, and who takes them. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SAMPLE_H
#define TOPSTACKS_CAPTURE_EVENTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "processes/process.h"

struct code;

/* How a walk ended. */
enum stack_end {
	END_OPEN,  /* nobody can know: in part or all along frame pointers, or uncertain */
	END_EARLY, /* likewise, as the unwind tables of the process were not loaded yet */
	END_WHOLE, /* where an unwind table says that there is no caller */
	END_CUT,   /* + enum cut: before that */
	END_GUESSED_CUT = 64, /* + enum cut: likewise, and uncertain on the way */
};

/* A frame may be missing in the middle. */
static inline bool stack_end__is_guessed(enum stack_end end)
{
	return end == END_OPEN || end == END_EARLY || end >= END_GUESSED_CUT;
}

static inline bool stack_end__is_cut(enum stack_end end)
{
	return end >= END_CUT;
}

/* enum cut, of one that is. */
static inline unsigned int stack_end__cut(enum stack_end end)
{
	return end >= END_GUESSED_CUT ? end - END_GUESSED_CUT : end - END_CUT;
}

/* A stack as the kernel saw it: words, leaf first. Interned: one pointer per distinct content. */
struct raw_stack {
	uint64_t id; /* never given twice in a session */
	enum stack_end end;
	uint32_t hash; /* of the words */
	uint32_t nr_references;
	uint32_t nr_frames;
	const struct code **codes; /* for raw_stack__code() */
	uint64_t words[];	   /* addresses, or interpreted code: see raw_stacks.h */
};

/* Who ended a wait. */
struct raw_waker {
	bool is_known;
	const struct process *process; /* NULL: its record was lost; of an interrupt, anybody */
	const struct raw_stack *user, *kernel; /* NULL: none, or missing */
};

struct raw_sample {
	unsigned int event;		       /* its number in the session */
	const struct process *process;	       /* NULL: its record was lost */
	int32_t tid;			       /* 0 unless by_thread */
	const char *thread;		       /* its name; NULL: not known */
	const struct raw_stack *user, *kernel; /* NULL: none, or missing */
	uint32_t wait;			       /* WAIT() of waits.h; 0: it is none */
	uint64_t
		slice; /* 1 + that of time; 0: not told. As a set is read: its number in the round (slice_clock.h) */
	uint64_t object; /* the address of the lock that it waits for; 0: not told */
	struct raw_waker waker;
	bool in_switch; /* its kernel stack begins with what the scheduler's tracepoint runs */
	int missing;	/* enum missing of a stack that is not here, or -1 */
	uint64_t count;
	uint64_t weight; /* in the unit of the event */
};

/* Where in an interval a drain is. */
enum drain_moment {
	DRAIN_MIDDLE,
	DRAIN_END,	 /* at its end: what there is now is told as well */
	DRAIN_AFTER_END, /* what there was has been told, and this still belongs to the interval */
};

/*
 * Who receives what a session has to say. Everything passed is borrowed until the call returns, but
 * for stacks that are held.
 */
struct capture_sink {
	void *context;
	void (*on_event)(void *context, const struct process_event *event);
	void (*on_sample)(void *context, const struct raw_sample *sample);
};

#endif
