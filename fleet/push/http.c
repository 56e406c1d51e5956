// SPDX-License-Identifier: GPL-2.0-only
#include "push/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/system/secret.h"

#define CONNECT_S     10L
#define MAX_HEADERS   (64 << 10)
#define MAX_RETRY_S   3600.0
#define AUTHORIZATION "Authorization: Bearer "

#define MAX_TOKEN 4096

struct push_http {
	CURL *curl;
	struct curl_slist *headers;
	char *url;
	char token[MAX_TOKEN];
	bool (*should_stop)(void *context);
	void *context;

	/* The request under way fills these. */
	struct push_answer *answer;
	char retry_after[128], date[128];
	size_t nr_header_bytes;
	bool is_too_long;
	char error[CURL_ERROR_SIZE];
};

/* ---- what comes in ---- */

static size_t take_bytes(char *bytes, size_t size, size_t nr, void *context)
{
	struct push_http *http = context;
	struct push_answer *answer = http->answer;

	if (size * nr > ANSWER_BYTES - answer->nr_bytes) {
		http->is_too_long = true;
		return 0;
	}
	memcpy(answer->bytes + answer->nr_bytes, bytes, size * nr);
	answer->nr_bytes += size * nr;
	return size * nr;
}

/* The value of a header of this name, cut to size; empty if it is another header. */
static void take_value(const char *line, size_t length, const char *name, char *value, size_t size)
{
	const size_t name_length = strlen(name);

	if (length <= name_length || strncasecmp(line, name, name_length) != 0)
		return;
	line += name_length;
	length -= name_length;
	while (length && (*line == ' ' || *line == '\t'))
		line++, length--;
	while (length &&
	       (line[length - 1] == '\r' || line[length - 1] == '\n' || line[length - 1] == ' '))
		length--;
	snprintf(value, size, "%.*s", (int)length, line);
}

static size_t take_header(char *bytes, size_t size, size_t nr, void *context)
{
	struct push_http *http = context;

	http->nr_header_bytes += size * nr;
	if (http->nr_header_bytes > MAX_HEADERS)
		return 0;
	take_value(bytes, size * nr, "Retry-After:", http->retry_after, sizeof(http->retry_after));
	take_value(bytes, size * nr, "Date:", http->date, sizeof(http->date));
	return size * nr;
}

static int look_for_stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct push_http *http = context;

	(void)a, (void)b, (void)c, (void)d;
	http->answer->was_interrupted = http->should_stop(http->context);
	return http->answer->was_interrupted;
}

/* Seconds, or a date, which is compared with the server's own: our clock may be another. */
static double retry_after(const struct push_http *http)
{
	char *end;
	double seconds;
	time_t then, now;

	if (!*http->retry_after)
		return -1;
	if (strspn(http->retry_after, "0123456789") == strlen(http->retry_after)) {
		seconds = strtod(http->retry_after, &end);
	} else {
		then = curl_getdate(http->retry_after, NULL);
		now = *http->date ? curl_getdate(http->date, NULL) : time(NULL);
		if (then < 0 || now < 0)
			return -1;
		seconds = difftime(then, now);
	}
	return seconds < 0 ? 0 : seconds > MAX_RETRY_S ? MAX_RETRY_S : seconds;
}

/* ---- what goes out ---- */

/* Names may resolve to any address, so plain http is only allowed to addresses of this machine. */
static curl_socket_t open_loopback(void *context, curlsocktype purpose,
				   struct curl_sockaddr *address)
{
	const struct sockaddr_in *in = (const void *)&address->addr;
	const struct sockaddr_in6 *in6 = (const void *)&address->addr;

	(void)context, (void)purpose;
	if (address->family == AF_INET
		    ? ntohl(in->sin_addr.s_addr) >> 24 != 127
		    : address->family != AF_INET6 || !IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr))
		return CURL_SOCKET_BAD;
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static bool add_header(struct push_http *http, const char *format, const char *text)
{
	char *header = NULL;
	struct curl_slist *longer = NULL;

	if (asprintf(&header, format, text) >= 0)
		longer = curl_slist_append(http->headers, header);
	free(header);
	if (longer)
		http->headers = longer;
	return longer;
}

