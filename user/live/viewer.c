// SPDX-License-Identifier: GPL-2.0-only
#include "live/viewer.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/system/thread.h"
#include "live/exchange.h"
#include "live/export.h"
#include "live/guard.h"
#include "live/live.h"
#include "live/paint.h"
#include "live/screen.h"
#include "run/interrupt.h"
#include "run/limits.h"

#define MOST_KEPT_BYTES ((size_t)24 << 20) /* for intervals to step back through */
#define MOST_KEYS	64		   /* handled between two drawings at most */
#define SLICE_NS	15000000ULL	   /* of work, before the keyboard is read again */
#define CLOCK_MS	1000		   /* period of the clock in the header */
/* how long to wait at the end for a terminal that takes no output */
#define CLOSING_NS 1000000000ULL

struct viewer {
	struct viewer_options options;
	pthread_t thread;
	struct exchange exchange;
	int done_fd; /* signals that the thread is ready, and later that it has ended */
	int code;    /* of the thread, valid when done_fd is readable */
	int signal_fd;

	uint64_t told_ns; /* the thread's CPU time that take_time_ns() has returned so far */

	/* Used by the thread alone. */
	struct screen *screen;
	struct canvas canvas;
	struct live live;
	struct ui ui;
	uint64_t start_ns;
	bool draws_all, quits;
};

bool viewer__is_possible(void)
{
	return screen__is_possible();
}

/* ---- actions of keys ---- */

static void write_file(struct viewer *viewer, bool flame_graph)
{
	const struct live *live = &viewer->live;
	struct error err = {0};
	char *path;

	if (export__write(live, flame_graph, &path, &err))
		ui__say(&viewer->ui, true, "%s", err.text);
	else if (!live->picture->recording.more)
		ui__say(&viewer->ui, false, "written to %s", path);
	else
		ui__say(&viewer->ui, false, "%.60s written to %s",
			flame_graph ? live->picture->recording.facts[FACT_EVENT] : "all events",
			path);
	free(path);
}

static void fulfil(struct viewer *viewer, enum action action)
{
	struct session_request change = {0};
	struct error err = {0};

	switch (action) {
	case ACTION_QUIT:
		change.ends = true;
		viewer->quits = true;
		exchange__ask(&viewer->exchange, &change);
		break;
	case ACTION_SAVE:
	case ACTION_FLAME_GRAPH:
		write_file(viewer, action == ACTION_FLAME_GRAPH);
		break;
	case ACTION_INTERVAL:
		change.interval_s = viewer->ui.interval_s = viewer->ui.value;
		exchange__ask(&viewer->exchange, &change);
		break;
	case ACTION_RATE:
		change.rate_hz = viewer->ui.value;
		if (limits__check_rate(viewer->options.event, change.rate_hz, &err)) {
			ui__say(&viewer->ui, true, "%s", err.text);
			break;
		}
		viewer->ui.rate_hz = change.rate_hz;
		exchange__ask(&viewer->exchange, &change);
		break;
	case ACTION_REDRAW:
		viewer->draws_all = true;
		break;
	default:
		break;
	}
}

/* ---- the thread ---- */

static int draw(struct viewer *viewer)
{
	struct canvas *canvas = &viewer->canvas;
	size_t nr_lines, nr_columns;
	int code = 0;

	screen__size(viewer->screen, &nr_lines, &nr_columns);
	if (nr_lines != canvas->nr_lines || nr_columns != canvas->nr_columns)
		code = canvas__resize(canvas, nr_lines, nr_columns);
	viewer->ui.running_ns = monotonic_ns() - viewer->start_ns;
	if (!code)
		code = paint__screen(canvas, &viewer->live, &viewer->ui);
	if (!code)
		screen__draw(viewer->screen, canvas, viewer->draws_all);
	viewer->draws_all = false;
	return code;
}

