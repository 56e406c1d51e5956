// SPDX-License-Identifier: GPL-2.0-only
/* Finds and reads the runs, by name or pattern, each file once on a side. */
#include "diff/matching/run_files.h"

#include <glob.h>
#include <sys/stat.h>

#include "base/files.h"
#include "diff/matching/byte_counts.h"
#include "diff/matching/weight_counts.h"
#include "formats/formats.h"
#include "profile/recording.h"

#define MAX_RUNS 1000

/*
 * True if two paths lead to the same file. A path without a regular file has no inode; reading it
 * reports the error.
 */
static bool is_same_file(const struct run_file *a, const struct run_file *b)
{
	return !strcmp(a->path, b->path) ||
	       (a->inode && a->inode == b->inode && a->device == b->device);
}

static int check_new(const struct run_files *files, const struct run_file *file, struct error *err)
{
	struct quoted quoted;

	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].side == file->side && is_same_file(&files->list[i], file))
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "%s is given twice: a run counts once",
					  quote(&quoted, file->path));
	}
	return files->nr < MAX_RUNS
		       ? 0
		       : error__say(err, EXIT_USAGE, -E2BIG, "more than %d files", MAX_RUNS);
}

static int add_file(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct run_file file = {.path = strdup(path), .side = side};
	struct stat status;
	int code;

	if (!file.path)
		return error__no_memory(err);
	if (!stat(path, &status) && S_ISREG(status.st_mode)) {
		file.device = status.st_dev;
		file.inode = status.st_ino;
	}
	code = check_new(files, &file, err);
	if (!code && array__reserve(&files->list, &files->capacity, files->nr + 1))
		code = error__no_memory(err);
	if (code)
		free(file.path);
	else
		files->list[files->nr++] = file;
	return code;
}

/*
 * Adds a file that a pattern found. Any user may have put it there, so FIFOs are refused: reading
 * one would block.
 */
static int add_found(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct quoted quoted;
	struct stat status;

	if (!stat(path, &status) && !S_ISREG(status.st_mode))
		return error__say(err, EXIT_USAGE, -EINVAL, "%s is no file", quote(&quoted, path));
	return add_file(files, path, side, err);
}

/* Returns 1 if no file matches. */
static int add_matches(struct run_files *files, const char *pattern, enum side side,
		       struct error *err)
{
	glob_t found = {0};
	int code = 0;

	switch (glob(pattern, 0, NULL, &found)) {
	case 0:
		for (size_t i = 0; i < found.gl_pathc && !code; i++)
			code = add_found(files, found.gl_pathv[i], side, err);
		break;
	case GLOB_NOSPACE:
		code = error__no_memory(err);
		break;
	default:
		code = 1;
	}
	globfree(&found);
	return code;
}

static int add_directory(struct run_files *files, const char *path, enum side side,
			 struct error *err)
{
	char *pattern = files__pattern(path, "run-*");
	struct quoted quoted;
	int code = pattern ? add_matches(files, pattern, side, err) : error__no_memory(err);

	free(pattern);
	return code <= 0 ? code
			 : error__say(err, EXIT_USAGE, -ENOENT,
				      "%s has no runs, which would be files called run-*",
				      quote(&quoted, path));
}

int run_files__add(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return add_directory(files, path, side, err);
	return add_file(files, path, side, err);
}

int run_files__add_glob(struct run_files *files, const char *pattern, enum side side,
			struct error *err)
{
	struct quoted quoted;
	int code = pattern ? add_matches(files, pattern, side, err) : 0;

	return code <= 0 ? code
			 : error__say(err, EXIT_USAGE, -ENOENT, "no files match %s",
				      quote(&quoted, pattern));
}

bool run_files__has_side(const struct run_files *files, enum side side)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].side == side)
			return true;
	}
	return false;
}

static int refuse_weights(const char *path, const struct metrics *metrics, struct error *err)
{
	struct quoted quoted, noun;

	error__say(err, EXIT_USAGE, -EINVAL,
		   "%s holds %s, no counts, so that nothing says how much is chance",
		   quote(&quoted, path), quote__noun(&noun, metric__noun(metrics__shown(metrics))));
	return error__remedy(err, "compare profiles with a count beside it, as those of topstacks "
				  "have");
}

/*
 * Refuses a weight that the user asked for: comparing its counts instead would pretend that the
 * weight was judged.
 */
static int refuse_chosen(const char *chosen, const struct metrics *metrics, struct error *err)
{
	struct quoted quoted, count;

	error__say(
		err, EXIT_USAGE, -EINVAL,
		"%s are weights, and nothing tells how much of a difference of weights is chance",
		quote(&quoted, chosen));
	return error__remedy(err,
			     "compare counts, by --sample-type %s, or record only what matters by "
			     "a condition, such as FIELD>=4096",
			     quote(&count, metrics->of[VALUE_COUNT].name));
}

