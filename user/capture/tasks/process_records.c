// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/internal.h"

#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/system/rights.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define RING_BYTES	 (256 * 1024) /* a power of two */
#define MAX_RECORD_BYTES 8192	      /* room for a mapping record with a path of PATH_MAX */

/* Every record ends in its time: sample_id_all, with PERF_SAMPLE_TIME only. */
#define TRAILER_BYTES sizeof(uint64_t)

struct ring {
	int fd;
	void *pages;	  /* NULL: the CPU has no ring */
	uint64_t nr_lost; /* the kernel's count */
};

/* A record that was taken from a ring and is not handed over yet. */
struct pending_record {
	uint64_t time_ns;
	size_t position; /* offset in bytes; also the order within a ring */
};

struct process_records {
	struct ring *rings; /* by CPU */
	size_t nr_rings;
	uint64_t nr_gaps; /* CPUs that may have written records before they got a ring */
	bool counts_lost; /* PERF_FORMAT_LOST, 6.0 (119a784c8127) */
	bool was_full;	  /* a ring was full, so records may have been dropped */
	bool is_prompt;
	int epoll;
	char *bytes; /* contents of the pending records */
	size_t nr_bytes, capacity;
	struct pending_record *pending; /* sorted by time */
	size_t nr_pending, pending_capacity;
	size_t nr_handed_over; /* how many, from the first, were handed over */
};

/* ---- rings ---- */

static size_t ring_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES;
}

static int open_dummy(int cpu, bool is_prompt, bool *counts_lost)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.read_format = *counts_lost ? PERF_FORMAT_LOST : 0,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = is_prompt ? 1 : RING_BYTES / 4,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && *counts_lost) {
		*counts_lost = false;
		return open_dummy(cpu, is_prompt, counts_lost);
	}
	return fd < 0 ? -errno : fd;
}

static void close_ring(struct ring *ring)
{
	if (!ring->pages)
		return;
	munmap(ring->pages, ring_bytes());
	close(ring->fd);
	ring->pages = NULL;
}

static int open_raised(struct process_records *records, int cpu)
{
	struct epoll_event interest = {.events = EPOLLIN};
	struct ring *ring = &records->rings[cpu];
	void *pages;
	int fd, code;

	fd = open_dummy(cpu, records->is_prompt, &records->counts_lost);
	if (fd == -ENODEV) /* offline */
		return 0;
	if (fd < 0)
		return fd;
	pages = mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pages == MAP_FAILED) {
		code = -errno;
		close(fd);
		return code;
	}
	*ring = (struct ring){.fd = fd, .pages = pages};
	if (!epoll_ctl(records->epoll, EPOLL_CTL_ADD, fd, &interest))
		return 0;
	code = -errno;
	close_ring(ring);
	return code;
}

static int open_ring(struct process_records *records, int cpu)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	const int code = open_raised(records, cpu);

	rights__restore(before);
	return code;
}

int process_records__open(struct process_records **out, bool is_prompt)
{
	const int nr_cpus = libbpf_num_possible_cpus();
	struct process_records *records;
	int code = 0;

	if (nr_cpus < 0)
		return nr_cpus;
	records = xcalloc(1, sizeof(*records));
	records->is_prompt = is_prompt;
	records->counts_lost = true;
	records->rings = xcalloc((size_t)nr_cpus, sizeof(*records->rings));
	records->nr_rings = (size_t)nr_cpus;
	records->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (records->epoll < 0)
		code = -errno;
	for (int cpu = 0; cpu < nr_cpus && !code; cpu++)
		code = open_ring(records, cpu);
	if (code)
		process_records__close(records);
	else
		*out = records;
	return code;
}

void process_records__close(struct process_records *records)
{
	if (!records)
		return;
	for (size_t i = 0; i < records->nr_rings; i++)
		close_ring(&records->rings[i]);
	if (records->epoll >= 0)
		close(records->epoll);
	free(records->rings);
	free(records->bytes);
	free(records->pending);
	free(records);
}

int process_records__follow_cpu(struct process_records *records, unsigned int cpu, bool is_online)
{
	struct ring *ring;

	if (cpu >= records->nr_rings)
		return 0;
	ring = &records->rings[cpu];
	if (is_online == (ring->pages != NULL))
		return 0;
	if (!is_online) {
		close_ring(ring);
		return 0;
	}
	records->nr_gaps++;
	return open_ring(records, (int)cpu);
}

int process_records__fd(const struct process_records *records)
{
	return records->epoll;
}

/* ---- collecting ---- */

