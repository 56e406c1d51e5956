// SPDX-License-Identifier: GPL-2.0-only
/* One row a format: what --format calls it, and who writes it. */
#include "diff/report.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *name;
	int (*write)(FILE *out, const struct diff_report *report);
} formats[] = {
	{"text", report_text__write},	  {"markdown", report_markdown__write},
	{"json", report_json__write},	  {"junit", report_junit__write},
	{"github", report_github__write}, {"bmf", report_bmf__write},
	{"csv", report_csv__write},
};

#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

const char *diff_report__format(size_t index)
{
	return index < NR_FORMATS ? formats[index].name : NULL;
}

int diff_report__write(FILE *out, const struct diff_report *report, const char *format)
{
	for (size_t i = 0; i < NR_FORMATS; i++) {
		if (!strcmp(formats[i].name, format)) {
			int err = formats[i].write(out, report);

			return err ? err : text__stream_error(out);
		}
	}
	return -EINVAL;
}
