// SPDX-License-Identifier: GPL-2.0-only
#include "capture/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_RECORD_BYTES 65536 /* perf_event_header.size has 16 bits */

int ring__map(struct ring *ring, int fd, size_t data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *pages = mmap(NULL, page + data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (pages == MAP_FAILED)
		return -errno;
	*ring = (struct ring){.fd = fd, .pages = pages, .data_bytes = data_bytes};
	return 0;
}

void ring__unmap(struct ring *ring)
{
	if (ring->pages)
		munmap(ring->pages, (size_t)sysconf(_SC_PAGESIZE) + ring->data_bytes);
	ring->pages = NULL;
}

static void copy_out(const struct ring *ring, uint64_t position, void *to, size_t bytes)
{
	const char *data = (const char *)ring->pages + sysconf(_SC_PAGESIZE);
	size_t offset = position & (ring->data_bytes - 1);
	size_t first = ring->data_bytes - offset;

	if (first > bytes)
		first = bytes;
	memcpy(to, data + offset, first);
	memcpy((char *)to + first, data, bytes - first);
}

int ring__read(struct ring *ring, int (*visit)(void *context, const struct perf_event_header *),
	       void *context, int *was_full)
{
	struct perf_event_mmap_page *page = ring->pages;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	uint64_t record[MAX_RECORD_BYTES / sizeof(uint64_t)];
	struct perf_event_header header;
	int code = 0;

	*was_full |= head - tail > ring->data_bytes - MAX_RECORD_BYTES / 16;
	while (!code && tail < head) {
		copy_out(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			code = -EPROTO;
		else {
			copy_out(ring, tail, record, header.size);
			code = visit(context, (struct perf_event_header *)record);
			tail += header.size;
		}
	}
	/* A record that makes no sense has no known end: all that waits is given up. */
	__atomic_store_n(&page->data_tail, code == -EPROTO ? head : tail, __ATOMIC_RELEASE);
	return code;
}
