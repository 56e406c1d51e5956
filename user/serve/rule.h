/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules of "topstacks serve --when", and their syntax:
 *
 *	cpu of comm=nginx > 150% for 10s      pressure.memory > 20% for 1m
 *	cpu of pid=4711 > 90% for 30s         pressure.io of cgroup=/system.slice > 5% for 10s
 */
#ifndef TOPSTACKS_SERVE_RULE_H
#define TOPSTACKS_SERVE_RULE_H

#include "base/common.h"

enum rule_measure {
	RULE_CPU, /* percent of one CPU: two busy CPUs are 200 % */
	RULE_PRESSURE_CPU,
	RULE_PRESSURE_MEMORY,
	RULE_PRESSURE_IO, /* percent of the time in which some task waited for it */
	RULE_MEASURES,
};

enum rule_subject {
	RULE_OF_ALL,
	RULE_OF_COMM, /* a shell pattern */
	RULE_OF_PID,
	RULE_OF_CGROUP, /* with all cgroups below it */
};

struct when_rule {
	enum rule_measure measure;
	enum rule_subject subject;
	char name[256]; /* of the subject: a comm pattern, or a cgroup's path */
	int32_t pid;
	double above; /* percent */
	uint64_t for_ns;
};

/* Parses a rule. 0, or -EINVAL with err filled, which tells the position of the error. */
int rule__parse(struct when_rule *rule, const char *text, struct error *err);

/* The name in rules: "cpu", "pressure.io". */
const char *rule_measure__name(enum rule_measure measure);

#endif
