// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths and keys are tables. Unknown keys are ignored, as by Go's endpoints, since scrapers send
 * some of their own (debug, gc); known keys must be valid and unique.
 */
#include "front/question.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "front/percent.h"
#include "front/times.h"

#define MAX_PID 4194304 /* PID_MAX_LIMIT of include/linux/threads.h */
#define PREFIX	"/debug/pprof/"

struct query_reading {
	struct serve_request *request;
	int64_t now_ns;
	int64_t seconds_ns;   /* 0: not said */
	unsigned int nr_seen; /* bits of rows of the table */
};

/* ---- keys ---- */

struct query_key {
	const char *name;
	int (*take)(struct query_reading *query, const struct query_key *key, const char *value,
		    struct error *err);
	size_t offset, size; /* for a text */
};

static int refuse(const struct query_key *key, const char *value, struct error *err,
		  const char *wanted)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -EINVAL, "%s is %s, which is not %s", key->name,
			  quote(&quoted, value), wanted);
}

static int take_seconds(struct query_reading *query, const struct query_key *key, const char *value,
			struct error *err)
{
	if (times__seconds(value, &query->seconds_ns))
		return refuse(key, value, err, "a number of seconds");
	if (query->seconds_ns < 0)
		query->seconds_ns = 0; /* as if it were not there: so does Go */
	return 0;
}

static int take_ago(struct query_reading *query, const struct query_key *key, const char *value,
		    struct error *err)
{
	int64_t ns;

	if (times__duration(value, &ns) || ns <= 0)
		return refuse(key, value, err, "a time like 30s, 5m or 1h30m");
	query->request->ago_ns = (uint64_t)ns;
	return 0;
}

static int take_at(struct query_reading *query, const struct query_key *key, const char *value,
		   struct error *err)
{
	struct quoted quoted;

	if (times__moment(value, query->now_ns, &query->request->at_ns))
		return refuse(key, value, err, "a moment like 14:03:10 or 2026-11-26T14:03:10Z");
	if (query->request->at_ns > query->now_ns)
		return error__say(err, EXIT_USAGE, -EINVAL, "at is %s, which is yet to come",
				  quote(&quoted, value));
	return 0;
}

static int take_pid(struct query_reading *query, const struct query_key *key, const char *value,
		    struct error *err)
{
	const size_t nr_digits = strspn(value, "0123456789");

	query->request->pid = (uint32_t)strtoul(value, NULL, 10);
	if (value[nr_digits] || nr_digits > 7 || !query->request->pid ||
	    query->request->pid > MAX_PID)
		return refuse(key, value, err, "the number of a process");
	return 0;
}

static int take_text(struct query_reading *query, const struct query_key *key, const char *value,
		     struct error *err)
{
	if (strlen(value) >= key->size)
		return error__say(err, EXIT_USAGE, -EINVAL, "%s is longer than %zu bytes",
				  key->name, key->size - 1);
	strcpy((char *)query->request + key->offset, value);
	return 0;
}

static int take_client(struct query_reading *query, const struct query_key *key, const char *value,
		       struct error *err)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789._-";

	if (value[strspn(value, allowed)] || strlen(value) >= key->size)
		return refuse(key, value, err,
			      "a name of at most 63 letters, digits, or any of . _ -");
	return take_text(query, key, value, err);
}

static int take_slices(struct query_reading *query, const struct query_key *key, const char *value,
		       struct error *err)
{
	if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
		return refuse(key, value, err, "0 or 1");
	query->request->with_slices = *value == '1';
	return 0;
}

/* Programs on the way here may log the target, so it must not have the token. */
static int refuse_token(struct query_reading *query, const struct query_key *key, const char *value,
			struct error *err)
{
	(void)query;
	(void)value;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "a %s does not belong in a URL, which others may log; send it as "
			  "\"Authorization: Bearer ...\", or as the password of Basic",
			  key->name);
}

#define TEXT(field) \
	offsetof(struct serve_request, field), sizeof(((struct serve_request *)0)->field)

static const struct query_key keys[] = {
	{"seconds", take_seconds, 0, 0},
	{"ago", take_ago, 0, 0},
	{"at", take_at, 0, 0},
	{"comm", take_text, TEXT(comm)},
	{"pid", take_pid, 0, 0},
	{"container", take_text, TEXT(container)},
	{"cgroup", take_text, TEXT(cgroup)},
	{"client", take_client, TEXT(client)},
	{"slices", take_slices, 0, 0},
	{"token", refuse_token, 0, 0},
	{"access_token", refuse_token, 0, 0},
};

/* An empty value is none: forms send all of their fields. */
static int take_value(struct query_reading *query, const struct query_key *key, const char *value,
		      struct error *err)
{
	const unsigned int bit = 1U << (key - keys);

	if (!*value && key->take != refuse_token)
		return 0;
	if (query->nr_seen & bit)
		return error__say(err, EXIT_USAGE, -EINVAL, "%s is there twice", key->name);
	query->nr_seen |= bit;
	return key->take(query, key, value, err);
}

/* Takes one "key=value" of this length. */
static int take_pair(struct query_reading *query, const char *text, size_t length,
		     struct error *err)
{
	const char *equals = memchr(text, '=', length);
	const size_t name_length = equals ? (size_t)(equals - text) : length;
	char name[32], value[sizeof(((struct serve_request *)0)->cgroup) + 1] = "";
	const struct query_key *key = NULL;
	int name_code, value_code = 0;

