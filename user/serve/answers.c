// SPDX-License-Identifier: GPL-2.0-only
#include "serve/answers.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/formats.h"
#include "serve/gather.h"

enum http_status {
	HTTP_OK = 200,
	HTTP_BAD = 400,
	HTTP_UNKNOWN_CALLER = 401,
	HTTP_NOT_FOUND = 404,
	HTTP_FAILED = 503,
};

/* ---- permissions of clients ---- */

enum sight {
	SIGHT_NONE,
	SIGHT_OWN, /* samples of the caller's processes */
	SIGHT_ALL,
};

/* Compares the token in a time that does not depend on how much of it is right. */
static bool is_token(const char *token, const char *given, size_t size)
{
	unsigned char difference = 0;
	bool is_over = false;

	for (size_t i = 0; i < size; i++) {
		const unsigned char wanted = is_over ? 0 : (unsigned char)token[i];

		is_over |= !wanted;
		difference |= wanted ^ (unsigned char)given[i];
	}
	return !difference && is_over;
}

static enum sight sight_of(const struct answers *answers, const struct serve_request *request)
{
	if (request->token[0])
		return is_token(answers->token, request->token, sizeof(request->token))
			       ? SIGHT_ALL
			       : SIGHT_NONE;
	return request->uid == SERVE_NO_UID ? SIGHT_NONE : SIGHT_OWN;
}

/* ---- answers without a file ---- */

static void __attribute__((format(printf, 4, 5)))
say(struct counters *counters, struct serve_answer *answer, enum http_status status,
    const char *format, ...)
{
	va_list arguments;

	answer->status = status;
	va_start(arguments, format);
	vsnprintf(answer->text, sizeof(answer->text), format, arguments);
	va_end(arguments);
	counters__count_request(counters, status == HTTP_FAILED ? OUTCOME_FAILED : OUTCOME_REFUSED);
}

int answers__check(const struct answers *answers, const struct serve_request *request,
		   struct serve_answer *answer)
{
	*answer = (struct serve_answer){.number = request->number};
	if (sight_of(answers, request) == SIGHT_NONE)
		say(answers->counters, answer, HTTP_UNKNOWN_CALLER,
		    request->token[0] ? "this is not the token"
				      : "a token is needed: Authorization: Bearer TOKEN");
	else if (request->event[0] && !counters__know(answers->counters, request->event))
		say(answers->counters, answer, HTTP_NOT_FOUND, "%.63s is not sampled here",
		    request->event);
	else if (request->subject > SERVE_METRICS)
		say(answers->counters, answer, HTTP_BAD, "there is no such subject");
	else if (request->subject == SERVE_DELTA && !request->client[0])
		say(answers->counters, answer, HTTP_BAD, "whose visit? client=NAME is missing");
	return answer->status ? -EINVAL : 0;
}

/* ---- the time ---- */

static struct visitor *visitor_of(struct answers *answers, const struct serve_request *request)
{
	const uint32_t uid = sight_of(answers, request) == SIGHT_ALL ? SERVE_NO_UID : request->uid;

	return visits__find(&answers->visits, uid, request->client);
}

struct span answers__span(struct answers *answers, const struct serve_request *request,
			  uint64_t now_ns)
{
	const struct visitor *visitor;
	const int64_t length_ns = (int64_t)request->duration_ns;
	const int64_t ago_ns = (int64_t)request->ago_ns, now = (int64_t)now_ns;

	if (request->subject == SERVE_DELTA) {
		visitor = visitor_of(answers, request);
		return (struct span){visitor ? (int64_t)visitor->until_ns : now, now, false};
	}
	if (request->at_ns)
		return (struct span){request->at_ns, request->at_ns + length_ns, true};
	if (request->ago_ns == SERVE_FROM_NOW)
		return (struct span){now, now + length_ns, false};
	if (!length_ns)
		return (struct span){now - ago_ns, now, false};
	return (struct span){now - ago_ns, now - ago_ns + length_ns, false};
}

/* ---- bodies ---- */

/* The choice that a request makes besides the time; its lists are borrowed. */
struct wish {
	char *comm, *cgroup, *container;
	struct choice choice;
	struct gathering gathering;
};

static struct name_list list_of(char **name)
{
	return (struct name_list){name, **name != '\0'};
}

static void understand(const struct answers *answers, const struct serve_request *request,
		       struct wish *wanted)
{
	wanted->comm = (char *)request->comm;
	wanted->cgroup = (char *)request->cgroup;
	wanted->container = (char *)request->container;
	wanted->choice = (struct choice){
		.pid = request->pid,
		.comms = list_of(&wanted->comm),
		.cgroups = list_of(&wanted->cgroup),
		.containers = list_of(&wanted->container),
	};
	wanted->gathering = (struct gathering){
		.choice = &wanted->choice,
		.owner = SERVE_NO_UID,
		.event = request->event,
		.all_events = request->with_slices,
		.slice_ns = request->with_slices ? answers->slice_ns : 0,
		.facts = answers->facts,
	};
	if (sight_of(answers, request) != SIGHT_OWN)
		return;
	wanted->gathering.owner = request->uid;
	wanted->gathering.with_kernel = !kernel_secrets__are_kept();
}

/* Seals the file in memory against changes, and returns it; -1: writing failed. */
static int seal(FILE *out, int file)
{
	const bool failed = ferror(out) != 0;

	if (fclose(out) || failed || lseek(file, 0, SEEK_SET) ||
	    fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(file);
		return -1;
	}
	return file;
}

