/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sentences of a run on standard error, beside its result: each begins with "topstacks: ", and docs/notices.md
 * lists them. Errors are not among them: error__say() has those where they come up.
 */
#ifndef TOPSTACKS_RUN_NOTICES_H
#define TOPSTACKS_RUN_NOTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/capture.h"
#include "profile/quality.h"
#include "profile/recording.h"
#include "readers/readers.h"

struct dropped;
struct late;
struct refusal;
struct target;

/* ---- before a run ---- */

/* Stacks will be cut before max_depth by a setting of the kernel. */
void notices__depth(unsigned int max_depth);

/* The limits of the first preset among these events, if there is one. */
void notices__preset(const char *events);

/* The known defects of this kernel that concern a run of these events. */
void notices__kernel(const struct events *events, bool user_stacks);

/* /proc does not show all processes of the target. */
void notices__namespace(const struct target *target);

/* Waits of threads that our pid namespace does not show are left out. */
void notices__outside(const struct target *target, const struct events *events);

/* What a high rate costs the programs that are sampled; to a terminal only. */
void notices__slowdown(const struct capture_options *options);

/* ---- while it samples ---- */

/* What a session has told already, and may tell. */
struct notices {
	bool are_off;		   /* --quiet, or a full-screen view has the terminal */
	double max_overhead;	   /* --max-overhead */
	const char *memory_option; /* which raises the bound of names; NULL: --symbol-memory */
	int told_shortage;	   /* the last one (base/shortage.h); 0: none */
	bool told_beyond, told_languages;
};

/* A file is not readable: code is as of reason__text(). A shortage is told once, as no file is to blame. */
void notices__unreadable(struct notices *notices, const char *path, enum reader_job job, int code);

/* The governor has slowed sampling down; is_beyond: it cannot keep the bound any more. */
void notices__pace(struct notices *notices, const struct pace *before, const struct pace *now,
		   bool is_beyond);

/* The rate is raised again by the user. */
void notices__faster(const struct notices *notices, double rate_hz);

/* A process whose mappings are not kept. */
void notices__refusal(const struct notices *notices, const struct refusal *refusal);

/* A file whose unwind table is not to be had; text names it and the reason. */
void notices__no_table(const struct notices *notices, const char *text);

/*
 * Frames of the interval are an interpreter's, whose functions are not followed. why: the reason; NULL: they are
 * followed.
 */
void notices__languages(struct notices *notices, const struct recording *interval, const char *why);

/* ---- after it ---- */

/* Samples got names that runtimes told afterwards. is_saved: there is a file. */
void notices__late(const struct notices *notices, const struct late *late, bool is_saved);

/* The target has ended. */
void notices__ended(const char *target);

/* How good names and stacks are, and what would make them better; none if all is well. */
void notices__quality(const struct quality *quality);

/* ---- of files ---- */

/* A file has more events than the first one, which was taken. done: "written", "compared". */
void notices__more_events(const struct recording *recording, const char *done);

/* --drop left out frames of so much of the total. */
void notices__dropped(const struct dropped *dropped, uint64_t total);

#endif
