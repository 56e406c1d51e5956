// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a run goes:
 *
 *	check     tell what the kernel and /proc do not allow; from here on signals are blocked
 *	fork      the command after "--", if there is one, is held before its exec
 *	open      sampler (programs, maps, symbols); rights that are not needed any more are
 *		  given up; recorder, and the caller's output
 *	start     unless a signal has come, sampling begins; the command is told to exec
 *	interval  sample until the clock, a signal, the target or the output ends it; hand the
 *	          interval out, and begin the next one, until the run is over
 *	sum       hand out the sum of all intervals, if there was more than one
 *	close     the caller's output, recorder and sampler, in this order; wait for the command
 *
 * After a failure, the samples taken until then are handed out, and all is closed as usual.
 */
#include "run/session.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/system/rights.h"
#include "processes/images.h"
#include "processes/procfs.h"
#include "run/command.h"
#include "run/display.h"
#include "run/helpers.h"
#include "run/interrupt.h"
#include "run/interval_clock.h"
#include "run/java_names.h"
#include "run/late.h"
#include "run/limits.h"
#include "run/notices.h"
#include "run/recorder.h"
#include "run/sampler.h"

/* Limits when the run keeps all stacks: beyond them, rare stacks are summed up. */
#define KEPT_BYTES  ((size_t)512 << 20)
#define KEPT_STACKS 500000

#define RUN_STACK_BYTES 1024 /* memory for each stack kept whole */

struct session {
	const struct session_plan *plan;
	const struct session_steps *steps;
	struct sampler *sampler;
	struct recorder *recorder;
	struct java_names *java; /* NULL: not asked for */
	struct command *command; /* NULL: there is no command */
	struct alloc_command allocations;
	char *target; /* in words */
	struct interval_clock clock;
	bool intends_to_end; /* a signal came */
	bool target_is_gone;
	bool command_runs; /* it has been told to exec */
	unsigned int nr_intervals;
	double first_hz;  /* rate asked for when the run began */
	struct pace pace; /* last pace told to the user */
	struct notices notices;
};

/* Whether the run is over. It ends with the command, even if children of the command go on. */
static bool is_over(struct session *session, int stop)
{
	siginfo_t info = {0};

	if (session->command)
		return !waitid(P_PID, (id_t)session->command->pid, &info,
			       WEXITED | WNOHANG | WNOWAIT) &&
		       info.si_pid == session->command->pid;
	session->target_is_gone = stop == RECORDER_GONE;
	return session->target_is_gone || session->intends_to_end;
}

/* Tells the user why a file has no symbols or no unwind table. */
static void tell_unreadable(void *context, const char *path, enum reader_job job, int code)
{
	struct session *session = context;

	/* helpers__await(), which comes before the recorder, says why they have ended */
	if (code != -ECHILD || session->recorder)
		notices__unreadable(&session->notices, path, job, code);
}

/* Calls on_tick, and returns when it is to be called again; UINT64_MAX: never. */
static uint64_t tick(const struct session *session)
{
	uint64_t now_ns = monotonic_ns();

	if (!session->steps->on_tick || session->plan->tick_s <= 0)
		return UINT64_MAX;
	session->steps->on_tick(session->steps->context, now_ns - session->clock.start_ns,
				interval_clock__left_ns(&session->clock, now_ns));
	return now_ns + (uint64_t)(session->plan->tick_s * 1e9);
}

/* Tells the user what the recorder has changed or given up by itself. */
static void look_at_recorder(struct session *session)
{
	const struct pace pace = recorder__pace(session->recorder), known = session->pace;
	struct refusal refusal;

	session->pace = pace;
	if (pace.rate_hz < known.rate_hz)
		session->clock.lowered_hz = pace.rate_hz;
	notices__pace(&session->notices, &known, &pace,
		      recorder__is_beyond_bound(session->recorder));
	while (recorder__take_refusal(session->recorder, &refusal))
		notices__refusal(&session->notices, &refusal);
}

