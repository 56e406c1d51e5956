// SPDX-License-Identifier: GPL-2.0-only
#include "run/intake.h"

#include "base/shortage.h"
#include "capture/batch.h"
#include "capture/events/sample.h"
#include "profile/profile.h"
#include "run/java_names.h"
#include "run/pacing.h"
#include "run/symbolizer.h"
#include "symbols/jit/late_table.h"
#include "symbols/symbols.h"

/*
 * A sample stays in the set of maps that it began with, so it may end up to this long after the
 * drain.
 */
#define FLIP_NS 20000000ULL

/* Naming one batch may take long: the governor checks our cost this often meanwhile. */
#define GOVERNED_NS 100000000ULL

void intake__init(struct intake *intake, unsigned int max_depth)
{
	intake->dictionary = dictionary__new();
	intake->symbolizer = symbolizer__new(intake->symbols, intake->dictionary, max_depth);
}

void intake__end_short(struct intake *intake)
{
	symbolizer__use(intake->symbolizer, intake->dictionary);
}

void intake__fini(struct intake *intake)
{
	symbolizer__free(intake->symbolizer);
	period__free(&intake->interval);
	period__free(&intake->run);
	dictionary__free(intake->dictionary);
	free(intake->postponed);
}

/* ---- what only the names tell the ledger of a sample; the kernel has counted the rest ---- */

static void add_quality(struct ledger *ledger, const struct symbolized_stack *named, uint64_t count)
{
	switch (named->quality) {
	case STACK_WHOLE:
		ledger->whole += count;
		break;
	case STACK_TRUNCATED:
		ledger->cut[named->cut] += count;
		break;
	case STACK_EARLY:
		ledger->early += count;
		/* fallthrough */
	case STACK_UNVERIFIED:
		ledger->unverified += count;
		break;
	}
}

/* Counts a stack whose names are missing. why: the code that symbols__resolve() gave. */
static void add_unread(struct ledger *ledger, int why, uint64_t count)
{
	if (why == -EMFILE || why == -ENFILE)
		ledger->unread_descriptors += count;
	else if (shortage__is(why))
		ledger->unread_processes += count;
	else if (why == -EACCES)
		ledger->unread_refused += count;
	else if (why)
		ledger->unread += count;
}

/* ---- samples ---- */

static void take_event(void *context, const struct process_event *event)
{
	struct intake *intake = context;

	symbols__observe(intake->symbols, event);
}

/*
 * Returns 1 + the number of a slice within the interval; 0: none. The interval may begin inside a
 * slice. Each slice costs memory: after MAX_SLICES of an interval samples carry none.
 */
static uint32_t slice_of(struct intake *intake, uint64_t slice)
{
	const uint64_t since_ns = intake->interval.start_ns - intake->run.start_ns;
	struct slice_bounds *slices = &intake->slices;
	uint64_t first, number;

	if (!slice)
		return 0;
	first = (since_ns + slices->length_ns / 2) / slices->length_ns;
	number = slice > first + 1 ? slice - first : 1;
	if (number > slices->newest)
		slices->newest = number;
	if (number > MAX_SLICES && !slices->last)
		slices->last = MAX_SLICES;
	return slices->last && number > slices->last ? 0 : (uint32_t)number;
}

static void take_sample(struct intake *intake, const struct raw_sample *raw)
{
	struct ledger *ledger = &intake->interval.ledgers[raw->event];
	struct raw_sample bare;
	struct symbolized_stack named;
	struct sample sample = {
		.tid = raw->tid, .wait = raw->wait, .values = {raw->count, raw->weight}};

	/* A new stack would take more of it; the idle task's tells idling from work. */
	if (memory__is_short() && raw->missing < 0 &&
	    !(raw->process && raw->process->instance == 0)) {
		bare = *raw;
		bare.user = bare.kernel = NULL;
		bare.waker.is_known = false;
		bare.missing = MISSING_UNREADABLE;
		ledger->missing[MISSING_UNREADABLE] += raw->count;
		raw = &bare;
	}
	symbolizer__name(intake->symbolizer, raw, &named);
	if (named.is_idle) {
		/* The kernel counted this sample: its names tell that the task did no work. */
		ledger->counted -= raw->count;
		ledger->idle += raw->count;
		ledger->sampled_ns -= raw->weight;
		return;
	}
	if (raw->missing < 0) {
		add_quality(ledger, &named, raw->count);
		ledger->unmapped += named.is_unmapped ? raw->count : 0;
		add_unread(ledger, named.unread, raw->count);
	}
	sample.process = named.process;
	sample.stack = named.stack;
	sample.slice = slice_of(intake, raw->slice);
	sample__name_thread(&sample, intake->dictionary, raw->thread);
	profile__add(intake->interval.profiles[raw->event], &sample);
}