static void copy_out(const struct ring *ring, uint64_t position, void *to, size_t bytes)
{
	const char *data = (const char *)ring->pages + sysconf(_SC_PAGESIZE);
	size_t offset = position & (RING_BYTES - 1);
	size_t first = RING_BYTES - offset;

	if (first > bytes)
		first = bytes;
	memcpy(to, data + offset, first);
	memcpy((char *)to + first, data, bytes - first);
}

/* Takes the record at position, which has this header. */
static void take_record(struct process_records *records, const struct ring *ring, uint64_t position,
			const struct perf_event_header *header)
{
	const size_t bytes = (header->size + 7UL) & ~7UL;
	struct pending_record *pending;
	char *record;

	if (header->size < sizeof(*header) + TRAILER_BYTES)
		return;
	array__reserve(&records->bytes, &records->capacity, records->nr_bytes + bytes);
	array__reserve(&records->pending, &records->pending_capacity, records->nr_pending + 1);
	record = records->bytes + records->nr_bytes;
	copy_out(ring, position, record, header->size);
	pending = &records->pending[records->nr_pending++];
	memcpy(&pending->time_ns, record + header->size - TRAILER_BYTES, TRAILER_BYTES);
	pending->position = records->nr_bytes;
	records->nr_bytes += bytes;
}

/*
 * Takes all waiting records from a ring, complete (sizes are checked) and aligned to 8 bytes, and
 * frees their room.
 */
static void read_ring(struct process_records *records, struct ring *ring)
{
	struct perf_event_mmap_page *page = ring->pages;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	struct perf_event_header header;

	records->was_full |= head - tail > RING_BYTES - MAX_RECORD_BYTES;
	while (tail < head) {
		copy_out(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail) {
			/* The record is damaged and its end unknown: drop all that waits. */
			records->was_full = true;
			tail = head;
			break;
		}
		take_record(records, ring, tail, &header);
		tail += header.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

static int by_time(const void *left, const void *right)
{
	const struct pending_record *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
	return (a->position > b->position) - (a->position < b->position);
}

/* Drops records that were handed over. Others stay: earlier ones may come from other CPUs yet. */
static void keep_rest(struct process_records *records)
{
	size_t i, kept = records->nr_pending - records->nr_handed_over, to = records->nr_bytes;

	memmove(records->pending, records->pending + records->nr_handed_over,
		kept * sizeof(*records->pending));
	records->nr_pending = kept;
	records->nr_handed_over = 0;
	/*
	 * Such records are few and short-lived, so their bytes are only moved to free the part
	 * before the first.
	 */
	for (i = 0; i < kept; i++)
		if (records->pending[i].position < to)
			to = records->pending[i].position;
	memmove(records->bytes, records->bytes + to, records->nr_bytes - to);
	records->nr_bytes -= to;
	for (i = 0; i < kept; i++)
		records->pending[i].position -= to;
}

void process_records__collect(struct process_records *records)
{
	if (records->nr_handed_over)
		keep_rest(records);
	for (size_t i = 0; i < records->nr_rings; i++)
		if (records->rings[i].pages)
			read_ring(records, &records->rings[i]);
	if (records->nr_pending)
		qsort(records->pending, records->nr_pending, sizeof(*records->pending), by_time);
}

bool process_records__next(struct process_records *records, uint64_t horizon_ns,
			   struct timed_record *record)
{
	const struct pending_record *pending = &records->pending[records->nr_handed_over];

	if (records->nr_handed_over == records->nr_pending || pending->time_ns > horizon_ns)
		return false;
	records->nr_handed_over++;
	record->header = (const void *)(records->bytes + pending->position);
	record->nr_bytes = record->header->size - TRAILER_BYTES;
	record->time_ns = pending->time_ns;
	return true;
}

/* ---- lost records ---- */

/* Asking the kernel interrupts a CPU for each ring, so it is done only if a ring was full. */
uint64_t process_records__take_lost(struct process_records *records)
{
	struct {
		uint64_t value, lost;
	} now;
	uint64_t nr_lost = records->nr_gaps;

	records->nr_gaps = 0;
	if (!records->was_full)
		return nr_lost;
	records->was_full = false;
	if (!records->counts_lost)
		return nr_lost + 1; /* an overflow may leave no record */
	for (size_t i = 0; i < records->nr_rings; i++) {
		struct ring *ring = &records->rings[i];

		if (!ring->pages || read(ring->fd, &now, sizeof(now)) != sizeof(now))
			continue;
		nr_lost += now.lost - ring->nr_lost;
		ring->nr_lost = now.lost;
	}
	return nr_lost;
}
