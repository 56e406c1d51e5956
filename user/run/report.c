// SPDX-License-Identifier: GPL-2.0-only
#include "run/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "formats/formats.h"
#include "run/gate.h"
#include "symbols/packages.h"

/* ---- reading ---- */

static int merge_file(struct snapshot *snapshot, const char *path,
		      const struct read_options *options, struct error *err)
{
	struct snapshot more;
	int code = formats__read_file(&more, path, options, err);

	if (code)
		return code;
	code = snapshot__merge(snapshot, &more, err);
	snapshot__fini(&more);
	return code;
}

/* All files in one snapshot, which is the caller's to fini if this succeeds. */
static int read_files(struct snapshot *snapshot, const struct report *report, char **paths,
		      struct error *err)
{
	const struct read_options options = {.sample_type = report->sample_type};
	int code;

	if (!*paths)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "which file? report needs one or more, or - for standard input");
	code = formats__read_file(snapshot, *paths, &options, err);
	if (code)
		return code;
	while (!code && *++paths)
		code = merge_file(snapshot, *paths, &options, err);
	if (code)
		snapshot__fini(snapshot);
	return code;
}

/* What becomes of the snapshot. */
struct report_output {
	const struct report *report;
	const struct format *format; /* NULL: text */
	uint64_t whole;		     /* before anything was filtered out */
	struct quality quality;	     /* of what was not */
	struct packages *packages;
};

/* ---- writing ---- */

static int write_any(FILE *out, const struct report_output *output, const struct snapshot *snapshot)
{
	const struct write_options options = {.merge = output->report->merge,
					      .title = output->report->title,
					      .quality = &output->quality};

	if (!output->format)
		return report__write_text(out, output->report, snapshot, output->whole,
					  &output->quality);
	return output->format->write(out, snapshot, &options);
}

static int write_output(const struct report_output *output, const struct snapshot *snapshot,
			struct error *err)
{
	struct destination destination;
	int code = destination__open(&destination, output->report->output, err);

	if (code)
		return code;
	return destination__close(&destination, write_any(destination.out, output, snapshot), err);
}

/* The ledger is that of the whole run: of a part of it nobody knows how much is truncated. */
static int measure_quality(struct report_output *output, const struct snapshot *snapshot,
			   struct error *err)
{
	const bool is_part = output->report->focus || output->report->ignore;
	const bool counts = snapshot->has_ledger && !is_part;

	if (quality__measure(&output->quality, snapshot->profile, counts ? &snapshot->ledger : NULL,
			     counts ? VALUE_COUNT : profile__metrics(snapshot->profile)->shown))
		return error__no_memory(err);
	output->packages = packages__new(NULL);
	gate__find_packages(&output->quality, output->packages);
	return 0;
}

static int find_lines(struct snapshot *snapshot, const struct line_options *options,
		      struct error *err)
{
	struct lines *lines = NULL;
	int code = 0;

	if (options->lines) {
		lines = annotator__open(options, &(struct symbols_options){.demangle = true});
		code = lines ? annotator__complete(lines, snapshot, UINT64_MAX, true) : -ENOMEM;
	}
	if (!code && options->no_inline)
		code = annotator__drop_inlined(snapshot);
	lines__free(lines);
	return code ? error__no_memory(err) : 0;
}

static int check_slices(const struct snapshot *snapshot, const struct report *report,
			struct error *err)
{
	if (report->by != BY_TIME || snapshot->nr_slices)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no intervals to show by time: use one file of record --intervals SEC");
}

/* ---- the pipeline ---- */

int report__write(const struct report *report, struct error *err)
{
	struct report_output output = {.report = report};
	struct snapshot snapshot;
	int code;

	if (strcmp(report->format, "text") != 0) {
		output.format = formats__find(report->format, err);
		if (!output.format)
			return err->code;
	}
	code = read_files(&snapshot, report, report->paths, err);
	if (code)
		return code;
	code = check_slices(&snapshot, report, err);
	if (!code)
		code = find_lines(&snapshot, &report->lines, err);
	output.whole = profile__shown_total(snapshot.profile);
	if (!code)
		code = snapshot__filter(&snapshot, report->focus, report->ignore, err);
	if (!code)
		code = measure_quality(&output, &snapshot, err);
	if (!code)
		code = write_output(&output, &snapshot, err);
	if (!code)
		code = gate__check(&output.quality, report->required_quality, err);
	packages__free(output.packages);
	snapshot__fini(&snapshot);
	return code;
}
