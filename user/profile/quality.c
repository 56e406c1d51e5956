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
	bool lacks_files; /* some files were not read in time */
	enum value value;
	double each;	     /* weight for each sample that the ledger counted; 0: use counts */
	double rest;	     /* weight left over for the next sample, as a part of `each` */
	uint64_t count;	     /* of the current sample */
	uint8_t *traits;     /* of each frame: enum trait */
	uint8_t *runtimes;   /* of each process: an enum remedy; REMEDIES: not known yet */
	uint8_t *of_modules; /* the same for the module of each frame */
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

static bool is_word(const struct frame *frame)
{
	return !frame->module && frame->function && frame->function[0] == '[';
}

/* A frame from text, or from a profile without mappings: the start of its program is not known. */
static bool is_bare_name(const struct frame *frame)
{
	if (frame->kind != FRAME_USER)
		return false;
	return frame->function ? !frame->module : frame->has_start && frame__is_bare(frame);
}

static bool is_main(const struct frame *frame)
{
	return frame->kind == FRAME_INTERPRETED ||
	       (frame->function && !strcmp(frame->function, "main"));
}

static uint8_t traits_of(const struct frame *frame)
{
	const bool is_libc = frame->module && !strncmp(frame->module, "libc.", strlen("libc."));

	return (uint8_t)((frame->inlined ? TRAIT_INLINED : 0) | (is_word(frame) ? TRAIT_WORD : 0) |
			 (frame->kind == FRAME_KERNEL ? TRAIT_KERNEL : 0) |
			 (frame->function ? 0 : TRAIT_NAMELESS) |
			 (frame__is_identified(frame) ? TRAIT_IDENTIFIED : 0) |
			 (frame->root || is_bare_name(frame) ? TRAIT_WHOLE : 0) |
			 (is_main(frame) ? TRAIT_MAIN : 0) | (is_libc ? TRAIT_LIBC : 0));
}

