/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ledger: what became of every event, and two accounts to hold it against.
 *
 *   events = counted + idle + filtered + lost        exact, to the sample
 *   sampled_ns against ran_ns                        an estimate: the scheduler's own clock
 *   sampled_ns, of bytes then, against allocated     likewise: the allocator's own count
 *   wall = running + runnable + blocked + unknown    exact, to the nanosecond, where waits are sampled
 *
 * A plain value: zero it, add to it, print it. Sums stop at UINT64_MAX instead of wrapping.
 */
#ifndef TOPSTACKS_PROFILE_LEDGER_H
#define TOPSTACKS_PROFILE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a sample is in no count. One row each in ledger.c: name and remedy. */
enum loss {
	LOSS_THROTTLED,	   /* the kernel's interrupt limit: kernel.perf_event_max_sample_rate */
	LOSS_COUNTS_FULL,  /* no room for another key in the counts map */
	LOSS_COUNTS_BUSY,  /* the map's lock was held on this CPU */
	LOSS_COUNTS_ERROR, /* any other failure of a map helper */
	LOSS_NO_SET,	   /* no map in place of this generation */
	LOSS_PROGRAM_BUSY, /* another BPF program of a perf event ran on the CPU */
	LOSSES,
};

/* Why a counted sample has no stack although there was one. */
enum missing {
	MISSING_SPILL_FULL, /* stack map and log both full */
	MISSING_COLLISION,  /* another stack has the same 64-bit hash */
	MISSING_BUSY,	    /* a lock or per-CPU buffer was taken */
	MISSING_UNREADABLE, /* the kernel could not walk it, or the drain could not read it */
	MISSINGS,
};

/* Why a stack lacks callers for certain. All but the first only where stacks are unwound with
 * tables. */
enum cut {
	CUT_DEPTH,	/* deeper than the limit */
	CUT_NO_ROOM,	/* the table that speaks about the code found no room */
	CUT_UNLISTED,	/* the process has more mappings than are kept of one */
	CUT_NO_RULE,	/* no table speaks about the code */
	CUT_UNMAPPED,	/* nor is known what is mapped there */
	CUT_OTHER_RULE, /* its rule is none that a table can hold */
	CUT_UNREADABLE, /* a page of the stack is not in memory */
	CUT_FP_LOST,	/* the rule needs the frame pointer, which a frame before had overwritten */
	CUT_BACKWARDS,	/* the caller's frame would not be above this one */
	CUTS,
};

struct ledger {
	uint64_t events;
	uint64_t counted;
	uint64_t idle;
	uint64_t filtered;
	uint64_t lost[LOSSES];

	/* Of counted; whole + cut[] + unverified + missing[] = counted. */
	uint64_t whole;
	uint64_t cut[CUTS];
	uint64_t unverified;
	uint64_t missing[MISSINGS];
	uint64_t early;	    /* of unverified: walked before unwind tables were loaded */
	uint64_t unmapped;  /* of unverified: the walk came to an address where no code is */
	uint64_t undrained; /* counted, but not in the maps that were drained: must be 0 */

	/* Periods that fell due on all CPUs while events were scheduled in; see docs/ledger.md. */
	uint64_t due;
	uint64_t late; /* of them: no event of their own, their timer came late or was skipped */
	bool idle_excluded;   /* due contains idle time, so due - events means nothing and late is 0
			      */
	bool lost_unmeasured; /* the kernel kept some out, and does not say how many */
	bool ran_unmeasured;  /* the scheduler's clock has no CPU time of what is sampled: ran_ns
				means nothing */

	uint64_t
		allocated; /* bytes, as whoever chose the blocks that are sampled counts all of them; 0: nobody does */
	uint64_t sampled_ns; /* weight of counted */
	uint64_t ran_ns;     /* CPU time that the scheduler gave the target */

	/*
	 * Of waits: how long the target's threads lived, together, and what they did meanwhile, from one clock:
	 * wall = running + runnable + blocked + unknown, to the nanosecond. All in ns.
	 */
	uint64_t wall_ns;
	uint64_t running_ns;
	uint64_t runnable_ns; /* they could have run, and had no CPU */
	uint64_t blocked_ns;  /* or were stopped */
	uint64_t unknown_ns;  /* nobody saw what they did */
	uint64_t unplaced_ns; /* of runnable and blocked: in no sample, since the maps were full */
	/* The scheduler's own account of the same threads. */
	uint64_t scheduled_ns;	  /* it let them run */
	uint64_t delayed_ns;	  /* it let them wait for a CPU */
	uint64_t uncredited_ns;	  /* they ran, and its clock gave it to others, or to nobody */
	uint64_t overcredited_ns; /* its clock gave it to them, and others ran */
	uint64_t switches;	  /* from one of these threads to another one, or to nothing */
	uint64_t asleep;	  /* threads that slept when sampling began */
	uint64_t asleep_walked;	  /* of them, those whose stacks could be had all the same */

	/* Hits of events that share a program, which were kept from it: of which of them nobody
	 * knows, so each has the number, and none has them in events and lost. */
	uint64_t kept_out;

	/* Of interpreters: stacks, and code objects that have no name. */
	uint64_t
		stateless; /* a loop, and the thread has no frames of the language: it begins, or ends */
	uint64_t out_of_step; /* frames that no loop runs, or a loop that runs none */
	uint64_t codes_full;  /* no room for their names */
	uint64_t codes_bad;   /* they are none, or were not to be read */

