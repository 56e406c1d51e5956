// SPDX-License-Identifier: GPL-2.0-only
/*
 * topstacks doctor: what this kernel offers, what we may do with it, and what would help, as a
 * table for people or as JSON. Needs no rights, changes nothing.
 */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "capture/features.h"
#include "commands/subcommand.h"
#include "processes/procfs.h"

struct doctor_options {
	bool json;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{0, "json", NULL, OPT_FLAG(struct doctor_options, json), NULL,
	 "one JSON object instead of a table"},
	{0},
};

static const char *const titles[GROUPS] = {
	[GROUP_KERNEL] = "Kernel",
	[GROUP_CAPABILITIES] = "Capabilities",
	[GROUP_SETTINGS] = "Settings and limits",
};

static const char *const needs[] = {
	[NEED_REQUIRED] = "required",
	[NEED_USEFUL] = "useful",
	[NEED_NONE] = "none",
};

/* Every row with its answer. */
struct examination {
	const struct feature *rows;
	const struct feature_answer *answers[FEATURES];
	size_t nr_rows;
	bool can_run; /* an answer that nobody could give does not count: the attempt will tell */
	bool is_limited;
};

static void examine(struct features *features, struct examination *found)
{
	size_t i;

	*found = (struct examination){.can_run = true};
	found->rows = features__all(&found->nr_rows);
	for (i = 0; i < found->nr_rows; i++) {
		enum feature_state state;

		found->answers[i] = features__answer(features, (enum feature_id)i);
		state = found->answers[i]->state;
		if (state == FEATURE_MISSING && found->rows[i].need == NEED_REQUIRED)
			found->can_run = false;
		if (state != FEATURE_OK && found->rows[i].need != NEED_NONE)
			found->is_limited = true;
	}
}

/* Where nothing suffers, "missing" would alarm for nothing. */
static const char *name_state(const struct feature *row, const struct feature_answer *answer)
{
	if (row->need == NEED_NONE && answer->state == FEATURE_MISSING)
		return "none";
	return feature_state__name(answer->state);
}

/* "  limited  kernel.kptr_restrict  2: kernel functions have no names, not even for root" */
static void print_row(const struct feature *row, const struct feature_answer *answer, int width)
{
	const char *meaning = NULL;

	if (answer->state == FEATURE_OK)
		meaning = row->words;
	else if (answer->state != FEATURE_UNKNOWN)
		meaning = row->without;
	printf("  %-8s %-*s  ", name_state(row, answer), width, row->name);
	text__print_safe(stdout, answer->detail, 0);
	printf("%s%s\n", *answer->detail && meaning ? ": " : "", meaning ? meaning : "");
}

static void print_rows(const struct examination *found)
{
	enum feature_group group = GROUPS;
	int width = 0;
	size_t i;

	for (i = 0; i < found->nr_rows; i++)
		if ((int)strlen(found->rows[i].name) > width)
			width = (int)strlen(found->rows[i].name);
	for (i = 0; i < found->nr_rows; i++) {
		if (found->rows[i].group != group) {
			group = found->rows[i].group;
			printf("%s%s\n", i ? "\n" : "", titles[group]);
		}
		print_row(&found->rows[i], found->answers[i], width);
	}
}

/* Several rows have the same remedy; it is said once. */
static void print_remedies(const struct examination *found)
{
	size_t nr_printed = 0, i, j;

	for (i = 0; i < found->nr_rows; i++) {
		const char *remedy = found->answers[i]->remedy;

		if (!remedy || found->rows[i].need == NEED_NONE ||
		    found->answers[i]->state == FEATURE_UNKNOWN)
			continue;
		for (j = 0; j < i; j++)
			if (found->answers[j]->remedy && !strcmp(found->answers[j]->remedy, remedy))
				break;
		if (j < i)
			continue;
		printf("%s  %s\n", nr_printed++ ? "" : "\nWhat would help\n", remedy);
	}
}

static void print_table(const struct examination *found)
{
	print_rows(found);
	print_remedies(found);
	printf("\ntopstacks %s here%s\n", found->can_run ? "can run" : "cannot run",
	       found->can_run && found->is_limited ? ", with limits" : "");
}

static void print_member(const char *name, const char *value)
{
	printf(",\"%s\":", name);
	if (value)
		text__print_json(stdout, value);
	else
		printf("null");
}

static void print_json(const struct examination *found)
{
	size_t i;

	printf("{\"schema\":\"topstacks.doctor/1\",\"can_run\":%s,\"features\":[",
	       found->can_run ? "true" : "false");
	for (i = 0; i < found->nr_rows; i++) {
		const struct feature *row = &found->rows[i];
		const struct feature_answer *answer = found->answers[i];

		printf("%s{\"name\":", i ? "," : "");
		text__print_json(stdout, row->name);
		print_member("state", feature_state__name(answer->state));
		print_member("need", needs[row->need]);
		print_member("detail", *answer->detail ? answer->detail : NULL);
		print_member("with", row->words);
		print_member("without", row->without);
		print_member("remedy", answer->remedy);
		print_member("since", row->since);
		printf("}");
	}
	printf("]}\n");
}

static int run(const struct options *options, struct error *err)
{
	const struct doctor_options *doctor = options->values;
	struct features *features;
	struct examination found;
	int code = procfs__check(err);

	if (code) /* hardly a row would be true */
		return code;
	features = features__new("");
	if (!features)
		return error__no_memory(err);
	examine(features, &found);
	if (doctor->json)
		print_json(&found);
	else
		print_table(&found);
	features__free(features);
	return found.can_run ? EXIT_DONE : EXIT_SYSTEM;
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.summary = "what this kernel offers, what you may do with it, and what would help",
	.usage = "[OPTIONS]",
	.description =
		"Looks at kernel features, capabilities, sysctls and limits. Needs no rights and "
		"changes nothing. Exit code 0: topstacks can run here; 3: something that it "
		"needs is missing.",
	.operands = OPERANDS_NONE,
	.rows = rows,
	.values_size = sizeof(struct doctor_options),
	.run = run,
};
