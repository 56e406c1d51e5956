// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the user's choice back into options of a command line, for a suggested command that shows
 * the same samples.
 */
#include <ctype.h>

#include "actions/report.h"

#define MOST_WORD 100 /* characters; a longer value becomes a placeholder */

/*
 * Whether a shell takes the text unquoted. Neither this nor single quotes end a Markdown code span.
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

static void print_id(FILE *out, const char *name, unsigned int id)
{
	if (id)
		fprintf(out, " --%s %u", name, id);
}

static void print_seconds(FILE *out, const char *name, double seconds)
{
	if (seconds > 0)
		fprintf(out, " --%s %.9gs", name, seconds);
}

static void print_names(FILE *out, const char *name, const struct name_list *names,
			const char *placeholder)
{
	char *all = NULL;
	size_t size;
	FILE *joined = names->nr_names ? open_memstream(&all, &size) : NULL;

	for (size_t i = 0; joined && i < names->nr_names; i++)
		fprintf(joined, "%s%s", i ? "," : "", names->names[i]);
	if (joined && !fclose(joined))
		print_option(out, name, all, placeholder);
	free(all);
}

static void print_selection(FILE *out, const struct report *report)
{
	const struct choice *choice = &report->choice;

	print_option(out, "sample-type", report->sample_type, "NAME");
	print_option(out, "ignore", choice->ignore, "REGEX");
	print_option(out, "drop", report->drop, "REGEX");
	print_names(out, "comm", &choice->comms, "NAME");
	print_id(out, "pid", choice->pid);
	print_id(out, "tid", choice->tid);
	print_names(out, "cgroup", &choice->cgroups, "PATH");
	print_names(out, "container", &choice->containers, "ID");
	print_option(out, "state", choice->state, "STATE");
	print_option(out, "time", choice->time, "FROM-TO");
	print_seconds(out, "from", choice->from_s);
	print_seconds(out, "to", choice->to_s);
	print_option(out, "symfs", report->naming.symfs, "DIR");
	if (report->join_names)
		fputs(" --join-names", out);
	if (report->lines.no_inline)
		fputs(" --no-inline", out);
}

char *report__selection(const struct report *report, bool focus)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (focus)
		print_option(out, "focus", report->choice.focus, "REGEX");
	else
		print_selection(out, report);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
