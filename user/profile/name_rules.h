/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that are the same although compilers and JITs call them differently: a rule finds a
 * pattern in a name and puts something else there.
 */
#ifndef TOPSTACKS_PROFILE_NAME_RULES_H
#define TOPSTACKS_PROFILE_NAME_RULES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A pattern is text that is found anywhere in a name, and in it
 *
 *   %d digits   %x hexadecimal digits   %16x: 16 of them   %8+x: 8 or more
 *   %i letters, digits and _            %w: and . $        %[abc] one of these
 *   %b an end of a word: no letter, digit or _ follows     ^ $ begin and end of the name
 *   %% %^ %$ ... are the characters themselves
 *
 * Classes take all that they can, and match nothing that is empty. The replacement is text, in
 * which %1 stands for what the first class took.
 */
struct name_rule {
	const char *pattern;
	const char *replacement;
	const char *origin; /* who makes such names */
};

bool name_rule__is_valid(const struct name_rule *rule);

/*
 * All rules in their order, again until nothing changes (8 times at most). The caller's to free().
 * NULL: out of memory.
 */
char *name_rule__apply_all(const struct name_rule *rules, size_t nr_rules, const char *name);

/* Copies and parts that a compiler makes of one function: "f.isra.0", "f() [clone .cold]". */
extern const struct name_rule compiler_rules[];
extern const size_t nr_compiler_rules;

#endif
