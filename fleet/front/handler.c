// SPDX-License-Identifier: GPL-2.0-only
/*
 * A TCP client whose token the sampler has not accepted learns nothing, not even that a path does
 * not exist: our own answers wait until the token was checked.
 */
#include "front/handler.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "front/host.h"
#include "front/question.h"
#include "front/token.h"

struct message_head {
	const char *host, *authorization, *origin, *site; /* NULL: not in the head */
	bool has_twice;					  /* a header that must be unique */
};

static void set_reply(struct reply *reply, unsigned int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_reply(struct reply *reply, unsigned int status, const char *format, ...)
{
	va_list arguments;

	*reply = (struct reply){.status = status, .file = -1};
	va_start(arguments, format);
	vsnprintf(reply->text, sizeof(reply->text), format, arguments);
	va_end(arguments);
}

/* ---- the head ---- */

static void keep_once(struct message_head *head, const char **kept, const char *value)
{
	head->has_twice |= *kept != NULL;
	*kept = value ? value : "";
}

static enum MHD_Result read_header(void *context, enum MHD_ValueKind kind, const char *name,
				   const char *value)
{
	struct message_head *head = context;

	(void)kind;
	if (!strcasecmp(name, "Host"))
		keep_once(head, &head->host, value);
	else if (!strcasecmp(name, "Authorization"))
		keep_once(head, &head->authorization, value);
	else if (!strcasecmp(name, "Origin"))
		keep_once(head, &head->origin, value);
	else if (!strcasecmp(name, "Sec-Fetch-Site"))
		keep_once(head, &head->site, value);
	return MHD_YES;
}

static bool is_foreign(const struct message_head *head)
{
	if (head->site && strcasecmp(head->site, "same-origin") != 0 &&
	    strcasecmp(head->site, "none") != 0)
		return true;
	return head->origin && (!head->host || !host__is_origin(head->origin, head->host));
}

/* Old clients send no Host, browsers always do. */
static bool is_for_us(const struct client *client, const struct message_head *head)
{
	if (client->listener == SERVE_UNIX || !head->host)
		return true;
	return host__is_ours(head->host, client->listener == SERVE_TLS);
}

/* Whether the request may go on. */
static bool check_head(struct client *client, const struct message_head *head)
{
	struct reply *reply = &client->reply;

	if (client->is_surplus)
		set_reply(reply, 503, "too many clients are connected; come again later");
	else if (head->has_twice)
		set_reply(reply, 400, "a header is there twice that may be there once");
	else if (!is_for_us(client, head))
		set_reply(reply, 421,
			  "Host names another machine; ask for localhost or for an address");
	else if (is_foreign(head))
		set_reply(reply, 403, "a web page of another site has sent this");
	return !reply->status;
}

/*
 * The kernel identifies a client on a unix socket; a client that sends a token there wants more
 * rights.
 */
static bool take_token(struct client *client, const struct message_head *head,
		       struct serve_request *request)
{
	const char *text = head->authorization;

	if (text ? !token__take(text, request->token, sizeof(request->token))
		 : client->listener == SERVE_UNIX)
		return true;
	set_reply(&client->reply, 401,
		  "it takes the token of the file that serve was given with --token-file; send "
		  "it as \"Authorization: Bearer ...\", or as the password of Basic");
	return false;
}

/* ---- the question ---- */

/* Our own answer, if the sampler is not needed. */
static void find_own(const struct handler *handler, struct client *client, const char *method,
		     struct asked_for *asked)
{
	const int64_t now_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	struct error err = {0};
	int code;

	code = question__parse(asked, client->target ? client->target : "", handler->max_seconds,
			       now_ns, &err);
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		set_reply(&client->own, 405, "only GET and HEAD are answered");
	else if (code)
		set_reply(&client->own, code == -ENOENT ? 404 : 400, "%s", err.text);
	else if (asked->is_index)
		set_reply(&client->own, 200, "%s", "");
	else if (asked->request.subject == SERVE_DELTA && strcmp(method, "GET") != 0)
		set_reply(&client->own, 405,
			  "a delta profile is for GET alone, as asking for it is a visit");
}

/* Has the sampler check the token, with a request for metrics, as that is cheap. */
static void ask_for_token_alone(struct serve_request *request)
{
	struct serve_request alone = {.size = sizeof(alone), .subject = SERVE_METRICS};

	memcpy(alone.token, request->token, sizeof(alone.token));
	*request = alone;
	explicit_bzero(&alone, sizeof(alone));
}

static void ask(const struct handler *handler, struct client *client, struct asked_for *asked)
{
	asked->request.uid = client->peer.uid;
	client->reply.subject = asked->request.subject;
	switch (requests__ask(handler->requests, client, &asked->request)) {
	case 0:
		client__wait(client, asked->waits);
		break;
	case -EBUSY:
		set_reply(&client->reply, 503, "too many requests are under way; come again later");
		break;
	default:
		set_reply(&client->reply, 503, "the sampler is busy; come again later");
	}
}

void handler__decide(const struct handler *handler, struct client *client, const char *method)
{
	struct serve_request with_token = {0};
	struct asked_for asked;
	struct message_head head = {0};

	MHD_get_connection_values(client->connection, MHD_HEADER_KIND, read_header, &head);
	if (!check_head(client, &head) || !take_token(client, &head, &with_token))
		return;
	find_own(handler, client, method, &asked);
	memcpy(asked.request.token, with_token.token, sizeof(asked.request.token));
	explicit_bzero(&with_token, sizeof(with_token));
	if (client->own.status && client->listener == SERVE_UNIX)
		client->reply = client->own;
	if (client->own.status && client->listener != SERVE_UNIX) {
		ask_for_token_alone(&asked.request);
		asked.waits = false;
	}
	if (!client->reply.status)
		ask(handler, client, &asked);
	explicit_bzero(&asked, sizeof(asked));
}

bool handler__has_body(struct MHD_Connection *connection)
{
	const char *length =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding") ||
	       (length && strspn(length, "0") != strlen(length));
}

void handler__refuse_body(struct client *client)
{
	set_reply(&client->reply, 413, "a request has no body here");
}

void handler__answer(struct client *client, const struct reply *reply)
{
	const uint32_t subject = client->reply.subject;

	client->reply = *reply;
	client->reply.subject = subject;
	if (!client->own.status || reply->status == 401)
		return;
	if (reply->file >= 0)
		close(reply->file);
	client->reply = client->own;
}
