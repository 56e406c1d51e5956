// SPDX-License-Identifier: GPL-2.0-only
#include "run/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "commands/target_options.h"
#include "run/command.h"
#include "run/interrupt.h"
#include "run/recorder.h"

/* What a run that keeps all holds in memory before it sums up rare stacks after all. */
#define KEPT_BYTES  ((size_t)512 << 20)
#define KEPT_STACKS 500000

/* How soon to look again whether the reader has taken the interval before. */
#define BUSY_OUTPUT_NS 20000000ULL

struct session {
	const struct session_plan *plan;
	const struct session_steps *steps;
	struct recorder *recorder;
	struct child *child; /* NULL: no command */
	char *target;	     /* in words */
	uint64_t start_ns, last_ns;
	bool intends_to_end; /* a signal came */
	bool target_is_gone;
	bool child_runs; /* it was told to exec */
	unsigned int nr_intervals;
	double rate_hz;		    /* that the user knows of */
	double asked_hz, wanted_hz; /* of this interval, and of the next */
	double interval_s;
	bool is_asked; /* to end the interval at once */
};

/* A signal for us alone is meant for the command as well. */
static void take_interrupt(struct session *session)
{
	int number;
	enum interrupt interrupt = interrupt__take(&number);

	if (interrupt == INTERRUPT_NONE)
		return;
	if (!session->child)
		session->intends_to_end = true;
	else if (interrupt == INTERRUPT_PROCESS)
		kill(session->child->pid, number);
}

static bool has_ended(const struct child *child)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == child->pid;
}

/* A command ends the run with its own end, whoever of its children goes on. */
static bool is_over(struct session *session, int stop)
{
	if (session->child)
		return has_ended(session->child);
	session->target_is_gone = stop == RECORDER_GONE;
	return session->target_is_gone || session->intends_to_end;
}

static bool is_output_busy(const struct session *session)
{
	return session->steps->is_busy && session->steps->is_busy(session->steps->context);
}