static bool comes_last(struct symbols *symbols, const struct raw_stack *stack,
		       const struct process *process)
{
	return stack && process && symbols__comes_last(symbols, process);
}

static void take_and_govern(struct intake *intake, const struct raw_sample *raw)
{
	int code = 0;

	take_sample(intake, raw);
	if (monotonic_ns() - intake->pacing->governed_ns >= GOVERNED_NS)
		code = pacing__govern(intake->pacing, intake->err);
	if (code)
		intake->code = code;
}

/* Postpones a sample whose process may make naming slow until the others have names. */
static void take_in_turn(void *context, const struct raw_sample *raw)
{
	struct intake *intake = context;

	if (!comes_last(intake->symbols, raw->user, raw->process) &&
	    !comes_last(intake->symbols, raw->waker.user, raw->waker.process)) {
		take_and_govern(intake, raw);
		return;
	}
	array__reserve(&intake->postponed, &intake->capacity, intake->nr_postponed + 1);
	intake->postponed[intake->nr_postponed++] = *raw;
}

/* ---- bounds ---- */

/*
 * Slices and stacks must not fill the memory in days. Slices are not in the dictionary, so when
 * they take too much, later ones are not recorded. The dictionary begins anew with the hottest
 * stacks of the run and of the interval; the rest keeps its counts and loses its frames.
 */
static void bound_memory(struct intake *intake)
{
	struct slice_bounds *slices = &intake->slices;
	struct dictionary *fresh;
	size_t nr_bytes = 0;

	for (size_t i = 0; i < intake->interval.nr_events; i++)
		nr_bytes += profile__memory_bytes(intake->interval.profiles[i]);
	if (slices->length_ns && !slices->last && nr_bytes > intake->max_bytes / 2)
		slices->last = slices->newest;

	if (dictionary__memory_bytes(intake->dictionary) < intake->max_bytes)
		return;
	fresh = dictionary__new();
	period__condense(&intake->interval, intake->nr_kept, fresh);
	period__condense(&intake->run, intake->nr_kept, fresh);
	dictionary__free(intake->dictionary);
	intake->dictionary = fresh;
	symbolizer__use(intake->symbolizer, fresh);
}

int intake__add(struct intake *intake, const struct batch *batch, struct error *err)
{
	struct capture_sink sink = {
		.context = intake, .on_event = take_event, .on_sample = take_in_turn};
	const struct late_window window = {intake->end_ns, batch->end_ns + FLIP_NS};
	uint64_t spared_ns, start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	symbolizer__set_window(intake->symbolizer, &window);
	intake->err = err;
	intake->code = 0;
	bound_memory(intake);
	period__add(&intake->interval, batch);
	symbols__put_off(intake->symbols, true);
	batch__replay(batch, &sink);
	symbols__put_off(intake->symbols, false);

	/* Postponed samples get half of the time that is left, the next batch the rest. */
	spared_ns = intake->nr_postponed ? intake->budget.left_ns / 2 : 0;
	intake->budget.left_ns -= spared_ns;
	for (size_t i = 0; i < intake->nr_postponed; i++)
		take_and_govern(intake, &intake->postponed[i]);
	intake->budget.left_ns += spared_ns;
	intake->nr_postponed = 0;

	if (batch->end_ns) {
		symbols__forget(intake->symbols, batch->start_ns);
		java_names__go_on(intake->java, intake->symbols);
		intake->end_ns = batch->end_ns;
	}
	intake->interval.symbols_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	return intake->code;
}
