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

static int open_mapped(struct answering *answering)
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

	return open_file__mapped(&mapping, &by, &where);
}

static int open_of_process(struct answering *answering)
{
	const struct opening_request *request = answering->request;
	const struct mapped_by by = {.pid = request->pid, .start_ticks = request->start_ticks};

	return open_file__of_process(&by, request->path,
				     request->asks_who ? &answering->living : NULL);
}

static int open_asked(struct answering *answering)
{
	const struct opening_request *request = answering->request;

	if (request->kind == OPENING_MAPPED)
		return open_mapped(answering);
	if (request->kind == OPENING_PROCESS)
		return open_of_process(answering);
	if (answering->nr_files != 1)
		return -EINVAL;
	return open_file__below(answering->files[0], request->path, request->kind == OPENING_BELOW);
}

/*
 * Closes a copy of the descriptor, as closing may block in a file system: better in the opener than
 * in its caller.
 */
static int try_closing(int fd)
{
	const int other = dup(fd);

	if (other < 0)
		return shortage__of_descriptor(errno);
	return close(other) ? -errno : 0;
}

static int answer(struct answering *answering, bool lacks_files)
{
	int fd, code;

	answering->living = (struct living){0};
	fd = lacks_files ? -EMFILE : open_asked(answering);
	code = fd < 0 ? fd : try_closing(fd);
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
