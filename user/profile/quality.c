// SPDX-License-Identifier: GPL-2.0-only
/*
 * Goes over all samples twice: first to find the runtime that makes code in each process, then to
 * count. Words in the place of frames ("[missing]") are no frames here, nor are functions that were
 * inlined: quality is the same with and without --inlines.
 */
#include "profile/quality.h"

#include <math.h>
#include <stdarg.h>

#include "profile/interned.h"

#define LEAST_SHARE 0.01 /* of frames or of samples, for a cause to be mentioned */
/* the same for a cause that passes by itself, in the first moments of any run */
#define LEAST_PASSING 0.05
#define LEAST_LACKING 0.01 /* of samples without all callers, before causes for it are searched */

struct measure {
	struct dictionary *dictionary;
	struct quality *quality;
	bool with_tables;
	bool lacks_files;    /* some files were not read in time */
	uint8_t *traits;     /* of each frame: enum trait */
	uint8_t *runtimes;   /* of each process: an enum remedy */
	struct pool tallies; /* keys of causes: the interned module and the remedy */
	struct quality_cause *causes;
	size_t capacity;
};

/* ---- frames ---- */

/* Properties of a frame, found once for all samples with the frame. */
enum trait {
	TRAIT_INLINED = 1,
	TRAIT_WORD = 2,
	TRAIT_KERNEL = 4,
	TRAIT_NAMELESS = 8,
	TRAIT_IDENTIFIED = 16,
	TRAIT_WHOLE = 32, /* an outermost frame with it needs no caller */
	TRAIT_MAIN = 64,  /* main, or an interpreter's frame, above which main may not be shown */
	TRAIT_LIBC = 128, /* libc, which calls main; the caller has a name only in full symbols */
};

static uint8_t traits_of(const struct frame *frame)
{
	const bool is_word = !frame->module && frame->function && frame->function[0] == '[';
	/* from text, or a profile without mappings: the start of its program is not known */
	const bool is_bare_name =
		frame->kind == FRAME_USER &&
		(frame->function ? !frame->module : frame->has_start && frame__is_bare(frame));
	const bool is_main = frame->kind == FRAME_INTERPRETED ||
			     (frame->function && !strcmp(frame->function, "main"));
	const bool is_libc = frame->module && !strncmp(frame->module, "libc.", strlen("libc."));

	return (uint8_t)((frame->inlined ? TRAIT_INLINED : 0) | (is_word ? TRAIT_WORD : 0) |
			 (frame->kind == FRAME_KERNEL ? TRAIT_KERNEL : 0) |
			 (frame->function ? 0 : TRAIT_NAMELESS) |
			 (frame__is_identified(frame) ? TRAIT_IDENTIFIED : 0) |
			 (frame->root || is_bare_name ? TRAIT_WHOLE : 0) |
			 (is_main ? TRAIT_MAIN : 0) | (is_libc ? TRAIT_LIBC : 0));
}

static bool calls_main(uint8_t traits, uint8_t of_inner)
{
	return (traits & TRAIT_LIBC) && (of_inner & TRAIT_MAIN);
}

/* ---- runtimes that make code ---- */

/* By the name of a file that the process has mapped, or of the process. */
static const struct runtime {
	const char *prefix;
	enum remedy remedy;
} runtimes[] = {
	{"libjvm.so", REMEDY_JAVA}, {"java", REMEDY_JAVA},	   {"libnode.so", REMEDY_NODE},
	{"node", REMEDY_NODE},	    {"libcoreclr", REMEDY_DOTNET}, {"dotnet", REMEDY_DOTNET},
};

