// SPDX-License-Identifier: GPL-2.0-only
#include "push/sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "base/numbers.h"
#include "push/verdict.h"

/* Pyroscope's default limits: 16,000 samples, bursts of 2 MB. */
#define MAX_ITEMS	16000
#define MAX_INFLATED	(1500u << 10)
#define LATER_NS	600000000000 /* how far ahead of the server a profile may be */
#define MAX_WAIT_FACTOR 300

#define TRIES_BEFORE_DIVIDING 3	   /* after 429: the server may never take so much at once */
#define TRIES_OF_LITTLE	      20   /* a part this small is below any limit of bursts */
#define LITTLE_BYTES	      4096 /* inflated */
#define FEW_ITEMS	      1000 /* a bad request is not looked for any further */

/* ---- ranges ---- */

/* Between two series if there are several, as near to the middle as can be. */
static size_t middle_of(const struct push_upload *upload, size_t from, size_t to)
{
	const size_t middle = from + (to - from) / 2;
	size_t best = 0;

	for (size_t end = upload__end_of_series(upload, from, to); end < to;
	     end = upload__end_of_series(upload, end, to))
		if (!best || llabs((long long)end - (long long)middle) <
				     llabs((long long)best - (long long)middle))
			best = end;
	return best ? best : middle;
}

static bool is_of_several(const struct push_upload *upload, size_t from, size_t to)
{
	return upload__end_of_series(upload, from, to) < to;
}

/* The first half comes next. False: it cannot be halved. */
static bool divide(struct push_state *state, const struct push_upload *upload)
{
	const size_t from = state->next, to = state->ends[state->nr_ends - 1];

	if (to - from < 2 || state->nr_ends == STATE_MAX_ENDS)
		return false;
	state->ends[state->nr_ends++] = middle_of(upload, from, to);
	return true;
}

int sender__next_range(const struct push_target *target, struct push_state *state,
		       const struct push_upload *upload, int64_t start_ns, size_t *to,
		       struct push_bytes *body)
{
	const size_t from = state->next;
	size_t most = upload->nr_items - from < MAX_ITEMS ? upload->nr_items : from + MAX_ITEMS;
	int code;

	if (!state->nr_ends)
		state->ends[state->nr_ends++] = target->limit(upload, from, most);
	for (;;) {
		*to = state->ends[state->nr_ends - 1];
		code = target->make(upload, from, *to, start_ns, body);
		if (code || body->nr_inflated <= MAX_INFLATED || !divide(state, upload))
			return code;
		free(body->bytes);
	}
}

/* ---- time ---- */

int64_t sender__start_ns(const struct push_upload *upload)
{
	const int64_t start = upload->recording.start_realtime_ns;
	const int64_t now = (int64_t)clock_ns(CLOCK_REALTIME);

	return !start || start > now + LATER_NS ? now : start;
}

static bool is_redated(const struct push_upload *upload)
{
	return upload->recording.start_realtime_ns > (int64_t)clock_ns(CLOCK_REALTIME) + LATER_NS;
}

static bool is_expired(const struct push_sender *sender, const struct push_upload *upload)
{
	const int64_t age_ns = (int64_t)clock_ns(CLOCK_REALTIME) - sender__start_ns(upload);

	return sender->options->max_age_s > 0 && (double)age_ns / 1e9 > sender->options->max_age_s;
}

/* Between half of it and all of it, so that many pushers do not come at once. */
static double jitter(double seconds)
{
	uint32_t random = 0;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = (uint32_t)monotonic_ns();
	return seconds * (0.5 + 0.5 * random / UINT32_MAX);
}

static double pause_s(const struct push_sender *sender, const struct push_answer *answer)
{
	double factor = 1;

	if (answer->retry_after_s >= 0)
		return answer->retry_after_s > 0 ? answer->retry_after_s
						 : jitter(sender->options->retry_s);
	for (unsigned int i = 1; i < sender->nr_failures && factor < MAX_WAIT_FACTOR; i++)
		factor *= 2;
	if (factor > MAX_WAIT_FACTOR)
		factor = MAX_WAIT_FACTOR;
	return jitter(sender->options->retry_s * factor);
}

