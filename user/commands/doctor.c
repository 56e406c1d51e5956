// SPDX-License-Identifier: GPL-2.0-only
/* topstacks doctor: what this kernel offers, what we may do with it, and what would help. */
#include "run/doctor.h"
#include "commands/subcommand.h"

struct doctor_options {
	bool json;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Output")},
	{0, "json", NULL, OPT_FLAG(struct doctor_options, json), NULL,
	 "one JSON object instead of a table"},
	{0},
};

static int run_doctor(const struct options *options, struct error *err)
{
	const struct doctor_options *doctor = options->values;

	return doctor__report(stdout, doctor->json, err);
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.summary = "what this kernel offers, what you may do with it, and what would help",
	.usage = "[OPTIONS]",
	.description =
		"Looks at kernel features, capabilities, sysctls and limits. Needs no rights and "
		"changes nothing.",
	.examples =
		"topstacks doctor\n"
		"topstacks doctor --json | jq -r '.features[] | select(.state != \"ok\") | .name'",
	.exit_codes = "0  topstacks can run here\n"
		      "3  something that it needs is missing",
	.operands = OPERANDS_NONE,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct doctor_options),
	.run = run_doctor,
};