static enum remedy runtime_of(const char *name)
{
	for (size_t i = 0; name && i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (!strncmp(name, runtimes[i].prefix, strlen(runtimes[i].prefix)))
			return runtimes[i].remedy;
	return REMEDY_JIT;
}

/*
 * Finds the runtime of each process. Names are compared once for each frame, not for each sample;
 * and samples are looked at only if some module is a runtime's.
 */
static void find_runtimes(struct measure *measure, const struct sample *samples, size_t nr_samples)
{
	const struct dictionary *dictionary = measure->dictionary;
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	const size_t nr_processes = dictionary__nr_processes(dictionary);
	uint8_t *of_modules = xmalloc(nr_frames + 1); /* of each frame's */
	bool has_any = false;

	for (uint32_t i = 0; i < nr_processes; i++)
		measure->runtimes[i] =
			(uint8_t)runtime_of(dictionary__process(dictionary, i)->comm);
	for (uint32_t i = 0; i < nr_frames; i++) {
		of_modules[i] = (uint8_t)runtime_of(dictionary__frame(dictionary, i)->module);
		has_any |= of_modules[i] != REMEDY_JIT;
	}
	for (size_t i = 0; i < nr_samples && has_any; i++) {
		uint8_t *runtime = &measure->runtimes[samples[i].process];
		size_t nr;
		const uint32_t *frames = dictionary__stack(dictionary, samples[i].stack, &nr);

		for (size_t j = 0; j < nr && *runtime == REMEDY_JIT; j++)
			*runtime = of_modules[frames[j]];
	}
	free(of_modules);
}

/* ---- causes ---- */

/* Finds or adds the cause of a frame without a name or callers. */
static struct quality_cause *cause_of(struct measure *measure, const struct frame *frame,
				      enum remedy remedy)
{
	const uint64_t key[] = {(uintptr_t)frame->module, remedy};
	const size_t nr_causes = measure->tallies.nr_items;
	const uint32_t id = pool__number(&measure->tallies, key, sizeof(key));
	const char *module = frame->module;

	if (!module)
		module = frame->kind == FRAME_INTERPRETED ? "[interpreted]"
			 : frame->kind == FRAME_JIT	  ? "[jit]"
							  : "[unknown]";
	array__reserve(&measure->causes, &measure->capacity, nr_causes + 1);
	if (id == nr_causes)
		measure->causes[id] = (struct quality_cause){
			.module = module,
			.path = frame->path,
			.build_id = frame->build_id,
			.remedy = remedy,
		};
	return &measure->causes[id];
}

static enum remedy remedy_of(const struct measure *measure, const struct sample *sample,
			     const struct frame *frame, enum remedy of_files)
{
	const enum remedy runtime = (enum remedy)measure->runtimes[sample->process];

	if (frame->kind == FRAME_KERNEL)
		return REMEDY_KERNEL;
	if (frame->kind == FRAME_INTERPRETED)
		return REMEDY_INTERPRETED;
	if (frame_kind__is_dynamic(frame->kind)) /* code with a name does not lack a map */
		return runtime == REMEDY_JIT && frame->function ? of_files : runtime;
	if (frame->module && !strcmp(frame->module, FRAME_REPLACED))
		return REMEDY_REPLACED;
	/* A file that was read nearly always gives the build ID or the start of the function. */
	if (measure->lacks_files && frame->module && !frame->function && !frame->build_id &&
	    !frame->has_start)
		return REMEDY_UNREAD;
	/* has_start without a name comes from unwind tables: the file has some. */
	if (of_files == REMEDY_CALLERS && measure->with_tables && frame->has_start)
		return REMEDY_TABLES;
	return frame->module ? of_files : REMEDY_UNMAPPED;
}

/* ---- counting ---- */

static void count_sample(struct measure *measure, const struct sample *sample, uint64_t count)
{
	size_t nr_all, nr_frames = 0, nr_user = 0, leaf = 0, last = 0;
	const uint32_t *frames = dictionary__stack(measure->dictionary, sample->stack, &nr_all);
	const uint8_t *const traits_by_frame = measure->traits;
	struct quality *quality = measure->quality;
	const struct frame *frame;
	uint8_t of_outermost = 0, of_inner = 0;
	struct quality_cause *cause;
	uint64_t weight;

	quality->samples = sum_of(quality->samples, count);
	for (size_t i = 0; i < nr_all; i++) {
		const uint8_t traits = traits_by_frame[frames[i]];

		if (traits & (TRAIT_INLINED | TRAIT_WORD)) {
			leaf += (traits & TRAIT_INLINED) && leaf == i;
			continue;
		}
		nr_frames++;
		if ((traits & TRAIT_NAMELESS) && !calls_main(traits, of_outermost)) {
			frame = dictionary__frame(measure->dictionary, frames[i]);
			cause = cause_of(measure, frame,
					 remedy_of(measure, sample, frame, REMEDY_SYMBOLS));
			quality->unresolved = sum_of(quality->unresolved, count);
			cause->unresolved = sum_of(cause->unresolved, count);
		}
		if (traits & TRAIT_KERNEL)
			continue;
		nr_user++;
		last = i;
		of_inner = of_outermost;
		of_outermost = traits;
	}
	if (leaf < nr_all && !(traits_by_frame[frames[leaf]] & TRAIT_WORD)) {
		quality->leaves = sum_of(quality->leaves, count);
		if (!(traits_by_frame[frames[leaf]] & TRAIT_IDENTIFIED))
			quality->unidentified = sum_of(quality->unidentified, count);
	}
	if (__builtin_mul_overflow(nr_frames, count, &weight))
		weight = UINT64_MAX;
	quality->frames = sum_of(quality->frames, weight);
	if (!nr_user || (of_outermost & TRAIT_WHOLE) || calls_main(of_outermost, of_inner))
		return;
	frame = dictionary__frame(measure->dictionary, frames[last]);
	cause = cause_of(measure, frame, remedy_of(measure, sample, frame, REMEDY_CALLERS));
	cause->ended = sum_of(cause->ended, count);
	if (nr_user == 1)
		quality->one_frame = sum_of(quality->one_frame, count);
}

/* ---- the worst causes ---- */

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : 0;
}

