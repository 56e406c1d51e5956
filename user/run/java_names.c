// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each JVM has an attacher of its own, so that a slow one does not hold up the others. After a
 * failure a process is not asked again until the end: it may have become a JVM by then.
 */
#include "run/java_names.h"

#include <poll.h>

#include "base/system/spawner.h"
#include "base/time_budget.h"
#include "processes/attacher.h"
#include "symbols/symbols.h"

#define MAX_MAKERS 256 /* processes that make code; the rest are not asked */
#define MAX_ASKED  32  /* attachers at a time */
#define MAX_TOLD   16  /* failures printed in a run */

#define PAUSE_NS 20000000ULL
#define AGAIN_NS 10000000000ULL
/* Part of the final wait that is reserved for libraries still being read. */
#define LIBRARIES_NS (ATTACHER_LIMIT_NS / 2)
#define RETRY_NS     1000000000ULL /* not yet a JVM: its libvm was still being read */

/* A process that makes code at run time, and may be a JVM. */
struct made_by {
	struct code_maker maker;
	struct hired hired;    /* its attacher, while it is asked */
	uint64_t until_ns;     /* time limit of that request */
	uint64_t next_ns;      /* not asked again before this time */
	uint64_t nr_unnamed;   /* frames without a name at the last request */
	bool is_asked;	       /* a request is under way */
	bool must_be_asked;    /* even if all frames have names */
	bool is_current;       /* the last look found the process */
	bool has_failed, told; /* told: the failure was printed */
};

struct java_names {
	struct spawner *attachers;
	bool is_quiet;
	bool has_found; /* at least one JVM was found */
	unsigned int nr_told, nr_asked;
	size_t nr_makers;
	struct made_by makers[MAX_MAKERS];
};

struct java_names *java_names__new(struct spawner *attachers, bool is_quiet)
{
	struct java_names *names = xcalloc(1, sizeof(*names));

	names->attachers = attachers;
	names->is_quiet = is_quiet;
	return names;
}

void java_names__free(struct java_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->nr_makers; i++)
		if (names->makers[i].is_asked)
			hired__dismiss(&names->makers[i].hired);
	free(names);
}

/* ---- the processes that make code ---- */

static void note(void *context, const struct code_maker *maker)
{
	struct java_names *names = context;
	struct made_by *known = NULL, *unused = NULL;

	for (size_t i = 0; i < names->nr_makers && !known; i++) {
		struct made_by *one = &names->makers[i];

		if (one->maker.pid == maker->pid && one->maker.start_ticks == maker->start_ticks)
			known = one;
		else if (!one->is_current && !one->is_asked && !unused)
			unused = one; /* its process is gone */
	}
	if (!known && names->nr_makers < MAX_MAKERS)
		unused = &names->makers[names->nr_makers++];
	if (!known && !unused)
		return;
	if (!known) {
		*unused = (struct made_by){0};
		known = unused;
	}
	known->maker = *maker;
	known->is_current = true;
}

static void look(struct java_names *names, struct symbols *symbols)
{
	for (size_t i = 0; i < names->nr_makers; i++)
		names->makers[i].is_current = false;
	symbols__visit_makers(symbols, note, names);
}

/* ---- asking ---- */

static void note_failure(struct java_names *names, struct made_by *made_by, int code)
{
	const char *why = attacher__why(code);

	made_by->has_failed = true;
	made_by->must_be_asked = false;
	if (!why || made_by->told || names->is_quiet || names->nr_told == MAX_TOLD)
		return;
	made_by->told = true;
	names->nr_told++;
	fprintf(stderr, "topstacks: java-names: PID %d: %s\n", made_by->maker.pid, why);
}

static void ask(struct java_names *names, struct symbols *symbols, struct made_by *made_by,
		uint64_t now_ns)
{
	const struct attaching attaching = {.pid = made_by->maker.pid,
					    .start_ticks = made_by->maker.start_ticks};
	int code = symbols__is_jvm(symbols, &made_by->maker);

	made_by->next_ns = now_ns + RETRY_NS;
	if (code == -EINPROGRESS)
		return;
	made_by->must_be_asked = false;
	if (!code)
		return;
	names->has_found = true;
	made_by->next_ns = now_ns + AGAIN_NS;
	made_by->nr_unnamed = made_by->maker.nr_unnamed;
	code = attacher__ask(names->attachers, &attaching, &made_by->hired);
	if (code) {
		note_failure(names, made_by, code);
		return;
	}
	made_by->is_asked = true;
	made_by->until_ns = now_ns + ATTACHER_LIMIT_NS;
	names->nr_asked++;
}