/* Does deferred work until a key is pressed or the time slice is over. 1: there is more. */
static int work(struct viewer *viewer)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	uint64_t end_ns = monotonic_ns() + SLICE_NS;
	int code;

	do {
		code = live__work(&viewer->live);
		if (code <= 0)
			return code;
	} while (monotonic_ns() < end_ns && poll(&input, 1, 0) <= 0);
	return 1;
}

static int take_keys(struct viewer *viewer)
{
	enum action action;
	int input, code = 0;

	for (int i = 0; i < MOST_KEYS && !code; i++) {
		input = screen__read(viewer->screen);
		if (input == INPUT_NONE)
			break;
		code = ui__take(&viewer->ui, &viewer->live, input, &action);
		if (!code)
			fulfil(viewer, action);
	}
	return code;
}

static int take_intervals(struct viewer *viewer)
{
	struct handed *handed, *next;
	bool was_over = viewer->ui.is_over, is_closing;
	int code = 0;

	handed = exchange__take(&viewer->exchange, &viewer->ui.is_over, &is_closing);
	viewer->quits |= is_closing;
	for (; handed; handed = next) {
		next = handed->next;
		if (!code)
			code = live__add(&viewer->live, &handed->interval);
		handed__free(handed);
	}
	if (!code && viewer->ui.is_over && !was_over)
		code = live__end(&viewer->live);
	return code;
}

/* Ctrl-Z: restores the terminal for the shell, and stops the process as usual. */
static void stop(struct viewer *viewer)
{
	sigset_t set;

	screen__leave(viewer->screen);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	screen__return(viewer->screen);
	viewer->draws_all = true;
}

static void take_signals(struct viewer *viewer)
{
	struct signalfd_siginfo info;

	while (read(viewer->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTSTP) {
			stop(viewer);
		} else if (info.ssi_signo == SIGCONT) {
			screen__return(viewer->screen);
			viewer->draws_all = true;
		}
	}
}