static int wait_for(struct push_sender *sender, double seconds)
{
	const uint64_t end_ns = monotonic_ns() + (uint64_t)(seconds * 1e9);

	for (;;) {
		const uint64_t now_ns = monotonic_ns();

		sender->on_wait(sender->context);
		if (sender->signals->must_stop)
			return -EINTR;
		if (now_ns >= end_ns)
			return 0;
		signals__wait(sender->signals, (double)(end_ns - now_ns) / 1e9);
	}
}

/* ---- what became of it ---- */

static void settle(struct push_sender *sender, const struct push_upload *upload, size_t to,
		   enum push_count fate)
{
	struct push_state *state = sender->state;
	const uint64_t nr = upload__count(upload, state->next, to);

	state->account.of[fate] += nr;
	if (fate == COUNT_SENT) {
		state->account.of[COUNT_OTHER] += upload__count_other(upload, state->next, to);
		state->account.of[COUNT_REDATED] += is_redated(upload) ? nr : 0;
	}
	state->next = to;
	state->nr_ends -= state->nr_ends > 0;
	state->is_trying = false;
}

static void note_unconfirmed(struct push_state *state, const struct push_upload *upload, size_t to)
{
	state->account.of[COUNT_UNCONFIRMED] += upload__count(upload, state->next, to);
}

static void reject(struct push_sender *sender, const struct push_upload *upload, size_t to,
		   const struct push_answer *answer, enum push_count fate)
{
	const uint64_t nr = upload__count(upload, sender->state->next, to);
	char why[400], count[32];

	verdict__describe(answer, why, sizeof(why));
	text__format_count(count, sizeof(count), nr);
	fprintf(stderr, "topstacks-push: rejected, %s sample%s of %s: %s\n", count,
		text__plural(nr), sender->state->file, why);
	settle(sender, upload, to, fate);
}

/* ---- a part ---- */

/* A part on its way. */
struct voyage {
	struct push_bytes body;
	size_t to;
	unsigned int nr_too_much;
	bool is_over; /* settled, or divided */
};

static int fail_to_send(struct push_sender *sender, const struct push_answer *answer,
			struct error *err)
{
	char why[400], duration[32];
	double seconds;
	int code = state__write(sender->state, sender->options->state, err);

	sender->nr_failures++;
	if (code)
		return code;
	verdict__describe(answer, why, sizeof(why));
	if (sender->options->tries && sender->nr_failures >= sender->options->tries)
		return error__say(err, EXIT_INTERNAL, -EHOSTUNREACH,
				  "cannot send, %u times in a row: %s; what was not sent waits",
				  sender->nr_failures, why);
	seconds = pause_s(sender, answer);
	/* Once in a while, however often it fails. */
	if (!(sender->nr_failures & (sender->nr_failures - 1))) {
		text__format_duration(duration, sizeof(duration),
				      (uint64_t)(seconds * 1e3) * 1000000);
		fprintf(stderr, "topstacks-push: cannot send: %s; trying again in %s\n", why,
			duration);
	}
	return wait_for(sender, seconds);
}

static int take_too_much(struct push_sender *sender, const struct push_upload *upload,
			 struct voyage *voyage, const struct push_answer *answer, struct error *err)
{
	const bool is_little = voyage->body.nr_inflated <= LITTLE_BYTES;
	int code = fail_to_send(sender, answer, err);

	if (code)
		return code;
	voyage->nr_too_much++;
	if (voyage->nr_too_much >= TRIES_BEFORE_DIVIDING && !is_little &&
	    divide(sender->state, upload))
		voyage->is_over = true;
	else if (voyage->nr_too_much >= TRIES_OF_LITTLE) {
		voyage->is_over = true;
		reject(sender, upload, voyage->to, answer, COUNT_TOO_MUCH);
	}
	return 0;
}

/* Smaller parts may do, of one series each at least. */
static void take_refusal(struct push_sender *sender, const struct push_upload *upload,
			 struct voyage *voyage, const struct push_answer *answer,
			 enum push_verdict verdict)
{
	const size_t from = sender->state->next;
	const bool several = is_of_several(upload, from, voyage->to);
	const bool few = voyage->to - from <= FEW_ITEMS;

	voyage->is_over = true;
	sender->nr_failures = 0;
	if (verdict == VERDICT_TOO_LARGE) {
		if (!divide(sender->state, upload))
			reject(sender, upload, voyage->to, answer, COUNT_TOO_LARGE);
	} else if (verdict == VERDICT_BAD) {
		if ((!several && few) || !divide(sender->state, upload))
			reject(sender, upload, voyage->to, answer, COUNT_BAD);
	} else if (answer->status != 422 || !several || !divide(sender->state, upload)) {
		reject(sender, upload, voyage->to, answer, COUNT_REFUSED);
	}
}

