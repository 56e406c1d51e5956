/* SPDX-License-Identifier: GPL-2.0-only */
/* The data that a drain hands over, raw stacks and samples, and the sink that receives them. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_SAMPLE_H
#define TOPSTACKS_CAPTURE_EVENTS_SAMPLE_H

#include "base/common.h"
#include "processes/process.h"

struct code;

/* How the walk of a stack ended. */
enum stack_end {
	END_OPEN,  /* completeness unknown: walked by frame pointers in part or all, or uncertain */
	END_EARLY, /* likewise, because the process's unwind tables were not loaded yet */
	END_WHOLE, /* complete: an unwind table says that there is no caller */
	END_CUT,   /* + enum cut: incomplete */
	END_GUESSED_CUT = 64, /* + enum cut: incomplete, and uncertain steps before */
};

/* Returns true if a frame may be missing in the middle. */
static inline bool stack_end__is_guessed(enum stack_end end)
{
	return end == END_OPEN || end == END_EARLY || end >= END_GUESSED_CUT;
}

static inline bool stack_end__is_cut(enum stack_end end)
{
	return end >= END_CUT;
}

/* Returns enum cut of an end for which stack_end__is_cut. */
static inline unsigned int stack_end__cut(enum stack_end end)
{
	return end >= END_GUESSED_CUT ? end - END_GUESSED_CUT : end - END_CUT;
}

/* A raw stack: words, leaf first. Interned: equal stacks have the same pointer. */
struct raw_stack {
	uint64_t id; /* unique within a session */
	enum stack_end end;
	uint32_t hash; /* of the words */
	uint32_t nr_references;
	uint32_t nr_frames;
	const struct code **codes; /* used by raw_stack__code() */
	uint64_t words[];	   /* addresses, or interpreted code: see raw_stacks.h */
};

/* The thread that ended a wait. */
struct raw_waker {
	bool is_known;
	const struct process *process; /* NULL: its record was lost; in an interrupt, any process */
	const struct raw_stack *user, *kernel; /* NULL: there is none, or it is missing */
};

struct raw_sample {
	unsigned int event;		       /* its number in the session */
	const struct process *process;	       /* NULL: its record was lost */
	int32_t tid;			       /* 0 unless by_thread */
	const char *thread;		       /* its name; NULL: not known */
	const struct raw_stack *user, *kernel; /* NULL: none, or missing */
	uint32_t wait;			       /* WAIT() of waits.h; 0: no wait */
	uint64_t
		slice; /* 1 + number of the time slice; 0: none. From sets: number within a round */
	uint64_t object; /* address of the lock that the thread waits for; 0: unknown */
	struct raw_waker waker;
	/* the kernel stack begins with functions below the scheduler's tracepoint */
	bool in_switch;
	int missing; /* enum missing of a missing stack, or -1 */
	uint64_t count;
	uint64_t weight; /* in the unit of the event */
};

/* The position of a drain within an interval. */
enum drain_moment {
	DRAIN_MIDDLE,
	DRAIN_END, /* at the end of an interval: level sources report what exists now */
	/* after DRAIN_END, but still part of the interval: levels were already reported */
	DRAIN_AFTER_END,
};

/*
 * The receiver of events and samples. Arguments are borrowed until the call returns, except stacks
 * that are held.
 */
struct capture_sink {
	void *context;
	void (*on_event)(void *context, const struct process_event *event);
	void (*on_sample)(void *context, const struct raw_sample *sample);
};

#endif
