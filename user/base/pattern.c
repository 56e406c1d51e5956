// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows all states of an expression at once (Thompson, "Regular expression search algorithm",
 * 1968): each state at most once for each character.
 */
#include "base/pattern.h"

#include "base/case_fold.h"
#include "base/pattern_code.h"

#define NONE	    UINT32_MAX /* no character: before the first, after the last */
#define MOST_BYTES  16384      /* of an expression: the parser may scan all of it for each class */
#define REPLACEMENT 0xfffd     /* stands for a byte that is not UTF-8 */

/* The states that wait for a character. */
struct places {
	uint32_t *steps;
	size_t nr;
	bool has_end; /* the end was reached */
};

struct pattern {
	struct pattern_code code;
	struct places now, next;
	uint64_t *seen; /* for each step, the generation that reached it last */
	uint64_t generation;
	uint32_t *stack;
};

struct pattern *pattern__new(const char *expression, int *code)
{
	struct pattern *pattern = xcalloc(1, sizeof(*pattern));
	size_t nr;
	char *whole;

	*code = -E2BIG;
	if (strlen(expression) <= MOST_BYTES) {
		whole = xasprintf("^(%s)$", expression);
		*code = pattern_code__parse(&pattern->code, whole);
		free(whole);
	}
	if (*code) {
		pattern__free(pattern);
		return NULL;
	}
	nr = pattern->code.nr_steps + 1;
	pattern->now.steps = xcalloc(nr, sizeof(*pattern->now.steps));
	pattern->next.steps = xcalloc(nr, sizeof(*pattern->next.steps));
	pattern->seen = xcalloc(nr, sizeof(*pattern->seen));
	pattern->stack = xcalloc(2 * nr, sizeof(*pattern->stack)); /* a split pushes two steps */
	return pattern;
}

void pattern__free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pattern_code__free(&pattern->code);
	free(pattern->now.steps);
	free(pattern->next.steps);
	free(pattern->seen);
	free(pattern->stack);
	free(pattern);
}

/* ---- states ---- */

static bool is_word(uint32_t code)
{
	return code == '_' || (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') ||
	       (code >= 'a' && code <= 'z');
}

static bool holds(enum pattern_assertion assertion, uint32_t before, uint32_t after)
{
	switch (assertion) {
	case ASSERT_TEXT_BEGIN:
		return before == NONE;
	case ASSERT_TEXT_END:
		return after == NONE;
	case ASSERT_LINE_BEGIN:
		return before == NONE || before == '\n';
	case ASSERT_LINE_END:
		return after == NONE || after == '\n';
	case ASSERT_WORD_EDGE:
		return is_word(before) != is_word(after);
	case ASSERT_NO_WORD_EDGE:
		return is_word(before) == is_word(after);
	}
	return false;
}

static void spend(uint64_t *steps, uint64_t nr)
{
	*steps -= nr < *steps ? nr : *steps;
}

/*
 * Adds all states reachable from a step without a character. before, after: the characters around.
 */
static void add_places(struct pattern *pattern, struct places *places, uint32_t first,
		       uint32_t before, uint32_t after, uint64_t *steps)
{
	size_t nr = 0;

	pattern->stack[nr++] = first;
	while (nr) {
		const uint32_t at = pattern->stack[--nr];
		const struct pattern_step *step;

		if (pattern->seen[at] == pattern->generation)
			continue;
		pattern->seen[at] = pattern->generation;
		spend(steps, 1);
		if (at == pattern->code.nr_steps) {
			places->has_end = true;
			continue;
		}
		step = &pattern->code.steps[at];
		if (step->op == PATTERN_CHARACTER)
			places->steps[places->nr++] = at;
		else if (step->op == PATTERN_JUMP || step->op == PATTERN_SPLIT)
			pattern->stack[nr++] = at + (uint32_t)step->jumps[0];
		else if (holds(step->assertion, before, after))
			pattern->stack[nr++] = at + 1;
		if (step->op == PATTERN_SPLIT)
			pattern->stack[nr++] = at + (uint32_t)step->jumps[1];
	}
}

static bool has_character(const struct pattern_code *code, const struct pattern_step *step,
			  uint32_t character, uint64_t *steps)
{
	const struct pattern_range *ranges = code->ranges + step->first_range;
	uint32_t i = 0;

	if (step->folds)
		character = case_fold__first(character);
	while (i < step->nr_ranges && (character < ranges[i].first || character > ranges[i].last))
		i++;
	spend(steps, i + 1);
	return (i < step->nr_ranges) != step->is_negated;
}

/* ---- matching ---- */

static void begin_places(struct pattern *pattern, struct places *places)
{
	pattern->generation++;
	places->nr = 0;
	places->has_end = false;
}

static uint32_t take_character(const char **text)
{
	uint32_t code = NONE;

	if (!**text)
		return NONE;
	*text += character__decode(*text, &code);
	return code == NOT_UTF8 ? REPLACEMENT : code;
}

/* "a)|(b" makes alternatives of what is around it, one of which begins anywhere. */
bool pattern__matches(struct pattern *pattern, const char *text, uint64_t *steps)
{
	const bool is_anchored = pattern->code.steps[0].op == PATTERN_ASSERT;
	uint32_t character = take_character(&text), after;

	begin_places(pattern, &pattern->now);
	add_places(pattern, &pattern->now, 0, NONE, character, steps);
	for (; character != NONE && !pattern->now.has_end && *steps; character = after) {
		const struct places now = pattern->now;

		if (is_anchored && !now.nr)
			return false;
		after = take_character(&text);
		begin_places(pattern, &pattern->next);
		for (size_t i = 0; i < now.nr; i++)
			if (has_character(&pattern->code, &pattern->code.steps[now.steps[i]],
					  character, steps))
				add_places(pattern, &pattern->next, now.steps[i] + 1, character,
					   after, steps);
		if (!is_anchored)
			add_places(pattern, &pattern->next, 0, character, after, steps);
		pattern->now = pattern->next;
		pattern->next = now;
	}
	return pattern->now.has_end && *steps;
}