/* A new rate or length ends the interval under way. */
static void take_request(struct session *session)
{
	const struct session_steps *steps = session->steps;
	struct session_request request = {0};

	if (!steps->on_request || session->command)
		return;
	steps->on_request(steps->context, &request);
	if (session->pace.rate_hz <= 0)
		request.rate_hz = 0;
	session->intends_to_end |= request.ends;
	interval_clock__change(&session->clock, request.interval_s, request.rate_hz);
	if (request.cuts)
		session->clock.is_cut = true;
	if (request.rate_hz > session->pace.rate_hz)
		notices__faster(&session->notices, request.rate_hz);
	if (request.rate_hz > 0) {
		recorder__want_rate(session->recorder, request.rate_hz);
		session->pace.rate_hz = request.rate_hz;
	}
}

/*
 * Whether the sampler has ended both the interval and the run by itself: the time between the two
 * is an interval of its own.
 */
static bool has_rest(const struct session *session)
{
	return monotonic_ns() >= session->clock.last_ns && recorder__was_cut(session->recorder);
}

/*
 * Samples until the interval is over. While the output of the interval before is still being
 * written, this one goes on: it gets longer, and nothing is lost. Returns 1 if the run is over, 0
 * if an interval follows, or negative errno.
 */
static int sample_interval(struct session *session, struct error *err)
{
	const struct session_steps *steps = session->steps;
	struct interval_clock *clock = &session->clock;
	enum interval_state state = INTERVAL_WAITS;
	uint64_t until_ns, tick_ns = tick(session);
	int stop, number, watched = -1;
	enum interrupt interrupt;
	bool is_busy;

	if (session->command)
		watched = session->command->pidfd;
	else if (steps->request_fd)
		watched = steps->request_fd(steps->context);
	while (state < INTERVAL_OVER) {
		if (state == INTERVAL_WAITS) /* until_ns is a new one */
			recorder__cut_at(session->recorder, interval_clock__cut_ns(clock));
		until_ns = clock->until_ns < tick_ns ? clock->until_ns : tick_ns;
		stop = recorder__run(session->recorder, until_ns, watched, err);
		if (stop < 0)
			return stop;
		look_at_recorder(session);
		/* A signal that was sent to topstacks alone is passed on to the command. */
		interrupt = interrupt__take(&number);
		if (interrupt != INTERRUPT_NONE && !session->command)
			session->intends_to_end = true;
		else if (interrupt == INTERRUPT_PROCESS)
			kill(session->command->pid, number);
		take_request(session);
		if (is_over(session, stop))
			return !has_rest(session);
		if (monotonic_ns() >= tick_ns)
			tick_ns = tick(session);
		is_busy = steps->is_busy && steps->is_busy(steps->context);
		state = interval_clock__look(clock, monotonic_ns(), is_busy);
	}
	return state == INTERVAL_LAST && !has_rest(session);
}

/*
 * Fills in the facts that the recorder does not know. first_hz: the rate asked for when the
 * interval began.
 */
static void describe(const struct session *session, struct recording *interval, double first_hz)
{
	const struct interval_clock *clock = &session->clock;
	const struct sampling_rates rates = {first_hz, clock->asked_hz, clock->lowered_hz};

	sampler__describe_rates(session->sampler, interval, &rates);
	for (; interval; interval = interval->more) {
		interval->facts[FACT_TARGET] = session->target;
		interval->whole_system = target__scope(&session->plan->target) == SCOPE_SYSTEM;
	}
}

/* Hands out the samples taken before a failure. Returns the failure's code. */
static int give_up(struct session *session, int code)
{
	struct error other = {0};
	struct recording interval;

	recorder__salvage(session->recorder, &interval);
	if (!interval.duration_ns)
		return code;
	describe(session, &interval, session->clock.asked_hz);
	session->steps->on_interval(session->steps->context, &interval, true, &other);
	return code;
}

