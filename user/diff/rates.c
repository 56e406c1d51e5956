// SPDX-License-Identifier: GPL-2.0-only
#include "diff/rates.h"

#include <errno.h>

#include "base/quote.h"
#include "diff/comparable.h"
#include "diff/run_files.h"
#include "profile/recording.h"

/* Samples are a time each: where all files say which, runs of different rates can be compared. */
static bool all_have_periods(const struct run_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (recording__period_ns(&files->list[i].recording) <= 0)
			return false;
	}
	return true;
}

/* Rates need to know how runs differ: two with samples on one side. */
static bool has_replicates(const struct run_files *files)
{
	size_t nr[SIDES] = {0};

	for (size_t i = 0; i < files->nr; i++) {
		if (profile__total(files->list[i].recording.profile, VALUE_COUNT))
			nr[files->list[i].side]++;
	}
	return nr[SIDE_BASE] > 1 || nr[SIDE_NEW] > 1;
}

int rates__check(const struct rates *rates, const struct run_files *files, struct error *err)
{
	struct quoted quoted;

	if (rates->per == PER_WORK && !(rates->work[SIDE_BASE] > 0 && rates->work[SIDE_NEW] > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "how much work? --per work needs --work-base and --work-new");
	if (rates->per != PER_WORK && (rates->work[SIDE_BASE] > 0 || rates->work[SIDE_NEW] > 0))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--work-base and --work-new are for --per work");
	if (rates->per != PER_SHARE && !has_replicates(files))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "rates differ from run to run, and one run a side cannot tell by "
				  "how much: --per %s needs more runs",
				  rates->per == PER_WORK ? "work" : "second");
	for (size_t i = 0; rates->per == PER_SECOND && i < files->nr; i++) {
		if (!files->list[i].recording.duration_ns)
			return error__say(
				err, EXIT_USAGE, -EINVAL,
				"%s does not say how long it was recorded, as --per second "
				"needs it",
				quote(&quoted, files->list[i].path));
	}
	return 0;
}

double rates__divisor(const struct rates *rates, const struct run_files *files, size_t index)
{
	const struct run_file *file = &files->list[index];
	double amount = rates->per == PER_WORK ? rates->work[file->side]
					       : (double)file->recording.duration_ns / 1e9;

	if (rates->per == PER_SHARE)
		return 0;
	return all_have_periods(files) ? amount / recording__period_ns(&file->recording) * 1e9
				       : amount;
}
