/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ledger: the fate of every event, and two accounts to hold it against.
 *
 *   events = counted + idle + filtered + lost        exact, to the sample
 *   sampled_ns against ran_ns                        an estimate: the scheduler's own clock
 *   sampled_ns, of bytes then, against allocated     likewise: the allocator's own count
 *   wall = running + runnable + blocked + unknown    exact, to the nanosecond, if waits are sampled
 *
 * A plain value: zero it, add to it, print it. Sums stop at UINT64_MAX instead of wrapping.
 */
#ifndef TOPSTACKS_PROFILE_LEDGER_H
#define TOPSTACKS_PROFILE_LEDGER_H

#include "base/common.h"

/* Why a sample is not counted. Each has one row in ledger.c, with its name and its remedy. */
enum loss {
	LOSS_THROTTLED,	   /* the kernel's interrupt limit: kernel.perf_event_max_sample_rate */
	LOSS_COUNTS_FULL,  /* no room for another key in the counts map */
	LOSS_COUNTS_BUSY,  /* the map's lock was held on this CPU */
	LOSS_COUNTS_ERROR, /* any other failure of a map helper */
	LOSS_NO_SET,	   /* no map of this generation is installed */
	LOSS_PROGRAM_BUSY, /* another BPF program of a perf event ran on the CPU */
	LOSSES,
};

/* Why a counted sample has no stack although there was one. */
enum missing {
	MISSING_SPILL_FULL, /* stack map and log both full */
	MISSING_COLLISION,  /* another stack has the same 64-bit hash */
	MISSING_BUSY,	    /* a lock or per-CPU buffer was taken */
	MISSING_UNREADABLE, /* the kernel could not walk it, or the drain could not read it */
	MISSING_UNNAMED,    /* names were behind, and there was no memory for it to wait in */
	MISSINGS,
};

/* Why a stack lacks callers for certain. All but the first only where stacks are unwound with
 * tables. */
enum cut {
	CUT_DEPTH,	/* deeper than the limit */
	CUT_NO_ROOM,	/* the table that speaks about the code found no room */
	CUT_UNLISTED,	/* the process has more mappings than its list has room for */
	CUT_NO_RULE,	/* the code's table, or the lack of one, gives no rule */
	CUT_UNMAPPED,	/* it is not known what is mapped there */
	CUT_OTHER_RULE, /* its rule is of a kind that tables cannot hold */
	CUT_UNREADABLE, /* a page of the stack is not in memory */
	CUT_FP_LOST,	/* the rule needs the frame pointer, which an inner frame overwrote */
	CUT_BACKWARDS,	/* the caller's frame would not be above this one */
	CUTS,
};

struct ledger {
	uint64_t events;
	uint64_t counted;
	uint64_t idle;
	uint64_t filtered;
	uint64_t lost[LOSSES];

	/* Parts of counted: whole + cut[] + unverified + missing[] = counted. */
	uint64_t whole;
	uint64_t cut[CUTS];
	uint64_t unverified;
	uint64_t missing[MISSINGS];
	uint64_t early;	    /* of unverified: walked before unwind tables were loaded */
	uint64_t unmapped;  /* of unverified: the walk came to an address without code */
	uint64_t undrained; /* counted by the kernel, but missing in the drained maps: must be 0 */

	/* Periods that fell due on all CPUs while events were scheduled in; see docs/ledger.md. */
	uint64_t due;
	/* Part of due: without an event, as the timer came late or was skipped. */
	uint64_t late;
	/* due contains idle time: due - events means nothing, and late is 0. */
	bool idle_excluded;
	/* The kernel kept some events from the program, and does not say how many. */
	bool lost_unmeasured;
	/* The scheduler has no CPU time of what is sampled: ran_ns means nothing. */
	bool ran_unmeasured;

	/*
	 * Bytes of all allocations, as the library that samples blocks counts them; 0: not counted.
	 */
	uint64_t allocated;
	uint64_t sampled_ns; /* weight of counted */
	uint64_t ran_ns;     /* CPU time that the scheduler gave the target */

	/*
	 * Only where waits are sampled: the life of all the target's threads together, and what
	 * they did meanwhile, by one clock. wall = running + runnable + blocked + unknown, to the
	 * nanosecond.
	 */
	uint64_t wall_ns;
	uint64_t running_ns;
	uint64_t runnable_ns; /* ready to run, without a CPU */
	uint64_t blocked_ns;  /* blocked or stopped */
	uint64_t unknown_ns;  /* not observed */
	uint64_t unplaced_ns; /* of runnable and blocked: in no sample, since the maps were full */
	/* The scheduler's own account of the same threads. */
	uint64_t scheduled_ns;	  /* running */
	uint64_t delayed_ns;	  /* waiting for a CPU */
	uint64_t uncredited_ns;	  /* run, but credited by the scheduler's clock to other threads */
	uint64_t overcredited_ns; /* run by other threads, but credited to these */
	uint64_t switches;	  /* from one of these threads to another thread, or to idle */
	uint64_t asleep;	  /* threads that slept when sampling began */
	uint64_t asleep_walked;	  /* of asleep: with a stack all the same */

	/*
	 * Hits of events that share a BPF program, which the kernel kept from it. The kernel does
	 * not say to which of these events a hit belonged: each event has the full number here, and
	 * none of it in events and lost.
	 */
	uint64_t kept_out;

	/* Stacks of interpreters that are incomplete, and code objects without a name. */
	/*
	 * The interpreter's loop runs, and the thread has no frames of the language: it begins, or
	 * ends.
	 */
	uint64_t stateless;
	/* Frames of the language without a loop that runs them, or a loop without frames. */
	uint64_t out_of_step;
	uint64_t codes_full; /* code objects: no room for their names */
	uint64_t codes_bad;  /* code objects that are invalid, or could not be read */

