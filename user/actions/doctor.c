// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor.h"

#include "actions/doctor_events.h"
#include "actions/doctor_programs.h"
#include "base/escape.h"
#include "capture/bad_kernels.h"
#include "capture/host/bpf_programs.h"
#include "capture/host/features.h"
#include "capture/host/program_list.h"
#include "processes/procfs.h"

static const char *const titles[GROUPS] = {
	[GROUP_KERNEL] = "Kernel",
	[GROUP_ABILITIES] = "Abilities, each of which was tried",
	[GROUP_CAPABILITIES] = "Capabilities",
	[GROUP_SETTINGS] = "Settings and limits",
};

static const char *const needs[] = {
	[NEED_REQUIRED] = "required",
	[NEED_USEFUL] = "useful",
	[NEED_NONE] = "none",
};

/* ---- known defects of kernels ---- */

static const char *const deeds[] = {
	[BAD_AVOIDED] = "avoided",
	[BAD_TOLD] = "told",
	[BAD_ASKED] = "asked",
};

/* Prints the defects that this kernel has by its release; prints nothing if there are none. */
static void print_defects(FILE *out, const struct features *features)
{
	const struct bad_kernel *row;
	const struct kernel_identity kernel = kernel_identity__read(features);
	bool is_first = true;

	for (row = bad_kernels__rows; row->name; row++) {
		if (!bad_kernels__has(&kernel, row))
			continue;
		fprintf(out, "%s  %-8s %s: %s\n           %s\n",
			is_first ? "\nKnown defects of kernels like this one\n" : "",
			deeds[row->deed], row->name, row->happens, row->we);
		is_first = false;
	}
}

static void print_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\"%s\":", name);
	if (value)
		text__print_json(out, value);
	else
		fprintf(out, "null");
}

/* Prints an array of all known defects, each with whether this kernel has it. */
static void print_defects_json(FILE *out, const struct features *features)
{
	const struct bad_kernel *row;
	const struct kernel_identity kernel = kernel_identity__read(features);
	char kernels[256];

	fputc('[', out);
	for (row = bad_kernels__rows; row->name; row++) {
		fprintf(out, "%s{\"here\":%s", row == bad_kernels__rows ? "" : ",",
			bad_kernels__has(&kernel, row) ? "true" : "false");
		print_member(out, "name", row->name);
		print_member(out, "kernels", bad_kernels__describe(row, kernels, sizeof(kernels)));
		print_member(out, "happens", row->happens);
		print_member(out, "deed", deeds[row->deed]);
		print_member(out, "we", row->we);
		print_member(out, "mended", row->mended);
		print_member(out, "source", row->source);
		fputc('}', out);
	}
	fputc(']', out);
}

/* ---- the report ---- */

/* The answer of each row of the report. */
struct examination {
	const struct feature_answer *answers[FEATURES];
	struct doctor_attempt attempt;
	bool can_run; /* a run began, and no required feature is known to be missing */
	bool is_limited;
	struct program_list programs;
	int programs_code; /* result of reading them */
	struct doctor_java java;
};

/*
 * Prints a row: " limited kernel.kptr_restrict 2: kernel functions have no names, not even for
 * root". A missing feature that is not needed is "none", as "missing" would alarm.
 */
static void print_row(FILE *out, const struct feature *row, const struct feature_answer *answer,
		      int width)
{
	const bool is_none = row->need == NEED_NONE && answer->state == FEATURE_MISSING;
	const char *meaning = NULL;

	if (answer->state == FEATURE_OK)
		meaning = row->words;
	else if (answer->state != FEATURE_UNKNOWN)
		meaning = row->without;
	fprintf(out, "  %-8s %-*s  ", is_none ? "none" : feature_state__name(answer->state), width,
		row->name);
	text__print_safe(out, answer->detail, 0);
	fprintf(out, "%s%s\n", *answer->detail && meaning ? ": " : "", meaning ? meaning : "");
}

static void print_rows(FILE *out, const struct examination *found)
{
	enum feature_group group = GROUPS;
	int width = 0;
	size_t i;

	for (i = 0; i < FEATURES; i++)
		if ((int)strlen(features__rows[i].name) > width)
			width = (int)strlen(features__rows[i].name);
	for (i = 0; i < FEATURES; i++) {
		if (features__rows[i].group != group) {
			group = features__rows[i].group;
			fprintf(out, "%s%s\n", i ? "\n" : "", titles[group]);
		}
		print_row(out, &features__rows[i], found->answers[i], width);
	}
}