	name_code = percent__decode(text, name_length, true, name, sizeof(name));
	if (equals)
		value_code = percent__decode(equals + 1, length - name_length - 1, true, value,
					     sizeof(value));
	if (name_code == -EINVAL || value_code == -EINVAL)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the query is not encoded as it should be: a %% has two digits "
				  "after it, and there are no control characters");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !name_code; i++)
		if (!strcmp(name, keys[i].name))
			key = &keys[i];
	return key ? take_value(query, key, value, err) : 0;
}

static int take_query(struct query_reading *query, const char *text, struct error *err)
{
	size_t length;
	int code = 0;

	for (; *text && !code; text += length + (text[length] == '&')) {
		length = strcspn(text, "&");
		code = take_pair(query, text, length, err);
	}
	return code;
}

/* ---- paths ---- */

/* Names of events are printable, and one step of a path. */
static bool is_event(const char *name)
{
	const size_t length = strlen(name);

	if (!length || length >= sizeof(((struct serve_request *)0)->event))
		return false;
	for (size_t i = 0; i < length; i++)
		if (name[i] <= ' ' || name[i] >= 0x7f || name[i] == '/')
			return false;
	return true;
}

static int say_unknown(const char *path, struct error *err)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -ENOENT,
			  "there is nothing at %s; /debug/pprof/ lists what there is",
			  quote(&quoted, path));
}

static int take_path(struct asked_for *asked, const char *path, struct error *err)
{
	const char *name = path + strlen(PREFIX);

	asked->request.subject = SERVE_PROFILE;
	if (!strcmp(path, "/"))
		asked->request.subject = SERVE_PAGE;
	else if (!strcmp(path, "/metrics"))
		asked->request.subject = SERVE_METRICS;
	else if (!strcmp(path, "/debug/pprof") || !strcmp(path, PREFIX))
		asked->is_index = true;
	else if (strncmp(path, PREFIX, strlen(PREFIX)) != 0)
		return say_unknown(path, err);
	else if (!strcmp(name, "delta_profile"))
		asked->request.subject = SERVE_DELTA;
	else if (is_event(name) && strcmp(name, "profile") != 0)
		strcpy(asked->request.event, name);
	else if (!is_event(name))
		return say_unknown(path, err);
	return 0;
}

/* ---- the time that is meant ---- */

/* How much of it is yet to come. */
static int64_t time_to_wait(const struct query_reading *query)
{
	const int64_t duration_ns = (int64_t)query->request->duration_ns;

	if (query->request->at_ns)
		return query->request->at_ns + duration_ns - query->now_ns;
	if (query->request->ago_ns != SERVE_FROM_NOW)
		return duration_ns - (int64_t)query->request->ago_ns;
	return duration_ns;
}

static int settle_time(struct asked_for *asked, const struct query_reading *query,
		       uint32_t max_seconds, struct error *err)
{
	struct serve_request *request = &asked->request;
	/* The default time: all since then, or as in Go's own handler. */
	const uint64_t default_ns =
		request->ago_ns ? request->ago_ns : (uint64_t)(QUESTION_SECONDS * SECOND_NS);

	if (request->ago_ns && request->at_ns)
		return error__say(err, EXIT_USAGE, -EINVAL, "ago and at exclude each other");
	if (request->subject == SERVE_DELTA) {
		if (request->ago_ns || request->at_ns)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "a delta profile begins where this client's last one "
					  "ended; ask for a profile with ago or at instead");
		request->duration_ns = (uint64_t)query->seconds_ns;
		return 0;
	}
	request->duration_ns = query->seconds_ns ? (uint64_t)query->seconds_ns : default_ns;
	if (!request->ago_ns && !request->at_ns)
		request->ago_ns =
			request->subject == SERVE_PAGE ? request->duration_ns : SERVE_FROM_NOW;
	asked->waits = time_to_wait(query) > 0;
	if (time_to_wait(query) > (int64_t)max_seconds * SECOND_NS)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "seconds is too much: nothing waits for more than %u s",
				  max_seconds);
	return 0;
}

int question__parse(struct asked_for *asked, const char *target, uint32_t max_seconds,
		    int64_t now_ns, struct error *err)
{
	const size_t path_length = strcspn(target, "?");
	struct query_reading query = {.request = &asked->request, .now_ns = now_ns};
	char path[128];
	int code;
	uint32_t subject;

	*asked = (struct asked_for){.request.size = sizeof(asked->request)};
	code = percent__decode(target, path_length, false, path, sizeof(path));
	if (code == -EINVAL)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the path is not encoded as it should be");
	code = code ? say_unknown(path, err) : take_path(asked, path, err);
	if (!code && target[path_length])
		code = take_query(&query, target + path_length + 1, err);
	if (code)
		return code;
	if (!asked->is_index && asked->request.subject != SERVE_METRICS)
		return settle_time(asked, &query, max_seconds, err);
	/* An index and metrics have neither a choice of time nor of processes. */
	subject = asked->request.subject;
	asked->request = (struct serve_request){.size = sizeof(asked->request), .subject = subject};
	return 0;
}
