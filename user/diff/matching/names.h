/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a comparison treats names of functions. Rules make names equal that compilers and JITs number
 * anew. Kernel functions with certain prefixes are work of the machine, not of the program.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_NAMES_H
#define TOPSTACKS_DIFF_MATCHING_NAMES_H

#include "base/common.h"
#include "profile/name_rules.h"

/* Both lists keep the order of adding, and own their strings. */
struct compared_names {
	struct name_rule *rules;
	char **machine; /* prefixes of machine functions */
	size_t nr_rules, nr_machine;
	size_t rules_capacity, machine_capacity;
};

/* Starts with the built-in lists. */
void compared_names__init(struct compared_names *names);
void compared_names__fini(struct compared_names *names);

/* Copies the rule; origin may be NULL. 0, or -EINVAL if the pattern is invalid. */
int compared_names__add_rule(struct compared_names *names, const struct name_rule *rule);
void compared_names__clear_rules(struct compared_names *names);

/* Copies the prefix. 0, or -EINVAL if it is empty. */
int compared_names__add_machine(struct compared_names *names, const char *prefix);
void compared_names__clear_machine(struct compared_names *names);

/*
 * True if a kernel function (NULL: none) is the machine's. is_time: samples are of time; for other
 * counts the built-in prefixes are ignored.
 */
bool compared_names__is_machine(const struct compared_names *names, const char *function,
				bool is_time);

/*
 * True if this machine function is the entry or exit of an interrupt. Its callees are not the
 * program's work, whatever their names: they may handle packets of other processes.
 */
bool compared_names__is_interrupt(const struct compared_names *names, const char *function,
				  bool is_time);

#endif
