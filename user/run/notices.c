// SPDX-License-Identifier: GPL-2.0-only
#include "run/notices.h"

#include <unistd.h>

#include "base/shortage.h"
#include "capture/bad_kernels.h"
#include "capture/events/pace.h"
#include "capture/events/presets.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "interpreters/interpreters.h"
#include "processes/images.h"
#include "processes/procfs.h"
#include "profile/dictionary.h"
#include "profile/select/drop.h"
#include "readers/reasons.h"
#include "run/late.h"
#include "run/limits.h"
#include "run/target.h"
#include "symbols/jit/late_names.h"
#include "views/rate.h"

/* ---- before a run ---- */

void notices__depth(unsigned int max_depth)
{
	const unsigned long limit = limits__max_stack();

	if (limit && max_depth > limit)
		fprintf(stderr,
			"topstacks: stacks are truncated at %lu frame%s by " MAX_STACK
			"; for more: sudo sysctl " MAX_STACK "=%u\n",
			limit, text__plural(limit), max_depth);
}

void notices__preset(const char *events)
{
	const struct preset *preset = preset__first(events);

	if (preset)
		fprintf(stderr, "topstacks: %s\n", preset->limits);
}

void notices__kernel(const struct events *events, bool user_stacks)
{
	const unsigned int concern = bad_kernels__concern(events, user_stacks);
	struct features *features = features__new("");
	const struct bad_kernel *row;
	struct kernel_identity kernel;

	if (!features)
		return;
	kernel = kernel_identity__read(features);
	features__free(features);
	for (row = bad_kernels__rows; row->name; row++)
		if (row->deed == BAD_TOLD && row->concerns & concern &&
		    bad_kernels__has(&kernel, row))
			fprintf(stderr,
				"topstacks: kernels like this one have a known defect: %s; %s "
				"(mended by %s)\n",
				row->happens, row->we, row->mended);
}

/* An event without a rate, or one that will be refused, needs no word on its cost. */
void notices__slowdown(const struct capture_options *options)
{
	unsigned int nr_cpus = 0;
	struct error err = {0};
	char text[128];

	if (!isatty(STDERR_FILENO) ||
	    !(capture__needed_limit_hz(options->event, options->rate_hz) > 0) ||
	    limits__check_rate(options->event, options->rate_hz, &err))
		return;
	if (!options->cpus)
		nr_cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; options->cpus && i < options->nr_cpus; i++)
		nr_cpus += options->cpus[i];
	if (rate__describe_slowdown(options->rate_hz, nr_cpus, text, sizeof(text)))
		fprintf(stderr, "topstacks: %s\n", text);
}

void notices__namespace(const struct target *target)
{
	if (!procfs__is_ours())
		fprintf(stderr,
			"topstacks: /proc is that of another pid namespace, so programs that "
			"already run have no names; to mend it: mount -t proc proc /proc\n");
	else if (target__scope(target) == SCOPE_SYSTEM && !procfs__has_all())
		fprintf(stderr,
			"topstacks: processes outside of this pid namespace have neither names nor "
			"unwind tables here; to have them run topstacks on the host\n");
}

void notices__outside(const struct target *target, const struct events *events)
{
	if (target__scope(target) != SCOPE_SYSTEM || procfs__has_all())
		return;
	for (size_t i = 0; i < events->nr; i++)
		if (events->list[i].source->is_timed) {
			fprintf(stderr,
				"topstacks: %s leaves out threads outside of this pid namespace; "
				"to have them run topstacks on the host\n",
				events->list[i].name);
			return;
		}
}

/* ---- while it samples ---- */

void notices__unreadable(struct notices *notices, const char *path, enum reader_job job, int code)
{
	char reason[128] = "";

	if (notices->are_off || (shortage__is(code) && notices->told_shortage == code))
		return;
	if (shortage__is(code))
		notices->told_shortage = code;
	if (code == -ECHILD) {
		fprintf(stderr,
			"topstacks: a process that starts openers or readers was ended (by the OOM "
			"killer?); files are not read from here on: names and whole stacks will be "
			"missing; to mend it, start again\n");
		return;
	}
	reason__text(code, job, reason, sizeof(reason));
	fputs("topstacks: not readable: ", stderr);
	text__print_safe(stderr, path, 0);
	fprintf(stderr, ": %s\n", reason);
}

void notices__pace(struct notices *notices, const struct pace *before, const struct pace *now,
		   bool is_beyond)
{
	const double bound = notices->max_overhead;

	if (notices->are_off)
		return;
	if (now->rate_hz < before->rate_hz)
		fprintf(stderr,
			"topstacks: sampling at %g Hz from here on, to stay within "
			"--max-overhead %g\n",
			now->rate_hz, bound);
	if (now->one_in > before->one_in)
		fprintf(stderr,
			"topstacks: sampling one in %" PRIu64 " of what is counted from here on, "
			"to stay within --max-overhead %g\n",
			now->one_in, bound);
	if (is_beyond && !notices->told_beyond) {
		notices->told_beyond = true;
		fprintf(stderr,
			"topstacks: --max-overhead %g cannot be kept: fewer samples do not lower "
			"the cost any more\n",
			bound);
	}
}

