// SPDX-License-Identifier: GPL-2.0-only
/*
 *	HTTP/1.0 404 Not Found
 *	Content-Type: text/plain; charset=utf-8
 *	Content-Length: 34
 *
 *	only the last 15 minutes are kept
 */
#include "serve/http_answer.h"

#include <strings.h>

#define MAX_HEAD_BYTES 16384
#define MAX_SENTENCE   300

struct answer_head {
	bool is_text;
	bool is_encoded; /* chunked or compressed */
	bool has_length, is_bad;
	size_t length; /* of the body */
};

static int refuse(struct error *err, const char *why)
{
	return error__say(err, EXIT_SYSTEM, -EPROTO, "the answer of topstacks serve %s", why);
}

/* The line feed at the end of a line; NULL: there is none. */
static const char *line_end(const char *line, const char *end)
{
	return memchr(line, '\n', (size_t)(end - line));
}

static size_t line_length(const char *line, const char *end)
{
	size_t length = (size_t)(end - line);

	return length && line[length - 1] == '\r' ? length - 1 : length;
}

/* The value of the field if it has this name, or NULL; *length becomes the value's length. */
static const char *field_value(const char *line, size_t *length, const char *name)
{
	size_t name_length = strlen(name);

	if (*length <= name_length || line[name_length] != ':' ||
	    strncasecmp(line, name, name_length) != 0)
		return NULL;
	line += name_length + 1;
	*length -= name_length + 1;
	while (*length && (*line == ' ' || *line == '\t')) {
		line++;
		--*length;
	}
	return line;
}

/* Parses digits only; more than 15 of them are refused. */
static bool parse_length(const char *text, size_t length, size_t *value)
{
	*value = 0;
	if (!length || length > 15)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*value = *value * 10 + (size_t)(text[i] - '0');
	}
	return true;
}

static void read_field(struct answer_head *head, const char *line, size_t length)
{
	size_t left = length;
	const char *value = field_value(line, &left, "Content-Length");
	size_t number;

	if (value) {
		head->is_bad |= !parse_length(value, left, &number) ||
				(head->has_length && number != head->length);
		head->has_length = true;
		head->length = number;
		return;
	}
	left = length;
	value = field_value(line, &left, "Content-Type");
	if (value)
		head->is_text = left >= 10 && !strncasecmp(value, "text/plain", 10);
	left = length;
	value = field_value(line, &left, "Transfer-Encoding");
	left = value ? left : length;
	if (!value)
		value = field_value(line, &left, "Content-Encoding");
	if (value)
		head->is_encoded |= left != 8 || strncasecmp(value, "identity", 8) != 0;
}

/* Parses "HTTP/1.1 200 OK". */
static bool parse_status(struct http_answer *answer, const char *line, size_t length)
{
	size_t nr_bytes;

	if (length < 12 || memcmp(line, "HTTP/1.", 7) != 0 || line[8] != ' ')
		return false;
	for (size_t i = 9; i < 12; i++)
		if (line[i] < '0' || line[i] > '9')
			return false;
	answer->status =
		(unsigned int)((line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0'));
	nr_bytes = length > 13 ? length - 13 : 0;
	if (nr_bytes >= sizeof(answer->reason))
		nr_bytes = sizeof(answer->reason) - 1;
	memcpy(answer->reason, line + length - (length > 13 ? length - 13 : 0), nr_bytes);
	answer->reason[nr_bytes] = '\0';
	return length == 12 || line[12] == ' ';
}

int http_answer__parse(struct http_answer *answer, const char *bytes, size_t nr_bytes,
		       struct error *err)
{
	const char *end = bytes + nr_bytes;
	const char *head_end = nr_bytes > MAX_HEAD_BYTES ? bytes + MAX_HEAD_BYTES : end;
	const char *stop = nr_bytes ? line_end(bytes, head_end) : NULL, *line;
	struct answer_head head = {0};

	*answer = (struct http_answer){0};
	if (!nr_bytes)
		return refuse(err, "was nothing at all");
	if (!stop || !parse_status(answer, bytes, line_length(bytes, stop)))
		return refuse(err, "is no HTTP: something else listens there");
	/* The fields go up to the empty line. */
	for (line = stop + 1; (stop = line_end(line, head_end)) && line_length(line, stop);
	     line = stop + 1)
		read_field(&head, line, line_length(line, stop));
	if (!stop)
		return refuse(err, "was cut off");
	answer->body = stop + 1;
	answer->nr_bytes = (size_t)(end - answer->body);
	answer->is_text = head.is_text;
	if (head.is_bad || head.is_encoded)
		return refuse(err, "is in a form that was not asked for");
	if (head.has_length && answer->nr_bytes < head.length)
		return refuse(err, "was cut off");
	if (head.has_length)
		answer->nr_bytes = head.length;
	return 0;
}

/* Says the first line of the body, if it is text, after the status and its reason. */
int http_answer__refuse(const struct http_answer *answer, struct error *err)
{
	const enum exit_code exit_code = answer->status == 401	 ? EXIT_SYSTEM
					 : answer->status >= 500 ? EXIT_INTERNAL
								 : EXIT_USAGE;
	const size_t length = answer->nr_bytes < MAX_SENTENCE ? answer->nr_bytes : MAX_SENTENCE;
	char *line = xstrndup(answer->body, answer->is_text ? length : 0);
	char *reason = text__safe_copy(answer->reason), *sentence;

	line[strcspn(line, "\r\n")] = '\0';
	sentence = text__safe_copy(line);
	error__say(err, exit_code, -EREMOTEIO, "topstacks serve answers %u%s%s%s%s", answer->status,
		   reason && *reason ? " " : "", reason ? reason : "",
		   sentence && *sentence ? ": " : "", sentence ? sentence : "");
	free(sentence);
	free(line);
	free(reason);
	return -EREMOTEIO;
}