static void take_answer(struct java_names *names, struct made_by *made_by, uint64_t now_ns)
{
	struct worker_end end = {0};

	if (!hired__has_ended(&made_by->hired, &end)) {
		if (now_ns < made_by->until_ns)
			return;
		end.code = -ETIMEDOUT;
	}
	hired__dismiss(&made_by->hired);
	made_by->is_asked = false;
	names->nr_asked--;
	spawner__add_cpu(names->attachers, end.cpu_ns);
	if (end.code)
		note_failure(names, made_by, end.code);
}

static bool is_due(const struct made_by *made_by, uint64_t now_ns)
{
	return made_by->must_be_asked ||
	       (!made_by->has_failed && made_by->maker.nr_unnamed != made_by->nr_unnamed &&
		now_ns >= made_by->next_ns);
}

static void go_on(struct java_names *names, struct symbols *symbols)
{
	for (size_t i = 0; i < names->nr_makers; i++) {
		struct made_by *made_by = &names->makers[i];
		const uint64_t now_ns = monotonic_ns();

		if (made_by->is_asked)
			take_answer(names, made_by, now_ns);
		if (made_by->is_current && !made_by->is_asked && names->nr_asked < MAX_ASKED &&
		    is_due(made_by, now_ns))
			ask(names, symbols, made_by, now_ns);
	}
}

void java_names__go_on(struct java_names *names, struct symbols *symbols)
{
	if (!names)
		return;
	look(names, symbols);
	go_on(names, symbols);
}

/* ---- the end ---- */

/* Whether a request is under way or still due. */
static bool is_busy(const struct java_names *names)
{
	for (size_t i = 0; i < names->nr_makers; i++)
		if (names->makers[i].is_asked || names->makers[i].must_be_asked)
			return true;
	return false;
}

/*
 * Waits until an attacher answers or wait_ns is over. Libraries give no signal when they are read:
 * so at most PAUSE_NS.
 */
static void wait_for_news(const struct java_names *names, uint64_t wait_ns)
{
	const uint64_t most_ns = wait_ns < PAUSE_NS ? wait_ns : PAUSE_NS;
	struct pollfd watched[MAX_ASKED];
	nfds_t nr = 0;

	for (size_t i = 0; i < names->nr_makers; i++)
		if (names->makers[i].is_asked)
			watched[nr++] = (struct pollfd){.fd = names->makers[i].hired.status,
							.events = POLLIN};
	poll(watched, nr, (int)(most_ns / 1000000) + 1);
}

void java_names__finish(struct java_names *names, struct symbols *symbols)
{
	const uint64_t until_ns = monotonic_ns() + ATTACHER_LIMIT_NS;
	struct time_budget budget = {.left_ns = LIBRARIES_NS}, *usual;
	uint64_t now_ns = 0;

	if (!names)
		return;
	usual = symbols__set_time_budget(symbols, &budget);
	look(names, symbols);
	for (size_t i = 0; i < names->nr_makers; i++)
		names->makers[i].must_be_asked = names->makers[i].is_current;
	go_on(names, symbols);
	while (is_busy(names) && (now_ns = monotonic_ns()) < until_ns) {
		wait_for_news(names, until_ns - now_ns);
		go_on(names, symbols);
	}

	/* At the time limit attachers are dismissed; requests not yet made count as timed out. */
	for (size_t i = 0; i < names->nr_makers; i++)
		if (names->makers[i].is_asked)
			take_answer(names, &names->makers[i], UINT64_MAX);
		else if (names->makers[i].must_be_asked)
			note_failure(names, &names->makers[i], -ETIMEDOUT);
	if (!names->has_found && !names->nr_told && !names->is_quiet)
		fprintf(stderr, "topstacks: java-names: no JVM was sampled\n");
	symbols__set_time_budget(symbols, usual);
}
