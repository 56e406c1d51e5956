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

/* Prints nothing for NULL, and out of memory. */
static void print_foreign(FILE *out, const char *text)
{
	char *safe = text ? text__safe_copy(text) : NULL;

	if (safe)
		print_escaped(out, safe, false);
	free(safe);
}

static void print_function(FILE *out, const char *name, const char *module)
{
	(void)module; /* a line has no room for it */
	print_foreign(out, name);
}

static void print_carrier(FILE *out, const struct carrier_words *words)
{
	fputs("; ", out);
	print_escaped(out, words->part, false);
	fprintf(out, " %s ", words->how);
	print_foreign(out, words->path);
	if (words->site)
		fprintf(out, "%s ", words->before_site);
	print_foreign(out, words->site);
}

/* Prints callers only: annotations are short. */
static int print_callers(FILE *out, const struct unit_row *row)
{
	struct explanation callers = {0};
	int code = 0;

	if (row->explanation) {
		callers.callers = row->explanation->callers;
		code = explanation__tell(out, &callers, row->name, print_carrier);
	}
	fputs("\n", out);
	return code;
}

static int print_unit(FILE *out, const struct diff_report *report, const struct unit_row *row)
{
	const struct finding *finding = row->finding;
	char *safe;
	struct quoted noun;

	if (!row->fails)
		return 0;
	safe = text__safe_copy(row->label);
	if (!safe)
		return -ENOMEM;
	fputs("::error title=", out);
	print_escaped(out, safe, true);
	free(safe);
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
	return print_callers(out, row);
}

/* Prints the summary as one annotation; an error if the exit code is not 0. */
static int print_summary(FILE *out, const struct diff_report *report)
{
	char *text = rows__summary(report);

	if (!text)
		return -ENOMEM;
	fputs(outcome__exit_code(report->outcome, report->decision, report->required_power)
		      ? "::error"
		      : "::notice",
	      out);
	fputs(" title=Profile::", out);
	print_escaped(out, text, false);
	fputc('\n', out);
	free(text);
	return 0;
}

int report_github__write(FILE *out, const struct diff_report *report)
{
	int err = print_summary(out, report);

	return err ? err : rows__print_shown(out, report, "", print_unit);
}
