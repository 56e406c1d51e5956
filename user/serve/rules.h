/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Judges the rules of "topstacks serve --when" at the end of each slice. A rule fires when its
 * condition has held for as long as the rule says, at most once in ten minutes; within that pause
 * it is only counted.
 *
 *	rules = rules__new(pressure__read, "/sys/fs/cgroup");
 *	rules__add(rules, "cpu of comm=nginx > 150% for 10s", err);
 *	...
 *	if (rules__judge(rules, slice, monotonic_ns()))
 *		for (size_t i = 0; i < rules__nr(rules); i++)
 *			if (rules__has_fired(rules, i))
 *				save_minutes_before(rules__name(rules, i));
 */
#ifndef TOPSTACKS_SERVE_RULES_H
#define TOPSTACKS_SERVE_RULES_H

#include "base/common.h"
#include "profile/recording.h"
#include "serve/rule.h"

#define MAX_RULES      32
#define RULE_PAUSE_NS  (600 * UINT64_C(1000000000))
#define RULE_NAME_SIZE 64

struct rules;

/* The type of pressure__read(), which programs use; context is borrowed. */
typedef int read_pressure(void *context, enum rule_measure measure, const char *cgroup,
			  uint64_t *total_us);

struct rules *rules__new(read_pressure *read, void *context);
void rules__free(struct rules *rules);

/*
 * Adds a rule given as text; its subject must exist. 0, or negative errno with err filled
 * (EXIT_USAGE).
 */
int rules__add(struct rules *rules, const char *text, struct error *err);
size_t rules__nr(const struct rules *rules);

/*
 * Judges the slice that has just ended; now_ns: CLOCK_MONOTONIC. Returns whether any rule fires;
 * rules__has_fired() tells which, until the next call.
 */
bool rules__judge(struct rules *rules, const struct recording *slice, uint64_t now_ns);
bool rules__has_fired(const struct rules *rules, size_t index);

/* A name for files, different for each rule: "cpu-of-comm-nginx". */
const char *rules__name(const struct rules *rules, size_t index);

/* How often the rule would have fired without the pause. */
uint64_t rules__nr_suppressed(const struct rules *rules, size_t index);

#endif