static int take_turn(struct viewer *viewer)
{
	struct pollfd wanted[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				  {.fd = viewer->exchange.wake_fd, .events = POLLIN},
				  {.fd = viewer->signal_fd, .events = POLLIN}};
	int more = work(viewer), code;

	if (more < 0)
		return more;
	code = draw(viewer);
	if (code)
		return code;
	if (poll(wanted, 3, more ? 0 : CLOCK_MS) < 0 && errno != EINTR)
		return -errno;
	if (wanted[2].revents)
		take_signals(viewer);
	if (wanted[1].revents)
		code = take_intervals(viewer);
	if (!code && (wanted[0].revents & POLLIN))
		return take_keys(viewer);
	if (wanted[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		fulfil(viewer, ACTION_QUIT);
	return code;
}

static void *run(void *argument)
{
	static const int faults[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGTRAP};
	struct viewer *viewer = argument;
	const struct viewer_options *options = &viewer->options;
	struct live *live = &viewer->live;
	sigset_t set;
	int code;

	/* The thread handles its own faults, so that the guard runs. Other signals stay blocked. */
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaddset(&set, faults[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);

	live__init(live, MOST_KEPT_BYTES);
	live->selection.merge = options->merge;
	live->shows_idle = options->all_waits;
	live->errors = options->errors;
	if (options->by_thread)
		live->selection.owners = MERGE_BY_THREAD;
	viewer->ui.by_thread = options->by_thread;
	viewer->ui.interval_s = options->interval_s;
	viewer->ui.rate_hz = options->rate_hz;
	viewer->start_ns = monotonic_ns();
	viewer->screen = screen__open(options->color);
	code = viewer->screen ? 0 : -ENOTTY;
	thread__hurry();
	if (!code)
		eventfd_write(viewer->done_fd, 1);
	while (!code && !viewer->quits)
		code = take_turn(viewer);
	screen__close(viewer->screen);
	canvas__fini(&viewer->canvas);
	live__fini(live);
	if (code)
		fulfil(viewer, ACTION_QUIT);
	viewer->code = code;
	eventfd_write(viewer->done_fd, 1);
	return NULL;
}

/* ---- the sampling thread's side ---- */

static void close_parts(struct viewer *viewer)
{
	exchange__fini(&viewer->exchange);
	if (viewer->done_fd >= 0)
		close(viewer->done_fd);
	if (viewer->signal_fd >= 0)
		close(viewer->signal_fd);
}

static int wait_done(struct viewer *viewer, int timeout_ms)
{
	struct pollfd done = {.fd = viewer->done_fd, .events = POLLIN};
	int nr = poll(&done, 1, timeout_ms);
	eventfd_t number;

	if (nr > 0)
		eventfd_read(viewer->done_fd, &number);
	return nr;
}

static int open_viewer(void **out, const void *options, struct error *err)
{
	struct viewer *viewer = xcalloc(1, sizeof(*viewer));
	sigset_t set;
	int code;

	viewer->options = *(const struct viewer_options *)options;
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	sigaddset(&set, SIGWINCH);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	viewer->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	viewer->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	code = exchange__init(&viewer->exchange);
	if (viewer->done_fd < 0 || viewer->signal_fd < 0)
		code = -errno;
	if (!code)
		code = thread__start(&viewer->thread, run, viewer);
	if (!code) {
		wait_done(viewer, -1);
		code = viewer->code;
		if (code)
			pthread_join(viewer->thread, NULL);
	}
	if (!code) {
		*out = viewer;
		return 0;
	}
	close_parts(viewer);
	free(viewer);
	return thread__explain(err, code, "cannot draw on the terminal");
}

static bool is_busy(void *view)
{
	return exchange__is_busy(&((struct viewer *)view)->exchange);
}

static uint64_t take_time_ns(void *view)
{
	struct viewer *viewer = view;
	uint64_t before_ns = viewer->told_ns;
	struct timespec time;
	clockid_t clock;

	if (pthread_getcpuclockid(viewer->thread, &clock) || clock_gettime(clock, &time))
		return 0; /* it has ended */
	viewer->told_ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
	return viewer->told_ns - before_ns;
}

static void show(void *view, const struct recording *interval)
{
	exchange__give(&((struct viewer *)view)->exchange, interval);
}

static int request_fd(void *view)
{
	return ((struct viewer *)view)->exchange.request_fd;
}

static void take_request(void *view, struct session_request *request)
{
	exchange__take_request(&((struct viewer *)view)->exchange, request);
}

static void wait_until_seen(void *view)
{
	struct viewer *viewer = view;
	struct pollfd request = {.fd = viewer->exchange.request_fd, .events = POLLIN};
	struct session_request asked = {0};
	sigset_t mask;

	exchange__end(&viewer->exchange, false);
	interrupt__let_in(&mask);
	while (!asked.ends && ppoll(&request, 1, NULL, &mask) > 0)
		take_request(viewer, &asked);
}

static int close_viewer(void *view, struct error *err)
{
	struct viewer *viewer = view;
	int code;

	exchange__end(&viewer->exchange, true);
	if (wait_done(viewer, (int)(CLOSING_NS / 1000000)) <= 0) {
		/*
		 * The terminal takes no output, and the thread waits for it. It ends with the
		 * process.
		 */
		guard__give_back();
		return 0;
	}
	pthread_join(viewer->thread, NULL);
	code = viewer->code;
	close_parts(viewer);
	free(viewer);
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot draw on the terminal") : 0;
}

struct display viewer__display(const struct viewer_options *options)
{
	return (struct display){
		.options = options,
		.open = open_viewer,
		.is_busy = is_busy,
		.take_time_ns = take_time_ns,
		.show = show,
		.request_fd = request_fd,
		.take_request = take_request,
		.wait = wait_until_seen,
		.close = close_viewer,
	};
}
