// SPDX-License-Identifier: GPL-2.0-only
#include "push/push_ledger.h"

#include <inttypes.h>

#include "base/numbers.h"

/* The names of each count: in the file of counts, in text, and as a reason in metrics. */
static const struct count_row {
	const char *name, *title;
	const char *rejected; /* the reason, as a label of metrics */
} rows[PUSH_COUNTS] = {
	[COUNT_RECORDED] = {"recorded", "recorded", NULL},
	[COUNT_SENT] = {"sent", "sent", NULL},
	[COUNT_REFUSED] = {"rejected_refused", "refused by the server", "refused"},
	[COUNT_BAD] = {"rejected_bad_request", "bad request (400)", "bad_request"},
	[COUNT_TOO_LARGE] = {"rejected_too_large", "too large (413)", "too_large"},
	[COUNT_TOO_MUCH] = {"rejected_too_much", "too much (429), each time", "too_much"},
	[COUNT_PARTIAL] = {"rejected_partial", "in requests taken in part", "partial"},
	[COUNT_EXPIRED] = {"expired", "expired", NULL},
	[COUNT_DELETED] = {"deleted", "deleted unsent", NULL},
	[COUNT_UNCONFIRMED] = {"unconfirmed", "resent, unconfirmed", NULL},
	[COUNT_OTHER] = {"other", "sent as \"other\"", NULL},
	[COUNT_REDATED] = {"redated", "dated later than now, sent as of now", NULL},
	[COUNT_FILES] = {"files", "files", NULL},
	[COUNT_FILES_DELETED] = {"files_deleted", "files deleted unsent", NULL},
	[COUNT_FILES_DAMAGED] = {"files_damaged", "files rejected: damaged", NULL},
	[COUNT_FILES_UNREADABLE] = {"files_unreadable", "files rejected: not readable", NULL},
};

const char *push_ledger__name(enum push_count count)
{
	return rows[count].name;
}

uint64_t push_ledger__rejected(const struct push_ledger *account)
{
	uint64_t sum = 0;

	for (int i = 0; i < PUSH_COUNTS; i++)
		if (rows[i].rejected)
			sum += account->of[i];
	return sum;
}

uint64_t push_ledger__rest(const struct push_ledger *account)
{
	return account->of[COUNT_RECORDED] - account->of[COUNT_SENT] -
	       push_ledger__rejected(account) - account->of[COUNT_EXPIRED] -
	       account->of[COUNT_DELETED];
}

/* ---- for people ---- */

static void print_row(FILE *out, const char *title, uint64_t value)
{
	char text[32];

	text__format_count(text, sizeof(text), value);
	fprintf(out, "%-38s %15s\n", title, text);
}

static void print_part(FILE *out, const struct push_ledger *account, enum push_count count)
{
	char title[64];

	snprintf(title, sizeof(title), "  %s", rows[count].title);
	if (account->of[count])
		print_row(out, title, account->of[count]);
}

static void print_aside(FILE *out, const struct push_ledger *account, enum push_count count)
{
	if (account->of[count])
		print_row(out, rows[count].title, account->of[count]);
}

void push_ledger__print(FILE *out, const struct push_ledger *account,
			const struct push_waiting *waiting)
{
	const uint64_t *of = account->of;

	print_row(out, "recorded, samples", of[COUNT_RECORDED] + waiting->nr_samples);
	print_row(out, "sent", of[COUNT_SENT]);
	print_part(out, account, COUNT_OTHER);
	print_part(out, account, COUNT_REDATED);
	print_row(out, "rejected", push_ledger__rejected(account));
	for (int i = 0; i < PUSH_COUNTS; i++)
		if (rows[i].rejected)
			print_part(out, account, (enum push_count)i);
	print_row(out, "expired", of[COUNT_EXPIRED]);
	print_row(out, "deleted unsent", of[COUNT_DELETED]);
	print_row(out, "waiting", push_ledger__rest(account) + waiting->nr_samples);
	print_row(out, "resent, unconfirmed", of[COUNT_UNCONFIRMED]);
	print_row(out, "files", of[COUNT_FILES]);
	print_row(out, "files waiting", waiting->nr_files);
	if (waiting->nr_uncounted)
		print_row(out, "  not looked into", waiting->nr_uncounted);
	print_aside(out, account, COUNT_FILES_DELETED);
	print_aside(out, account, COUNT_FILES_DAMAGED);
	print_aside(out, account, COUNT_FILES_UNREADABLE);
}

/* ---- for Prometheus ---- */

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP topstacks_push_%s %s\n# TYPE topstacks_push_%s %s\n", name, help, name,
		type);
}

static void print_fate(FILE *out, const struct push_ledger *account, enum push_count count,
		       const char *fate)
{
	fprintf(out, "topstacks_push_samples_total{fate=\"%s\",reason=\"%s\"} %" PRIu64 "\n", fate,
		rows[count].rejected ? rows[count].rejected : "", account->of[count]);
}

static void print_total(FILE *out, const struct push_ledger *account, enum push_count count,
			const char *name, const char *help)
{
	print_head(out, name, "counter", help);
	fprintf(out, "topstacks_push_%s %" PRIu64 "\n", name, account->of[count]);
}

void push_ledger__print_metrics(FILE *out, const struct push_ledger *account,
				const struct push_waiting *waiting)
{
	print_total(out, account, COUNT_RECORDED, "recorded_samples_total",
		    "Samples in files that were read.");
	print_head(out, "samples_total", "counter", "What became of them.");
	print_fate(out, account, COUNT_SENT, "sent");
	print_fate(out, account, COUNT_EXPIRED, "expired");
	print_fate(out, account, COUNT_DELETED, "deleted");
	for (int i = 0; i < PUSH_COUNTS; i++)
		if (rows[i].rejected)
			print_fate(out, account, (enum push_count)i, "rejected");
	print_head(out, "waiting_samples", "gauge", "Samples of the file that is under way.");
	fprintf(out, "topstacks_push_waiting_samples %" PRIu64 "\n", push_ledger__rest(account));
	print_head(out, "waiting_files", "gauge", "Files that were not read yet.");
	fprintf(out, "topstacks_push_waiting_files %" PRIu64 "\n", waiting->nr_files);
	print_total(out, account, COUNT_UNCONFIRMED, "unconfirmed_samples_total",
		    "Samples that may have arrived without an acknowledgement, each time.");
	print_total(out, account, COUNT_OTHER, "other_samples_total",
		    "Samples sent under the name other.");
	print_total(out, account, COUNT_FILES, "files_total", "Files that were read.");
	print_total(out, account, COUNT_FILES_DELETED, "deleted_files_total",
		    "Files deleted before they were read.");
	print_total(out, account, COUNT_FILES_DAMAGED, "damaged_files_total",
		    "Files that are no recordings.");
	print_total(out, account, COUNT_FILES_UNREADABLE, "unreadable_files_total",
		    "Files that could not be read.");
}