/* Prints each remedy once, as several rows may have the same. */
static void print_remedies(FILE *out, const struct examination *found)
{
	size_t nr_printed = 0, i, j;

	for (i = 0; i < FEATURES; i++) {
		const char *remedy = found->answers[i]->remedy;

		if (!remedy || features__rows[i].need == NEED_NONE ||
		    found->answers[i]->state == FEATURE_UNKNOWN)
			continue;
		for (j = 0; j < i; j++)
			if (found->answers[j]->remedy && !strcmp(found->answers[j]->remedy, remedy))
				break;
		if (j < i)
			continue;
		fprintf(out, "%s  %s\n", nr_printed++ ? "" : "\nWhat would help\n", remedy);
	}
}

static void print_json(FILE *out, const struct examination *found, const struct features *features)
{
	size_t i;

	fprintf(out, "{\"schema\":\"topstacks.doctor/1\",\"can_run\":%s",
		found->can_run ? "true" : "false");
	print_member(out, "why_not",
		     found->attempt.system.code ? found->attempt.system.text : NULL);
	print_member(out, "why_no_target",
		     found->attempt.target.code ? found->attempt.target.text : NULL);
	fprintf(out, ",\"features\":[");
	for (i = 0; i < FEATURES; i++) {
		const struct feature *row = &features__rows[i];
		const struct feature_answer *answer = found->answers[i];

		fprintf(out, "%s{\"name\":", i ? "," : "");
		text__print_json(out, row->name);
		print_member(out, "state", feature_state__name(answer->state));
		print_member(out, "need", needs[row->need]);
		print_member(out, "ability", row->ability);
		print_member(out, "instead", row->instead);
		print_member(out, "detail", *answer->detail ? answer->detail : NULL);
		print_member(out, "with", row->words);
		print_member(out, "without", row->without);
		print_member(out, "remedy", answer->remedy);
		print_member(out, "since", row->since);
		fprintf(out, "}");
	}
	fprintf(out, "],\"known_defects\":");
	print_defects_json(out, features);
	fprintf(out, ",\"bpf_programs\":");
	doctor_programs__print_json(out, &found->programs, found->programs_code);
	fprintf(out, ",\"java\":");
	doctor_java__print_json(out, &found->java);
	fprintf(out, "}\n");
}

static void print_text(FILE *out, const struct examination *found, const struct features *features)
{
	const struct error *why = &found->attempt.target;

	print_rows(out, found);
	print_defects(out, features);
	doctor_programs__print(out, &found->programs, found->programs_code);
	doctor_java__print(out, &found->java);
	print_remedies(out, found);

	fprintf(out, "\ntopstacks %s here%s\n", found->can_run ? "can run" : "cannot run",
		found->can_run && found->is_limited ? ", with limits" : "");
	if (!why->code)
		why = &found->attempt.system;
	if (why->code) {
		fprintf(out, "a run %sends with: ",
			why == &found->attempt.target ? "with a target " : "");
		text__print_safe(out, why->text, 0);
		fputc('\n', out);
	}
}

int doctor__report(FILE *out, const struct doctor_options *options, struct error *err)
{
	struct features *features;
	struct examination found = {.can_run = true};
	int code = procfs__check(err);

	if (code) /* without /proc hardly any row would be right */
		return code;
	if (options->question.events)
		return doctor_events__report(out, &options->question, options->json, err);
	features = features__new("");
	/* Read these first: later, our own programs would be listed too. */
	found.programs_code = bpf_programs__read(&found.programs, options->bpf_stats_s);
	program_list__rank(&found.programs);
	for (size_t i = 0; i < FEATURES; i++) {
		const enum feature_need need = features__rows[i].need;

		found.answers[i] = features__answer(features, (enum feature_id)i);
		if (found.answers[i]->state == FEATURE_MISSING && need == NEED_REQUIRED)
			found.can_run = false;
		if (found.answers[i]->state != FEATURE_OK && need != NEED_NONE)
			found.is_limited = true;
	}
	/* A real run shows whether all features work together, at full size. */
	doctor_attempt__run(&found.attempt);
	found.can_run &= !found.attempt.system.code;
	found.is_limited |= found.attempt.target.code != 0;
	doctor_java__find(&found.java);

	(options->json ? print_json : print_text)(out, &found, features);
	program_list__fini(&found.programs);
	features__free(features);
	return found.can_run ? EXIT_DONE : EXIT_SYSTEM;
}
