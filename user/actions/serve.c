// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a serving run, in the order in which they begin:
 *
 *	sockets    are made with the caller's rights
 *	front end  a program without rights, and the process that keeps it alive
 *	helpers    openers and readers, as in every run
 *	session    samples; from here on no process makes a socket or executes a program
 *	responder  a thread that answers
 */
#include "actions/serve.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "actions/recovery.h"
#include "actions/rotation.h"
#include "actions/saver.h"
#include "base/system/channel.h"
#include "base/system/thread.h"
#include "formats/formats.h"
#include "run/display.h"
#include "run/helpers.h"
#include "run/late.h"
#include "serve/answers.h"
#include "serve/counters.h"
#include "serve/front.h"
#include "serve/pressure.h"
#include "serve/responder.h"
#include "serve/rules.h"
#include "serve/saved.h"
#include "serve/store.h"
#include "serve/token.h"

#define SAVED_NS (300 * 1000000000LL) /* the time before a rule fires that is saved */

/* Shares of the memory bound. The rest is for programs, tables, and answers under way. */
#define KEPT_SHARE    4
#define SYMBOLS_SHARE 4
#define WAITING_SHARE 8		    /* for samples that wait for their names */
#define RUN_SHARE     32	    /* for state of stacks that lasts across intervals */
#define SPOOL_MODE    0750	    /* a new directory: its group may send the files */
#define LEAST_HZ      19	    /* below, the samples say too little */
#define NR_SPARED     10	    /* windows: at first all programs' files are read */
#define MAP_BYTES     (64ULL << 20) /* of kernel maps, outside the bound */

struct serving {
	const struct serve_plan *plan;
	struct listeners listeners;
	char token[TOKEN_SIZE];
	char token_path[PATH_MAX +
			sizeof(TOKEN_ENDING)]; /* the token beside the socket; "": none */
	int channel[2];			       /* our end, the front end's end; -1: none */
	pid_t keeper;			       /* process that restarts the front end; 0: none */
	int keeper_fd;			       /* pidfd of the keeper; -1: none */

	struct recording machine; /* holds facts of this machine */
	struct store store;
	struct counters counters;
	struct answers answers;
	struct responder *responder;
	struct recovery recovery;
	bool raises_rate; /* ask for the full rate at the next request */

	struct rules *rules; /* NULL: there are none */
	struct saved saved;  /* owned by the responder thread while it runs */

	struct rotation rotation; /* of the spool */
	struct saver saver;
	double file_s; /* length of the current spool file */
};

/* ---- the spool ---- */

/* Prints an error of a file. Sampling goes on in any case. */
static void tell_failure(const struct error *err, const char *what_it_means)
{
	fputs("topstacks: ", stderr);
	text__print_safe(stderr, err->text, 0);
	fprintf(stderr, "; %s\n", what_it_means);
}

static int spool(struct serving *serving, const struct recording *interval, bool is_last,
		 struct error *err)
{
	const struct serve_plan *plan = serving->plan;
	struct error unwritten = {0};
	size_t nr_later;
	int code;

	if (!plan->spool)
		return 0;
	code = saver__add(&serving->saver, interval, err);
	if (code)
		return code;
	serving->file_s += (double)interval->duration_ns / 1e9;
	if (!is_last && serving->file_s + plan->slice_s / 2 < plan->spool_s)
		return 0;
	serving->file_s = 0;
	/* A full disk may have room again, and answers do not depend on it. */
	code = saver__rotate(&serving->saver, &serving->rotation, plan->nr_spooled, &nr_later,
			     &unwritten);
	counters__count_spooled(&serving->counters, code);
	if (code)
		tell_failure(&unwritten, "sampling goes on, and the next file gets all of it");
	return 0;
}

/* ---- rules ---- */

static int open_rules(struct serving *serving, struct error *err)
{
	const struct serve_plan *plan = serving->plan;
	int code;

	if (!plan->rules.nr_names)
		return 0;
	serving->rules = rules__new(pressure__read, (void *)PRESSURE_CGROUPS);
	for (size_t i = 0; i < plan->rules.nr_names; i++) {
		code = rules__add(serving->rules, plan->rules.names[i], err);
		if (code)
			return code;
	}
	return saved__open(&serving->saved, plan->save_to, plan->save_bytes, err);
}

/*
 * Saves the kept minutes before now, as slices, for the rules that fired. Runs in the responder
 * thread.
 */
