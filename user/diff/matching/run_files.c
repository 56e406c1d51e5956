// SPDX-License-Identifier: GPL-2.0-only
/* Finds and reads the runs, by name or pattern, each file once on a side. */
#include "diff/matching/run_files.h"

#include <glob.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/thread.h"
#include "diff/matching/byte_counts.h"
#include "diff/matching/weight_counts.h"
#include "formats/formats.h"
#include "profile/recording.h"

#define MAX_RUNS 1000

static int add_file(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct run_file file = {.side = side};
	struct quoted quoted;
	struct stat status;

	/* A path without a regular file has no inode; reading it reports the error. */
	if (!stat(path, &status) && S_ISREG(status.st_mode)) {
		file.device = status.st_dev;
		file.inode = status.st_ino;
	}
	for (size_t i = 0; i < files->nr; i++) {
		const struct run_file *other = &files->list[i];

		if (other->side == side &&
		    (!strcmp(other->path, path) ||
		     (file.inode && other->inode == file.inode && other->device == file.device)))
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "%s is given twice: a run counts once",
					  quote(&quoted, path));
	}
	if (files->nr >= MAX_RUNS)
		return error__say(err, EXIT_USAGE, -E2BIG, "more than %d files", MAX_RUNS);
	file.path = xstrdup(path);
	array__reserve(&files->list, &files->capacity, files->nr + 1);
	files->list[files->nr++] = file;
	return 0;
}

/* Returns 1 if no file matches. */
static int add_matches(struct run_files *files, const char *pattern, enum side side,
		       struct error *err)
{
	glob_t found = {0};
	const int failure = glob(pattern, 0, NULL, &found);
	int code = failure == GLOB_NOSPACE ? memory__error(err) : failure != 0;

	for (size_t i = 0; i < found.gl_pathc && !code; i++) {
		const char *path = found.gl_pathv[i];
		struct quoted quoted;
		struct stat status;

		/* Any user may have put it there, and reading a FIFO would block. */
		if (!stat(path, &status) && !S_ISREG(status.st_mode))
			code = error__say(err, EXIT_USAGE, -EINVAL, "%s is no file",
					  quote(&quoted, path));
		else
			code = add_file(files, path, side, err);
	}
	globfree(&found);
	return code;
}

int run_files__add(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct quoted quoted;
	struct stat status;
	char *pattern;
	int code;

	if (stat(path, &status) || !S_ISDIR(status.st_mode))
		return add_file(files, path, side, err);
	pattern = files__pattern(path, "run-*");
	code = add_matches(files, pattern, side, err);
	free(pattern);
	return code <= 0 ? code
			 : error__say(err, EXIT_USAGE, -ENOENT,
				      "%s has no runs, which would be files called run-*",
				      quote(&quoted, path));
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

/* True if the user named an event, not its weight, unless the weight has the same name. */
static bool is_event_only(const char *chosen, const struct recording *recording)
{
	const char *event = recording->facts[FACT_EVENT];
	const char *weight = profile__metrics(recording->profile)->of[VALUE_WEIGHT].name;

	return event && !strcmp(chosen, event) && weight && strcmp(chosen, weight) != 0;
}

/* Refuses numbers of blocks, which are estimated from bytes, and files without a period. */
static int count_bytes(struct run_file *file, struct error *err)
{
	const struct metrics *metrics = profile__metrics(file->recording.profile);
	struct quoted quoted, weight;

	if (!file->recording.period)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s does not say how many bytes are between its samples, so that "
				  "nothing says how much is chance",
				  quote(&quoted, file->path));
	if (metrics->shown != VALUE_WEIGHT) {
		error__say(err, EXIT_USAGE, -EINVAL, "%s are guessed from samples of bytes",
			   quote(&quoted, metrics__shown(metrics)->name));
		return error__remedy(err, "compare bytes: --sample-type %s",
				     quote(&weight, metrics->of[VALUE_WEIGHT].name));
	}
	byte_counts__make(&file->recording);
	return 0;
}

/*
 * Prepares and checks the counts to compare. Refuses a weight that the user asked for: comparing
 * its counts instead would pretend that the weight was judged.
 */
