// SPDX-License-Identifier: GPL-2.0-only
#include "actions/report.h"

#include <ctype.h>

#include "views/annotation.h"
#include "views/views.h"

/* Words for the title of a report: its target, and the values that it counts. */
struct report_words {
	char *target, *values;
};

static void print_metric(FILE *out, const struct metric *type)
{
	text__print_safe(out, *type->name ? type->name : "(unnamed)", 40);
	fputs(" in ", out);
	text__print_safe(out, *type->unit ? metric__whole_unit(type) : "(unnamed)", 40);
}

/* Names the event, as each of several events has its own values. */
static void print_event(FILE *out, const char *before, const struct recording *recording)
{
	const char *event = recording->facts[FACT_EVENT];

	fputs(before, out);
	text__print_safe(out, event ? event : "(unnamed)", 60);
}

/* Names the other values and events that the file has. Call it only if there are any. */
static void print_others(FILE *out, const struct metric *other, const struct recording *recording)
{
	const char *left_out = recording->left_out;
	const bool is_choice = left_out || recording->more;
	const char *before = other->name || left_out ? ", " : "";

	fputs(" (also there: ", out);
	if (other->name)
		print_metric(out, other);
	fputs(other->name && left_out ? ", " : "", out);
	text__print_safe(out, left_out ? left_out : "", 120);
	for (const struct recording *more = recording->more; more; more = more->more) {
		print_event(out, before, more);
		before = ", ";
	}
	fputs(is_choice ? "; see --sample-type)" : ")", out);
}

static char *describe_files(char **paths)
{
	struct quoted quoted;
	const char *first = *paths ? *paths : "-";
	size_t nr_files = 0;

	while (paths[nr_files])
		nr_files++;
	first = strcmp(first, "-") != 0 ? quote(&quoted, first) : "standard input";
	return nr_files > 1 ? xasprintf("%s and %zu more", first, nr_files - 1) : xstrdup(first);
}

/* Whether "samples" would not say which of several events is shown. */
static bool names_no_event(const struct recording *recording)
{
	const char *shown = metrics__shown(profile__metrics(recording->profile))->name;
	const char *event = recording->facts[FACT_EVENT];

	return recording->more && !(shown && event && !strcmp(shown, event));
}

/*
 * Returns "inuse_space in bytes (also there: inuse_objects in count, alloc_space; see
 * --sample-type)". NULL: out of memory, as a file says how many there are.
 */
static char *describe_values(const struct recording *recording, uint64_t whole)
{
	const struct metrics *metrics = profile__metrics(recording->profile);
	const struct metric *shown = metrics__shown(metrics), *other = metrics__other(metrics);
	uint64_t total = profile__shown_total(recording->profile);
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = xmemstream(&text, &nr_bytes);

	if (shown->name)
		print_metric(out, shown);
	else
		fputs("none", out);
	if (names_no_event(recording))
		print_event(out, " of ", recording);
	if (other->name || recording->left_out || recording->more)
		print_others(out, other, recording);
	if (whole != total)
		fprintf(out, ", %.1f %% of them selected",
			whole ? 100.0 * (double)total / (double)whole : 0);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int write_groups(FILE *out, const struct report *report, const struct recording *interval,
			const struct view_options *view)
{
	static const struct {
		enum group_by by;
		const char *name;
	} groupings[] = {
		[BY_FUNCTION] = {GROUP_BY_FUNCTION, "FUNCTION"},
		[BY_SYMBOL] = {GROUP_BY_SYMBOL, "SYMBOL"},
		[BY_MODULE] = {GROUP_BY_MODULE, "MODULE"},
		[BY_COMM] = {GROUP_BY_COMM, "COMMAND"},
		[BY_PROCESS] = {GROUP_BY_PROCESS, "PROCESS"},
		[BY_THREAD] = {GROUP_BY_THREAD, "THREAD"},
		[BY_LINE] = {GROUP_BY_LINE, "LINE"},
		[BY_CGROUP] = {GROUP_BY_CGROUP, "CGROUP"},
		[BY_CONTAINER] = {GROUP_BY_CONTAINER, "CONTAINER"},
		[BY_WAIT] = {GROUP_BY_WAIT, "WAIT"},
		[BY_STATE] = {GROUP_BY_STATE, "STATE"},
	};
	struct group_row *groups;
	long nr_groups =
		profile__group(interval->profile, groupings[report->by].by, report->sort, &groups);
	int code;

	if (nr_groups < 0)
		return (int)nr_groups;
	code = view__write_groups(out, interval, view, groups, (size_t)nr_groups,
				  groupings[report->by].name);
	free(groups);
	return code;
}

/* Writes the table. A timeline is written even without samples, as it still has its times. */
static int write_text(FILE *out, const struct report *report, const struct recording *recording,
		      const struct view_options *view, const void *nothing)
{
	const bool callees = report->tree == REPORT_CALLEES;
	int code;

	(void)nothing;
	if (report->tree == REPORT_TABLE && report->by == BY_STACK)
		return view__write_block(out, recording, view);
	code = view__write_header(out, recording, view);
	if (code)
		return code;
	if (!profile__shown_total(recording->profile) &&
	    (report->by != BY_TIME || report->tree != REPORT_TABLE || !recording->nr_slices))
		return view__write_silence(out, recording, view);
	if (report->tree != REPORT_TABLE)
		return view__write_tree(out, recording, view,
					callees ? TREE_FROM_ROOT : TREE_FROM_LEAF);
	if (report->by == BY_TIME)
		return view__write_timeline(out, recording, view);
	return write_groups(out, report, recording, view);
}

/* A function that writes a recording as text, and its context. */
struct text_writer {
	int (*write)(FILE *out, const struct report *report, const struct recording *recording,
		     const struct view_options *view, const void *context);
	const void *context;
};

static int write_in_words(FILE *out, const struct report *report, const struct recording *recording,
			  uint64_t whole, const struct text_writer *writer)
{
	struct recording shown = *recording;
	struct report_words words = {report->bytes ? xstrdup("topstacks serve")
						   : describe_files(report->paths),
				     describe_values(recording, whole)};
	const struct view_options view = {
		.merge = report->merge,
		.nr_rows = report->nr_rows,
		.color = printer__use_color(report->color, report->output),
		.width = report->width ? report->width : printer__width(report->output),
		.pids = report->merge != MERGE_BY_COMM,
		.lines = report->lines.lines,
		.command_lines = report->by == BY_PROCESS,
		.values = words.values,
		.whole = whole,
		.percent_limit = report->percent_limit,
		.errors = report->errors,
		.all_waits = report->all_waits || choice__is_of_waits(&report->choice),
	};
	int code = -ENOMEM;

	if (!shown.facts[FACT_TARGET])
		shown.facts[FACT_TARGET] = words.target;
	shown.cost = (struct cost){0}; /* the cost of the recorded run is not this report's */
	if (words.values)
		code = writer->write(out, report, &shown, &view, writer->context);
	free(words.target);
	free(words.values);
	return code;
}

int report__write_text(FILE *out, const struct report *report, const struct recording *recording,
		       uint64_t whole)
{
	return write_in_words(out, report, recording, whole,
			      &(struct text_writer){write_text, NULL});
}

static int write_annotation(FILE *out, const struct report *report,
			    const struct recording *recording, const struct view_options *view,
			    const void *annotated)
{
	const int code = view__write_header(out, recording, view);

	return code ? code
		    : view__write_annotation(out, recording, view, annotated,
					     report->annotate.whole);
}

int report__write_annotation(FILE *out, const struct report *report,
			     const struct recording *recording,
			     const struct annotated_text *annotated, uint64_t whole)
{
	return write_in_words(out, report, recording, whole,
			      &(struct text_writer){write_annotation, annotated});
}

/*
 * ---- the user's choice as options of a command line, for a suggested command that shows the same
 * samples ----
 */

#define MOST_WORD 100 /* characters; a longer value becomes a placeholder */

/*
 * Whether a shell takes the text unquoted. Such text has no backtick, which would end a Markdown
 * code span; nor has text that is_quotable() lets into single quotes.
 */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("/._-+:@,=%", *text))
			return false;
	return true;
}