static void take_acknowledgement(struct push_sender *sender, const struct push_upload *upload,
				 struct voyage *voyage, const struct push_answer *answer)
{
	voyage->is_over = true;
	sender->nr_failures = 0;
	if (sender->target->is_partial && verdict__nr_rejected(answer)) {
		note_unconfirmed(sender->state, upload, voyage->to);
		reject(sender, upload, voyage->to, answer, COUNT_PARTIAL);
	} else {
		settle(sender, upload, voyage->to, COUNT_SENT);
	}
}

static int complain(const struct push_sender *sender, const struct push_answer *answer,
		    struct error *err)
{
	const bool is_right =
		answer->status == 401 || answer->status == 403 || answer->status == 407;
	char why[400];
	int code = state__write(sender->state, sender->options->state, err);

	if (code)
		return code;
	verdict__describe(answer, why, sizeof(why));
	return error__say(err, is_right ? EXIT_SYSTEM : EXIT_USAGE, -EACCES, "%s; %s", why,
			  is_right ? "look at --token-file, --user and --tenant"
				   : "look at --to and --format");
}

static int take_answer(struct push_sender *sender, const struct push_upload *upload,
		       struct voyage *voyage, const struct push_answer *answer, struct error *err)
{
	const enum push_verdict verdict = verdict__of(answer);
	const size_t from = sender->state->next;

	sender->state->is_trying = false;
	if (verdict != VERDICT_TAKEN &&
	    verdict__is_unconfirmed(answer, is_of_several(upload, from, voyage->to)))
		note_unconfirmed(sender->state, upload, voyage->to);
	if (answer->was_interrupted)
		return -EINTR;
	switch (verdict) {
	case VERDICT_TAKEN:
		take_acknowledgement(sender, upload, voyage, answer);
		return 0;
	case VERDICT_TRY_AGAIN:
		return fail_to_send(sender, answer, err);
	case VERDICT_TOO_MUCH:
		return take_too_much(sender, upload, voyage, answer, err);
	case VERDICT_MISCONFIGURED:
		return complain(sender, answer, err);
	default:
		take_refusal(sender, upload, voyage, answer, verdict);
		return 0;
	}
}

/* All that is left of the file grows old at once. */
static void expire(struct push_sender *sender, const struct push_upload *upload)
{
	settle(sender, upload, upload->nr_items, COUNT_EXPIRED);
	sender->state->nr_ends = 0;
}

static int pass(struct push_sender *sender, const struct push_upload *upload, struct voyage *voyage,
		struct push_answer *answer, struct error *err)
{
	int code = 0;

	while (!code && !voyage->is_over) {
		if (is_expired(sender, upload)) {
			expire(sender, upload);
			return 0;
		}
		/* A file sent with the current time is made again each time. */
		if (is_redated(upload)) {
			free(voyage->body.bytes);
			if (sender->target->make(upload, sender->state->next, voyage->to,
						 sender__start_ns(upload), &voyage->body))
				return memory__error(err);
		}
		sender->state->is_trying = true;
		code = state__write(sender->state, sender->options->state, err);
		if (code)
			return code;
		http__post(sender->http, voyage->body.bytes, voyage->body.nr, answer);
		code = take_answer(sender, upload, voyage, answer, err);
	}
	return code;
}

static int send_part(struct push_sender *sender, const struct push_upload *upload,
		     struct push_answer *answer, struct error *err)
{
	struct voyage voyage = {0};
	int code;

	if (is_expired(sender, upload)) {
		expire(sender, upload);
		return 0;
	}
	code = sender__next_range(sender->target, sender->state, upload, sender__start_ns(upload),
				  &voyage.to, &voyage.body);
	if (code)
		return memory__error(err);
	code = pass(sender, upload, &voyage, answer, err);
	free(voyage.body.bytes);
	return code;
}

int sender__send(struct push_sender *sender, const struct push_upload *upload, struct error *err)
{
	struct push_answer *answer = xmalloc(sizeof(*answer));
	int code = 0;

	while (!code && sender->state->next < upload->nr_items) {
		code = wait_for(sender, 0);
		if (!code)
			code = send_part(sender, upload, answer, err);
	}
	free(answer);
	return code;
}