	/* Losses other than samples. */
	uint64_t children_not_followed; /* the targets map was full */
	uint64_t processes_unlisted;	/* no room for the list of their unwind tables */
	uint64_t processes_unprobed;	/* children that got their probe only after their start */
	uint64_t unprobed_ns;		/* the time that they lived without the probe, together */
	uint64_t programs_unsampled; /* programs that never asked the library that samples blocks */
	uint64_t processes_unnamed;  /* no room for a process record: its samples have no pid */
	uint64_t unread;	     /* counted, with names missing: a file was not read in time */
	uint64_t unread_descriptors; /* likewise: there was no descriptor for a file */
	uint64_t unread_processes;   /* likewise: there was no process to open or read a file */
	uint64_t unread_refused; /* likewise: the process may not be read, or has too many names */
	uint64_t runtime_untracked; /* tasks whose last CPU time is not in ran_ns */
	uint64_t records_lost;	    /* side-band records: mappings, execs, forks */

	/* Stacks read by syscall; each read keeps the CPU's samples out while it lasts. */
	/* Entries of maps that are unusable until their set is emptied, as CPUs raced for them. */
	uint64_t places_lost;
	uint64_t stacks_read;
	uint64_t stacks_read_ns;
	/* Other calls on map elements: installing fresh maps and unwind tables. */
	uint64_t map_calls;
	uint64_t map_calls_ns; /* CPU time */
	uint64_t drains;
	uint64_t flip_ns; /* all flips with their grace periods */
	/* Part of flip_ns: reading one descriptor of each CPU, until no program uses the old set */
	uint64_t grace_ns;
};

/*
 * How the ledger's events were sampled: the remedies, and the owners of lost samples, depend on it.
 */
struct ledger_subject {
	bool is_counted; /* the event has no rate that -F could lower */
	/* Samples are live blocks, in a map of fixed size, until they are freed. */
	bool is_live;
	bool has_others; /* the run sampled more events */
	/*
	 * Only some processes were asked for: samples that the kernel kept out may belong to
	 * others.
	 */
	bool has_targets;
};

/* "throttled", "counts_full": the keys of lost_by in JSON and the words on the screen. */
const char *loss__name(enum loss loss);
const char *missing__name(enum missing missing);
const char *cut__name(enum cut cut);

void ledger__add(struct ledger *sum, const struct ledger *more);

uint64_t ledger__lost(const struct ledger *ledger); /* all reasons */
/* Lost before the program could see to which process they belong. */
uint64_t ledger__lost_of_anyone(const struct ledger *ledger);
/*
 * The target's estimated part of ledger__lost_of_anyone(): its part of the events with a known
 * owner.
 */
uint64_t ledger__lost_of_target(const struct ledger *ledger);
uint64_t ledger__missing(const struct ledger *ledger); /* all reasons */
uint64_t ledger__cut(const struct ledger *ledger);     /* all reasons */

/*
 * True if events == counted + idle + filtered + lost, the account of stacks adds up to counted, and
 * every counted sample was drained.
 */
bool ledger__balances(const struct ledger *ledger);

/* True if waits were sampled, so that the time of threads is accounted for. */
bool ledger__has_wall(const struct ledger *ledger);

/* wall - (running + runnable + blocked + unknown): must be 0. */
int64_t ledger__wall_error_ns(const struct ledger *ledger);

/*
 * "27.04 s of threads = 0.26 s running + 0.36 s runnable + 26.42 s blocked + 0 s unknown". As
 * snprintf; 0 without ledger__has_wall().
 */
int ledger__wall_line(const struct ledger *ledger, char *text, size_t size);

/* The scheduler's account agrees with ours, within a tolerance. */
bool ledger__scheduler_agrees(const struct ledger *ledger);

/*
 * "0.29 s ran + 12 ms uncredited - 8 ms of others, 0.36 s waited to run; agrees within 0.5 % and
 * 10 us a switch (3,471)". As snprintf; 0 without ledger__has_wall().
 */
int ledger__scheduler_line(const struct ledger *ledger, char *text, size_t size);

/* sampled_ns / ran_ns in percent; negative if ran_ns is 0, or was not measured. */
double ledger__coverage(const struct ledger *ledger);

/*
 * One line without newline: "10,000 events = 600 counted + 0 idle + 9,400 filtered + 0 lost".
 * Losses and missing stacks follow only where there are any, by reason. Returns the length, as
 * snprintf.
 */
int ledger__line(const struct ledger *ledger, char *text, size_t size);

/*
 * The numbers of a ledger by index, with the names that files keep: "events", "lost.throttled",
 * "sampled_ns". The name is NULL beyond the last one.
 */
const char *ledger__field_name(size_t index);
uint64_t *ledger__field(struct ledger *ledger, size_t index);

/*
 * Writes the nth sentence on lost samples or stacks, with its remedy: "12 samples lost, throttled:
 * lower -F ...". Returns its length as snprintf, or 0 if there are only nth sentences.
 */
int ledger__notice(const struct ledger *ledger, const struct ledger_subject *subject, size_t nth,
		   char *text, size_t size);

/*
 * Likewise on time of threads that is in no sample. Unknown time is mentioned if it is more than a
 * hundredth of all.
 */
int ledger__notice_wall(const struct ledger *ledger, const struct ledger_subject *subject,
			size_t nth, char *text, size_t size);

/* Likewise on other losses, which all events of a run have in common. */
int ledger__notice_common(const struct ledger *ledger, const struct ledger_subject *subject,
			  size_t nth, char *text, size_t size);

#endif
