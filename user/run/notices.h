/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notices of a run on standard error, beside its result: each begins with "topstacks: ", and
 * docs/notices.md lists them. Errors are not among them: error__say() words those where they occur.
 */
#ifndef TOPSTACKS_RUN_NOTICES_H
#define TOPSTACKS_RUN_NOTICES_H

#include "base/common.h"
#include "capture/capture.h"
#include "profile/quality.h"
#include "profile/recording.h"
#include "readers/readers.h"

struct dropped;
struct late;
struct refusal;
struct target;

/* ---- before a run ---- */

/* Tells if a setting of the kernel cuts stacks before max_depth. */
void notices__depth(unsigned int max_depth);

/* Tells the limits of the first preset among these events, if there is one. */
void notices__preset(const char *events);

/* Tells the known defects of this kernel that concern a run of these events. */
void notices__kernel(const struct events *events, bool user_stacks);

/* Tells if /proc does not show all processes of the target. */
void notices__namespace(const struct target *target);

/* Tells that waits of threads outside our pid namespace are left out. */
void notices__outside(const struct target *target, const struct events *events);

/* Tells what a high rate costs the sampled programs; only on a terminal. */
void notices__slowdown(const struct capture_options *options);

/* ---- while it samples ---- */

/* The notices that a session has told already, and whether it may tell more. */
struct notices {
	bool are_off;		   /* --quiet, or a full-screen view has the terminal */
	double max_overhead;	   /* --max-overhead */
	const char *memory_option; /* the option that raises the symbol memory; NULL:
				    * --symbol-memory */
	int told_shortage;	   /* the last shortage told (base/shortage.h); 0: none */
	bool told_beyond, told_languages;
};

/*
 * Tells that a file is not readable. code: as for reason__text(). A shortage is told once, as the
 * file is not to blame.
 */
void notices__unreadable(struct notices *notices, const char *path, enum reader_job job, int code);

/*
 * Tells that the governor has slowed sampling down; is_beyond: it cannot keep the bound any more.
 */
void notices__pace(struct notices *notices, const struct pace *before, const struct pace *now,
		   bool is_beyond);

/* Tells that the user has raised the rate again. */
void notices__faster(const struct notices *notices, double rate_hz);

/* Tells that the mappings of a process are not kept. */
void notices__refusal(const struct notices *notices, const struct refusal *refusal);

/* Tells that a file's unwind table cannot be read; text names the file and the reason. */
void notices__no_table(const struct notices *notices, const char *text);

/*
 * Tells that frames of the interval are an interpreter's C functions because its own functions are
 * not followed. why: the reason; NULL: they are followed, so nothing is told.
 */
void notices__languages(struct notices *notices, const struct recording *interval, const char *why);

/* ---- after a run ---- */

/*
 * Tells how many samples got names that runtimes told afterwards. is_saved: the run writes a file.
 */
void notices__late(const struct notices *notices, const struct late *late, bool is_saved);

/* Tells that the target has ended. */
void notices__ended(const char *target);

/*
 * Tells how good names and stacks are, and what would make them better; prints nothing if all is
 * well.
 */
void notices__quality(const struct quality *quality);

/* ---- of files ---- */

/*
 * Tells that a file has more events than the first one, which was taken. done: "written",
 * "compared".
 */
void notices__more_events(const struct recording *recording, const char *done);

/* Tells how much of the total had frames that --drop left out. */
void notices__dropped(const struct dropped *dropped, uint64_t total);

#endif
