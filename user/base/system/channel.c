// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/channel.h"

#include <sys/socket.h>
#include <unistd.h>

/* Buffer for the files of one message, aligned for the kernel. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(CHANNEL_MAX_FILES * sizeof(int))];
};

int channel__open(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) ? -errno : 0;
}

int channel__send(int channel, bool waits, const void *bytes, size_t nr_bytes, const int *files,
		  size_t nr_files)
{
	struct iovec vector = {(void *)bytes, nr_bytes};
	struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
	union control control = {0};

	if (nr_files > CHANNEL_MAX_FILES)
		return -EMSGSIZE;
	if (nr_files) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(nr_files * sizeof(int));
		control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS,
						  .cmsg_len = CMSG_LEN(nr_files * sizeof(int))};
		memcpy(CMSG_DATA(&control.header), files, nr_files * sizeof(int));
	}
	while (sendmsg(channel, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT)) < 0)
		if (errno != EINTR)
			return errno == ECONNRESET ? -EPIPE : -errno;
	return 0;
}

/* Takes the files of a message and returns their number; closes those beyond *nr_files. */
static size_t take_files(struct msghdr *message, int *files, size_t *nr_files)
{
	const struct cmsghdr *header = CMSG_FIRSTHDR(message);
	size_t nr = 0;

	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
		nr = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < nr; i++) {
		int file;

		memcpy(&file, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
		if (i < *nr_files)
			files[i] = file;
		else
			close(file);
	}
	if (nr < *nr_files)
		*nr_files = nr;
	return nr;
}

ssize_t channel__receive(int channel, bool waits, void *bytes, size_t nr_bytes, int *files,
			 size_t *nr_files)
{
	union control control;
	struct iovec vector = {bytes, nr_bytes};
	struct msghdr message = {.msg_iov = &vector,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	const size_t room = *nr_files;
	ssize_t length;

	/*
	 * A peer that ends without reading what came is told of once, by ECONNRESET, and before
	 * what it has sent last (unix_release_sock() in net/unix/af_unix.c).
	 */
	*nr_files = 0;
	do
		length = recvmsg(channel, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
	while (length < 0 && (errno == EINTR || errno == ECONNRESET));
	if (length < 0)
		return -errno;
	*nr_files = room;
	if (take_files(&message, files, nr_files) > room || message.msg_flags & MSG_TRUNC) {
		while (*nr_files)
			close(files[--*nr_files]);
		return -EMSGSIZE;
	}
	if (message.msg_flags & MSG_CTRUNC)
		return -EMFILE;
	return length ? length : -EPIPE;
}
