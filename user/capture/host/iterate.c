// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/iterate.h"

#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/host/features.h"

#define BUFFER_BYTES 16384 /* on the stack, which ulimit may keep small */

static struct bpf_link *link_to(const struct bpf_program *program, union bpf_iter_link_info *info)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = info,
		    .link_info_len = sizeof(*info));
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_link *link = bpf_program__attach_iter(program, info ? &options : NULL);

	rights__restore(before);
	return link;
}

struct bpf_link *iterate__link(const struct bpf_program *program)
{
	return link_to(program, NULL);
}

struct bpf_link *iterate__link_thread(const struct bpf_program *program, int32_t tid)
{
	union bpf_iter_link_info info;

	memset(&info, 0, sizeof(info)); /* the kernel looks at all members */
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

/* Returns the number of bytes read, 0 at the end, or negative errno. */
static ssize_t read_more(int pass, void *to, size_t nr_bytes)
{
	ssize_t got;

	do /* the kernel returns EAGAIN after a million elements without output */
		got = read(pass, to, nr_bytes);
	while (got < 0 && (errno == EAGAIN || errno == EINTR));
	return got < 0 ? -errno : got;
}

int iterate__run(const struct bpf_link *link, size_t record_bytes,
		 int (*visit)(void *context, const void *record), void *context)
{
	uint64_t words[BUFFER_BYTES / sizeof(uint64_t)];
	char *const buffer = (char *)words;
	const int pass = begin_pass(link);
	size_t filled = 0, at;
	ssize_t got = 1;
	int code = 0;

	if (pass < 0)
		return pass;
	while (!code && got > 0) {
		got = read_more(pass, buffer + filled, BUFFER_BYTES - filled);
		code = got < 0 ? (int)got : 0;
		filled += got > 0 ? (size_t)got : 0;
		/* complete records are visited; the rest moves to the front */
		for (at = 0; !code && filled - at >= record_bytes; at += record_bytes)
			code = visit(context, buffer + at);
		filled -= at;
		memmove(buffer, buffer + at, filled);
	}
	close(pass);
	return code || !filled ? code : -EPROTO;
}

int iterate__pass(const struct bpf_link *link)
{
	const int pass = begin_pass(link);
	char ignored[64];
	ssize_t got = 1;

	if (pass < 0)
		return pass;
	while (got > 0)
		got = read_more(pass, ignored, sizeof(ignored));
	close(pass);
	return (int)got;
}

int iterate__explain(const struct bpf_program *program, int code, struct error *err)
{
	char act[128];

	snprintf(act, sizeof(act), "run the BPF iterator %s over tasks",
		 bpf_program__name(program));
	return features__explain(NULL, err, code, act);
}
