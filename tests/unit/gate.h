/* SPDX-License-Identifier: GPL-2.0-only */
/* Three runs a side of a program in memory, compared: put() its stacks, decide(), look. */
#ifndef TOPSTACKS_TESTS_GATE_H
#define TOPSTACKS_TESTS_GATE_H

#include "diff/matching/match.h"
#include "diff/matching/names.h"
#include "diff/matching/verdict.h"
#include "diff/statistics/comparison.h"
#include "expect.h"
#include "model.h"

#define NR_RUNS 6

struct gate {
	struct model models[NR_RUNS];
	struct run runs[NR_RUNS];
	struct compared_names names;
	struct match *match;
	struct decision decision;
	struct outcome outcome;
};

static inline struct gate gate__new(void)
{
	struct gate gate = {0};

	compared_names__init(&gate.names);
	for (size_t i = 0; i < NR_RUNS; i++) {
		gate.models[i] = model__new();
		gate.runs[i].profile = gate.models[i].profile;
		gate.runs[i].side = i < NR_RUNS / 2 ? SIDE_BASE : SIDE_NEW;
	}
	return gate;
}

/* Samples of a stack in each run of both sides; a little more in the second of each. */
static inline void put(struct gate *gate, uint64_t base, uint64_t new, const char *stack)
{
	for (size_t i = 0; i < NR_RUNS; i++) {
		uint64_t count = i < NR_RUNS / 2 ? base : new;

		if (count)
			add(&gate->models[i], "a", 1, count + (i % 3 == 1 ? count / 100 : 0),
			    stack);
	}
}

static inline void decide_by(struct gate *gate, const char *rule_text, enum match_by by)
{
	struct match_options match_options = {.by = by, .names = &gate->names};
	struct decision_options options = decision_options__default();
	struct gate_rule rule;

	EXPECT_EQ(gate_rule__parse(&rule, rule_text, NULL), 0);
	gate->match = match__new(gate->runs, NR_RUNS, &match_options);
	EXPECT_EQ(decision__init(&gate->decision, match__comparison(gate->match), &options), 0);
	outcome__init(&gate->outcome, gate->match, &gate->decision, &rule, 1);
}

static inline void decide(struct gate *gate, const char *rule_text)
{
	decide_by(gate, rule_text, MATCH_FUNCTIONS);
}

static inline void gate__free(struct gate *gate)
{
	outcome__fini(&gate->outcome);
	decision__fini(&gate->decision);
	match__free(gate->match);
	compared_names__fini(&gate->names);
	for (size_t i = 0; i < NR_RUNS; i++)
		model__free(&gate->models[i]);
}

/* sort is twice as slow; load calls it, and main all. */
static inline void put_slow_sort(struct gate *gate)
{
	put(gate, 6000, 6000, "read@x load@x main@x");
	put(gate, 1000, 2000, "sort@x load@x main@x");
	put(gate, 1500, 1500, "load@x main@x");
	put(gate, 8000, 8000, "draw@x main@x");
	put(gate, 3500, 3500, "main@x");
}

/* skip is inlined into parse. */
static inline void put_inlined(struct gate *gate)
{
	put(gate, 3000, 4500, "parse@x main@x");
	put(gate, 1500, 0, "skip@x parse@x main@x");
	put(gate, 1000, 1000, "read@x parse@x main@x");
	put(gate, 10000, 10000, "draw@x main@x");
	put(gate, 4500, 4500, "main@x");
}

#endif