void notices__faster(const struct notices *notices, double rate_hz)
{
	if (!notices->are_off)
		fprintf(stderr, "topstacks: trying %g Hz again\n", rate_hz);
}

void notices__refusal(const struct notices *notices, const struct refusal *refusal)
{
	static const char without_names[] = "none of its code has a name";
	const char *option = notices->memory_option ? notices->memory_option : "--symbol-memory";

	if (notices->are_off)
		return;
	if (!refusal->pid)
		fprintf(stderr,
			"topstacks: more processes have too many mappings, and no names; raise "
			"%s\n",
			option);
	else if (refusal->is_text)
		fprintf(stderr,
			"topstacks: the mappings of process %d are too many to be read: %s\n",
			refusal->pid, without_names);
	else
		fprintf(stderr,
			"topstacks: the mappings of process %d take too much memory: %s; raise "
			"%s\n",
			refusal->pid, without_names, option);
}

void notices__no_table(const struct notices *notices, const char *text)
{
	if (!notices->are_off)
		fprintf(stderr, "topstacks: not readable: %s; stacks end where they reach it\n",
			text);
}

void notices__languages(struct notices *notices, const struct recording *interval, const char *why)
{
	const struct dictionary *dictionary = profile__dictionary(interval->profile);
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	const char *language = NULL;

	if (!why || notices->are_off || notices->told_languages)
		return;
	for (size_t i = 0; i < nr_frames && !language; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);

		if (frame->kind == FRAME_USER && frame->function)
			language = interpreters__language_of(frame->function);
	}
	if (!language)
		return;
	notices->told_languages = true;
	fprintf(stderr, "topstacks: functions of %s are not shown: %s\n", language, why);
}

/* ---- after a run ---- */

void notices__late(const struct notices *notices, const struct late *late, bool is_saved)
{
	const uint64_t nr_samples =
		late->nr_samples + (is_saved ? late->nr_saved : late->nr_summed);
	const size_t nr_reused = late_names__nr_reused(late->names);
	char samples[32], reused[32];

	if (notices->are_off || (!nr_samples && !nr_reused))
		return;
	text__format_count(samples, sizeof(samples), nr_samples);
	text__format_count(reused, sizeof(reused), nr_reused);
	fprintf(stderr,
		"topstacks: %s sample%s named late, by what runtimes told of their code afterwards",
		samples, nr_samples == 1 ? " was" : "s were");
	if (nr_reused)
		fprintf(stderr, "; %s address%s reused, and %s no name", reused,
			nr_reused == 1 ? " was" : "es were", nr_reused == 1 ? "has" : "have");
	fputc('\n', stderr);
}

void notices__ended(const char *target)
{
	fprintf(stderr, "topstacks: %s has ended\n", target);
}

static void say_line(const char *text)
{
	fputs("topstacks: ", stderr);
	text__print_safe(stderr, text, 0);
	fputc('\n', stderr);
}

void notices__quality(const struct quality *quality)
{
	char text[512];

	if (!quality__line(quality, text, sizeof(text)))
		return;
	say_line(text);
	for (size_t i = 0; i < quality->nr_causes; i++) {
		quality__advice(quality, i, text, sizeof(text));
		say_line(text);
	}
}

/* ---- of files ---- */

/*
 * Prints the event by a name of its values, which -e takes too: "cpu" where the event is the
 * kernel's cpu-clock.
 */
static void print_event(const struct recording *recording)
{
	const char *weight = profile__metrics(recording->profile)->of[VALUE_WEIGHT].name;
	const char *event = weight ? weight : recording->facts[FACT_EVENT];

	text__print_safe(stderr, event ? event : "[unnamed]", 60);
}

void notices__more_events(const struct recording *recording, const char *done)
{
	if (!recording->more)
		return;
	fprintf(stderr, "topstacks: %s is ", done);
	print_event(recording);
	fputs("; --sample-type picks another: ", stderr);
	for (const struct recording *other = recording->more; other; other = other->more) {
		print_event(other);
		fputs(other->more ? ", " : "\n", stderr);
	}
}

void notices__dropped(const struct dropped *dropped, uint64_t total)
{
	fprintf(stderr, "topstacks: --drop left frames out of %.1f %% of all stacks",
		share_percent(dropped->shortened, total));
	if (dropped->emptied)
		fprintf(stderr, "; %.1f %% had no others, and are " FRAME_DROPPED,
			share_percent(dropped->emptied, total));
	fputc('\n', stderr);
}