static bool is_quotable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || *text == '\'' || *text == '`')
			return false;
	return true;
}

/*
 * Prints an option. placeholder: what --help calls the value, printed for values that cannot be
 * quoted or are too long.
 */
static void print_option(FILE *out, const char *name, const char *value, const char *placeholder)
{
	if (!value)
		return;
	fprintf(out, " --%s%s", name, *value == '-' ? "=" : " ");
	if (!is_quotable(value) || strlen(value) > MOST_WORD)
		fputs(placeholder, out);
	else if (is_plain(value) && *value)
		fputs(value, out);
	else
		fprintf(out, "'%s'", value);
}

static void print_names(FILE *out, const char *name, const struct name_list *names,
			const char *placeholder)
{
	char *all = NULL;
	size_t size;
	FILE *joined = names->nr_names ? xmemstream(&all, &size) : NULL;

	for (size_t i = 0; joined && i < names->nr_names; i++)
		fprintf(joined, "%s%s", i ? "," : "", names->names[i]);
	if (joined) {
		xfclose(joined);
		print_option(out, name, all, placeholder);
	}
	free(all);
}

char *report__selection(const struct report *report, bool focus)
{
	const struct choice *choice = &report->choice;
	char *text = NULL;
	size_t size;
	FILE *out = xmemstream(&text, &size);

	if (focus) {
		print_option(out, "focus", choice->focus, "REGEX");
		xfclose(out);
		return text;
	}
	print_option(out, "sample-type", report->sample_type, "NAME");
	print_option(out, "ignore", choice->ignore, "REGEX");
	print_option(out, "drop", report->drop, "REGEX");
	print_names(out, "comm", &choice->comms, "NAME");
	if (choice->pid)
		fprintf(out, " --pid %u", choice->pid);
	if (choice->tid)
		fprintf(out, " --tid %u", choice->tid);
	print_names(out, "cgroup", &choice->cgroups, "PATH");
	print_names(out, "container", &choice->containers, "ID");
	print_option(out, "state", choice->state, "STATE");
	print_option(out, "time", choice->time, "FROM-TO");
	if (choice->from_s > 0)
		fprintf(out, " --from %.9gs", choice->from_s);
	if (choice->to_s > 0)
		fprintf(out, " --to %.9gs", choice->to_s);
	print_option(out, "symfs", report->naming.symfs, "DIR");
	if (report->join_names)
		fputs(" --join-names", out);
	if (report->lines.no_inline)
		fputs(" --no-inline", out);
	xfclose(out);
	return text;
}
