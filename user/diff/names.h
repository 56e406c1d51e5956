/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that are the same although compilers and JITs number them anew. */
#ifndef TOPSTACKS_DIFF_NAMES_H
#define TOPSTACKS_DIFF_NAMES_H

#include <stddef.h>

#include "profile/name_rules.h"

struct name_rules;

/* With the built-in rules. NULL: out of memory. */
struct name_rules *name_rules__new(void);
void name_rules__free(struct name_rules *rules);

/* Copies the rule; origin may be NULL. 0, -ENOMEM, or -EINVAL if the pattern is none. */
int name_rules__add(struct name_rules *rules, const struct name_rule *rule);
void name_rules__clear(struct name_rules *rules);

/* In the order of application; NULL beyond the last. Borrowed until clear or free. */
const struct name_rule *name_rules__rule(const struct name_rules *rules, size_t index);

/* The name by which a function is compared, as name_rule__apply_all. */
char *name_rules__apply(const struct name_rules *rules, const char *name);

#endif