	/* Losses that are not samples. */
	uint64_t children_not_followed; /* the targets map was full */
	uint64_t processes_unlisted;	/* no room for where their unwind tables are */
	uint64_t processes_unprobed;	/* children that a probe did not follow at once */
	uint64_t unprobed_ns;		/* the time that they had without it, together */
	uint64_t programs_unsampled;	/* executed without what chooses their samples */
	uint64_t processes_unnamed;	/* no room for a process record: its samples have no pid */
	uint64_t unread;	     /* counted, with names missing: a file was not read in time */
	uint64_t unread_descriptors; /* likewise: there was no descriptor for a file */
	uint64_t unread_processes;   /* likewise: there was no process to open or read a file */
	uint64_t unread_refused;     /* likewise: a process, or what it tells, is not to be read */
	uint64_t runtime_untracked;  /* tasks whose last CPU time is not in ran_ns */
	uint64_t records_lost;	     /* side-band records: mappings, execs, forks */

	/* Stacks read by syscall, each of which blinds its CPU while it lasts. */
	uint64_t
		places_lost; /* of the maps, until their set is emptied: CPUs wanted them at the same time */
	uint64_t stacks_read;
	uint64_t stacks_read_ns;
	/* Other calls on elements of maps: fresh maps and unwind tables put in their places. */
	uint64_t map_calls;
	uint64_t map_calls_ns; /* CPU time */
	uint64_t drains;
	uint64_t flip_ns; /* all flips with their grace periods */
	uint64_t
		grace_ns; /* of it: reading one descriptor a CPU, until none works on the old set */
};

/* Whose ledger it is: what helps against losses, and whose they are, depends on it. */
struct ledger_subject {
	bool is_counted; /* without a rate that -F could lower */
	bool is_live;	 /* its samples are in a map whose size is fixed until they are freed */
	bool has_others; /* more events were sampled in the same run */
	bool has_targets; /* not all processes were asked for: what the kernel kept out may be others' */
};

/* "throttled", "counts_full": the keys of lost_by in JSON and the words on the screen. */
const char *loss__name(enum loss loss);
const char *missing__name(enum missing missing);
const char *cut__name(enum cut cut);

void ledger__add(struct ledger *sum, const struct ledger *more);

uint64_t ledger__lost(const struct ledger *ledger); /* all reasons */
uint64_t
ledger__lost_of_anyone(const struct ledger *ledger); /* before it was known whose they are */
/* The target's part of these, by its part in what is known; the rest is others'. */
uint64_t ledger__lost_of_target(const struct ledger *ledger);
uint64_t ledger__missing(const struct ledger *ledger); /* all reasons */
uint64_t ledger__cut(const struct ledger *ledger);     /* all reasons */

/*
 * events == counted + idle + filtered + lost, the stacks' account equals counted, and so does what
 * was drained.
 */
bool ledger__balances(const struct ledger *ledger);

/* Whether what threads did in their time is known: waits were sampled. */
bool ledger__has_wall(const struct ledger *ledger);

/* wall - (running + runnable + blocked + unknown): must be 0. */
int64_t ledger__wall_error_ns(const struct ledger *ledger);

/*
 * "27.04 s of threads = 0.26 s running + 0.36 s runnable + 26.42 s blocked + 0 s unknown". As snprintf; 0:
 * there is no such account.
 */
int ledger__wall_line(const struct ledger *ledger, char *text, size_t size);

/* The scheduler's account is within the tolerance of ours. */
bool ledger__scheduler_agrees(const struct ledger *ledger);

/*
 * "0.29 s ran + 12 ms uncredited - 8 ms of others, 0.36 s waited to run; agrees within 0.5 % and
 * 10 us a switch (3,471)". Likewise.
 */
int ledger__scheduler_line(const struct ledger *ledger, char *text, size_t size);

/* sampled / ran in percent; negative if ran_ns is 0, or was not measured. */
double ledger__coverage(const struct ledger *ledger);

/*
 * One line without newline: "10,000 events = 600 counted + 0 idle + 9,400 filtered + 0 lost".
 * Losses and missing stacks follow only where there are any, by reason. Returns the length, as
 * snprintf.
 */
int ledger__line(const struct ledger *ledger, char *text, size_t size);

/*
 * Every number of a ledger by a name that files may keep: "events", "lost.throttled", "sampled_ns".
 * NULL beyond the last one.
 */
const char *ledger__field_name(size_t index);
uint64_t *ledger__field(struct ledger *ledger, size_t index);

/*
 * The nth sentence on samples or stacks that were lost, with its remedy: "12 samples lost, throttled: lower
 * -F ...". Returns its length as snprintf, or 0 when there are no more than nth of them.
 */
int ledger__notice(const struct ledger *ledger, const struct ledger_subject *subject, size_t nth,
		   char *text, size_t size);

/* Likewise on time of threads that is in no sample. What nobody saw is told from a thousandth of all on. */
int ledger__notice_wall(const struct ledger *ledger, const struct ledger_subject *subject,
			size_t nth, char *text, size_t size);

/* Likewise on what was lost beside samples, which all events of a run have in common. */
int ledger__notice_common(const struct ledger *ledger, const struct ledger_subject *subject,
			  size_t nth, char *text, size_t size);

#endif
