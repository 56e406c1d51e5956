// SPDX-License-Identifier: GPL-2.0-only
#include "processes/opener_messages.h"

#include <unistd.h>

#include "base/shortage.h"
#include "base/system/channel.h"
#include "processes/open_file.h"
#include "processes/opener.h"

struct answering {
	int channel;
	const struct opening_request *request;
	struct living living;
	int files[CHANNEL_MAX_FILES];
	size_t nr_files;
};

static int reply(const struct answering *answering, int32_t code, const int *file)
{
	const struct opening_reply reply = {.ticket = answering->request->ticket,
					    .cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID),
					    .living = answering->living,
					    .code = code};

	return channel__send(answering->channel, true, &reply, sizeof(reply), file, file ? 1 : 0);
}

static void tell_found(void *context)
{
	reply(context, -EINPROGRESS, NULL);
}

static int open_asked(struct answering *answering)
{
	const struct opening_request *request = answering->request;
	const struct mapping mapping = {.start = request->start,
					.end = request->end,
					.inode = request->inode,
					.major = request->major,
					.minor = request->minor,
					.path = request->path};
	const struct mapped_by by = {.pid = request->pid,
				     .start_ticks = request->start_ticks,
				     .start = request->start,
				     .end = request->end};
	const struct search_roots where = {.roots = answering->files,
					   .nr_roots = answering->nr_files,
					   .has_own = request->has_own_root,
					   .on_found = tell_found,
					   .context = answering};

	if (request->kind == OPENING_MAPPED)
		return open_file__mapped(&mapping, &by, &where);
	if (request->kind == OPENING_PROCESS)
		return open_file__of_process(&by, request->path,
					     request->asks_who ? &answering->living : NULL);
	if (answering->nr_files != 1)
		return -EINVAL;
	return open_file__below(answering->files[0], request->path, request->kind == OPENING_BELOW);
}

static int answer(struct answering *answering, bool lacks_files)
{
	int fd, code, other;

	answering->living = (struct living){0};
	fd = lacks_files ? -EMFILE : open_asked(answering);
	code = fd < 0 ? fd : 0;
	if (fd >= 0) {
		/*
		 * Closes a copy of it, as closing may block in a file system: better here than in
		 * the caller.
		 */
		other = dup(fd);
		if (other < 0)
			code = shortage__of_descriptor(errno);
		else if (close(other))
			code = -errno;
	}
	code = reply(answering, code, code ? NULL : &fd);
	if (fd >= 0)
		close(fd);
	while (answering->nr_files)
		close(answering->files[--answering->nr_files]);
	return code;
}

int opener__serve(int channel)
{
	struct opening_request request;
	struct answering answering = {.channel = channel, .request = &request};

	for (;;) {
		ssize_t length;
		int code;

		memset(&request, 0, sizeof(request));
		answering.nr_files = CHANNEL_MAX_FILES;
		length = channel__receive(channel, true, &request, sizeof(request), answering.files,
					  &answering.nr_files);
		if (length < 0 && length != -EMFILE)
			return length == -EPIPE ? 0 : (int)length;
		request.path[sizeof(request.path) - 1] = '\0';
		code = answer(&answering, length == -EMFILE);
		if (code)
			return code;
	}
}
