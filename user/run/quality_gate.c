// SPDX-License-Identifier: GPL-2.0-only
#include "run/quality_gate.h"

#include "symbols/debug/packages.h"

void quality_gate__find_packages(struct quality *quality, struct packages *packages)
{
	for (size_t i = 0; packages && i < quality->nr_causes; i++) {
		struct quality_cause *cause = &quality->causes[i];

		struct package_advice advice;

		if (cause->remedy != REMEDY_SYMBOLS || !cause->path)
			continue;
		advice = packages__advise(packages, cause->path, cause->build_id);
		cause->package = advice.package;
		cause->symbols = advice.text;
	}
}

int quality_gate__check(const struct quality *quality, double required, struct error *err)
{
	const double percent = quality__percent(quality);

	if (percent >= required)
		return 0;
	return error__say(
		err, EXIT_GATE, -ERANGE,
		"the quality of names and stacks is %.2f %%, and --require-quality %g was "
		"asked for",
		percent, required);
}