static int hand_out_interval(struct session *session, bool is_last, struct error *err)
{
	const struct session_steps *steps = session->steps;
	struct late *late = recorder__late(session->recorder);
	struct recording interval;
	char text[512];
	int code;

	while (sampler__take_failure(session->sampler, text, sizeof(text)))
		notices__no_table(&session->notices, text);
	code = recorder__end(session->recorder, &interval, err);
	if (code)
		return give_up(session, code);
	describe(session, &interval, session->clock.asked_hz);
	notices__languages(&session->notices, &interval,
			   sampler__no_interpreters(session->sampler));
	if (session->nr_intervals && steps->on_late && late__has_news(late))
		code = steps->on_late(steps->context, late, err);
	if (!code)
		code = steps->on_interval(steps->context, &interval, is_last, err);
	session->nr_intervals++;
	interval_clock__next(&session->clock, monotonic_ns());
	if (!code && !(is_last && session->nr_intervals == 1))
		recorder__begin(session->recorder);
	return code;
}

static int run_intervals(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	const struct session_steps *steps = session->steps;
	enum session_end end = SESSION_TIME;
	struct recording run;
	int over = 0, code = 0;

	interval_clock__start(&session->clock, recorder__start_ns(session->recorder),
			      plan->interval_s, plan->duration_s, session->pace.rate_hz,
			      plan->has_display);
	if (session->clock.last_ns != UINT64_MAX)
		recorder__end_at(session->recorder, session->clock.last_ns);
	while (!over) {
		over = sample_interval(session, err);
		if (over < 0)
			return give_up(session, over);
		if (over)
			recorder__stop(session->recorder);
		code = hand_out_interval(session, over, err);
		if (code)
			return code;
	}

	if (session->target_is_gone)
		end = SESSION_GONE;
	if (session->intends_to_end)
		end = SESSION_INTERRUPT;
	if (steps->on_end)
		steps->on_end(steps->context, end);

	if (session->nr_intervals > 1 && steps->on_sum) {
		recorder__sum(session->recorder, &run);
		describe(session, &run, session->first_hz);
		code = steps->on_sum(steps->context, &run, err);
	}
	if (!code)
		notices__late(&session->notices, recorder__late(session->recorder), steps->on_late);
	return code;
}

static int open_sampler(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct capture_options capture = plan->capture;
	struct symbols_options symbols = plan->symbols;
	int code;

	symbols.on_unreadable = tell_unreadable;
	symbols.waiter = session;
	capture.scope = target__scope(&plan->target);
	capture.ids = plan->target.pids;
	capture.nr_ids = plan->target.nr_pids;
	capture.names = plan->target.names;
	capture.readers = symbols.readers = plan->helpers->readers;
	capture.openers = symbols.openers = plan->helpers->openers;
	capture.alloc_library = session->allocations.preloaded;
	capture.alloc_program = session->allocations.program ? &session->allocations.program : NULL;
	if (capture.scope == SCOPE_COMMAND || capture.scope == SCOPE_THREAD) {
		capture.ids = session->command ? &session->command->pid : &plan->target.tid;
		capture.nr_ids = 1;
	}
	code = sampler__open(&session->sampler, &capture, &symbols, err);
	if (code)
		return code;
	session->pace = sampler__first_pace(session->sampler, capture.rate_hz);
	session->first_hz = session->pace.rate_hz;
	if (!plan->is_quiet) {
		notices__kernel(sampler__events(session->sampler), capture.user_stacks);
		notices__outside(&plan->target, sampler__events(session->sampler));
	}
	return 0;
}

