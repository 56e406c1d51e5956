// SPDX-License-Identifier: GPL-2.0-only
#include "capture/iterate.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/rights.h"

#define BUFFER_BYTES 16384 /* on the stack, which ulimit may have made small */

/* Hands out the whole records of a buffer; what is left over moves to its front. */
static int visit_records(char *buffer, size_t *filled, size_t record_bytes,
			 int (*visit)(void *context, const void *record), void *context)
{
	size_t position = 0;
	int code = 0;

	for (; !code && *filled - position >= record_bytes; position += record_bytes)
		code = visit(context, buffer + position);
	*filled -= position;
	memmove(buffer, buffer + position, *filled);
	return code;
}

static struct bpf_link *link_to(const struct bpf_program *program, union bpf_iter_link_info *info)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = info,
		    .link_info_len = sizeof(*info));
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_link *link = bpf_program__attach_iter(program, info ? &options : NULL);

	rights__restore(before);
	return link;
}

struct bpf_link *iterate__link(const struct bpf_program *program, int map)
{
	union bpf_iter_link_info info = {.map.map_fd = (uint32_t)map};

	return link_to(program, map < 0 ? NULL : &info);
}

struct bpf_link *iterate__link_thread(const struct bpf_program *program, int32_t tid)
{
	union bpf_iter_link_info info;

	memset(&info, 0, sizeof(info)); /* all of it is looked at */
	info.task.tid = (uint32_t)tid;
	return link_to(program, &info);
}

static int begin_pass(const struct bpf_link *link)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int pass = bpf_iter_create(bpf_link__fd(link));

	rights__restore(before);
	return pass < 0 ? -errno : pass;
}

int iterate__run(const struct bpf_link *link, size_t record_bytes,
		 int (*visit)(void *context, const void *record), void *context)
{
	uint64_t buffer[BUFFER_BYTES / sizeof(uint64_t)];
	size_t filled = 0;
	int code = 0;
	ssize_t got;
	int pass;

	pass = begin_pass(link);
	if (pass < 0)
		return pass;
	for (;;) {
		got = read(pass, (char *)buffer + filled, sizeof(buffer) - filled);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			continue; /* the kernel pauses after a million elements without output */
		if (got <= 0)
			break;
		filled += (size_t)got;
		if (visit)
			code = visit_records((char *)buffer, &filled, record_bytes, visit, context);
		if (code)
			break;
	}
	if (!code && got < 0)
		code = -errno;
	close(pass);
	return code;
}