static double weight_of(const struct quality *quality, const struct quality_cause *cause)
{
	return share(cause->unresolved, quality->frames) + share(cause->ended, quality->samples);
}

/*
 * If the worst causes have the same module and remedy already, adds their numbers to cause and
 * removes that entry.
 */
static void take_same(struct quality *quality, struct quality_cause *cause)
{
	struct quality_cause *same = quality->causes, *end = same + quality->nr_causes;

	while (same < end && (same->module != cause->module || same->remedy != cause->remedy))
		same++;
	if (same == end)
		return;
	cause->unresolved = sum_of(cause->unresolved, same->unresolved);
	cause->ended = sum_of(cause->ended, same->ended);
	memmove(same, same + 1, (size_t)(end - same - 1) * sizeof(*same));
	quality->nr_causes--;
}

/* Inserts a cause into the worst ones, if it is large enough. */
static void rank_cause(struct quality *quality, const struct quality_cause *cause)
{
	const bool passes = cause->remedy == REMEDY_EARLY || cause->remedy == REMEDY_MOMENT;
	const double weight = weight_of(quality, cause);
	size_t at = quality->nr_causes;

	if (weight < (passes ? LEAST_PASSING : LEAST_SHARE))
		return;
	for (; at > 0; at--) {
		const struct quality_cause *before = &quality->causes[at - 1];
		const double other = weight_of(quality, before);

		if (weight < other ||
		    (weight == other && strcmp(cause->module, before->module) >= 0))
			break;
		if (at < QUALITY_CAUSES)
			quality->causes[at] = *before;
	}
	if (at < QUALITY_CAUSES)
		quality->causes[at] = *cause;
	if (quality->nr_causes < QUALITY_CAUSES)
		quality->nr_causes++;
}

/*
 * Stacks without all callers, as the ledger counts them. Those that are too deep have a notice of
 * their own.
 */
static uint64_t lacking_in(const struct ledger *ledger)
{
	return ledger__cut(ledger) - ledger->cut[CUT_DEPTH] + ledger->unverified;
}

/* Samples whose user stack ends too early, in code with this remedy or a later one. */
static uint64_t ended_in(const struct measure *measure, enum remedy first)
{
	uint64_t ended = 0;

	for (size_t i = 0; i < measure->tallies.nr_items; i++)
		if (measure->causes[i].remedy >= first)
			ended = sum_of(ended, measure->causes[i].ended);
	return ended;
}

/*
 * The remedy for most of the stacks that end in files; a single stack shows nothing. Stacks without
 * a rule may have ended in code made at run time, which has its own remedy, and unverified ones
 * where a program begins: these are no fault of a file. Without a ledger the reason is not known.
 */
static enum remedy remedy_of_ends(const struct measure *measure, const struct ledger *ledger)
{
	uint64_t stacks[REMEDIES] = {0}, lacking, ended, faults, of_others;
	enum remedy most = REMEDY_CALLERS;

	if (!ledger)
		return most;
	lacking = lacking_in(ledger);
	ended = ended_in(measure, 0);
	of_others = sum_of(lacking > ended ? lacking - ended : 0, ended_in(measure, REMEDY_JAVA));
	faults = sum_of(sum_of(ledger->unverified - ledger->early, ledger->cut[CUT_UNLISTED]),
			sum_of(ledger->cut[CUT_NO_RULE], ledger->cut[CUT_FP_LOST]));
	stacks[REMEDY_CALLERS] = faults > of_others ? faults - of_others : 0;
	stacks[REMEDY_ROOM] = ledger->cut[CUT_NO_ROOM];
	stacks[REMEDY_EARLY] = ledger->early;
	stacks[REMEDY_TABLES] = ledger->cut[CUT_OTHER_RULE];
	stacks[REMEDY_MOMENT] =
		sum_of(sum_of(ledger->cut[CUT_UNMAPPED], ledger->cut[CUT_UNREADABLE]),
		       ledger->cut[CUT_BACKWARDS]);
	for (size_t i = 0; i < REMEDIES; i++)
		if (stacks[i] > stacks[most])
			most = (enum remedy)i;
	return most == REMEDY_CALLERS && !measure->with_tables ? REMEDY_POINTERS : most;
}

