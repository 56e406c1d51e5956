/* SPDX-License-Identifier: GPL-2.0-only */
/* States and reasons of waits, which kern/ and the model of user/ share. */
#ifndef TOPSTACKS_WAITS_H
#define TOPSTACKS_WAITS_H

enum wait_state {
	WAIT_UNKNOWN, /* no state: the event is no wait */
	WAIT_RUNNING,
	WAIT_INTERRUPTIBLE,   /* blocked; a signal ends the wait */
	WAIT_UNINTERRUPTIBLE, /* blocked; no signal ends the wait */
	WAIT_DISK,	      /* blocked on a block device; no signal ends the wait */
	WAIT_PREEMPTED,	      /* runnable, but another thread runs on its CPU */
	WAIT_WOKEN,	      /* woken, but no CPU runs it yet */
	WAIT_THROTTLED,	      /* runnable, but its cgroup has used up its CPU quota */
	WAIT_STOPPED,	      /* stopped by a signal or a debugger */
	WAIT_STATES,
};

/* The thing that a thread waits for while it is blocked, or waited for before it was woken. */
enum wait_kind {
	WAIT_FOR_NOTHING,
	WAIT_FOR_LOCK,
	WAIT_FOR_DISK,
	WAIT_FOR_NET,
	WAIT_FOR_POLL, /* the first of several things */
	WAIT_FOR_SLEEP,
	WAIT_FOR_PIPE, /* a pipe, a terminal or a message queue */
	WAIT_FOR_CHILD,
	WAIT_FOR_FAULT, /* a page that is not in memory yet */
	WAIT_FOR_OTHER,
	WAIT_KINDS,
};

/* State and kind in one number, as in a sample; 0: WAIT_UNKNOWN, WAIT_FOR_NOTHING. */
#define WAIT_KIND_SHIFT	  4
#define WAIT(state, kind) ((unsigned int)(state) | (unsigned int)(kind) << WAIT_KIND_SHIFT)

#endif