static FILE *open_memory(int *file)
{
	int copy;
	FILE *out;

	*file = memfd_create("topstacks-answer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	copy = *file < 0 ? -1 : fcntl(*file, F_DUPFD_CLOEXEC, 0);
	out = copy < 0 ? NULL : fdopen(copy, "w");
	if (out)
		return out;
	if (copy >= 0)
		close(copy);
	if (*file >= 0)
		close(*file);
	return NULL;
}

/*
 * Writes totals, a profile or a page to a new memfd, which is sealed against changes. recording:
 * NULL for totals. The page offers choices of time. 0 or negative errno.
 */
static int write_body(struct answers *answers, const struct serve_request *request,
		      const struct recording *recording, int *file)
{
	const uint32_t uid = sight_of(answers, request) == SIGHT_ALL ? SERVE_NO_UID : request->uid;
	struct flame_time_line line;
	struct flame_slice *slices = NULL;
	FILE *out = open_memory(file);
	int code;

	if (!out)
		return -ENOMEM;
	if (!recording) {
		const struct store_facts facts = store__facts(answers->store);

		code = counters__write(out, answers->counters, &facts);
	} else if (request->subject == SERVE_PAGE) {
		time_line__make(answers->store, uid, recording, &line, &slices);
		code = html__write(out, recording, &(struct write_options){.time_line = &line});
	} else {
		code = pprof__write(out, recording, &(struct write_options){0});
	}
	free(slices);
	*file = seal(out, *file);
	return code ? code : *file < 0 ? -EIO : 0;
}

static void add_words(FILE *out, const char *what, const char *name)
{
	if (*name)
		fprintf(out, "%s%s%s", ftell(out) ? ", " : "", what, name);
}

/*
 * Names the part of the samples that is chosen: "processes called nginx, in the container web". 0
 * or -ENOMEM.
 */
static int name_part(const struct serve_request *request, struct recording *recording)
{
	char words[768] = "", pid[16] = "";
	FILE *out = fmemopen(words, sizeof(words), "w");

	if (!out)
		return -ENOMEM;
	if (request->pid)
		snprintf(pid, sizeof(pid), "%u", request->pid);
	add_words(out, "process ", pid);
	add_words(out, "processes called ", request->comm);
	add_words(out, "processes in the container ", request->container);
	add_words(out, "processes in the cgroup ", request->cgroup);
	fclose(out);
	for (; *words && recording; recording = recording->more)
		recording->facts[FACT_TARGET] = recording__keep(recording, words);
	return 0;
}

static int make_profile(struct answers *answers, const struct serve_request *request,
			const struct span *span, int *file, struct error *err)
{
	const uint64_t from_ns = (uint64_t)span->from_ns;
	struct recording recording;
	struct visitor *visitor;
	struct slices slices;
	struct wish wanted;
	int code;

	store__hold(answers->store, span, &slices);
	understand(answers, request, &wanted);
	code = gather(answers->store, &slices, &wanted.gathering, &recording, err);
	if (!code) {
		code = name_part(request, &recording);
		/* The gap between the client's last visit and the oldest kept slice. */
		if (request->subject == SERVE_DELTA && from_ns &&
		    slices.list[0]->start_ns > from_ns)
			recording.gap_ns = slices.list[0]->start_ns - from_ns;
		if (!code)
			code = write_body(answers, request, &recording, file);
		recording__fini(&recording);
	}
	/* A visit counts only once there is an answer. */
	if (!code && request->subject == SERVE_DELTA) {
		visitor = visitor_of(answers, request);
		if (visitor)
			visits__offer(&answers->visits, visitor, request->number,
				      slices.list[slices.nr - 1]->end_ns);
	}
	store__let_go(answers->store, &slices);
	return code;
}

void answers__make(struct answers *answers, const struct serve_request *request,
		   const struct span *span, struct serve_answer *answer, int *file)
{
	struct error err = {0};
	char reach[64];
	int code;

	*file = -1;
	if (answers__check(answers, request, answer))
		return;
	if (request->subject == SERVE_DELTA && !visitor_of(answers, request)) {
		say(answers->counters, answer, HTTP_BAD,
		    "there are %d clients of other names already", MOST_VISITORS);
		return;
	}
	code = request->subject == SERVE_METRICS ? write_body(answers, request, NULL, file)
						 : make_profile(answers, request, span, file, &err);
	text__format_duration(reach, sizeof(reach), store__facts(answers->store).reach_ns);
	if (!code) {
		answer->status = HTTP_OK;
		counters__count_request(answers->counters, OUTCOME_ANSWERED);
	} else if (code == -ENODATA) {
		say(answers->counters, answer, HTTP_NOT_FOUND,
		    "nothing is kept of that time: the past reaches back %s", reach);
	} else if (code == -ENOENT) {
		say(answers->counters, answer, HTTP_NOT_FOUND, "%.63s is not sampled here",
		    request->event);
	} else if (code == -EINVAL) {
		say(answers->counters, answer, HTTP_BAD, "%.200s", err.text);
	} else {
		say(answers->counters, answer, HTTP_FAILED, "no profile could be made: %.64s",
		    strerror(-code));
	}
}

int answers__gather(struct answers *answers, const struct span *span, bool with_slices,
		    struct recording *recording)
{
	static const struct choice all;
	const struct gathering wanted = {
		.choice = &all,
		.owner = SERVE_NO_UID,
		.event = "",
		.all_events = true,
		.slice_ns = with_slices ? answers->slice_ns : 0,
		.facts = answers->facts,
	};
	struct error err = {0};
	struct slices slices;
	int code;

	store__hold(answers->store, span, &slices);
	code = gather(answers->store, &slices, &wanted, recording, &err);
	store__let_go(answers->store, &slices);
	return code;
}

void answers__fini(struct answers *answers)
{
	visits__fini(&answers->visits);
}
