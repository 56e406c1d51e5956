// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workflow commands, which GitHub shows as annotations of a run:
 *
 *	::error title=sort (x) regressed::+100.0 % (+90 to +110 %), 5.0 % -> 9.5 % of all samples
 *
 * A command ends with its line, so names are escaped: % CR LF in the text, : and , in titles as
 * well.
 */

#include "diff/reports/carrier_words.h"
#include "diff/reports/report.h"

static void print_escaped(FILE *out, const char *text, bool in_title)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (in_title && (*text == ':' || *text == ',')))
			fprintf(out, "%%%02X", (unsigned int)*text);
		else
			putc(*text, out);
	}
}

/* Prints nothing for NULL. */
static void print_foreign(FILE *out, const char *text, bool in_title)
{
	char *safe = text ? text__safe_copy(text) : NULL;

	if (safe)
		print_escaped(out, safe, in_title);
	free(safe);
}

static void print_function(FILE *out, const char *name, const char *module)
{
	(void)module; /* a line has no room for it */
	print_foreign(out, name, false);
}

static void print_carrier(FILE *out, const struct carrier_words *words)
{
	fputs("; ", out);
	print_escaped(out, words->part, false);
	fprintf(out, " %s ", words->how);
	print_foreign(out, words->path, false);
	if (words->site)
		fprintf(out, "%s ", words->before_site);
	print_foreign(out, words->site, false);
}

static void print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const struct finding *finding = row->finding;
	struct quoted noun;

	if (!row->fails)
		return;
	fputs("::error title=", out);
	print_foreign(out, row->label, true);
	/* In our own words only the percent sign needs escaping: %25. */
	fprintf(out, " %s::%s, ", row->verdict, row->kind);
	print_escaped(out, row->change, false);
	fputs(row->interval[0] ? " (" : "", out);
	print_escaped(out, row->interval, false);
	fprintf(out, "%s: %.1f %%25 of ", row->interval[0] ? ")" : "",
		100 * finding->share[SIDE_BASE]);
	print_escaped(out, match__noun(report->match, &noun), false);
	fprintf(out, ", now %.1f %%25", 100 * finding->share[SIDE_NEW]);
	unit_row__print_readings(out, row, print_function);
	if (row->explanation) {
		/* Annotations are short, so they tell callers only. */
		const struct explanation callers = {.callers = row->explanation->callers};

		explanation__tell(out, &callers, row->name, print_carrier);
	}
	fputs("\n", out);
}

/* The summary is one annotation; an error if the exit code is not 0. */
void report_github__write(FILE *out, const struct diff_report *report)
{
	char *text = rows__summary(report);

	fputs(outcome__exit_code(report->outcome, report->decision, report->required_power)
		      ? "::error"
		      : "::notice",
	      out);
	fputs(" title=Profile::", out);
	print_escaped(out, text, false);
	fputc('\n', out);
	free(text);
	rows__print_shown(out, report, "", print_unit);
}