static uint8_t *find_traits(const struct dictionary *dictionary)
{
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	uint8_t *traits = malloc(nr_frames + 1);

	for (uint32_t i = 0; traits && i < nr_frames; i++)
		traits[i] = traits_of(dictionary__frame(dictionary, i));
	return traits;
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

/* Compares a module's name once for each frame, not for each sample. */
static uint8_t runtime_of_module(struct measure *measure, uint32_t frame)
{
	uint8_t *runtime = &measure->of_modules[frame];

	if (*runtime == REMEDIES)
		*runtime =
			(uint8_t)runtime_of(dictionary__frame(measure->dictionary, frame)->module);
	return *runtime;
}

static void find_runtime(struct measure *measure, const struct sample *sample)
{
	uint8_t *runtime = &measure->runtimes[sample->process];
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(measure->dictionary, sample->stack, &nr_frames);

	if (*runtime == REMEDIES)
		*runtime = (uint8_t)runtime_of(
			dictionary__process(measure->dictionary, sample->process)->comm);
	for (size_t i = 0; i < nr_frames && *runtime == REMEDY_JIT; i++)
		*runtime = runtime_of_module(measure, frames[i]);
}

/* ---- causes ---- */

static const char *module_of(const struct frame *frame)
{
	if (frame->module)
		return frame->module;
	if (frame->kind == FRAME_INTERPRETED)
		return "[interpreted]";
	return frame->kind == FRAME_JIT ? "[jit]" : "[unknown]";
}

/* Finds or adds the cause of a frame without a name or callers. NULL: out of memory. */
static struct quality_cause *cause_of(struct measure *measure, const struct frame *frame,
				      enum remedy remedy)
{
	const uint64_t key[] = {(uintptr_t)frame->module, remedy};
	const size_t nr_causes = measure->tallies.nr_items;
	uint32_t id;

	if (array__reserve(&measure->causes, &measure->capacity, measure->tallies.nr_items + 1))
		return NULL;
	id = pool__number(&measure->tallies, key, sizeof(key));
	if (id == ID_NONE)
		return NULL;
	if (id == nr_causes)
		measure->causes[id] = (struct quality_cause){
			.module = module_of(frame),
			.path = frame->path,
			.build_id = frame->build_id,
			.remedy = remedy,
		};
	return &measure->causes[id];
}

/*
 * True if the frame's file may be unread: a file that was read nearly always gives the build ID or
 * the start of the function.
 */
static bool may_be_unread(const struct measure *measure, const struct frame *frame)
{
	return measure->lacks_files && frame->kind == FRAME_USER && frame->module &&
	       !frame->function && !frame->build_id && !frame->has_start;
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
	if (may_be_unread(measure, frame))
		return REMEDY_UNREAD;
	/* has_start without a name comes from unwind tables: the file has some. */
	if (of_files == REMEDY_CALLERS && measure->with_tables && frame->has_start)
		return REMEDY_TABLES;
	return frame->module ? of_files : REMEDY_UNMAPPED;
}

/* ---- counting ---- */

static int count_nameless(struct measure *measure, const struct sample *sample, uint32_t id)
{
	const uint64_t count = measure->count;
	const struct frame *frame = dictionary__frame(measure->dictionary, id);
	struct quality_cause *cause =
		cause_of(measure, frame, remedy_of(measure, sample, frame, REMEDY_SYMBOLS));

	if (!cause)
		return -ENOMEM;
	measure->quality->unresolved = sum_of(measure->quality->unresolved, count);
	cause->unresolved = sum_of(cause->unresolved, count);
	return 0;
}

static void count_leaf(struct quality *quality, uint64_t count, uint8_t traits)
{
	quality->leaves = sum_of(quality->leaves, count);
	if (!(traits & TRAIT_IDENTIFIED))
		quality->unidentified = sum_of(quality->unidentified, count);
}

static int count_end(struct measure *measure, const struct sample *sample, uint32_t id,
		     size_t nr_frames)
{
	const uint64_t count = measure->count;
	const struct frame *outermost = dictionary__frame(measure->dictionary, id);
	struct quality_cause *cause =
		cause_of(measure, outermost, remedy_of(measure, sample, outermost, REMEDY_CALLERS));

	if (!cause)
		return -ENOMEM;
	if (nr_frames == 1)
		measure->quality->one_frame = sum_of(measure->quality->one_frame, count);
	cause->ended = sum_of(cause->ended, count);
	return 0;
}

static int count_sample(struct measure *measure, const struct sample *sample)
{
	const uint64_t count = measure->count;
	size_t nr_frames, nr_user = 0, leaf = 0;
	const uint32_t *frames = dictionary__stack(measure->dictionary, sample->stack, &nr_frames);
	struct quality *quality = measure->quality;
	uint64_t counted = quality->frames;
	uint8_t of_outermost = 0, of_inner = 0;
	uint32_t outermost = ID_NONE;
	int code = 0;

	for (size_t i = 0; i < nr_frames && !code; i++) {
		const uint8_t traits = measure->traits[frames[i]];

		leaf += (traits & TRAIT_INLINED) && leaf == i;
		if (traits & (TRAIT_INLINED | TRAIT_WORD))
			continue;
		if (i == leaf)
			count_leaf(quality, count, traits);
		counted = sum_of(counted, count);
		if ((traits & TRAIT_NAMELESS) && !calls_main(traits, of_outermost))
			code = count_nameless(measure, sample, frames[i]);
		if (traits & TRAIT_KERNEL)
			continue;
		nr_user++;
		outermost = frames[i];
		of_inner = of_outermost;
		of_outermost = traits;
	}
	quality->frames = counted;
	quality->samples = sum_of(quality->samples, count);
	if (code || !nr_user || (of_outermost & TRAIT_WHOLE) || calls_main(of_outermost, of_inner))
		return code;
	return count_end(measure, sample, outermost, nr_user);
}

/*
 * Returns the sample's part of the count. Where samples weigh differently that is its part of the
 * weight, scaled to as many samples as the ledger counted; remainders are carried over.
 */
static uint64_t count_of(struct measure *measure, const struct sample *sample)
{
	double count;

	if (measure->each <= 0)
		return sample->values[measure->value];
	measure->rest =
		modf(measure->rest + (double)sample->values[VALUE_WEIGHT] / measure->each, &count);
	return (uint64_t)count;
}

static int count_all(struct measure *measure, const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	int code = 0;

	for (size_t i = 0; i < nr_samples; i++)
		find_runtime(measure, &samples[i]);
	for (size_t i = 0; i < nr_samples && !code; i++) {
		measure->count = count_of(measure, &samples[i]);
		code = count_sample(measure, &samples[i]);
	}
	return code;
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

static bool is_worse(const struct quality *quality, const struct quality_cause *a,
		     const struct quality_cause *b)
{
	const double left = weight_of(quality, a), right = weight_of(quality, b);

	return left > right || (left == right && strcmp(a->module, b->module) < 0);
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
	size_t at = quality->nr_causes;

	if (weight_of(quality, cause) < (passes ? LEAST_PASSING : LEAST_SHARE))
		return;
	while (at > 0 && is_worse(quality, cause, &quality->causes[at - 1])) {
		if (at < QUALITY_CAUSES)
			quality->causes[at] = quality->causes[at - 1];
		at--;
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
 * Stacks that lack callers by fault of their files. Stacks without a rule may have ended in code
 * made at run time, which has its own remedy, and unverified ones where a program begins: these are
 * no fault of a file.
 */
static uint64_t faults_of_files(const struct measure *measure, const struct ledger *ledger)
{
	const uint64_t lacking = lacking_in(ledger), ended = ended_in(measure, 0);
	const uint64_t of_others =
		sum_of(lacking > ended ? lacking - ended : 0, ended_in(measure, REMEDY_JAVA));
	const uint64_t stacks =
		sum_of(sum_of(ledger->unverified - ledger->early, ledger->cut[CUT_UNLISTED]),
		       sum_of(ledger->cut[CUT_NO_RULE], ledger->cut[CUT_FP_LOST]));

	return stacks > of_others ? stacks - of_others : 0;
}

/*
 * The remedy for most of the stacks that end in files; a single stack shows nothing. Without a
 * ledger the reason is not known.
 */
static enum remedy remedy_of_ends(const struct measure *measure, const struct ledger *ledger)
{
	uint64_t stacks[REMEDIES] = {0};
	enum remedy most = REMEDY_CALLERS;

	if (!ledger)
		return most;
	stacks[REMEDY_CALLERS] = faults_of_files(measure, ledger);
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
 * The part of all early ends that may be real. The ledger knows how many stacks lack callers, but
 * not which. 0 without a ledger: nothing says that any does.
 */
static double part_of_ends(const struct measure *measure, const struct ledger *ledger)
{
	const uint64_t lacking = ledger ? lacking_in(ledger) : 0, ended = ended_in(measure, 0);

	if (share(lacking, measure->quality->samples) < LEAST_LACKING)
		return 0;
	return lacking < ended ? share(lacking, ended) : 1;
}

static void rank_causes(struct measure *measure, const struct ledger *ledger)
{
	const double part = part_of_ends(measure, ledger);
	const enum remedy of_ends = remedy_of_ends(measure, ledger);

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

static uint8_t *not_asked(size_t nr)
{
	uint8_t *remedies_of = malloc(nr + 1);

	if (remedies_of)
		memset(remedies_of, REMEDIES, nr);
	return remedies_of;
}

int quality__measure(struct quality *quality, const struct profile *profile,
		     const struct ledger *ledger, bool with_tables)
{
	const struct metrics *metrics = profile__metrics(profile);
	struct measure measure = {
		.dictionary = profile__dictionary(profile),
		.quality = quality,
		.with_tables = with_tables,
		.lacks_files = ledger && ledger->unread,
		.value = ledger && metrics->of[VALUE_COUNT].name ? VALUE_COUNT : metrics->shown,
	};
	int code = -ENOMEM;

	*quality = (struct quality){.truncated = ledger ? ledger__cut(ledger) : 0,
				    .unverified = ledger ? ledger->unverified : 0};
	if (measure.value == VALUE_COUNT && profile__is_spent(profile))
		measure.each = (double)profile__total(profile, VALUE_WEIGHT) /
			       (double)profile__total(profile, VALUE_COUNT);
	measure.rest = 0.5;
	measure.traits = find_traits(measure.dictionary);
	measure.runtimes = not_asked(dictionary__nr_processes(measure.dictionary));
	measure.of_modules = not_asked(dictionary__nr_frames(measure.dictionary));
	if (measure.traits && measure.runtimes && measure.of_modules)
		code = count_all(&measure, profile);
	if (!code)
		rank_causes(&measure, ledger);
	free(measure.traits);
	free(measure.runtimes);
	free(measure.of_modules);
	free(measure.causes);
	pool__clear(&measure.tallies);
	return code;
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

/* "libfoo.so: 2.0 % of frames have no name, 1.0 % of stacks may lack its callers" */
static int write_shares(const struct quality *quality, const struct quality_cause *cause,
			char *text, size_t size)
{
	const double nameless = 100 * share(cause->unresolved, quality->frames);
	const double ended = 100 * share(cause->ended, quality->samples);

	if (!cause->ended)
		return snprintf(text, size, "%s: %.1f %% of frames have no name", cause->module,
				nameless);
	if (!cause->unresolved)
		return snprintf(text, size, "%s: %.1f %% of stacks may lack its callers",
				cause->module, ended);
	return snprintf(
		text, size,
		"%s: %.1f %% of frames have no name, %.1f %% of stacks may lack its callers",
		cause->module, nameless, ended);
}

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

int quality__advice(const struct quality *quality, size_t cause, char *text, size_t size)
{
	const struct quality_cause *of = &quality->causes[cause];
	const int length = write_shares(quality, of, text, size);
	const size_t used = (size_t)length < size ? (size_t)length : size;

	return length + write_remedy(of, text + used, size - used);
}