/*
 * Early ends count by the part of them that may be real: the ledger knows how many stacks lack
 * callers, but not which. Without a ledger nothing says that any does.
 */
static void rank_causes(struct measure *measure, const struct ledger *ledger)
{
	const uint64_t lacking = ledger ? lacking_in(ledger) : 0, ended = ended_in(measure, 0);
	const enum remedy of_ends = remedy_of_ends(measure, ledger);
	double part = lacking < ended ? share(lacking, ended) : 1;

	if (share(lacking, measure->quality->samples) < LEAST_LACKING)
		part = 0;
	for (size_t i = 0; i < measure->tallies.nr_items; i++) {
		struct quality_cause cause = measure->causes[i];

		cause.ended = (uint64_t)(part * (double)cause.ended);
		if (cause.remedy == REMEDY_CALLERS ||
		    (cause.remedy == REMEDY_TABLES && of_ends != REMEDY_CALLERS))
			cause.remedy = of_ends;
		take_same(measure->quality, &cause);
		rank_cause(measure->quality, &cause);
	}
}

/*
 * Where samples weigh differently, a sample counts by its part of the weight, scaled to as many
 * samples as the ledger counted; remainders are carried over.
 */
void quality__measure(struct quality *quality, const struct profile *profile,
		      const struct ledger *ledger, bool with_tables)
{
	const struct metrics *metrics = profile__metrics(profile);
	const enum value value =
		ledger && metrics->of[VALUE_COUNT].name ? VALUE_COUNT : metrics->shown;
	const bool is_spent = value == VALUE_COUNT && profile__is_spent(profile);
	const double each = is_spent ? (double)profile__total(profile, VALUE_WEIGHT) /
					       (double)profile__total(profile, VALUE_COUNT)
				     : 0;
	struct dictionary *dictionary = profile__dictionary(profile);
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	struct measure measure = {
		.dictionary = dictionary,
		.quality = quality,
		.with_tables = with_tables,
		.lacks_files = ledger && ledger->unread,
		.traits = xmalloc(nr_frames + 1),
		.runtimes = xmalloc(dictionary__nr_processes(dictionary) + 1),
	};
	double rest = 0.5, count;
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	*quality = (struct quality){.truncated = ledger ? ledger__cut(ledger) : 0,
				    .unverified = ledger ? ledger->unverified : 0};
	for (uint32_t i = 0; i < nr_frames; i++)
		measure.traits[i] = traits_of(dictionary__frame(dictionary, i));
	find_runtimes(&measure, samples, nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		if (each > 0)
			rest = modf(rest + (double)samples[i].values[VALUE_WEIGHT] / each, &count);
		count_sample(&measure, &samples[i],
			     each > 0 ? (uint64_t)count : samples[i].values[value]);
	}
	rank_causes(&measure, ledger);
	free(measure.traits);
	free(measure.runtimes);
	free(measure.causes);
	pool__clear(&measure.tallies);
}

/* ---- words ---- */

static const char *const remedies[REMEDIES] = {
	[REMEDY_SYMBOLS] = "install its debug symbols",
	[REMEDY_KERNEL] = "run with CAP_SYSLOG, or lower kernel.kptr_restrict",
	[REMEDY_UNMAPPED] =
		"no code is known there: callers were misread, or a process ended unseen",
	[REMEDY_REPLACED] = "other code was loaded in its place: which of the two ran is not known",
	[REMEDY_CALLERS] = "build it with -fasynchronous-unwind-tables for --unwind auto, or with "
			   "-fno-omit-frame-pointer",
	[REMEDY_POINTERS] = "sample it without --unwind fp, from Linux 5.17 on, or build it with "
			    "-fno-omit-frame-pointer",
	[REMEDY_TABLES] = "it has unwind tables, but they lead no further: nothing to mend",
	[REMEDY_ROOM] = "raise --unwind-memory: there was no room for its unwind table",
	[REMEDY_EARLY] = "most were walked before unwind tables were loaded: nothing to mend",
	[REMEDY_MOMENT] = "most processes had just begun there, or were ending: nothing to mend",
	[REMEDY_UNREAD] = "it was not read in time: sample for longer",
	[REMEDY_JAVA] = "sample with --java-names, and start java with "
			"-XX:+PreserveFramePointer",
	[REMEDY_NODE] = "start node with --perf-basic-prof",
	[REMEDY_INTERPRETED] = "what an interpreter runs there could not be read: nothing to mend",
	[REMEDY_DOTNET] = "set DOTNET_PerfMapEnabled=1 for it",
	[REMEDY_JIT] = "made at run time: have its runtime write /tmp/perf-PID.map",
};

