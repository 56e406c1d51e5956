// SPDX-License-Identifier: GPL-2.0-only
#include "front/answer.h"

#include <string.h>
#include <sys/stat.h>

/* Clients that are told to come again do so in seconds; a scraper takes it as its next turn. */
#define RETRY_SECONDS "5"

struct answer_header {
	const char *name, *value;
};

static const struct answer_header of_all[] = {
	{"Cache-Control", "no-store"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Frame-Options", "DENY"},
	{0},
};

/* Go's pprof shows the sentence only with both. */
static const struct answer_header of_errors[] = {
	{"Content-Type", "text/plain; charset=utf-8"},
	{"X-Go-Pprof", "1"},
	{0},
};

static const struct answer_header of_index[] = {
	{"Content-Type", "text/html; charset=utf-8"},
	{"Content-Security-Policy", "default-src 'none'"},
	{0},
};

static const struct answer_header of_profiles[] = {
	{"Content-Type", "application/octet-stream"},
	{"Content-Disposition", "attachment; filename=\"profile\""},
	{0},
};

static const struct answer_header of_subjects[SERVE_SUBJECTS][2] = {
	[SERVE_PAGE] = {{"Content-Type", "text/html; charset=utf-8"}},
	[SERVE_METRICS] = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
};

static const struct answer_header of_statuses[] = {
	{"WWW-Authenticate", "Basic realm=\"topstacks\", charset=\"UTF-8\""},
	{"WWW-Authenticate", "Bearer realm=\"topstacks\""},
	{0},
};

static void add(struct MHD_Response *response, const struct answer_header *headers)
{
	for (; headers->name; headers++)
		MHD_add_response_header(response, headers->name, headers->value);
}

static struct MHD_Response *make_from_file(struct reply *reply, uint64_t *nr_bytes)
{
	struct MHD_Response *response;
	struct stat status;

	if (fstat(reply->file, &status) || status.st_size < 0)
		return NULL;
	*nr_bytes = (uint64_t)status.st_size;
	response = MHD_create_response_from_fd64(*nr_bytes, reply->file);
	if (!response)
		return NULL;
	reply->file = -1; /* the response closes it */
	if (reply->subject == SERVE_PROFILE || reply->subject == SERVE_DELTA)
		add(response, of_profiles);
	else if (reply->subject < SERVE_SUBJECTS)
		add(response, of_subjects[reply->subject]);
	return response;
}

/* The list of endpoints, for people. The sampler tells which events are sampled. */
static const char index_page[] =
	"<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>topstacks</title>\n<ul>\n"
	"<li><a href=\"/\">/</a>: flame graph of what was sampled last\n"
	"<li><a href=\"/debug/pprof/profile?ago=30s&amp;seconds=30\">/debug/pprof/profile</a>: "
	"pprof profile, "
	"of the seconds=N that follow, or of a time that is kept: ago=5m or at=14:03:10; "
	"of comm=, pid=, container= or cgroup= alone\n"
	"<li>/debug/pprof/delta_profile?client=NAME: what came since the last visit of NAME\n"
	"<li>/debug/pprof/EVENT: another event that is sampled, as off-cpu or page-faults\n"
	"<li><a href=\"/metrics\">/metrics</a>: what became of all samples, for "
	"Prometheus\n</ul>\n";

static struct MHD_Response *make_index(uint64_t *nr_bytes)
{
	struct MHD_Response *response;

	*nr_bytes = sizeof(index_page) - 1;
	response = MHD_create_response_from_buffer(*nr_bytes, (void *)index_page,
						   MHD_RESPMEM_PERSISTENT);
	if (response)
		add(response, of_index);
	return response;
}

/* A sentence is a line. */
static struct MHD_Response *make_from_text(struct reply *reply, uint64_t *nr_bytes)
{
	struct MHD_Response *response;
	const size_t length = strnlen(reply->text, sizeof(reply->text) - 1);

	reply->text[length] = '\n';
	*nr_bytes = length + 1;
	response = MHD_create_response_from_buffer(length + 1, reply->text, MHD_RESPMEM_MUST_COPY);
	if (response)
		add(response, of_errors);
	return response;
}

static struct MHD_Response *make(struct reply *reply, uint64_t *nr_bytes)
{
	if (reply->file >= 0)
		return make_from_file(reply, nr_bytes);
	return reply->status == 200 ? make_index(nr_bytes) : make_from_text(reply, nr_bytes);
}

enum MHD_Result answer__queue(struct client *client)
{
	struct reply *reply = &client->reply;
	struct MHD_Response *response;
	enum MHD_Result result;
	uint64_t nr_bytes = 0;
	const unsigned int status = reply->status;

	response = make(reply, &nr_bytes);
	if (!response)
		return MHD_NO;
	add(response, of_all);
	if (status == 401)
		add(response, of_statuses);
	if (status == 405)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	if (status == 503)
		MHD_add_response_header(response, "Retry-After", RETRY_SECONDS);
	if (status == 413 || client->is_surplus)
		MHD_add_response_header(response, "Connection", "close");
	client__take(client, nr_bytes);
	result = MHD_queue_response(client->connection, reply->status, response);
	MHD_destroy_response(response);
	return result;
}
