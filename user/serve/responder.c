// SPDX-License-Identifier: GPL-2.0-only
#include "serve/responder.h"

#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/system/channel.h"
#include "base/system/thread.h"

#define MOST_PENDING 64
#define LEAST_CUT_NS 200000000ULL /* between two cuts */

/* A request that waits for slices. */
struct pending_request {
	struct serve_request request;
	struct span span;
	uint64_t until_ns; /* end of its time, CLOCK_MONOTONIC */
	bool waits;	   /* its time was not over when it came */
	bool begins;	   /* its time begins with the next slice */
};

struct responder {
	struct responder_plan plan;
	pthread_t thread;
	int wake_fd, cut_fd;
	atomic_bool is_over;
	atomic_bool is_deaf;
	atomic_uint fired; /* rules with nothing saved yet */
	uint64_t cut_ns;   /* when the last cut was requested */
	uint64_t due_ns;   /* when to request the next cut; UINT64_MAX: none */
	struct pending_request pending[MOST_PENDING];
	size_t nr_pending;
};

/* ---- sending ---- */

/* Sends an answer without waiting; if the front end is gone or slow, the answer is dropped. */
static void send_answer(struct responder *responder, const struct serve_answer *answer, int file)
{
	channel__send(responder->plan.channel, false, answer, sizeof(*answer), &file, file >= 0);
	if (file >= 0)
		close(file);
}

static void refuse(struct responder *responder, const struct serve_request *request,
		   const char *why)
{
	struct serve_answer answer = {.number = request->number, .status = 503};

	snprintf(answer.text, sizeof(answer.text), "%s", why);
	counters__count_request(responder->plan.answers->counters, OUTCOME_FAILED);
	send_answer(responder, &answer, -1);
}

static void answer(struct responder *responder, const struct pending_request *pending)
{
	struct span span = pending->span;
	struct serve_answer made;
	uint64_t from_ns, to_ns;
	int file;

	/* Its cuts may come late, so the time is as long as requested, or a little longer. */
	store__reach(responder->plan.answers->store, &from_ns, &to_ns);
	if (pending->waits && !span.is_realtime)
		span.to_ns = (int64_t)to_ns;
	answers__make(responder->plan.answers, &pending->request, &span, &made, &file);
	send_answer(responder, &made, file);
	malloc_trim(0); /* a profile takes much memory for a moment */
}

/* ---- cuts ---- */

/* Requests a cut, or notes when to request it. */
static void cut_at(struct responder *responder, uint64_t then_ns)
{
	if (then_ns < responder->cut_ns + LEAST_CUT_NS)
		then_ns = responder->cut_ns + LEAST_CUT_NS;
	if (then_ns < responder->due_ns)
		responder->due_ns = then_ns;
}

/* ---- requests ---- */

static bool is_whole(const struct responder *responder, const struct pending_request *pending)
{
	uint64_t from_ns, to_ns;

	if (pending->request.subject == SERVE_METRICS)
		return true;
	store__reach(responder->plan.answers->store, &from_ns, &to_ns);
	return to_ns >= pending->until_ns;
}

/* Plans a cut for each pending request, now or at the end of its time. */
static void plan_cuts(struct responder *responder)
{
	for (size_t i = 0; i < responder->nr_pending; i++)
		cut_at(responder, responder->pending[i].until_ns);
}

/* Handles messages about the front end and its answers. Returns whether it was one. */
static bool take_news(struct responder *responder, const struct serve_request *said)
{
	const struct serve_answer hello = {.number = said->number, .status = 200};
	struct visits *visits = &responder->plan.answers->visits;
	size_t nr_left = 0;

	switch (said->subject) {
	case SERVE_HELLO: /* a new front end; the requests of the one before are void */
		responder->nr_pending = 0;
		visits__settle_all(visits);
		send_answer(responder, &hello, -1);
		return true;
	case SERVE_DELIVERED:
		visits__settle(visits, said->number, true);
		return true;
	case SERVE_FORGET:
		for (size_t i = 0; i < responder->nr_pending; i++)
			if (responder->pending[i].request.number != said->number)
				responder->pending[nr_left++] = responder->pending[i];
		responder->nr_pending = nr_left;
		visits__settle(visits, said->number, false);
		return true;
	default:
		return false;
	}
}

static bool is_sound(const struct serve_request *request)
{
	const uint64_t most = INT64_MAX / 4;

	return request->duration_ns < most &&
	       (request->ago_ns < most || request->ago_ns == SERVE_FROM_NOW) &&
	       request->at_ns >= 0 && request->at_ns < (int64_t)most * 2;
}

static void take_request(struct responder *responder, struct serve_request *request)
{
	struct answers *answers = responder->plan.answers;
	const uint64_t now_ns = monotonic_ns();
	struct pending_request pending = {.waits = true};
	struct serve_answer refusal;
	int64_t end_ns;

	/* Another process wrote the strings. */
	request->event[sizeof(request->event) - 1] = '\0';
	request->comm[sizeof(request->comm) - 1] = '\0';
	request->container[sizeof(request->container) - 1] = '\0';
	request->cgroup[sizeof(request->cgroup) - 1] = '\0';
	request->client[sizeof(request->client) - 1] = '\0';
	request->token[sizeof(request->token) - 1] = '\0';
	if (take_news(responder, request))
		return;
	if (!is_sound(request)) {
		refuse(responder, request, "times are too long");
		return;
	}
	if (answers__check(answers, request, &refusal)) {
		send_answer(responder, &refusal, -1);
		return;
	}

	pending.request = *request;
	pending.span = answers__span(answers, request, now_ns);
	pending.begins = request->ago_ns == SERVE_FROM_NOW && request->subject != SERVE_DELTA &&
			 !request->at_ns;
	end_ns = pending.span.to_ns;
	if (pending.span.is_realtime)
		end_ns -= (int64_t)(clock_ns(CLOCK_REALTIME) - monotonic_ns());
	pending.until_ns = end_ns > 0 ? (uint64_t)end_ns : 0;
	if (is_whole(responder, &pending)) {
		pending.waits = false;
		answer(responder, &pending);
	} else if (responder->nr_pending == MOST_PENDING) {
		refuse(responder, request, "too many profiles are under way");
	} else {
		responder->pending[responder->nr_pending++] = pending;
		cut_at(responder, now_ns);
		plan_cuts(responder);
	}
}

