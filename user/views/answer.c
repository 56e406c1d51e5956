// SPDX-License-Identifier: GPL-2.0-only
/*
 * The answer in Markdown:
 *
 *	### Quality: good: 2,153 samples, none lost, 99.6 % of stacks whole
 *
 *	`./prog`, 2.19 s, `cpu-clock` at 999 Hz
 *
 *	| self | total | function | called by |
 *	...
 *	**Next**
 *
 *	- `topstacks report --annotate rest prog.pb.gz` shows its source lines and instructions.
 *
 * All parts are made first. Then as many of their lines are written as the budget allows; a fourth
 * of it is reserved for the advice.
 */
#include "views/answer.h"

#include <math.h>

#include "base/markdown.h"
#include "profile/recording.h"
#include "profile/select/idle_waits.h"
#include "views/answer_parts.h"
#include "views/summary.h"

#define NOTE_BYTES 80 /* fits into a fourth of the smallest budget */

/* ---- parts ---- */

enum answer_part {
	PART_QUALITY,
	PART_FACTS,
	PART_WAITS,
	PART_BRANCHES,
	PART_FUNCTIONS,
	PART_ADVICE,
	PARTS,
};

/* 0, or -ENOMEM: texts are as long as names of functions make them. Free them in either case. */
static int make_parts(char *texts[PARTS], const struct answer_data *answer)
{
	static void (*const print[PARTS])(FILE * out, const struct answer_data *answer) = {
		[PART_QUALITY] = answer__print_quality,
		[PART_FACTS] = answer__print_facts,
		[PART_WAITS] = answer__print_waits,
		[PART_BRANCHES] = answer__print_branches,
		[PART_FUNCTIONS] = answer__print_functions,
		[PART_ADVICE] = answer__print_advice,
	};

	for (enum answer_part part = 0; part < PARTS; part++) {
		size_t size;
		FILE *out = xmemstream(&texts[part], &size);

		print[part](out, answer);
		if (fclose(out))
			return -ENOMEM;
	}
	return 0;
}

/* ---- within the budget ---- */

/* Adds a paragraph, or a note that it is left out. */
static void add_paragraph(struct markdown *markdown, const char *text, size_t reserved)
{
	if (!*text || !strcmp(text, "\n"))
		return;
	if (!markdown__add_line(markdown, "\n", text, strlen(text), reserved))
		markdown__add(markdown, "\nA paragraph is left out: raise `--budget`\n", reserved);
}

struct lines_added {
	size_t nr, nr_left_out;
};

/*
 * Adds lines behind a heading; without room for the first line there is no heading either. If not
 * all lines fit, room for a note about that stays free.
 */
static struct lines_added add_lines(struct markdown *markdown, const char *heading,
				    const char *lines, size_t reserved)
{
	struct lines_added added = {0};
	size_t length;

	if (strlen(heading) + strlen(lines) + reserved > markdown->left)
		reserved += NOTE_BYTES;
	for (; *lines; lines += length) {
		length = markdown__line_length(lines);
		if (added.nr_left_out ||
		    !markdown__add_line(markdown, heading, lines, length, reserved))
			added.nr_left_out++;
		else
			added.nr++;
		heading = "";
	}
	return added;
}

static void add_functions(struct markdown *markdown, const struct answer_data *answer,
			  const char *rows, size_t reserved)
{
	static const char heading[] = "\n| self | total | function | called by |\n|-:|-:|-|-|\n";
	struct lines_added added;
	size_t nr_more = 0;
	char more[32], note[128];

	while (nr_more < answer->nr_groups && answer->groups[nr_more].self)
		nr_more++;
	added = add_lines(markdown, heading, rows, reserved + (nr_more ? NOTE_BYTES : 0));
	nr_more -= added.nr;
	if (!nr_more)
		return;
	text__format_count(more, sizeof(more), nr_more);
	if (!added.nr_left_out)
		snprintf(note, sizeof(note),
			 "\n%s more function%s: see `--rows` and `--percent-limit`\n", more,
			 text__plural(nr_more));
	else if (added.nr_left_out == nr_more)
		snprintf(note, sizeof(note), "\n%s more function%s: raise `--budget`\n", more,
			 text__plural(nr_more));
	else
		snprintf(note, sizeof(note),
			 "\n%s more functions, %zu of them for want of `--budget`\n", more,
			 added.nr_left_out);
	markdown__add(markdown, note, reserved);
}