static void save_minutes_before(void *context, uint32_t fired)
{
	static const struct write_options options;
	const int64_t now_ns = (int64_t)monotonic_ns();
	const struct span span = {now_ns - SAVED_NS, now_ns, false};
	struct serving *serving = context;
	struct recording recording;
	struct error err = {0};
	size_t nr_bytes = 0;
	char *bytes = NULL;
	int64_t start_ns = 0;
	int code = answers__gather(&serving->answers, &span, true, &recording);

	if (!code) {
		FILE *out = xmemstream(&bytes, &nr_bytes);

		start_ns = recording.start_realtime_ns;
		code = pprof__write(out, &recording, &options);
		recording__fini(&recording);
		if (fclose(out) && !code)
			code = -ENOMEM;
	}
	for (size_t i = 0; i < rules__nr(serving->rules); i++) {
		if (!(fired & UINT32_C(1) << i))
			continue;
		if (code) {
			serving->saved.nr_failed++;
			error__set(&err, EXIT_INTERNAL, code,
				   "cannot put the minutes before together");
		}
		if (code || saved__add(&serving->saved, rules__name(serving->rules, i), start_ns,
				       bytes, nr_bytes, &err))
			tell_failure(&err, "what a rule wanted to be kept is not");
	}
	free(bytes);
	counters__set_saved(&serving->counters, serving->saved.nr_saved, serving->saved.nr_removed,
			    serving->saved.nr_failed);
}

/* ---- steps of the session ---- */

static int begin_to_answer(void *context, bool has_command, struct error *err)
{
	struct serving *serving = context;
	const struct name_list *addresses = &serving->plan->listen.addresses;
	const struct responder_plan plan = {
		.channel = serving->channel[0],
		.answers = &serving->answers,
		.keeper = serving->keeper_fd,
		.save = save_minutes_before,
		.context = serving,
	};
	int code = responder__start(&serving->responder, &plan);

	(void)has_command;
	if (code)
		return thread__explain(err, code, "cannot start the thread that answers");
	if (isatty(STDERR_FILENO)) {
		fputs("topstacks: listening on ", stderr);
		for (size_t i = 0; i < addresses->nr_names; i++) {
			fputs(i ? ", " : "", stderr);
			text__print_safe(stderr, addresses->names[i], 0);
		}
		fputs("; \"topstacks last\" shows the past, and Ctrl-C ends it\n", stderr);
	}
	if (!serving->plan->spool)
		return 0;
	serving->saver.is_quiet = true;
	saver__open(&serving->saver);
	return 0;
}

static int cut_fd(void *context)
{
	const struct serving *serving = context;

	return responder__cut_fd(serving->responder);
}

static void take_request(void *context, struct session_request *request)
{
	struct serving *serving = context;

	request->cuts = responder__wants_cut(serving->responder);
	request->ends = responder__is_deaf(serving->responder);
	if (serving->raises_rate)
		request->rate_hz = serving->recovery.asked_hz;
	serving->raises_rate = false;
}

static int rename_slice(void *context, struct recording *slice)
{
	late__rename_saved(context, slice);
	return 0;
}

static int take_late_names(void *context, struct late *late, struct error *err)
{
	struct serving *serving = context;

	(void)err;
	store__visit_fresh(&serving->store, rename_slice, late);
	if (serving->plan->spool)
		late__rename_saved(late, &serving->saver.recording);
	return 0;
}

static int take_interval(void *context, const struct recording *interval, bool is_last,
			 struct error *err)
{
	struct serving *serving = context;
	struct rules *rules = serving->rules;
	uint64_t nr_suppressed = 0;
	uint32_t fired = 0;

	counters__add(&serving->counters, interval);
	if (store__add(&serving->store, interval, interval->end_ns))
		return memory__error(err);
	if (rules) {
		rules__judge(rules, interval, interval->end_ns);
		for (size_t i = 0; i < rules__nr(rules); i++) {
			fired |= (uint32_t)rules__has_fired(rules, i) << i;
			nr_suppressed += rules__nr_suppressed(rules, i);
		}
		counters__set_suppressed(&serving->counters, nr_suppressed);
	}
	responder__slice_came(serving->responder, fired);
	serving->raises_rate = recovery__is_due(&serving->recovery, recording__left_hz(interval),
						interval->end_ns);
	return spool(serving, interval, is_last, err);
}

static int stop_answering(void *context, int code, struct error *err)
{
	struct serving *serving = context;
	const bool is_deaf = responder__is_deaf(serving->responder);
	int exit_code;

	responder__stop(serving->responder);
	serving->responder = NULL;
	if (code || !is_deaf)
		return code;
	/* The front end could not start as configured, or a user killed its keeper. */
	exit_code = front__stop(serving->keeper);
	serving->keeper = 0;
	if (exit_code == EXIT_USAGE)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"no request can be answered: see what topstacks-front said above");
	return error__say(err, EXIT_INTERNAL, -ECHILD,
			  "the process that starts topstacks-front was ended; start again");
}

/* ---- before and after ---- */