/* Takes all requests. False: the front end is gone for good. */
static bool take_requests(struct responder *responder)
{
	struct serve_request request;
	size_t nr_files;
	ssize_t nr_bytes;

	for (;;) {
		nr_files = 0;
		nr_bytes = channel__receive(responder->plan.channel, false, &request,
					    sizeof(request), NULL, &nr_files);
		if (nr_bytes == -EAGAIN)
			return true;
		if (nr_bytes == -EPIPE)
			return false;
		if (nr_bytes == sizeof(request) && request.size == sizeof(request))
			take_request(responder, &request);
		explicit_bzero(request.token, sizeof(request.token));
	}
}

static void answer_what_is_whole(struct responder *responder)
{
	uint64_t from_ns, to_ns;
	size_t nr_left = 0;

	/* Requests begin with the cut that they waited for, which came a little late. */
	store__reach(responder->plan.answers->store, &from_ns, &to_ns);
	for (size_t i = 0; i < responder->nr_pending; i++) {
		struct pending_request *pending = &responder->pending[i];
		const int64_t late_ns = (int64_t)to_ns - pending->span.from_ns;

		if (!pending->begins || late_ns < 0)
			continue;
		pending->begins = false;
		pending->span.from_ns += late_ns;
		pending->span.to_ns += late_ns;
		pending->until_ns += (uint64_t)late_ns;
	}

	for (size_t i = 0; i < responder->nr_pending; i++)
		if (is_whole(responder, &responder->pending[i]))
			answer(responder, &responder->pending[i]);
		else
			responder->pending[nr_left++] = responder->pending[i];
	responder->nr_pending = nr_left;
	plan_cuts(responder);
}

/* ---- the thread ---- */

static int milliseconds_left(const struct responder *responder)
{
	const uint64_t now_ns = monotonic_ns();
	uint64_t left_ms;

	if (responder->due_ns == UINT64_MAX)
		return -1;
	if (responder->due_ns <= now_ns)
		return 0;
	left_ms = (responder->due_ns - now_ns + 999999) / 1000000;
	return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

static void *respond(void *context)
{
	struct responder *responder = context;
	struct pollfd watched[] = {{.fd = responder->plan.channel, .events = POLLIN},
				   {.fd = responder->wake_fd, .events = POLLIN},
				   {.fd = responder->plan.keeper, .events = POLLIN}};
	eventfd_t number;
	uint64_t now_ns;
	uint32_t fired;

	thread__hurry();
	while (!responder->is_over) {
		poll(watched, 3, milliseconds_left(responder));
		if (watched[1].revents) {
			eventfd_read(responder->wake_fd, &number);
			answer_what_is_whole(responder);
			fired = atomic_exchange(&responder->fired, 0);
			if (fired && responder->plan.save)
				responder->plan.save(responder->plan.context, fired);
		}
		if (watched[0].revents && !take_requests(responder))
			watched[0].fd = -1;
		if (watched[2].revents) {
			watched[2].fd = -1;
			responder->is_deaf = true;
			eventfd_write(responder->cut_fd, 1);
		}
		now_ns = monotonic_ns();
		if (now_ns >= responder->due_ns) {
			responder->due_ns = UINT64_MAX;
			responder->cut_ns = now_ns;
			eventfd_write(responder->cut_fd, 1);
		}
	}
	for (size_t i = 0; i < responder->nr_pending; i++)
		refuse(responder, &responder->pending[i].request, "topstacks ends");
	return NULL;
}

static void free_responder(struct responder *responder)
{
	if (responder->wake_fd >= 0)
		close(responder->wake_fd);
	if (responder->cut_fd >= 0)
		close(responder->cut_fd);
	free(responder);
}

int responder__start(struct responder **out, const struct responder_plan *plan)
{
	struct responder *responder = xcalloc(1, sizeof(*responder));
	int code;

	responder->plan = *plan;
	responder->due_ns = UINT64_MAX;
	responder->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	responder->cut_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	code = responder->wake_fd < 0 || responder->cut_fd < 0 ? -errno : 0;
	if (!code)
		code = thread__start(&responder->thread, respond, responder);
	if (code) {
		free_responder(responder);
		return code;
	}
	*out = responder;
	return 0;
}

void responder__stop(struct responder *responder)
{
	if (!responder)
		return;
	responder->is_over = true;
	if (eventfd_write(responder->wake_fd, 1)) /* if the thread cannot be woken, it notices
						   * the end of its channel */
		shutdown(responder->plan.channel, SHUT_RDWR);
	pthread_join(responder->thread, NULL);
	free_responder(responder);
}

int responder__cut_fd(const struct responder *responder)
{
	return responder->cut_fd;
}

bool responder__wants_cut(struct responder *responder)
{
	eventfd_t number;

	return !eventfd_read(responder->cut_fd, &number);
}

bool responder__is_deaf(const struct responder *responder)
{
	return responder->is_deaf;
}

void responder__slice_came(struct responder *responder, uint32_t fired)
{
	responder->fired |= fired;
	eventfd_write(responder->wake_fd, 1);
}