/*
 * A fourth of the budget is reserved for the advice, or less if all of it needs less. It always
 * suffices for a note that the advice is left out.
 */
static void write_parts(FILE *out, const struct answer_data *answer, char *const texts[PARTS])
{
	const size_t budget = answer->options->budget;
	const size_t advice = strlen(texts[PART_ADVICE]) + NOTE_BYTES;
	const size_t reserved = !*texts[PART_ADVICE]  ? 0
				: advice < budget / 4 ? advice
						      : budget / 4;
	const size_t above = reserved + (answer->nr_groups ? NOTE_BYTES : 0);
	struct markdown markdown = {out, budget};
	struct lines_added advised;
	char silence[256], note[128];

	markdown__add(&markdown, texts[PART_QUALITY], 0);
	if (!answer->nr_groups) {
		summary__explain_silence(answer->recording, silence, sizeof(silence));
		if (markdown__add(&markdown, "\n", strlen(silence) + 1)) {
			markdown__add(&markdown, silence, 1);
			markdown__add(&markdown, "\n", 0);
		}
	}
	add_paragraph(&markdown, texts[PART_FACTS], above);
	add_paragraph(&markdown, texts[PART_WAITS], above);
	add_paragraph(&markdown, texts[PART_BRANCHES], above);
	add_functions(&markdown, answer, texts[PART_FUNCTIONS], reserved);

	advised = add_lines(&markdown, "\n**Next**\n\n", texts[PART_ADVICE], 0);
	if (!advised.nr_left_out)
		return;
	if (advised.nr)
		snprintf(note, sizeof(note), "- %zu more: raise `--budget`\n", advised.nr_left_out);
	else
		snprintf(note, sizeof(note),
			 "\n**Next**: raise `--budget`, there is no room for it\n");
	markdown__add(&markdown, note, 0);
}

/* ---- the whole ---- */

/*
 * The number of samples: for memory what its bytes are worth; for samples that weigh differently
 * the number of equally weighted ones that are as informative.
 */
static uint64_t count_samples(const struct answer_data *answer)
{
	const double weight = (double)profile__total(answer->profile, VALUE_WEIGHT);

	if (heap__has_blocks(answer->recording))
		return (uint64_t)llround(heap__samples(answer->recording, weight));
	if (profile__is_spent(answer->profile))
		return (uint64_t)llround(weight * weight / profile__squares(answer->profile));
	return profile__total(answer->profile, VALUE_COUNT);
}

int view__write_answer(FILE *out, const struct recording *recording,
		       const struct answer_options *options)
{
	struct answer_data answer = {.recording = recording, .options = options};
	struct profile *others = NULL;
	char *texts[PARTS] = {0};
	int code;

	profile__part_idle_waits(recording->profile, recording->duration_ns, &answer.idle, &others);
	answer.profile = others ? others : recording->profile;
	answer.nr_samples = count_samples(&answer);
	certainty__init(&answer.certainty, recording, options->whole);
	answer.nr_groups = (size_t)profile__group(answer.profile, GROUP_BY_FUNCTION, SORT_BY_SELF,
						  &answer.groups);
	answer.from_leaf = tree__new(answer.profile, options->merge, TREE_FROM_LEAF);
	answer.from_root = tree__new(answer.profile, options->merge, TREE_FROM_ROOT);
	code = make_parts(texts, &answer);
	if (!code)
		write_parts(out, &answer, texts);
	for (enum answer_part part = 0; part < PARTS; part++)
		free(texts[part]);
	tree__free(answer.from_root);
	tree__free(answer.from_leaf);
	free(answer.groups);
	profile__free(answer.idle);
	profile__free(others);
	return code;
}
