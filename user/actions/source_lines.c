// SPDX-License-Identifier: GPL-2.0-only
#include "actions/source_lines.h"

#include "readers/reasons.h"
#include "run/helpers.h"
#include "run/interrupt.h"

/*
 * Debug information up to this size is read even if lines were not asked for: it takes some tenths
 * of a second. A Linux kernel's is twice as large.
 */
#define CHEAP_BYTES (256 << 20)

/* Ten times the CPU time that CHEAP_BYTES take: a file that needs more is hostile. */
#define CHEAP_CPU_NS 3000000000ULL

/*
 * Waits for lines at the end of a run: by default; if lines were asked for; after a signal, which
 * means to end now.
 */
#define END_NS	      1000000000ULL
#define ASKED_END_NS  20000000000ULL
#define SIGNAL_END_NS 300000000ULL

/* Between two checks for signals while lines are looked up. */
#define PATIENCE_NS 100000000ULL

_Static_assert(MAX_EXPANSION == MAX_LINE_FRAMES, "whatever lines give fits");

int line_options__check(const struct line_options *options, struct error *err)
{
	if (options->lines && options->no_lines)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--lines and --no-lines exclude each other");
	return 0;
}

uint64_t annotator__time_ns(const struct line_options *options)
{
	if (interrupt__has_come())
		return SIGNAL_END_NS;
	return options->lines ? ASKED_END_NS : END_NS;
}

static void keep_file(void *lines, const char *path, const char *build_id, int fd, int root)
{
	lines__keep(lines, path, build_id, fd, root);
}

struct lines *annotator__open(const struct line_options *options, const struct helpers *helpers,
			      struct symbols_options *symbols)
{
	const struct lines_options wanted = {
		.demangle = symbols->demangle,
		.symfs = symbols->symfs,
		.readers = helpers->readers,
		.openers = helpers->openers,
		.no_inlined = options->no_inline,
		.max_bytes = options->lines ? 0 : CHEAP_BYTES,
		.max_cpu_ns = options->lines ? 0 : CHEAP_CPU_NS,
	};
	struct lines *lines = lines__new(&wanted);

	symbols->on_file = keep_file;
	symbols->listener = lines;
	return lines;
}

static long find_frames(void *context, const struct frame *frame, bool is_caller,
			struct frame frames[MAX_EXPANSION])
{
	const size_t nr_frames = lines__find(context, frame, is_caller, frames);

	return nr_frames ? (long)nr_frames : FRAME_STAYS;
}

static long drop_inlined(void *context, const struct frame *frame, bool is_caller,
			 struct frame frames[MAX_EXPANSION])
{
	(void)context;
	(void)is_caller;
	(void)frames;
	return frame->inlined ? 0 : FRAME_STAYS;
}

void annotator__drop_inlined(struct recording *recording)
{
	recording__expand(recording, &(struct expander){drop_inlined, NULL});
}

void annotator__work(struct lines *lines, uint64_t until_ns)
{
	uint64_t now_ns = monotonic_ns();
	bool is_done = false;

	while (!is_done && now_ns < until_ns && !interrupt__is_pending()) {
		now_ns += PATIENCE_NS;
		is_done = lines__work(lines, now_ns < until_ns ? now_ns : until_ns);
		now_ns = monotonic_ns();
	}
}

struct profile *annotator__profile(struct lines *lines, const struct profile *profile,
				   uint64_t until_ns)
{
	const struct expander expander = {find_frames, lines};
	struct profile *expanded;

	lines__work(lines, 0);
	lines__begin(lines);
	expanded = profile__expand(profile, &expander);
	if (lines__work(lines, 0) || !until_ns)
		return expanded;
	profile__free(expanded);
	annotator__work(lines, until_ns);
	return profile__expand(profile, &expander);
}

/* Tells on standard error which lines are missing, and why. */
static void tell_what_is_missing(struct lines *lines, enum lines_telling telling)
{
	struct lines_account account;
	char reason[128] = "too many files are read already";

	lines__account(lines, &account);
	if (telling == TELL_OF_FILES)
		account.unread = 0;
	reason__text(account.shortage, READ_LINES, reason, sizeof(reason));
	const struct {
		uint64_t nr;
		const char *before, *one, *many, *after;
	} notices[] = {
		{account.files_too_big, "no source lines from", "file", "files",
		 "with much debug information; --lines reads all"},
		{account.files_failed, "no source lines from", "file", "files",
		 "whose debug information is damaged, or took too long to read"},
		{account.files_silent, "no source lines from", "file", "files",
		 "whose file system does not answer; later, report --lines looks for them"},
		{account.files_not_started, "no source lines from", "file:", "files:", reason},
		{account.unread, "no source lines of", "address,", "addresses,",
		 "as finding them took too long; report --lines looks for them as long as it "
		 "takes"},
	};

	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		if (notices[i].nr)
			fprintf(stderr, "topstacks: %s %" PRIu64 " %s %s\n", notices[i].before,
				notices[i].nr,
				notices[i].nr == 1 ? notices[i].one : notices[i].many,
				notices[i].after);
}

void annotator__complete(struct lines *lines, struct recording *recording, uint64_t until_ns,
			 enum lines_telling telling)
{
	const struct expander expander = {find_frames, lines};

	lines__begin(lines);
	for (const struct recording *event = recording; event; event = event->more)
		profile__ask(event->profile, &expander);
	annotator__work(lines, until_ns);
	recording__expand(recording, &expander);
	if (telling != TELL_NOTHING)
		tell_what_is_missing(lines, telling);
}
