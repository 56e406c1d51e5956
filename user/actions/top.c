// SPDX-License-Identifier: GPL-2.0-only
#include "actions/top.h"

#include <poll.h>
#include <unistd.h>

#include "actions/saver.h"
#include "base/output/destination.h"
#include "profile/recording.h"
#include "profile/select/choice.h"
#include "run/helpers.h"
#include "run/late.h"
#include "run/limits.h"
#include "run/notices.h"
#include "run/quality_gate.h"
#include "symbols/debug/packages.h"

/* ---- copies of a recording and its other events with changed profiles, for showing ---- */

/*
 * Copies a list of recordings. Each copy owns the profile that change() made of its own; all else
 * is lent by the original. Returns NULL for an empty list. Call free_copies().
 */
static struct recording *
make_copies(const struct recording *list,
	    struct profile *(*change)(void *context, const struct profile *profile), void *context)
{
	struct recording *copies = NULL, **last = &copies;

	for (; list; list = list->more) {
		struct recording *copy = xmalloc(sizeof(*copy));

		*copy = *list;
		copy->more = NULL;
		copy->profile = change(context, list->profile);
		*last = copy;
		last = &copy->more;
	}
	return copies;
}

static void free_copies(struct recording *copies)
{
	struct recording *next;

	for (; copies; copies = next) {
		next = copies->more;
		profile__free(copies->profile);
		free(copies);
	}
}

#define LINES_TICK_S   0.1
#define FIRST_LINES_NS 1000000000ULL /* time the first report waits for lines */
#define BRIEF_ROWS     5	     /* rows printed when a display closes */

struct top_run {
	const struct top_plan *plan;
	enum session_end end;
	const struct display *display; /* NULL: text is printed */
	void *view;		       /* of the display, while it is open */
	struct printer printer;	       /* writer NULL: not open */
	struct saver saver;	       /* for --save */
	struct packages *packages;
	struct quality quality; /* of the run */
	uint64_t display_ns;	/* CPU time of the display in all intervals */
	struct lines *lines;	/* NULL: no lines are shown or saved */
	bool has_shown;		/* one report, maybe the only one of the run */
};

static int open_printer(struct top_run *run, struct error *err)
{
	const struct top_plan *plan = run->plan;

	return printer__open(&run->printer, plan->output, plan->form, &plan->view, plan->color,
			     err);
}

static int open_output(void *context, bool has_command, struct error *err)
{
	struct top_run *run = context;

	(void)has_command;
	if (run->plan->save)
		saver__open(&run->saver);
	return run->display ? run->display->open(&run->view, run->display->options, err)
			    : open_printer(run, err);
}

static bool is_busy(void *context)
{
	struct top_run *run = context;

	return run->view ? run->display->is_busy(run->view) : printer__is_busy(&run->printer);
}

static int request_fd(void *context)
{
	const struct top_run *run = context;

	return run->view ? run->display->request_fd(run->view) : -1;
}

static void take_request(void *context, struct session_request *request)
{
	struct top_run *run = context;

	if (run->view)
		run->display->take_request(run->view, request);
}

static void look_for_lines(void *context, uint64_t elapsed_ns, uint64_t left_ns)
{
	(void)elapsed_ns;
	(void)left_ns;
	lines__work(((struct top_run *)context)->lines, 0);
}

static int write_shown(struct top_run *run, const struct recording *shown, bool is_sum,
		       struct error *err)
{
	if (!run->view)
		return printer__interval(&run->printer, shown, is_sum, err);
	run->display->show(run->view, shown);
	return 0;
}

/* Adds the known lines to the other events. Only the first event waits for lines. */
static struct profile *add_known_lines(void *context, const struct profile *profile)
{
	return annotator__profile(((struct top_run *)context)->lines, profile, 0);
}

/*
 * Shows an interval with the lines known so far: sampling waits for no lines, and later intervals
 * show the rest. Only the first and last interval and the sum wait, a display only at the end. The
 * profile with lines is written.
 */
static int show_with_lines(struct top_run *run, const struct recording *shown, bool has_time,
			   bool is_sum, struct error *err)
{
	const struct line_options *options = &run->plan->lines;
	struct recording with = *shown;
	struct lines_account account;
	uint64_t time_ns = 0;
	int code;

	if (!options->lines)
		return write_shown(run, shown, is_sum, err);
	if (has_time)
		time_ns = annotator__time_ns(options);
	else if (!run->view && !run->has_shown)
		time_ns = FIRST_LINES_NS;
	with.profile = annotator__profile(run->lines, shown->profile,
					  time_ns ? monotonic_ns() + time_ns : 0);
	if (time_ns && !has_time) {
		/* Without that, a short run would look as if it had no lines. */
		lines__account(run->lines, &account);
		if (account.unread)
			fprintf(stderr,
				"topstacks: this report lacks source lines of %" PRIu64
				" address%s, which are still looked for; later ones have them\n",
				account.unread, account.unread == 1 ? "" : "es");
	}
	run->has_shown = true;
	with.more = make_copies(shown->more, add_known_lines, run);
	code = write_shown(run, &with, is_sum, err);
	profile__free(with.profile);
	free_copies(with.more);
	return code;
}

