/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread did, and what for: the words that kern/ and the model of user/ share. */
#ifndef TOPSTACKS_WAITS_H
#define TOPSTACKS_WAITS_H

enum wait_state {
	WAIT_UNKNOWN, /* nothing is told of it: samples of events that are no waits */
	WAIT_RUNNING,
	WAIT_INTERRUPTIBLE,   /* blocked: a signal would end it */
	WAIT_UNINTERRUPTIBLE, /* blocked: none would */
	WAIT_DISK,	      /* blocked: likewise, for a block device */
	WAIT_PREEMPTED,	      /* it could run on, and another one does */
	WAIT_WOKEN,	      /* its wait is over, and no CPU has taken it yet */
	WAIT_THROTTLED,	      /* it could run on, and its group has used up its quota of CPU time */
	WAIT_STOPPED,	      /* by a signal or a debugger */
	WAIT_STATES,
};

/* What it waits for, where it is blocked, or was until it was woken. */
enum wait_kind {
	WAIT_FOR_NOTHING,
	WAIT_FOR_LOCK,
	WAIT_FOR_DISK,
	WAIT_FOR_NET,
	WAIT_FOR_POLL, /* for the first of several things to happen */
	WAIT_FOR_SLEEP,
	WAIT_FOR_PIPE, /* or a terminal, or a queue of messages */
	WAIT_FOR_CHILD,
	WAIT_FOR_FAULT, /* memory that is not there yet */
	WAIT_FOR_OTHER,
	WAIT_KINDS,
};

/* Both in one number, as a sample has them; 0: WAIT_UNKNOWN, for nothing. */
#define WAIT_KIND_SHIFT	  4
#define WAIT(state, kind) ((unsigned int)(state) | (unsigned int)(kind) << WAIT_KIND_SHIFT)

#endif
