/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules for names of functions. Compilers and JITs give one function several names; a rule finds a
 * pattern in a name and replaces it.
 */
#ifndef TOPSTACKS_PROFILE_NAME_RULES_H
#define TOPSTACKS_PROFILE_NAME_RULES_H

#include "base/common.h"

/*
 * A pattern is text that may be anywhere in a name. Special in it are
 *
 *   %d digits   %x hexadecimal digits   %16x: 16 of them   %8+x: 8 or more
 *   %i letters, digits and _            %w: and . $        %[abc] one of these
 *   %b an end of a word: no letter, digit or _ follows     ^ $ begin and end of the name
 *   %% %^ %$ ... are the characters themselves
 *
 * A class takes as many characters as it can, and at least one. In the replacement %1 stands for
 * the text of the first class.
 */
struct name_rule {
	const char *pattern;
	const char *replacement;
	const char *origin; /* the compiler that makes such names */
};

bool name_rule__is_valid(const struct name_rule *rule);

/*
 * Applies all rules in order, again until nothing changes (8 times at most). The caller frees the
 * result.
 */
char *name_rule__apply_all(const struct name_rule *rules, size_t nr_rules, const char *name);

/*
 * The suffixes of copies and parts that a compiler makes of one function: "f.isra.0", "f() [clone
 * .cold]".
 */
extern const struct name_rule compiler_rules[];
extern const size_t nr_compiler_rules;

#endif