/* Prepares what the other parts need, before any untrusted data is read. */
static int prepare(struct serving *serving, struct error *err)
{
	const struct serve_plan *plan = serving->plan;
	int code = 0;

	if (plan->spool)
		code = rotation__prepare(&serving->rotation, plan->spool, SPOOL_MODE, err);
	if (!code)
		code = open_rules(serving, err);
	if (!code)
		code = listeners__open(&serving->listeners, &plan->listen, err);
	if (!code)
		code = plan->token_file ? token__read(serving->token, plan->token_file, err)
					: token__make(serving->token, err);
	/* A client that can read the file beside the socket may see all: topstacks last as root. */
	if (!code && serving->listeners.path[0]) {
		snprintf(serving->token_path, sizeof(serving->token_path), "%s" TOKEN_ENDING,
			 serving->listeners.path);
		code = token__write(serving->token, serving->token_path, err);
	}
	if (!code && channel__open(serving->channel))
		code = error__set(err, EXIT_INTERNAL, -errno, "cannot make a channel");
	if (!code)
		serving->keeper = front__start(serving->channel[1], &serving->listeners, err);
	if (code || serving->keeper < 0)
		return code ? code : serving->keeper;
	serving->keeper_fd = (int)syscall(SYS_pidfd_open, serving->keeper, 0);
	close(serving->channel[1]);
	serving->channel[1] = -1;
	listeners__close_files(&serving->listeners);
	recording__init(&serving->machine);
	saver__describe(&serving->machine);
	return 0;
}

/*
 * Removes the files of the socket and the token, unless another run has put its own there. The next
 * run at this address removes those that remain.
 */
static void remove_paths(struct serving *serving)
{
	const int owned = listeners__own_path(&serving->listeners);
	struct quoted socket, token;
	struct error err;
	int code = owned < 0 ? owned : 0;

	if (owned > 0 && serving->token_path[0] && unlink(serving->token_path) && errno != ENOENT)
		code = -errno;
	if (owned > 0 && !code)
		code = listeners__remove_path(&serving->listeners);
	if (!code)
		return;
	error__set(&err, EXIT_INTERNAL, code, "cannot remove %s and %s",
		   quote(&socket, serving->listeners.path), quote(&token, serving->token_path));
	tell_failure(&err, "they are left behind");
}

static void clean_up(struct serving *serving)
{
	front__stop(serving->keeper);
	if (serving->keeper_fd >= 0)
		close(serving->keeper_fd);
	for (int end = 0; end < 2; end++)
		if (serving->channel[end] >= 0)
			close(serving->channel[end]);
	remove_paths(serving);
	listeners__close(&serving->listeners);
	explicit_bzero(serving->token, sizeof(serving->token));
	saver__close(&serving->saver);
	rules__free(serving->rules);
	saved__close(&serving->saved);
	answers__fini(&serving->answers);
	memory__shed_by(NULL, NULL);
	store__fini(&serving->store);
	counters__fini(&serving->counters);
	recording__fini(&serving->machine);
}

/* The past is the memory that the service can do without. */
static bool shed_past(void *store)
{
	return store__shed(store);
}

int serve__run(const struct serve_plan *plan, struct error *err)
{
	struct serving serving = {
		.plan = plan,
		.channel = {-1, -1},
		.keeper_fd = -1,
		.saved.directory = -1,
		.recovery.asked_hz = plan->session.capture.rate_hz,
	};
	const struct session_steps steps = {
		.context = &serving,
		.on_open = begin_to_answer,
		.request_fd = cut_fd,
		.on_request = take_request,
		.on_late = take_late_names,
		.on_interval = take_interval,
		.on_close = stop_answering,
	};
	struct session_plan session = plan->session;
	struct helpers helpers = {0};
	int code;

	store__init(&serving.store, plan->max_memory_bytes / KEPT_SHARE,
		    (uint64_t)(plan->keep_s * 1e9));
	memory__shed_by(shed_past, &serving.store);
	counters__init(&serving.counters);
	serving.answers = (struct answers){
		.store = &serving.store,
		.counters = &serving.counters,
		.token = serving.token,
		.facts = serving.machine.facts,
		.slice_ns = (uint64_t)(plan->slice_s * 1e9),
	};
	code = prepare(&serving, err);
	if (!code)
		code = helpers__start(&helpers, session.java_names, err);
	session.helpers = &helpers;
	session.symbols.max_bytes = plan->max_memory_bytes / SYMBOLS_SHARE;
	session.memory_option = "--max-memory";
	session.capture.max_memory_bytes = MAP_BYTES;
	session.capture.max_waiting_bytes = plan->max_memory_bytes / WAITING_SHARE;
	session.capture.tells_owners = true;
	session.least_hz = LEAST_HZ;
	session.nr_spared = NR_SPARED;
	session.interval_s = plan->slice_s;
	session.run_bytes = plan->max_memory_bytes / RUN_SHARE;
	if (!code)
		code = session__run(&session, &steps, err);
	if (code == -ENOMEM && memory__is_short()) /* else the kernel said so of something else */
		error__say(err, EXIT_INTERNAL, code,
			   "memory ran out when all of the past was forgotten; %s",
			   memory__remedy());
	responder__stop(serving.responder);
	helpers__stop(&helpers);
	clean_up(&serving);
	return code;
}
