// SPDX-License-Identifier: GPL-2.0-only
/*
 * Advice on what to do next. Each rule looks at the data, and writes nothing if it does not apply.
 */
#include <ctype.h>
#include <math.h>

#include "base/markdown.h"
#include "views/answer_parts.h"
#include "views/events.h"

/*
 * error of the first share, in percentage points: more samples are needed above the one, to reach
 * the other
 */
#define UNSURE_POINTS 3
/*
 * factor of the variance: such changes are no chance, so more samples of the same time do not help
 */
#define SURE_POINTS 2
#define CHANGES	    30
/* Factor of the variance: in bursts a higher rate takes more samples of the same bursts. */
#define BURSTS 1.5
#define MUCH   10 /* percent: deserves advice of its own */

/* ---- words for a command line ---- */

/* True if neither a shell nor a regular expression treats a character of the text specially. */
static bool is_plain(const char *text, const char *special)
{
	if (!*text || *text == '-' || strlen(text) > 100)
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr(special, *text))
			return false;
	return true;
}

static const char *file_of(const struct answer_data *answer)
{
	const char *file = answer->options->file;

	return file && is_plain(file, "/._-+:@,") ? file : "FILE";
}

/*
 * Writes the function's name for --annotate: "work", or "lib.so:work" if other functions have the
 * same name. False: it cannot be written.
 */
static bool name_function(const struct answer_data *answer, const struct group_row *group,
			  char *text, size_t size)
{
	bool is_alone = true;

	for (size_t i = 0; i < answer->nr_groups; i++)
		is_alone &= &answer->groups[i] == group ||
			    strcmp(answer->groups[i].name, group->name) != 0;
	snprintf(text, size, "%s%s%s", is_alone ? "" : group->module, is_alone ? "" : ":",
		 group->name);
	return is_alone || is_plain(group->module, "/._-+@");
}

/* ---- rules ---- */

static const char *how_to_take_more(const struct answer_data *answer)
{
	const struct recording *recording = answer->recording;

	if (answer->certainty.period > 0 && recording->has_ledger)
		return ", with a smaller `--alloc-every`";
	if (!(recording->asked_hz > 0))
		return "";
	return answer->certainty.scatter.factor >= BURSTS ? ", for longer"
							  : ", for longer or with a higher `-F`";
}

static void advise_longer(FILE *out, const struct answer_data *answer)
{
	double half, times;

	if (answer->certainty.lack || !answer->nr_groups)
		return;
	half = answer__half_percent(answer, self_part(&answer->groups[0]));
	if (half < UNSURE_POINTS)
		return;
	if (answer->certainty.scatter.factor >= CHANGES) {
		fputs("- What runs changes from one time, or recording, to the next, by far more "
		      "than chance: ± is that of another one. Look at each by itself.\n",
		      out);
		return;
	}
	times = ceil(half * half / (SURE_POINTS * SURE_POINTS));
	fprintf(out,
		"- Take %.0f times as many samples%s: then the first share is known to ± %d.\n",
		times, how_to_take_more(answer), SURE_POINTS);
}

typedef int (*tell_loss)(const struct ledger *ledger, const struct ledger_subject *subject,
			 size_t nth, char *text, size_t size);

static void advise_losses(FILE *out, const struct answer_data *answer)
{
	static const tell_loss tell[] = {ledger__notice, ledger__notice_wall};
	const struct recording *recording = answer->recording;
	const struct ledger_subject subject = event__subject(recording, recording->more);
	char text[512];

	for (size_t i = 0; recording->has_ledger && i < sizeof(tell) / sizeof(tell[0]); i++) {
		for (size_t nth = 0; tell[i](&recording->ledger, &subject, nth, text, sizeof(text));
		     nth++) {
			fputs("- Lost: ", out);
			markdown__print_words(out, text);
			fputc('\n', out);
		}
	}
}

/* Suggests --annotate for functions in a binary, and the tree of callers. */
static void advise_function(FILE *out, const struct answer_data *answer)
{
	const struct answer_options *options = answer->options;
	const struct group_row *first = answer->groups;
	char name[256];

	if (!answer->nr_groups || profile__has_waits(answer->recording->profile) ||
	    share_percent(first->self, answer->options->whole) < MUCH ||
	    !is_plain(first->name, "_"))
		return;
	if (first->kind == FRAME_USER && first->module &&
	    name_function(answer, first, name, sizeof(name)))
		fprintf(out,
			"- `topstacks report --annotate %s%s%s %s` shows its source lines and "
			"instructions.\n",
			name, options->focus, options->selection, file_of(answer));
	if (answer__has_callers(answer, first))
		fprintf(out,
			"- `topstacks report --tree callers --focus '^%s$'%s %s` shows all its "
			"callers.\n",
			first->name, options->selection, file_of(answer));
}

void answer__print_advice(FILE *out, const struct answer_data *answer)
{
	const struct quality *quality = &answer->recording->quality;
	char text[512];

	advise_losses(out, answer);
	advise_longer(out, answer);
	for (size_t i = 0; i < quality->nr_causes; i++) {
		if (!quality__can_mend(&quality->causes[i]))
			continue;
		quality__advice(quality, i, text, sizeof(text));
		fputs("- ", out);
		markdown__print_words(out, text);
		fputc('\n', out);
	}
	if (profile__has_waits(answer->recording->profile)) {
		const enum value shown = profile__metrics(answer->profile)->shown;
		size_t nr_samples;
		const struct sample *samples = profile__samples(answer->profile, &nr_samples);
		uint64_t locks = 0;

		for (size_t i = 0; i < nr_samples; i++)
			if (wait__kind(samples[i].wait) == WAIT_FOR_LOCK)
				locks = sum_of(locks, samples[i].values[shown]);
		if (share_percent(locks, profile__shown_total(answer->profile)) >= MUCH)
			fprintf(out,
				"- `topstacks report --wait lock --tree callers%s%s %s` shows who "
				"waits for locks.\n",
				answer->options->focus, answer->options->selection,
				file_of(answer));
	}
	advise_function(out, answer);
}
