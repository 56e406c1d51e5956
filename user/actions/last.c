// SPDX-License-Identifier: GPL-2.0-only
#include "actions/last.h"

#include <time.h>
#include <unistd.h>

#include "actions/time_of_day.h"
#include "base/options/options.h"
#include "base/output/destination.h"
#include "base/plain.h"
#include "diff/changes.h"
#include "diff/matching/weight_counts.h"
#include "formats/formats.h"
#include "serve/client.h"

#define MAX_ANSWER_BYTES ((size_t)512 << 20)
#define TIMEOUT_NS	 (60 * UINT64_C(1000000000))
#define ALL_S		 (366 * 86400) /* more than any server keeps in memory */

/* ---- the request ---- */

struct asked_time {
	double length_s;
	time_t at; /* 0: it ends now */
};

static int find_time(const struct last_plan *plan, struct asked_time *asked, struct error *err)
{
	static const struct option_row row = {
		0,    "time", "TIME", OPT_SECONDS(struct asked_time, length_s, 0.1, ALL_S),
		NULL, NULL};
	const time_t now = (time_t)(clock_ns(CLOCK_REALTIME) / 1000000000);
	struct quoted quoted;

	*asked = (struct asked_time){.length_s = plan->diff ? LAST_DIFF_DEFAULT_S : LAST_DEFAULT_S};
	if (plan->time && option__store(&row, asked, plan->time))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s is no time to look back, such as 30s or 5m",
				  quote(&quoted, plan->time));
	return plan->at ? time_of_day__parse(plan->at, now, &asked->at, err) : 0;
}

/* Prints before and the URL-encoded text; NULL text prints nothing. */
static void print_encoded(FILE *out, const char *before, const char *text)
{
	if (!text)
		return;
	fputs(before, out);
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;

		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		    strchr("-._~", c))
			fputc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

/* The path and query of the request; free() it. */
static char *make_target(const struct last_plan *plan, const struct asked_time *asked)
{
	char *text = NULL, at[64] = "";
	size_t size;
	FILE *out = xmemstream(&text, &size);
	struct tm tm;

	fprintf(out, "/debug/pprof/");
	print_encoded(out, "", plan->event ? plan->event : "profile");
	if (plan->diff) {
		/* A comparison needs all that the server keeps; diff takes the last part of it. */
		fprintf(out, "?ago=%ds&seconds=%d", ALL_S, ALL_S);
	} else if (asked->at) {
		/* In UTC, as the server's time zone may differ: "at=2026-11-26T13:03:10Z". */
		if (gmtime_r(&asked->at, &tm))
			strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", &tm);
		fprintf(out, "?at=%s&seconds=", at);
		text__print_number(out, asked->length_s);
	} else {
		fprintf(out, "?ago=");
		text__print_number(out, asked->length_s);
		fprintf(out, "s&seconds=");
		text__print_number(out, asked->length_s);
	}
	fprintf(out, "&slices=1");
	if (plan->pid)
		fprintf(out, "&pid=%u", plan->pid);
	print_encoded(out, "&comm=", plan->comm);
	print_encoded(out, "&container=", plan->container);
	print_encoded(out, "&cgroup=", plan->cgroup);
	xfclose(out);
	return text;
}

/* ---- the answer ---- */

static int compare(const struct last_plan *plan, const struct asked_time *asked, const char *bytes,
		   size_t nr_bytes, struct error *err)
{
	const struct read_options options = {.max_memory_bytes = plan->report.max_memory_bytes,
					     .sample_type = plan->report.sample_type};
	const struct changes_plan changes = {.length_s = asked->length_s,
					     .nr_rows = plan->report.nr_rows};
	struct recording recording;
	FILE *out;
	int code = formats__read(&recording, bytes, nr_bytes, &options, err);

	if (code)
		return code;
	out = plain__begin(stdout);
	if (!out) {
		code = memory__error(err);
	} else {
		weight_counts__make(&recording);
		code = changes__write(out, &changes, &recording, err);
	}
	if (out && plain__end(out, stdout) && !code)
		code = error__set(err, EXIT_INTERNAL, -EIO, "cannot write standard output");
	recording__fini(&recording);
	return code;
}

static int use(const struct last_plan *plan, const struct asked_time *asked, const char *bytes,
	       size_t nr_bytes, struct error *err)
{
	struct report report = plan->report;
	struct destination destination;
	int code;

	if (plan->diff)
		return compare(plan, asked, bytes, nr_bytes, err);
	if (report.format || !report.output) {
		if (!report.format)
			report.format = "text";
		report.bytes = bytes;
		report.nr_bytes = nr_bytes;
		return report__write(&report, err);
	}
	code = destination__open(&destination, report.output, DESTINATION_PRIVATE, err);
	if (code)
		return code;
	code = fwrite(bytes, 1, nr_bytes, destination.out) == nr_bytes ? 0 : -errno;
	return destination__close(&destination, code, err);
}

int last__show(const struct last_plan *plan, struct error *err)
{
	const struct report *report = &plan->report;
	const struct serve_client client = {
		.socket = plan->socket,
		.token_file = plan->token_file,
		.max_bytes = MAX_ANSWER_BYTES,
		.timeout_ns = TIMEOUT_NS,
	};
	struct asked_time asked;
	char *target, *bytes = NULL;
	size_t nr_bytes;
	int code;

	if (plan->diff && (plan->at || report->output || report->format))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--diff compares what was last, as text: without --at, -o and "
				  "--format");
	if (report->output && !strcmp(report->output, "-") && !report->format &&
	    isatty(STDOUT_FILENO))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a profile is not for terminals; use -o FILE, or a pipe");
	code = find_time(plan, &asked, err);
	if (code)
		return code;
	target = make_target(plan, &asked);
	code = client__get(&client, target, &bytes, &nr_bytes, err);
	if (!code)
		code = use(plan, &asked, bytes, nr_bytes, err);
	free(bytes);
	free(target);
	return code;
}