static uint64_t after(uint64_t start_ns, double seconds)
{
	return start_ns + (uint64_t)(seconds * 1e9);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The next time that somebody wants to be called, which is never if nobody does. */
static uint64_t tick(const struct session *session)
{
	uint64_t now_ns = monotonic_ns();

	if (!session->steps->on_tick || session->plan->tick_s <= 0)
		return UINT64_MAX;
	session->steps->on_tick(session->steps->context, now_ns - session->start_ns,
				session->last_ns == UINT64_MAX
					? UINT64_MAX
					: session->last_ns - earlier(now_ns, session->last_ns));
	return after(now_ns, session->plan->tick_s);
}

/* The rate was lowered: for the sake of --max-overhead, or it would not be. */
static void tell_rate(struct session *session)
{
	double rate_hz = recorder__rate_hz(session->recorder);

	if (rate_hz < session->rate_hz && !session->plan->is_quiet)
		fprintf(stderr,
			"topstacks: sampling at %g Hz from here on, to stay within "
			"--max-overhead %g\n",
			rate_hz, session->plan->target->max_overhead);
	session->rate_hz = rate_hz;
}

/* Changes begin with an interval: the one under way ends. */
static void take_request(struct session *session)
{
	const struct session_steps *steps = session->steps;
	struct session_request request = {0};

	if (!steps->on_request || session->child)
		return;
	steps->on_request(steps->context, &request);
	session->intends_to_end |= request.ends;
	if (request.interval_s > 0)
		session->interval_s = request.interval_s;
	if (request.rate_hz > 0) {
		recorder__want_rate(session->recorder, request.rate_hz);
		session->wanted_hz = session->rate_hz = request.rate_hz;
	}
	session->is_asked |= request.interval_s > 0 || request.rate_hz > 0;
}

static int watched_fd(const struct session *session)
{
	if (session->child)
		return session->child->pidfd;
	return session->steps->request_fd ? session->steps->request_fd(session->steps->context)
					  : -1;
}

static void cut_at(struct session *session, uint64_t then_ns)
{
	then_ns = earlier(then_ns, session->last_ns);
	recorder__cut_at(session->recorder, then_ns == UINT64_MAX ? 0 : then_ns);
}

/*
 * Samples until the interval is over. An interval whose output could not be written yet goes on:
 * nothing is lost, the next one is longer. Returns 1 if the run is over, 0, or negative errno.
 */
static int sample_interval(struct session *session, uint64_t end_ns, struct error *err)
{
	int watched = watched_fd(session);
	uint64_t until_ns = end_ns, tick_ns = tick(session);
	int stop;

	cut_at(session, until_ns);
	for (;;) {
		stop = recorder__run(session->recorder,
				     earlier(earlier(until_ns, session->last_ns), tick_ns), watched,
				     err);
		if (stop < 0)
			return stop;
		tell_rate(session);
		take_interrupt(session);
		take_request(session);
		if (is_over(session, stop) || monotonic_ns() >= session->last_ns)
			return 1;
		if (session->is_asked)
			return 0;
		if (monotonic_ns() >= tick_ns)
			tick_ns = tick(session);
		if (monotonic_ns() < end_ns)
			continue;
		if (!is_output_busy(session))
			return 0;
		until_ns = monotonic_ns() + BUSY_OUTPUT_NS;
		cut_at(session, until_ns);
	}
}

/* What the recorder does not know. */
static void describe(const struct session *session, struct interval *interval)
{
	const struct target_options *target = session->plan->target;

	interval->target = session->target;
	interval->asked_hz = session->asked_hz;
	interval->whole_system = !session->child && !target->pids.nr_ids && !target->tid;
}

/* What was sampled until something failed is not lost with it. Returns what it failed with. */
static int give_up(struct session *session, int code)
{
	struct error other = {0};
	struct interval interval;

	if (recorder__salvage(session->recorder, &interval, &other) || !interval.duration_ns)
		return code;
	describe(session, &interval);
	session->steps->on_interval(session->steps->context, &interval, true, &other);
	return code;
}

static int hand_out_interval(struct session *session, bool is_last, struct error *err)
{
	struct interval interval;
	int code;

	code = recorder__end(session->recorder, &interval, err);
	if (code)
		return give_up(session, code);
	describe(session, &interval);
	code = session->steps->on_interval(session->steps->context, &interval, is_last, err);
	session->nr_intervals++;
	session->asked_hz = session->wanted_hz;
	if (!code && !(is_last && session->nr_intervals == 1))
		code = recorder__begin(session->recorder, err);
	return code;
}

static int hand_out_sum(struct session *session, struct error *err)
{
	struct interval run;
	int code;

	if (session->nr_intervals < 2 || !session->steps->on_sum)
		return 0;
	code = recorder__sum(session->recorder, &run, err);
	if (code)
		return code;
	describe(session, &run);
	return session->steps->on_sum(session->steps->context, &run, err);
}

static enum session_end end_of(const struct session *session)
{
	if (session->intends_to_end)
		return SESSION_INTERRUPT;
	return session->target_is_gone ? SESSION_GONE : SESSION_TIME;
}

static int run_intervals(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	uint64_t end_ns;
	int over = 0, code;

	session->start_ns = end_ns = monotonic_ns();
	session->last_ns =
		plan->duration_s > 0 ? after(session->start_ns, plan->duration_s) : UINT64_MAX;
	while (!over) {
		if (session->is_asked)
			end_ns = monotonic_ns();
		session->is_asked = false;
		end_ns = session->interval_s > 0 ? after(end_ns, session->interval_s) : UINT64_MAX;
		if (end_ns < monotonic_ns()) /* the last one was late: no two at once */
			end_ns = after(monotonic_ns(), session->interval_s);
		over = sample_interval(session, end_ns, err);
		if (over < 0)
			return give_up(session, over);
		if (over)
			recorder__stop(session->recorder);
		code = hand_out_interval(session, over, err);
		if (code)
			return code;
	}
	if (session->steps->on_end)
		session->steps->on_end(session->steps->context, end_of(session));
	return hand_out_sum(session, err);
}

static int sample(struct session *session, char **words, struct error *err)
{
	int code;

	interrupt__setup(session->child || session->plan->is_quiet);
	code = recorder__start(session->recorder, err);
	if (!code && session->child) {
		code = child__exec(session->child, words, err);
		session->child_runs = true;
	}
	if (!code)
		code = run_intervals(session, err);
	if (session->steps->on_close)
		code = session->steps->on_close(session->steps->context, code, err);
	return code;
}

static int open_and_run(struct session *session, char **words, struct error *err)
{
	const struct session_steps *steps = session->steps;
	int code = target_options__open(session->plan->target, session->child, session->plan->lines,
					&session->recorder, err);

	if (!code && session->plan->keeps_all)
		recorder__keep(session->recorder, KEPT_BYTES, KEPT_STACKS);
	if (!code && steps->on_open)
		code = steps->on_open(steps->context, session->child != NULL, err);
	if (!code)
		code = sample(session, words, err);
	recorder__close(session->recorder);
	return code;
}

/* The exit status is the command's; failures of our own must not look like it. */
static int run_command(struct session *session, char **words, struct error *err)
{
	struct child child;
	int code, status;

	code = child__fork(&child, words, session->plan->target->user, err);
	if (code)
		return code;
	session->child = &child;
	code = open_and_run(session, words, err);
	if (!session->child_runs)
		child__abandon(&child);
	else if (err->exit_code != EXIT_ENOENT && err->exit_code != EXIT_CANNOT_INVOKE) {
		status = child__wait(&child);
		if (!code)
			return status;
	}
	if (err->exit_code < EXIT_CANCELED)
		err->exit_code = EXIT_CANCELED;
	return code;
}

int session__run(const struct session_plan *plan, const struct session_steps *steps,
		 const struct options *options, struct error *err)
{
	struct session session = {.plan = plan,
				  .steps = steps,
				  .rate_hz = plan->target->rate_hz,
				  .asked_hz = plan->target->rate_hz,
				  .wanted_hz = plan->target->rate_hz,
				  .interval_s = plan->interval_s};
	int code = target_options__check(plan->target, options->words, err);

	if (code)
		return code;
	session.target = target_options__describe(plan->target, options->words);
	if (!session.target)
		return error__no_memory(err);
	if (options->nr_words)
		code = run_command(&session, options->words, err);
	else
		code = open_and_run(&session, NULL, err);
	if (session.target_is_gone)
		fprintf(stderr, "topstacks: %s has ended\n", session.target);
	free(session.target);
	return code;
}
