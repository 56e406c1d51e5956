// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor_kernels.h"

#include "base/escape.h"
#include "capture/bad_kernels.h"

static const char *const deeds[] = {
	[BAD_AVOIDED] = "avoided",
	[BAD_TOLD] = "told",
	[BAD_ASKED] = "asked",
};

void doctor_kernels__print(FILE *out, const struct features *features)
{
	const struct bad_kernel *row;
	const struct kernel_identity kernel = kernel_identity__read(features);
	bool is_first = true;

	for (row = bad_kernels__rows; row->name; row++) {
		if (!bad_kernels__has(&kernel, row))
			continue;
		fprintf(out, "%s  %-8s %s: %s\n           %s\n",
			is_first ? "\nKnown defects of kernels like this one\n" : "",
			deeds[row->deed], row->name, row->happens, row->we);
		is_first = false;
	}
}

static void print_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\"%s\":", name);
	text__print_json(out, value);
}

void doctor_kernels__print_json(FILE *out, const struct features *features)
{
	const struct bad_kernel *row;
	const struct kernel_identity kernel = kernel_identity__read(features);
	char kernels[256];

	fputc('[', out);
	for (row = bad_kernels__rows; row->name; row++) {
		fprintf(out, "%s{\"here\":%s", row == bad_kernels__rows ? "" : ",",
			bad_kernels__has(&kernel, row) ? "true" : "false");
		print_member(out, "name", row->name);
		print_member(out, "kernels", bad_kernels__describe(row, kernels, sizeof(kernels)));
		print_member(out, "happens", row->happens);
		print_member(out, "deed", deeds[row->deed]);
		print_member(out, "we", row->we);
		print_member(out, "mended", row->mended);
		print_member(out, "source", row->source);
		fputc('}', out);
	}
	fputc(']', out);
}