static int count_values(const struct run_files *files, struct run_file *file, struct error *err)
{
	const struct metrics *metrics;
	struct quoted quoted, noun;

	weight_counts__make(&file->recording);
	metrics = profile__metrics(file->recording.profile);
	if (!metrics->of[VALUE_COUNT].is_events && !metrics__are_unset(metrics)) {
		error__say(err, EXIT_USAGE, -EINVAL,
			   "%s holds %s, no counts, so that nothing says how much is chance",
			   quote(&quoted, file->path),
			   quote__noun(&noun, metric__noun(metrics__shown(metrics))));
		return error__remedy(err, "compare profiles with a count beside it, as those of "
					  "topstacks have");
	}
	if (files->sample_type && !is_event_only(files->sample_type, &file->recording) &&
	    run_file__has_unjudged_weights(file)) {
		error__say(err, EXIT_USAGE, -EINVAL,
			   "%s are weights, and nothing tells how much of a difference of weights "
			   "is chance",
			   quote(&quoted, files->sample_type));
		return error__remedy(err,
				     "compare counts, by --sample-type %s, or record only what "
				     "matters by a condition, such as FIELD>=4096",
				     quote(&noun, metrics->of[VALUE_COUNT].name));
	}
	if (has_period_that_rose(&file->recording)) {
		error__say(err, EXIT_USAGE, -EINVAL,
			   "%s: its period rose during the run, so that its samples do not stand "
			   "for the same number of events each",
			   quote(&quoted, file->path));
		return error__remedy(err, "record it with /period=N/ or without --max-overhead");
	}
	return 0;
}

/* Files that are read by several threads: each takes the next one. */
struct reading_files {
	struct run_files *files;
	atomic_size_t next;
	struct file_outcome {
		bool is_new; /* it was not read before */
		int code;
		struct error err;
	} * outcomes; /* by file */
};

#define MOST_THREADS 8

static void *read_files(void *context)
{
	struct reading_files *reading = context;
	struct run_files *files = reading->files;
	const bool is_comparison = run_files__has_side(files, SIDE_NEW);
	size_t i;

	while ((i = reading->next++) < files->nr) {
		struct file_outcome *outcome = &reading->outcomes[i];
		struct run_file *file = &files->list[i];
		const struct read_options options = {
			.placing = files->placing,
			.sample_type = files->sample_type,
			.takes_base = is_comparison && file->side == SIDE_BASE,
			.max_memory_bytes = files->max_memory_bytes,
		};

		if (file->is_read)
			continue;
		outcome->is_new = true;
		outcome->code =
			formats__read_file(&file->recording, file->path, &options, &outcome->err);
		file->is_read = !outcome->code;
	}
	return NULL;
}

/* A file's recording has a dictionary of its own, so that threads share nothing. */
static void read_in_threads(struct reading_files *reading)
{
	const long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MOST_THREADS];
	size_t nr = 0;

	while (nr + 1 < reading->files->nr && nr < MOST_THREADS && (long)nr + 1 < nr_cpus &&
	       !thread__start(&threads[nr], read_files, reading))
		nr++;
	read_files(reading);
	while (nr)
		pthread_join(threads[--nr], NULL);
}

/* Takes what was read in the order of the files, so that the first error is the one that is told. */
static int take_files(struct run_files *files, const struct file_outcome *outcomes,
		      struct error *err)
{
	for (size_t i = 0; i < files->nr; i++) {
		struct run_file *file = &files->list[i];
		int code = outcomes[i].code;

		if (!outcomes[i].is_new)
			continue;
		if (code) {
			*err = outcomes[i].err;
			return code;
		}
		if (files->complete && files->complete(files->context, &file->recording))
			return memory__error(err);
		code = heap__has_blocks(&file->recording) ? count_bytes(file, err)
							  : count_values(files, file, err);
		if (code)
			return code;
	}
	return 0;
}

int run_files__read(struct run_files *files, struct error *err)
{
	struct reading_files reading = {.files = files};
	int code;

	reading.outcomes = xcalloc(files->nr, sizeof(*reading.outcomes));
	read_in_threads(&reading);
	code = take_files(files, reading.outcomes, err);
	free(reading.outcomes);
	return code;
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
