/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One interval of a run as views and formats see it: its samples, its ledger, its circumstances.
 */
#ifndef TOPSTACKS_PROFILE_INTERVAL_H
#define TOPSTACKS_PROFILE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/ledger.h"
#include "profile/profile.h"
#include "profile/quality.h"

/* What the tool itself used during the interval (memory: at its end). */
struct cost {
	uint64_t user_ns, system_ns; /* CPU of our own threads */
	uint64_t drain_ns;	     /* of it: reading maps and rings */
	uint64_t symbols_ns;	     /* of it: naming what is new */
	uint64_t display_ns;	     /* of it: ranking and formatting, of the interval before */
	uint64_t program_runs;	     /* of the BPF program, and their time; 0 if it was not timed */
	uint64_t program_ns;
	uint64_t resident_bytes; /* VmRSS */
	uint64_t peak_bytes;	 /* VmHWM */
	uint64_t symbols_bytes;	 /* of it: tables, names, mappings */
	uint64_t kernel_bytes;	 /* of our maps: memlock of their fdinfo */
};

struct interval {
	const struct profile *profile;
	const char *event; /* "cpu-clock"; NULL: not known */
	struct ledger ledger;
	struct quality quality; /* of the profile; zero: not measured */
	struct cost cost;
	const char *target;	 /* "redis-server (pid 4711)", "all processes", "make -j2" */
	const char *values;	 /* what is shown, in a sentence; NULL: samples, as always */
	int64_t end_realtime_ns; /* CLOCK_REALTIME */
	uint64_t duration_ns;
	double asked_hz;
	double delivered_hz; /* due periods per second and CPU, less what was throttled */
	unsigned int nr_cpus;
	bool is_foreign;       /* others recorded it: ledger, rates and CPUs are not known */
	const char *unwinding; /* "frame pointers", "unwind tables"; NULL: not known */
	bool whole_system;     /* no target was named */
	bool is_sum;	       /* of a run whose intervals were shown before */
};

#endif