/* Samples of time all weigh the same, so judging their counts judges the weight. */
bool run_file__has_unjudged_weights(const struct run_file *file)
{
	const struct metrics *metrics = profile__metrics(file->recording.profile);
	const struct metric *count = &metrics->of[VALUE_COUNT];

	return metrics->shown == VALUE_WEIGHT && count->name &&
	       !metric__equal(count, &metric__samples);
}

/*
 * True if --max-overhead raised the period during the run. Merged files do not say when; their
 * period is 0 then. It does not matter if weights are numbers of events.
 */
static bool has_period_that_rose(const struct recording *recording)
{
	const struct thinned *thinned = &recording->thinned;

	return !metrics__count_events(profile__metrics(recording->profile)) &&
	       thinned->one_in > 1 && (thinned->since_ns || !recording->period);
}

static int refuse_period(const char *path, struct error *err)
{
	struct quoted quoted;

	error__say(err, EXIT_USAGE, -EINVAL,
		   "%s: its period rose during the run, so that its samples do not stand for the "
		   "same number of events each",
		   quote(&quoted, path));
	return error__remedy(err, "record it with /period=N/ or without --max-overhead");
}

/* True if the user named an event, not its weight, unless the weight has the same name. */
static bool is_event_only(const char *chosen, const struct recording *recording)
{
	const char *event = recording->facts[FACT_EVENT];
	const char *weight = profile__metrics(recording->profile)->of[VALUE_WEIGHT].name;

	return event && !strcmp(chosen, event) && weight && strcmp(chosen, weight) != 0;
}

/* Refuses numbers of blocks, which are estimated from bytes, and files without a period. */
static int refuse_memory(const struct run_file *file, struct error *err)
{
	const struct metrics *metrics = profile__metrics(file->recording.profile);
	struct quoted quoted, weight;

	if (!file->recording.period)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s does not say how many bytes are between its samples, so that "
				  "nothing says how much is chance",
				  quote(&quoted, file->path));
	if (metrics->shown == VALUE_WEIGHT)
		return 0;
	error__say(err, EXIT_USAGE, -EINVAL, "%s are guessed from samples of bytes",
		   quote(&quoted, metrics__shown(metrics)->name));
	return error__remedy(err, "compare bytes: --sample-type %s",
			     quote(&weight, metrics->of[VALUE_WEIGHT].name));
}

static int count_bytes(struct run_file *file, struct error *err)
{
	int code = refuse_memory(file, err);

	if (!code && byte_counts__make(&file->recording))
		code = error__no_memory(err);
	return code;
}

/* Prepares and checks the counts to compare. */
static int count_values(const struct run_files *files, struct run_file *file, struct error *err)
{
	const struct metrics *metrics;

	if (weight_counts__make(&file->recording))
		return error__no_memory(err);
	metrics = profile__metrics(file->recording.profile);

	if (!metrics->of[VALUE_COUNT].is_events && !metrics__are_unset(metrics))
		return refuse_weights(file->path, metrics, err);
	if (files->sample_type && !is_event_only(files->sample_type, &file->recording) &&
	    run_file__has_unjudged_weights(file))
		return refuse_chosen(files->sample_type, metrics, err);
	return has_period_that_rose(&file->recording) ? refuse_period(file->path, err) : 0;
}

int run_files__read(struct run_files *files, struct error *err)
{
	const bool is_comparison = run_files__has_side(files, SIDE_NEW);

	for (size_t i = 0; i < files->nr; i++) {
		struct run_file *file = &files->list[i];
		const struct read_options options = {
			.placing = files->placing,
			.sample_type = files->sample_type,
			.takes_base = is_comparison && file->side == SIDE_BASE,
			.max_memory_bytes = files->max_memory_bytes,
		};
		int code;

		if (file->is_read)
			continue;
		code = formats__read_file(&file->recording, file->path, &options, err);

		if (code)
			return code;
		file->is_read = true;
		if (files->complete && files->complete(files->context, &file->recording))
			return error__no_memory(err);
		code = heap__has_blocks(&file->recording) ? count_bytes(file, err)
							  : count_values(files, file, err);
		if (code)
			return code;
	}
	return 0;
}

void run_files__free(struct run_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].is_read)
			recording__fini(&files->list[i].recording);
		free(files->list[i].path);
	}
	free(files->list);
}

double run_file__incomplete(const struct run_file *file)
{
	const struct ledger *ledger = &file->recording.ledger;

	if (!file->recording.has_ledger || !ledger->counted)
		return 0;
	return 1 - (double)ledger->whole / (double)ledger->counted;
}
