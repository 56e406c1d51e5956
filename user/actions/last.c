// SPDX-License-Identifier: GPL-2.0-only
#include "actions/last.h"

#include <time.h>
#include <unistd.h>

#include "actions/moment.h"
#include "base/options/options.h"
#include "base/output/destination.h"
#include "base/plain.h"
#include "diff/changes.h"
#include "diff/matching/weight_counts.h"
#include "formats/formats.h"
#include "serve/client.h"

#define MAX_ANSWER_BYTES ((size_t)512 << 20)
#define PATIENCE_NS	 (60 * UINT64_C(1000000000))
#define ALL_S		 (366 * 86400) /* more than any server keeps in memory */

/* ---- the request ---- */

struct asked_time {
	double length_s;
	time_t at; /* 0: it ends now */
};

static int parse_length(const char *text, double *length_s, struct error *err)
{
	static const struct option_row row = {
		0,    "time", "TIME", OPT_SECONDS(struct asked_time, length_s, 0.1, ALL_S),
		NULL, NULL};
	struct asked_time time;
	struct quoted quoted;

	if (option__store(&row, &time, text))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s is no time to look back, such as 30s or 5m",
				  quote(&quoted, text));
	*length_s = time.length_s;
	return 0;
}

static int find_time(const struct last_plan *plan, struct asked_time *asked, struct error *err)
{
	int code = 0;

	*asked = (struct asked_time){.length_s = plan->diff ? LAST_DIFF_DEFAULT_S : LAST_DEFAULT_S};
	if (plan->time)
		code = parse_length(plan->time, &asked->length_s, err);
	if (!code && plan->at)
		code = moment__parse(plan->at, (time_t)(clock_ns(CLOCK_REALTIME) / 1000000000),
				     &asked->at, err);
	return code;
}

/* Prints the time in UTC, as the server's time zone may differ: "at=2026-11-26T13:03:10Z". */
static void print_moment(FILE *out, time_t at)
{
	char text[64] = "";
	struct tm tm;

	if (gmtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(out, "at=%s", text);
}

/*
 * Prints the time to ask for. A comparison needs all that the server keeps; diff then takes the
 * last part of it.
 */
static void print_time(FILE *out, const struct last_plan *plan, const struct asked_time *asked)
{
	if (plan->diff)
		fprintf(out, "ago=%ds&seconds=%d", ALL_S, ALL_S);
	if (plan->diff)
		return;
	if (asked->at) {
		print_moment(out, asked->at);
	} else {
		fprintf(out, "ago=");
		text__print_number(out, asked->length_s);
		fprintf(out, "s");
	}
	fprintf(out, "&seconds=");
	text__print_number(out, asked->length_s);
}

/* Prints before and the URL-encoded text; NULL text prints nothing. 0 or -ENOMEM. */
static int print_encoded(FILE *out, const char *before, const char *text)
{
	char *encoded;

	if (!text)
		return 0;
	encoded = client__encode(text);
	if (!encoded)
		return -ENOMEM;
	fprintf(out, "%s%s", before, encoded);
	free(encoded);
	return 0;
}

static int print_target(FILE *out, const struct last_plan *plan, const struct asked_time *asked)
{
	fprintf(out, "/debug/pprof/");
	if (print_encoded(out, "", plan->event ? plan->event : "profile"))
		return -ENOMEM;
	fprintf(out, "?");
	print_time(out, plan, asked);
	fprintf(out, "&slices=1");
	if (plan->pid)
		fprintf(out, "&pid=%u", plan->pid);
	return print_encoded(out, "&comm=", plan->comm) ||
			       print_encoded(out, "&container=", plan->container) ||
			       print_encoded(out, "&cgroup=", plan->cgroup)
		       ? -ENOMEM
		       : 0;
}

/* The path and query of the request; free() it. NULL: out of memory. */
static char *make_target(const struct last_plan *plan, const struct asked_time *asked)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int code;

	if (!out)
		return NULL;
	code = print_target(out, plan, asked);
	if (!fclose(out) && !code)
		return text;
	free(text);
	return NULL;
}

/* ---- the answer ---- */

/* Writes the answer to a file, byte by byte. */
static int save(const char *path, const char *bytes, size_t nr_bytes, struct error *err)
{
	struct destination destination;
	int code = destination__open(&destination, path, DESTINATION_PRIVATE, err);

	if (code)
		return code;
	code = fwrite(bytes, 1, nr_bytes, destination.out) == nr_bytes ? 0 : -errno;
	return destination__close(&destination, code, err);
}

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
	code = out && !weight_counts__make(&recording)
		       ? changes__write(out, &changes, &recording, err)
		       : error__no_memory(err);
	if (out && plain__end(out, stdout) && !code)
		code = error__set(err, EXIT_INTERNAL, -EIO, "cannot write standard output");
	recording__fini(&recording);
	return code;
}

static int use(const struct last_plan *plan, const struct asked_time *asked, const char *bytes,
	       size_t nr_bytes, struct error *err)
{
	struct report report = plan->report;

	if (plan->diff)
		return compare(plan, asked, bytes, nr_bytes, err);
	if (report.output && !report.format)
		return save(report.output, bytes, nr_bytes, err);
	if (!report.format)
		report.format = "text";
	report.bytes = bytes;
	report.nr_bytes = nr_bytes;
	return report__write(&report, err);
}

static int check(const struct last_plan *plan, struct error *err)
{
	const struct report *report = &plan->report;

	if (plan->diff && (plan->at || report->output || report->format))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--diff compares what was last, as text: without --at, -o and "
				  "--format");
	if (report->output && !strcmp(report->output, "-") && !report->format &&
	    isatty(STDOUT_FILENO))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a profile is not for terminals; use -o FILE, or a pipe");
	return 0;
}

int last__show(const struct last_plan *plan, struct error *err)
{
	const struct serve_client client = {
		.socket = plan->socket,
		.token_file = plan->token_file,
		.max_bytes = MAX_ANSWER_BYTES,
		.patience_ns = PATIENCE_NS,
	};
	struct asked_time asked;
	char *target = NULL, *bytes = NULL;
	size_t nr_bytes;
	int code = check(plan, err);

	if (!code)
		code = find_time(plan, &asked, err);
	if (code)
		return code;
	target = make_target(plan, &asked);
	code = target ? client__get(&client, target, &bytes, &nr_bytes, err)
		      : error__no_memory(err);
	if (!code)
		code = use(plan, &asked, bytes, nr_bytes, err);
	free(bytes);
	free(target);
	return code;
}
