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

#include "processes/procfs.h"

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

int attach_text__target(const char *status, struct attach_target *target)
{
	const char *state = strstr(status, "\nState:"), *signals = strstr(status, "\nSigCgt:");
	uint64_t caught;
	char letter;
	int code;

	if (state && sscanf(state, " State: %c", &letter) == 1 && (letter == 'Z' || letter == 'X'))
		return -ESRCH;
	code = parse_ids(strstr(status, "\nUid:"), &target->uid);
	if (!code)
		code = parse_ids(strstr(status, "\nGid:"), &target->gid);
	if (code)
		return code;
	target->pid = procfs__own_pid(status);
	if (target->pid <= 0 || !signals || sscanf(signals, " SigCgt: %" SCNx64, &caught) != 1)
		return -EPROTO;
	target->catches_quit = caught >> (SIGQUIT - 1) & 1;
	return 0;
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