static struct profile *choose_waits(void *context, const struct profile *profile)
{
	return profile__select_waits(profile, context);
}

/* Shows an interval and saves it. The choice of waits applies to the shown part only. */
static int show(struct top_run *run, const struct recording *shown, bool has_time, bool is_sum,
		struct error *err)
{
	struct wait_choice waits = run->plan->waits;
	struct recording *chosen;
	int code;

	if (wait_choice__is_all(&waits))
		return show_with_lines(run, shown, has_time, is_sum, err);
	run->printer.view.whole = profile__shown_total(shown->profile);
	chosen = make_copies(shown, choose_waits, &waits);
	code = show_with_lines(run, chosen, has_time, is_sum, err);
	free_copies(chosen);
	return code;
}

static int show_interval(void *context, const struct recording *interval, bool is_last,
			 struct error *err)
{
	struct top_run *run = context;
	struct recording shown = *interval;
	int code = run->plan->save ? saver__add(&run->saver, interval, err) : 0;

	if (code)
		return code;
	shown.cost.display_ns = run->view ? run->display->take_time_ns(run->view)
					  : printer__take_time_ns(&run->printer);
	if (!run->view)
		quality_gate__find_packages(&shown.quality, run->packages);
	run->quality = shown.quality;
	run->display_ns += shown.cost.display_ns;
	return show(run, &shown, is_last, false, err);
}

/* If the target has ended, keeps the last picture until the user quits the display. */
static void note_end(void *context, enum session_end end)
{
	struct top_run *run = context;

	run->end = end;
	if (run->view && end == SESSION_GONE)
		run->display->wait(run->view);
}

static int close_view(struct top_run *run, struct error *err)
{
	void *view = run->view;

	run->view = NULL;
	return view ? run->display->close(view, err) : 0;
}

static int save_late_names(void *context, struct late *late, struct error *err)
{
	(void)err;
	late__rename_saved(late, &((struct top_run *)context)->saver.recording);
	return 0;
}

/*
 * Shows the sum. After a display, prints the whole of it if the run had a duration, and a few lines
 * if the user quit, but none on a terminal that hung up or is stopped.
 */
static int show_sum(void *context, const struct recording *sum, struct error *err)
{
	struct top_run *run = context;
	struct recording shown = *sum;
	struct pollfd terminal = {.fd = STDOUT_FILENO, .events = POLLOUT};
	int code;

	quality_gate__find_packages(&shown.quality, run->packages);
	run->quality = shown.quality;
	if (run->display) {
		code = close_view(run, err);
		if (code || (run->end != SESSION_TIME &&
			     (poll(&terminal, 1, 0) <= 0 || terminal.revents != POLLOUT)))
			return code;
		code = open_printer(run, err);
		if (code)
			return code;
		run->printer.view.is_brief = run->end != SESSION_TIME;
		if (run->printer.view.is_brief)
			run->printer.view.nr_rows = BRIEF_ROWS;
	}
	shown.cost.display_ns = run->display_ns + printer__take_time_ns(&run->printer);
	return show(run, &shown, true, true, err);
}

/* Ends the output. A closed pipe (`| head`) ends the run, and is no error. */
static int close_output(void *context, int code, struct error *err)
{
	struct top_run *run = context;
	int closed = close_view(run, code ? NULL : err);

	code = code ? code : closed;
	if (run->printer.writer) {
		closed = printer__close(&run->printer, code && code != -EPIPE ? NULL : err);
		code = code ? code : closed;
		if (code == -EPIPE) {
			*err = (struct error){0};
			code = 0;
		}
	}
	if (!code && run->plan->save)
		code = saver__write(&run->saver, run->plan->save, false, err);
	return code ? code : quality_gate__check(&run->quality, run->plan->required_quality, err);
}

int top__run(const struct top_plan *plan, struct error *err)
{
	struct top_run run = {
		.plan = plan, .display = plan->display, .packages = packages__new(NULL)};
	struct session_plan session = plan->session;
	const struct session_steps steps = {
		.context = &run,
		.on_open = open_output,
		.is_busy = is_busy,
		.on_tick = look_for_lines,
		.request_fd = request_fd,
		.on_request = take_request,
		.on_late = plan->save ? save_late_names : NULL,
		.on_interval = show_interval,
		.on_end = note_end,
		.on_sum = show_sum,
		.on_close = close_output,
	};
	struct helpers helpers = {0};
	int code = plan->save ? destination__check(plan->save, err) : 0;

	if (!code)
		code = helpers__start(&helpers, plan->session.java_names, err);
	session.helpers = &helpers;
	session.has_display = session.symbols.command_lines = plan->display != NULL;
	run.saver.line_options = &plan->lines;
	if (!code && (plan->lines.lines || (plan->save && !plan->lines.no_lines))) {
		run.lines = annotator__open(&plan->lines, &helpers, &session.symbols);
		session.lines = run.saver.lines = run.lines;
		session.tick_s = LINES_TICK_S;
	}
	if (!code && !plan->display)
		notices__slowdown(&session.capture);
	if (!code)
		code = session__run(&session, &steps, err);
	saver__close(&run.saver);
	packages__free(run.packages);
	lines__free(run.lines);
	helpers__stop(&helpers);
	return code;
}
