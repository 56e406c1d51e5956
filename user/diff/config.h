/* SPDX-License-Identifier: GPL-2.0-only */
/* All settings of a comparison; the files are not among them. */
#ifndef TOPSTACKS_DIFF_CONFIG_H
#define TOPSTACKS_DIFF_CONFIG_H

#include "base/common.h"
#include "diff/matching/match.h"
#include "diff/matching/names.h"
#include "diff/matching/verdict.h"
#include "diff/statistics/comparison.h"

struct diff_config {
	struct decision_options decision;
	struct gate_rule *rules;
	size_t nr_rules, rules_capacity;
	struct effect_rule *effects; /* patterns are the config's own */
	size_t nr_effects, effects_capacity;
	struct compared_names names;
	unsigned int allowed; /* bits, as for obstacles__find() */
};

/* The defaults. */
void diff_config__init(struct diff_config *config);
void diff_config__fini(struct diff_config *config);

/*
 * Applies one setting, such as "alpha" and "0.02"; docs/diff.md lists them. 0, or -EINVAL with err
 * filled.
 */
int diff_config__set(struct diff_config *config, const char *key, const char *value,
		     struct error *err);

/*
 * Applies lines "KEY = VALUE"; skips empty ones and "#...". Modifies text. Returns as
 * diff_config__set; errors name the line.
 */
int diff_config__parse(struct diff_config *config, char *text, struct error *err);

/* Prints all settings; parsing the output gives the same config. */
void diff_config__print(FILE *out, const struct diff_config *config);

#endif
