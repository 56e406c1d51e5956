// SPDX-License-Identifier: GPL-2.0-only
/*
 *	State:	S (sleeping)
 *	Uid:	1000	1000	1000	1000		real, effective, saved, of files
 *	Gid:	1000	1000	1000	1000
 *	NSpid:	4711	7				in our pid namespace, ..., in its own
 *	SigCgt:	2000000181005ccf			a bit for each signal that it catches
 *
 * A name's newlines are escaped, so a line that begins so is one of the kernel's.
 */
#include "processes/attacher_text.h"

#include <ctype.h>
#include <signal.h>

/* Parses four equal ids. */
static int parse_ids(const char *line, uint32_t *id)
{
	uint32_t ids[4];

	if (!line || sscanf(line, " %*cid: %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, &ids[0],
			    &ids[1], &ids[2], &ids[3]) != 4)
		return -EPROTO;
	for (size_t i = 1; i < 4; i++)
		if (ids[i] != ids[0])
			return -EUCLEAN;
	*id = ids[0];
	return 0;
}

/* Parses the last number of a line. */
static int parse_own_pid(const char *line, int32_t *pid)
{
	size_t length;

	if (!line)
		return -EPROTO;
	line += strlen("\nNSpid:");
	length = strcspn(line, "\n");
	while (length > 0 && !isspace((unsigned char)line[length - 1]))
		length--;
	*pid = (int32_t)strtol(line + length, NULL, 10);
	return *pid > 0 ? 0 : -EPROTO;
}

static int parse_caught(const char *line, bool *catches_quit)
{
	uint64_t caught;

	if (!line || sscanf(line, " SigCgt: %" SCNx64, &caught) != 1)
		return -EPROTO;
	*catches_quit = caught >> (SIGQUIT - 1) & 1;
	return 0;
}

static bool has_ended(const char *status)
{
	const char *line = strstr(status, "\nState:");
	char state = 0;

	return line && sscanf(line, " State: %c", &state) == 1 && (state == 'Z' || state == 'X');
}

int attach_text__target(const char *status, struct attach_target *target)
{
	int code = has_ended(status) ? -ESRCH : 0;

	if (!code)
		code = parse_ids(strstr(status, "\nUid:"), &target->uid);
	if (!code)
		code = parse_ids(strstr(status, "\nGid:"), &target->gid);
	if (!code)
		code = parse_own_pid(strstr(status, "\nNSpid:"), &target->pid);
	return code ? code : parse_caught(strstr(status, "\nSigCgt:"), &target->catches_quit);
}

bool attach_text__is_library(const char *path)
{
	static const char library[] = "libjvm.so";
	const char *slash = strrchr(path, '/'), *rest;

	if (!slash || strncmp(slash + 1, library, strlen(library)))
		return false;
	rest = slash + 1 + strlen(library);
	return !*rest || !strcmp(rest, " (deleted)");
}

int attach_text__verdict(const char *answer, size_t length)
{
	const char *newline = memchr(answer, '\n', length);
	const size_t nr_digits = newline ? (size_t)(newline - answer) : length;
	size_t i;

	for (i = 0; i < nr_digits; i++)
		if (!isdigit((unsigned char)answer[i]) && (i || nr_digits == 1 || answer[i] != '-'))
			return -EBADMSG;
	if (!nr_digits)
		return -EBADMSG;
	return nr_digits == 1 && *answer == '0' ? 0 : -ENOTSUP;
}
