/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a comparison takes function names for: rules make those equal that compilers and JITs number
 * anew, and kernel functions whose names start so show what the machine did, not the program.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_NAMES_H
#define TOPSTACKS_DIFF_MATCHING_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/name_rules.h"

/* Both lists are in the order of adding, and own their strings. */
struct compared_names {
	struct name_rule *rules;
	char **machine; /* how names of machine units start */
	size_t nr_rules, nr_machine;
	size_t rules_capacity, machine_capacity;
};

/* With the built-in lists. 0 or -ENOMEM; fini also after an error. */
int compared_names__init(struct compared_names *names);
void compared_names__fini(struct compared_names *names);

/* Copies the rule; origin may be NULL. 0, -ENOMEM, or -EINVAL if the pattern is none. */
int compared_names__add_rule(struct compared_names *names, const struct name_rule *rule);
void compared_names__clear_rules(struct compared_names *names);

/* Copies the prefix. 0, -ENOMEM, or -EINVAL if it is empty. */
int compared_names__add_machine(struct compared_names *names, const char *prefix);
void compared_names__clear_machine(struct compared_names *names);

/*
 * function: of a kernel frame; NULL is none. is_time: samples are of time; of what else is counted no
 * function is the machine's that only the built-in list has.
 */
bool compared_names__is_machine(const struct compared_names *names, const char *function,
				bool is_time);

/*
 * Is this machine unit an interrupt's entry or exit? What runs below one was not called by the
 * program, whatever its name: packets for others, for one.
 */
bool compared_names__is_interrupt(const struct compared_names *names, const char *function,
				  bool is_time);

#endif
