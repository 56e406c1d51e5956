// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reasons why a difference of two profiles would say nothing about the program: they measured
 * different things, in different ways, or on different machines. A file without such facts, as
 * folded text, is comparable to all.
 */
#include "diff/comparable.h"

#include <stdarg.h>

#define MAX_LOSS  0.01 /* of the samples that should be there */
#define MAX_RATIO 10   /* of periods, and of durations */

const char *obstacle__name(enum obstacle obstacle)
{
	static const char *const names[OBSTACLES] = {
		[OBSTACLE_TYPES] = "types",	    [OBSTACLE_EVENT] = "event",
		[OBSTACLE_UNWINDING] = "unwinding", [OBSTACLE_CPU] = "cpu",
		[OBSTACLE_CPUS] = "cpus",	    [OBSTACLE_KERNEL] = "kernel",
		[OBSTACLE_HOST] = "host",	    [OBSTACLE_RATE] = "rate",
		[OBSTACLE_DURATION] = "duration",   [OBSTACLE_LOSSES] = "losses",
		[OBSTACLE_EMPTY] = "empty",
	};

	return obstacle < OBSTACLES ? names[obstacle] : NULL;
}

struct checker {
	const struct run_file *files;
	size_t nr_files;
	struct obstacles *found;
	unsigned int allowed;
};

__attribute__((format(printf, 3, 4))) static void
add_reason(struct checker *checker, enum obstacle obstacle, const char *format, ...)
{
	struct obstacles *found = checker->found;
	char *reason = NULL;
	size_t nr_bytes;
	va_list args;
	FILE *out;

	if (checker->allowed & 1u << obstacle)
		return;
	out = xmemstream(&reason, &nr_bytes);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	xfclose(out);
	/* A differing event is the clearest reason for the refusal. */
	if (obstacle == OBSTACLE_EVENT || (!found->refused && obstacle == OBSTACLE_TYPES))
		found->refused = reason;
	array__reserve(&found->reasons, &found->capacity, found->nr + 1);
	found->reasons[found->nr++] = reason;
}

/* ---- words: differ if two files have one each, and not the same ---- */

typedef const char *get_word(const struct recording *recording, enum fact fact);

static const char *fact_of(const struct recording *recording, enum fact fact)
{
	return recording->facts[fact];
}

static const char *type_of(const struct recording *recording, enum fact unused)
{
	(void)unused;
	return profile__metrics(recording->profile)->of[VALUE_COUNT].name;
}

/*
 * Only for files that topstacks recorded: other profilers may store a time beside counts of any
 * event.
 */
static const char *unit_of(const struct recording *recording, enum fact event)
{
	return recording->facts[event] ? profile__metrics(recording->profile)->of[VALUE_WEIGHT].unit
				       : NULL;
}

static void check_words(struct checker *checker, enum obstacle obstacle, const char *what,
			get_word *get, enum fact fact)
{
	struct quoted words[2], names[2];
	const struct run_file *first = NULL;

	for (size_t i = 0; i < checker->nr_files; i++) {
		const struct run_file *file = &checker->files[i];
		const char *word = get(&file->recording, fact);

		if (!word)
			continue;
		if (!first)
			first = file;
		if (!strcmp(get(&first->recording, fact), word))
			continue;
		add_reason(checker, obstacle, "%s differs: %s in %s, %s in %s", what,
			   quote(&words[0], get(&first->recording, fact)),
			   quote(&names[0], first->path), quote(&words[1], word),
			   quote(&names[1], file->path));
		return;
	}
}

/* ---- numbers: the ratio of the largest to the smallest known one ---- */

typedef double get_number(const struct recording *recording);

static const struct metric *weight_of(const struct recording *recording)
{
	return &profile__metrics(recording->profile)->of[VALUE_WEIGHT];
}

/*
 * The mean weight of a sample if the weight is a number of events: a frequency, or --max-overhead,
 * changes the period during the run. Else the period, or what the mean rate says of it if samples
 * are of time.
 */
double recording__period(const struct recording *recording)
{
	const uint64_t unit_ns = metric__unit_ns(weight_of(recording));
	const uint64_t count = profile__total(recording->profile, VALUE_COUNT);

	if (metrics__count_events(profile__metrics(recording->profile)) && count)
		return (double)profile__total(recording->profile, VALUE_WEIGHT) / (double)count;
	if (recording->period || !unit_ns)
		return (double)recording->period;
	return recording->asked_hz > 0 ? 1e9 / (double)unit_ns / recording->asked_hz : 0;
}

static const char *noun_of(const struct run_file *file, struct quoted *noun)
{
	const struct metrics *metrics = profile__metrics(file->recording.profile);

	return quote__noun(noun, metric__noun(&metrics->of[VALUE_COUNT]));
}

static double duration_s(const struct recording *recording)
{
	return (double)recording->duration_ns / 1e9;
}

static double count_cpus(const struct recording *recording)
{
	return (double)recording->nr_cpus;
}