static void open_recorder(struct session *session)
{
	const struct session_plan *plan = session->plan;
	struct recorder_options options = {
		.pace = session->pace,
		.max_share = plan->max_overhead / 100,
		.least_hz = plan->least_hz,
		.nr_spared = plan->nr_spared,
		.has_no_sum = !session->steps->on_sum,
		.slice_ns = plan->capture.slice_ns,
		.helpers = {.readers = plan->helpers->readers,
			    .openers = plan->helpers->openers,
			    .attachers = plan->helpers->attachers,
			    .lines = plan->lines},
		.max_bytes = plan->keeps_all ? KEPT_BYTES : plan->run_bytes,
		.nr_stacks = plan->keeps_all ? KEPT_STACKS : plan->run_bytes / RUN_STACK_BYTES,
	};

	if (plan->helpers->attachers)
		session->java = java_names__new(plan->helpers->attachers, session->notices.are_off);
	options.java = session->java;
	session->recorder = recorder__open(session->sampler, &options);
}

static int open_and_run(struct session *session, struct error *err)
{
	const struct session_steps *steps = session->steps;
	int code = open_sampler(session, err);

	if (!code) /* helpers got ready while programs were loaded */
		code = helpers__await(session->plan->helpers, err);
	if (!code) {
		/* The command is a separate process already, and keeps its rights. */
		rights__settle(sampler__later_rights(session->sampler));
		open_recorder(session);
	}
	if (!code && steps->on_open)
		code = steps->on_open(steps->context, session->command != NULL, err);
	if (!code) {
		if (interrupt__is_pending())
			code = error__say(err, EXIT_INTERNAL, -EINTR,
					  "a signal came before sampling began");
		interrupt__setup(session->command || session->plan->has_display);
		if (!code)
			code = recorder__start(session->recorder, err);
		if (!code && session->command) {
			code = command__exec(session->command, session->plan->target.command, err);
			session->command_runs = true;
		}
		if (!code)
			code = run_intervals(session, err);
		if (steps->on_close)
			code = steps->on_close(steps->context, code, err);
	}
	recorder__close(session->recorder);
	java_names__free(session->java);
	sampler__close(session->sampler);
	return code;
}

/* Returns the command's exit status; our own failures use codes that commands hardly use. */
static int run_command(struct session *session, struct error *err)
{
	const struct target *target = &session->plan->target;
	struct command command;
	int code, status;

	code = alloc_command__prepare(&session->allocations, target, &session->plan->capture,
				      session->plan->is_quiet, err);
	if (!code)
		code = command__fork(&command, target->command, session->allocations.environment,
				     target->user, err);
	if (code)
		return code;
	session->command = &command;
	memory__exit_with(EXIT_CANCELED);
	code = open_and_run(session, err);
	if (!session->command_runs)
		command__abandon(&command);
	else if (err->exit_code != EXIT_ENOENT && err->exit_code != EXIT_CANNOT_INVOKE) {
		status = command__wait(&command);
		if (!code)
			return status;
	}
	if (err->exit_code < EXIT_CANCELED)
		err->exit_code = EXIT_CANCELED;
	return code;
}

int session__run(const struct session_plan *plan, const struct session_steps *steps,
		 struct error *err)
{
	struct session session = {
		.plan = plan,
		.steps = steps,
		.notices = {.are_off = plan->has_display || plan->is_quiet,
			    .max_overhead = plan->max_overhead,
			    .memory_option = plan->memory_option},
	};
	int code = limits__check_rate(plan->capture.event, plan->capture.rate_hz, err);

	if (!code)
		code = procfs__check(err);
	if (!code && !plan->is_quiet) {
		notices__namespace(&plan->target);
		notices__depth(plan->capture.max_depth);
		notices__preset(plan->capture.event);
	}
	rights__hide_memory();
	if (code)
		return code;
	session.target = target__describe(&plan->target);
	if (!session.target)
		return memory__error(err);
	interrupt__hold();
	code = plan->target.command ? run_command(&session, err) : open_and_run(&session, err);
	if (session.target_is_gone && !plan->is_quiet)
		notices__ended(session.target);
	free(session.target);
	alloc_command__free(&session.allocations);
	if (code == -EINTR)
		interrupt__obey();
	return code;
}