double quality__percent(const struct quality *quality)
{
	const double lacking[] = {
		share(quality->unresolved, quality->frames),
		share(quality->truncated, quality->samples),
		share(quality->one_frame, quality->samples),
	};
	double most = 0;

	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (lacking[i] > most)
			most = lacking[i];
	return most > 1 ? 0 : 100 - 100 * most;
}

/* Appends formatted text. Returns the length so far. */
__attribute__((format(printf, 4, 5))) static int append(char *text, size_t size, int length,
							const char *format, ...)
{
	const size_t used = (size_t)length < size ? (size_t)length : size;
	va_list arguments;
	int more;

	va_start(arguments, format);
	more = vsnprintf(size ? text + used : NULL, size - used, format, arguments);
	va_end(arguments);
	return length + more;
}

/* Appends ", 0.4 % of samples truncated"; nothing if that would be 0.0 %. */
static int append_share(char *text, size_t size, int length, double part, const char *what)
{
	if (part < 0.0005)
		return length;
	return append(text, size, length, ", %.1f %% of samples %s", 100 * part, what);
}

int quality__line(const struct quality *quality, char *text, size_t size)
{
	const double unverified = share(quality->unverified, quality->samples);
	int length;

	if (quality__percent(quality) >= 99.95 && unverified < LEAST_LACKING)
		return 0;
	length = snprintf(text, size, "%.1f %% of frames named",
			  100 - 100 * share(quality->unresolved, quality->frames));
	if (share(quality->unresolved, quality->frames) >= 0.0005)
		length = append(text, size, length, ", %.1f %% of leaf functions identified",
				100 - 100 * share(quality->unidentified, quality->leaves));
	length = append_share(text, size, length, share(quality->truncated, quality->samples),
			      "truncated");
	if (unverified >= LEAST_LACKING)
		length = append_share(text, size, length, unverified, "unverified");
	return append_share(text, size, length, share(quality->one_frame, quality->samples),
			    "with a single user frame");
}

bool quality__can_mend(const struct quality_cause *cause)
{
	switch (cause->remedy) {
	case REMEDY_UNMAPPED:
	case REMEDY_REPLACED:
	case REMEDY_TABLES:
	case REMEDY_EARLY:
	case REMEDY_MOMENT:
	case REMEDY_INTERPRETED:
		return false;
	default:
		return cause->remedy <= REMEDY_JAVA || cause->unresolved;
	}
}

/* Writes what is to be done about a cause, with the sign before it. As snprintf. */
static int write_remedy(const struct quality_cause *cause, char *text, size_t size)
{
	if (cause->remedy == REMEDY_SYMBOLS && cause->symbols)
		return snprintf(text, size, "; %s", cause->symbols);
	if (cause->remedy == REMEDY_JAVA && !cause->ended)
		return snprintf(
			text, size,
			"; sample with --java-names, or run jcmd PID Compiler.perfmap late: "
			"what is compiled after it has no name");
	if (cause->remedy == REMEDY_JAVA && !cause->unresolved)
		return snprintf(text, size,
				"; start java with -XX:+PreserveFramePointer, if it was not");
	if (cause->remedy > REMEDY_JAVA && !cause->unresolved)
		return snprintf(text, size,
				"; code made at run time has no unwind tables: nothing to mend");
	if (cause->remedy == REMEDY_SYMBOLS && cause->build_id)
		return snprintf(text, size, "; %s (build ID %s)", remedies[cause->remedy],
				cause->build_id);
	return snprintf(text, size, "; %s", remedies[cause->remedy]);
}

int quality__advice(const struct quality *quality, size_t cause, char *text, size_t size)
{
	const struct quality_cause *of = &quality->causes[cause];
	const double nameless = 100 * share(of->unresolved, quality->frames);
	const double ended = 100 * share(of->ended, quality->samples);
	int length = snprintf(text, size, "%s: ", of->module);

	if (of->unresolved || !of->ended)
		length = append(text, size, length, "%.1f %% of frames have no name", nameless);
	if (of->ended)
		length = append(text, size, length, "%s%.1f %% of stacks may lack its callers",
				of->unresolved ? ", " : "", ended);
	return length + write_remedy(of, size > (size_t)length ? text + length : text + size,
				     size > (size_t)length ? size - (size_t)length : 0);
}