static void check_numbers(struct checker *checker, enum obstacle obstacle, const char *what,
			  get_number *get, double max_ratio)
{
	const struct run_file *least = NULL, *most = NULL;
	struct quoted names[2];

	for (size_t i = 0; i < checker->nr_files; i++) {
		const struct run_file *file = &checker->files[i];
		double number = get(&file->recording);

		if (number <= 0)
			continue;
		if (!least || number < get(&least->recording))
			least = file;
		if (!most || number > get(&most->recording))
			most = file;
	}
	if (least && get(&most->recording) > max_ratio * get(&least->recording))
		add_reason(checker, obstacle, "%s: %.3g in %s, %.3g in %s", what,
			   get(&least->recording), quote(&names[0], least->path),
			   get(&most->recording), quote(&names[1], most->path));
}

/* ---- frequencies: a fixed number of samples a second, however often the event happens ---- */

static double frequency_of(const struct recording *recording)
{
	return metrics__count_events(profile__metrics(recording->profile)) && !recording->period
		       ? recording->asked_hz
		       : 0;
}

static const char *describe_pace(const struct recording *recording, char text[64])
{
	if (frequency_of(recording) > 0)
		snprintf(text, 64, "%g times a second", frequency_of(recording));
	else
		snprintf(text, 64, "once in %" PRIu64, recording->period);
	return text;
}

/*
 * With different frequencies or periods counts mean different things, so the comparison is refused.
 */
static void check_frequencies(struct checker *checker)
{
	const struct run_file *first = checker->files, *other = first;
	const size_t nr_before = checker->found->nr;
	struct quoted names[2], noun;
	char paces[2][64];

	while (other < first + checker->nr_files &&
	       frequency_of(&other->recording) == frequency_of(&first->recording))
		other++;
	if (other == first + checker->nr_files)
		return;
	add_reason(checker, OBSTACLE_RATE,
		   "%s were sampled %s in %s, %s in %s: take the same -F, or period=N",
		   noun_of(first, &noun), describe_pace(&first->recording, paces[0]),
		   quote(&names[0], first->path), describe_pace(&other->recording, paces[1]),
		   quote(&names[1], other->path));
	if (checker->found->nr > nr_before && !checker->found->refused)
		checker->found->refused = checker->found->reasons[nr_before];
}

/* ---- single files ---- */

static void check_file(struct checker *checker, const struct run_file *file)
{
	const struct recording *recording = &file->recording;
	const double lost = (double)ledger__lost(&recording->ledger) +
			    (double)ledger__missing(&recording->ledger);
	const double all =
		(double)ledger__lost(&recording->ledger) + (double)recording->ledger.counted;
	struct quoted name, noun;

	if (recording->has_ledger && lost > MAX_LOSS * all)
		add_reason(checker, OBSTACLE_LOSSES, "%s lost %.1f %% of its %s or stacks",
			   quote(&name, file->path), 100 * lost / all, noun_of(file, &noun));
	/* Waits that go on at the end have a time but no count. */
	if (!profile__total(recording->profile, VALUE_COUNT))
		add_reason(checker, OBSTACLE_EMPTY, "%s has %s %s", quote(&name, file->path),
			   profile__has_waits(recording->profile) ? "none that ended of its" : "no",
			   noun_of(file, &noun));
}

void obstacles__find(struct obstacles *found, const struct run_file *files, size_t nr_files,
		     unsigned int allowed)
{
	struct checker checker = {files, nr_files, found, allowed};

	*found = (struct obstacles){0};
	check_words(&checker, OBSTACLE_TYPES, "what samples are", type_of, 0);
	check_words(&checker, OBSTACLE_EVENT, "the event", fact_of, FACT_EVENT);
	check_words(&checker, OBSTACLE_TYPES, "the unit of what samples weigh", unit_of,
		    FACT_EVENT);
	check_words(&checker, OBSTACLE_UNWINDING, "unwinding", fact_of, FACT_UNWINDING);
	check_words(&checker, OBSTACLE_CPU, "the CPU", fact_of, FACT_CPU);
	check_words(&checker, OBSTACLE_KERNEL, "the kernel", fact_of, FACT_KERNEL);
	check_words(&checker, OBSTACLE_HOST, "the machine", fact_of, FACT_HOST);
	check_numbers(&checker, OBSTACLE_CPUS, "the number of CPUs differs", count_cpus, 1);
	if (nr_files) {
		const char *unit = weight_of(&files->recording)->unit;
		struct quoted words, noun;
		char what[600];

		check_frequencies(&checker);
		snprintf(what, sizeof(what), "%s between %s differ by more than 10 times",
			 quote__noun(&words, unit ? unit : "periods"), noun_of(files, &noun));
		check_numbers(&checker, OBSTACLE_RATE, what, recording__period, MAX_RATIO);
	}
	check_numbers(&checker, OBSTACLE_DURATION, "seconds recorded differ by more than 10 times",
		      duration_s, MAX_RATIO);
	for (size_t i = 0; i < nr_files; i++)
		check_file(&checker, &files[i]);
}

void obstacles__fini(struct obstacles *found)
{
	for (size_t i = 0; i < found->nr; i++)
		free(found->reasons[i]);
	free(found->reasons);
	*found = (struct obstacles){0};
}
