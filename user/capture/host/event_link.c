// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/event_link.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

int event_link__attach(struct event_link *link, const struct bpf_program *program, int event,
		       uint64_t cookie)
{
	LIBBPF_OPTS(bpf_link_create_opts, options, .perf_event.bpf_cookie = cookie);
	int code;

	link->fd = bpf_link_create(bpf_program__fd(program), event, BPF_PERF_EVENT, &options);
	if (link->fd < 0) {
		code = -errno;
		link->fd = -1;
		if (cookie || ioctl(event, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(program)))
			return code;
	}
	link->is_attached = true;
	if (!ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		return 0;
	code = -errno;
	event_link__detach(link, event);
	return code;
}

void event_link__detach(struct event_link *link, int event)
{
	if (!link->is_attached)
		return;
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	if (link->fd >= 0)
		close(link->fd);
	*link = (struct event_link){.fd = -1};
}