static bool add_headers(struct push_http *http, const struct push_options *options,
			const struct push_target *target)
{
	bool is_fine = add_header(http, "Content-Type: %s", target->content_type) &&
		       add_header(http, "%s", "Expect:"); /* no pause before the body */

	if (target->encoding)
		is_fine = is_fine && add_header(http, "Content-Encoding: %s", target->encoding);
	if (target->header)
		is_fine = is_fine && add_header(http, "%s", target->header);
	if (options->tenant)
		is_fine = is_fine && add_header(http, "X-Scope-OrgID: %s", options->tenant);
	if (*http->token && !options->user)
		is_fine = is_fine && add_header(http, AUTHORIZATION "%s", http->token);
	return is_fine;
}

static void set_up(struct push_http *http, const struct push_options *options, bool is_plain)
{
	CURL *curl = http->curl;

	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(options->timeout_s * 1000));
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	if (options->ca)
		curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca);
	if (options->ca)
		curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);

	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, http);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, http);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_for_stop);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, http);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->error);

	curl_easy_setopt(curl, CURLOPT_URL, http->url);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "topstacks-push/" TOPSTACKS_VERSION);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, http->headers);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	if (options->user) {
		curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		curl_easy_setopt(curl, CURLOPT_USERNAME, options->user);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, http->token);
	}
	if (is_plain) {
		curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
		curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_loopback);
	}
}

static int check_options(const struct push_options *options, struct error *err)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789!-_.*'()";

	if (options->tenant && options->tenant[strspn(options->tenant, allowed)])
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a tenant is made of letters, digits and !-_.*'()");
	if (options->user && strpbrk(options->user, ":\r\n"))
		return error__say(err, EXIT_USAGE, -EINVAL, "a user's name has no colon");
	if (options->ca && access(options->ca, R_OK))
		return error__set(err, EXIT_USAGE, -errno, "cannot read the certificates of --ca");
	return 0;
}

static int open_curl(struct push_http *http, const struct push_options *options,
		     const struct push_target *target, struct error *err)
{
	bool is_plain = false;
	int code = check_options(options, err);

	if (!code && options->token_file)
		code = secret__read_named(options->token_file, http->token, sizeof(http->token),
					  err);
	if (!code)
		code = target__url(target, options->to, &http->url, &is_plain, err);
	if (code)
		return code;
	http->curl = curl_easy_init();
	if (!http->curl || !add_headers(http, options, target))
		return memory__error(err);
	set_up(http, options, is_plain);
	return 0;
}

int http__open(struct push_http **opened, const struct push_options *options,
	       const struct push_target *target, bool (*should_stop)(void *context), void *context,
	       struct error *err)
{
	struct push_http *http = xcalloc(1, sizeof(*http));

	*opened = http;
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return memory__error(err);
	http->should_stop = should_stop;
	http->context = context;
	return open_curl(http, options, target, err);
}

void http__close(struct push_http *http)
{
	if (!http)
		return;
	curl_easy_cleanup(http->curl);
	curl_slist_free_all(http->headers);
	explicit_bzero(http->token, sizeof(http->token));
	free(http->url);
	free(http);
	curl_global_cleanup();
}

/*
 * An answer that is too long was given all the same: its status says what became of the request. So
 * does a refusal that was cut off, as it is by servers that do not read all of what is too large.
 * But that something was taken is said by a whole answer alone.
 */
static void judge(struct push_http *http, CURLcode result)
{
	struct push_answer *answer = http->answer;
	long request_bytes = 0, status = 0;

	curl_easy_getinfo(http->curl, CURLINFO_REQUEST_SIZE, &request_bytes);
	curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &status);
	answer->bytes[answer->nr_bytes] = '\0';
	if (result == CURLE_OK || http->is_too_long || status >= 400) {
		answer->status = status;
		answer->retry_after_s = retry_after(http);
		return;
	}
	answer->may_have_arrived = request_bytes > 0;
	snprintf(answer->why, sizeof(answer->why), "%s",
		 *http->error ? http->error : curl_easy_strerror(result));
}

void http__post(struct push_http *http, const void *bytes, size_t nr_bytes,
		struct push_answer *answer)
{
	*answer = (struct push_answer){.retry_after_s = -1};
	http->answer = answer;
	http->is_too_long = false;
	http->nr_header_bytes = 0;
	*http->retry_after = *http->date = *http->error = '\0';
	curl_easy_setopt(http->curl, CURLOPT_POSTFIELDS, bytes);
	curl_easy_setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)nr_bytes);
	judge(http, curl_easy_perform(http->curl));
}
