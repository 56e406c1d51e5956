// SPDX-License-Identifier: GPL-2.0-only
/*
 *	to_open ──> opening ──> to_read ──> readings ──> done     readings <──> slow
 *	                   └──> to_come ─────────────┘
 *
 * Reading takes milliseconds. What takes long gives way to what waits, and is begun again when there
 * is nothing else to do, so that a crowd of files that are made to be slow holds up no others.
 *
 * The first part of a file brings it to a reader; others wait for it to come. A queue holds its
 * parts, so that a file that was asked for arrives, whoever is still there: the next process will
 * map it again.
 */
#include "capture/unwind_loader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/unwind_failures.h"
#include "capture/unwind_files.h"
#include "processes/maps.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "unwind/unwind.h"

#define MAX_LEARNED  4096 /* that nobody waits for */
#define MAX_OPEN     64	  /* files that wait for a reader */
#define MAX_READINGS 8
#define MAX_SLOW     4	/* of the readings */
#define MAX_PUT_OFF  32 /* slow ones that wait */
#define SLOW_NS	     250000000ULL
#define PATIENCE_NS  2000000000ULL     /* of a process, for each of its files */
#define MAX_WAIT_NS  (5 * PATIENCE_NS) /* until a reader is to be had */

_Static_assert(UNWIND_MAX_WATCHED == MAX_READINGS + 1, "readers, and the opener");

struct unwind_part {
	struct unwind_part *next; /* in a queue */
	struct mapping mapping;	  /* its path is ours; NULL once it is done */
	struct unwind_file *file; /* NULL: there is none within reach, or it is not known yet */
	uint64_t asked_ns;	  /* CLOCK_MONOTONIC */
	size_t nr_references;
	int32_t pid;
	int fd; /* of what is to be read; -1: nothing */
	bool is_done, is_slow;
};

struct part_queue {
	struct unwind_part *first, **last;
	size_t nr;
};

struct unwind_loader {
	struct unwind_files *files;
	struct readers *readers;
	struct opener *opener; /* NULL: files are opened here */
	struct part_queue to_open, opening, to_read, to_come, slow;
	struct {
		struct reading reading;
		struct unwind_part *part; /* NULL: none */
		uint64_t begun_ns;
	} readings[MAX_READINGS];
	size_t nr_reading, nr_slow; /* of these */
	uint64_t nr_done;
	struct unwind_failures failures;
};

/* ---- queues ---- */

static void init_queue(struct part_queue *queue)
{
	*queue = (struct part_queue){.last = &queue->first};
}

static void push(struct part_queue *queue, struct unwind_part *part)
{
	part->next = NULL;
	*queue->last = part;
	queue->last = &part->next;
	queue->nr++;
}

static struct unwind_part *pop(struct part_queue *queue)
{
	struct unwind_part *part = queue->first;

	queue->first = part->next;
	if (!queue->first)
		queue->last = &queue->first;
	queue->nr--;
	return part;
}

static void put_all(struct unwind_loader *loader, struct part_queue *queue)
{
	while (queue->nr)
		unwind_loader__put(loader, pop(queue));
}

/* ---- life ---- */

struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers)
{
	struct unwind_loader *loader = calloc(1, sizeof(*loader));

	if (!loader)
		return NULL;
	loader->files = files;
	loader->readers = readers;
	init_queue(&loader->to_open);
	init_queue(&loader->opening);
	init_queue(&loader->to_read);
	init_queue(&loader->to_come);
	init_queue(&loader->slow);
	if (!openers)
		return loader;
	loader->opener = opener__new(openers);
	if (loader->opener)
		return loader;
	free(loader);
	return NULL;
}

void unwind_loader__free(struct unwind_loader *loader)
{
	if (!loader)
		return;
	put_all(loader, &loader->to_open);
	put_all(loader, &loader->opening);
	put_all(loader, &loader->to_read);
	put_all(loader, &loader->to_come);
	put_all(loader, &loader->slow);
	for (size_t i = 0; i < MAX_READINGS; i++) {
		reading__close(&loader->readings[i].reading);
		if (loader->readings[i].part)
			unwind_loader__put(loader, loader->readings[i].part);
	}
	unwind_failures__fini(&loader->failures);
	opener__free(loader->opener);
	free(loader);
}

/* ---- parts ---- */

struct unwind_part *unwind_part__hold(struct unwind_part *part)
{
	part->nr_references++;
	return part;
}

void unwind_loader__put(struct unwind_loader *loader, struct unwind_part *part)
{
	if (--part->nr_references)
		return;
	if (part->file)
		unwind_files__put(loader->files, part->file);
	if (part->fd >= 0)
		close(part->fd);
	free((char *)part->mapping.path);
	free(part);
}

bool unwind_part__is_done(const struct unwind_part *part)
{
	return part->is_done;
}

bool unwind_part__is_awaited(const struct unwind_part *part, uint64_t now_ns)
{
	return !part->is_done && now_ns < part->asked_ns + PATIENCE_NS;
}

bool unwind_part__is_of(const struct unwind_part *part, const struct mapping *mapping)
{
	const struct mapping *own = &part->mapping;

	if (own->start != mapping->start || own->end != mapping->end ||
	    own->offset != mapping->offset || own->inode != mapping->inode ||
	    own->major != mapping->major || own->minor != mapping->minor)
		return false;
	return !part->is_done || unwind_file__is_settled(part->file);
}

uint64_t unwind_part__start(const struct unwind_part *part)
{
	return part->mapping.start;
}

size_t unwind_part__regions(const struct unwind_part *part, struct unwind_region *regions,
			    size_t max_regions)
{
	return unwind_file__regions(part->is_done ? part->file : NULL, &part->mapping, regions,
				    max_regions);
}

/* Of a part that a queue held, which it does no longer. */
static void finish(struct unwind_loader *loader, struct unwind_part *part)
{
	part->is_done = true;
	if (part->file)
		unwind_files__show(loader->files, part->file, &part->mapping);
	if (part->fd >= 0)
		close(part->fd);
	part->fd = -1;
	free((char *)part->mapping.path);
	part->mapping.path = NULL;
	loader->nr_done++;
	unwind_loader__put(loader, part);
}

static void note_failure(struct unwind_loader *loader, const struct unwind_part *part, int code)
{
	unwind_failures__note(&loader->failures, part->mapping.path, code);
}

bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size)
{
	return unwind_failures__take(&loader->failures, text, size);
}

/* ---- opening ---- */

static void take_file(struct unwind_loader *loader, struct unwind_part *part, int fd,
		      const struct file_identity *identity)
{
	bool is_first = false;

	part->file = unwind_files__get(loader->files, identity, &is_first);
	if (is_first) {
		part->fd = fd;
		push(&loader->to_read, part);
		return;
	}
	close(fd);
	if (part->file && unwind_file__is_pending(part->file))
		push(&loader->to_come, part);
	else
		finish(loader, part);
}

/* fd: of its file; or why there is none. */
static void note_opened(struct unwind_loader *loader, struct unwind_part *part, int fd)
{
	struct file_identity identity;

	if (fd >= 0 && !file__identify(fd, &identity)) {
		take_file(loader, part, fd, &identity);
		return;
	}
	if (fd >= 0)
		close(fd);
	else
		note_failure(loader, part, fd);
	finish(loader, part);
}

static void take_opened(struct unwind_loader *loader)
{
	struct unwind_part *part;
	struct opened opened;

	while (loader->opening.nr && opener__take(loader->opener, 0, &opened)) {
		part = pop(&loader->opening);
		if (opened.fd == -ECANCELED) /* one before it was at fault */
			push(&loader->to_open, part);
		else
			note_opened(loader, part, opened.fd);
	}
}

/* 0: the opener was asked; or the file, or negative errno. */
static int ask_for(struct unwind_loader *loader, const struct unwind_part *part, bool *is_asked)
{
	const struct mapped_by by = {
		.pid = part->pid, .start = part->mapping.start, .end = part->mapping.end};
	const struct opening opening = {
		.kind = OPENING_MAPPED, .mapping = &part->mapping, .by = &by};
	uint64_t ticket;
	int code;

	*is_asked = false;
	if (!loader->opener)
		return opener__open(NULL, &opening, 0);
	code = opener__ask(loader->opener, &opening, &ticket);
	*is_asked = !code;
	return code;
}

static void ask_opener(struct unwind_loader *loader)
{
	while (loader->to_open.nr && loader->to_read.nr < MAX_OPEN) {
		bool is_asked;
		const int code = ask_for(loader, loader->to_open.first, &is_asked);

		if (code == -EAGAIN)
			return;
		if (is_asked)
			push(&loader->opening, pop(&loader->to_open));
		else
			note_opened(loader, pop(&loader->to_open), code);
	}
}

/* ---- reading ---- */

/* The file is what it will be: all parts of it are done. */
static void settle(struct unwind_loader *loader, struct unwind_part *part)
{
	const struct unwind_file *file = part->file;

	finish(loader, part);
	for (size_t nr = loader->to_come.nr; nr; nr--) {
		struct unwind_part *other = pop(&loader->to_come);

		if (other->file == file)
			finish(loader, other);
		else
			push(&loader->to_come, other);
	}
}

static struct unwind_part *next_to_read(struct unwind_loader *loader)
{
	if (loader->to_read.nr)
		return pop(&loader->to_read);
	return loader->slow.nr && loader->nr_slow < MAX_SLOW ? pop(&loader->slow) : NULL;
}

static void start_readings(struct unwind_loader *loader)
{
	for (size_t i = 0; i < MAX_READINGS; i++) {
		struct unwind_part *part;
		int code = -ENOSYS;

		part = loader->readings[i].part ? NULL : next_to_read(loader);
		if (!part)
			continue;
		if (loader->readers)
			code = reading__start(&loader->readings[i].reading, loader->readers,
					      READ_UNWIND, &part->fd, 1, NULL, 0);
		if (!code) {
			loader->readings[i].part = part;
			loader->readings[i].begun_ns = monotonic_ns();
			loader->nr_reading++;
			loader->nr_slow += part->is_slow;
			continue;
		}
		if (code == -EAGAIN && monotonic_ns() < part->asked_ns + MAX_WAIT_NS) {
			push(part->is_slow ? &loader->slow : &loader->to_read, part);
			return;
		}
		note_failure(loader, part, code);
		unwind_files__settle_file(loader->files, part->file, NULL);
		settle(loader, part);
	}
}

/* How the reading went; -EINPROGRESS: it goes on. Who reads unwind rows has nothing to ask. */
static int look_at(struct reading *reading, struct reader_answer *answer)
{
	struct reader_question question;

	switch (reading__wait(reading, 0, &question)) {
	case READING_RUNS:
		return -EINPROGRESS;
	case READING_ASKS:
		reading__close(reading);
		return -EIO;
	default:
		return reading__finish(reading, answer);
	}
}

static void take_answer(struct unwind_loader *loader, struct unwind_part *part, int code,
			const struct reader_answer *answer)
{
	struct unwind_table *table = NULL;

	if (!code && unwind_table__view(answer->bytes, answer->nr_bytes, &table))
		code = -EIO;
	note_failure(loader, part, code);
	unwind_files__settle_file(loader->files, part->file, table);
	settle(loader, part);
}

/* It has had its time, as long as others wait. */
static bool gives_way(const struct unwind_loader *loader, size_t i)
{
	return loader->to_read.nr && !loader->readings[i].part->is_slow &&
	       monotonic_ns() > loader->readings[i].begun_ns + SLOW_NS;
}

static void end_reading(struct unwind_loader *loader, size_t i)
{
	struct unwind_part *part = loader->readings[i].part;
	struct reader_answer answer = {0};
	int code = look_at(&loader->readings[i].reading, &answer);

	if (code == -EINPROGRESS && !gives_way(loader, i))
		return;
	reading__close(&loader->readings[i].reading);
	loader->readings[i].part = NULL;
	loader->nr_reading--;
	loader->nr_slow -= part->is_slow;
	if (code == -EINPROGRESS) {
		part->is_slow = true;
		code = -EAGAIN;
	}
	if (part->is_slow && code == -EAGAIN && loader->slow.nr < MAX_PUT_OFF)
		push(&loader->slow, part);
	else if (!part->is_slow && code == -EAGAIN && monotonic_ns() < part->asked_ns + MAX_WAIT_NS)
		push(&loader->to_read, part);
	else
		take_answer(loader, part, code, &answer);
	reader_answer__free(&answer);
}

/* ---- the way of a part ---- */

size_t unwind_loader__nr_queued(const struct unwind_loader *loader)
{
	return loader->to_open.nr + loader->opening.nr + loader->to_read.nr;
}

static struct unwind_part *new_part(const struct mapping *mapping, int32_t pid)
{
	struct unwind_part *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	part->mapping = *mapping;
	part->mapping.path = strdup(mapping->path);
	if (!part->mapping.path) {
		free(part);
		return NULL;
	}
	part->pid = pid;
	part->fd = -1;
	part->asked_ns = monotonic_ns();
	part->nr_references = 2; /* the caller's, and a queue's */
	return part;
}

struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid)
{
	static const struct file_identity vdso;
	struct unwind_part *part = new_part(mapping, pid);
	int fd;

	if (!part)
		return NULL;
	if (mapping__kind(mapping) == MAPPING_VDSO) {
		fd = vdso__open();
		if (fd >= 0)
			take_file(loader, part, fd, &vdso);
		else
			finish(loader, part);
	} else if (mapping->inode) {
		push(&loader->to_open, part);
	} else {
		finish(loader, part);
	}
	return part;
}

void unwind_loader__learn(struct unwind_loader *loader, const struct mapping *mapping, int32_t pid)
{
	struct unwind_part *part = NULL;

	if (unwind_loader__nr_queued(loader) < MAX_LEARNED)
		part = unwind_loader__ask(loader, mapping, pid);
	if (part)
		unwind_loader__put(loader, part);
}

bool unwind_loader__work(struct unwind_loader *loader)
{
	const uint64_t nr_done = loader->nr_done;

	take_opened(loader);
	ask_opener(loader);
	for (size_t i = 0; i < MAX_READINGS; i++)
		if (loader->readings[i].part)
			end_reading(loader, i);
	start_readings(loader);
	return loader->nr_done != nr_done;
}

bool unwind_loader__is_busy(const struct unwind_loader *loader)
{
	return unwind_loader__nr_queued(loader) || loader->nr_reading || loader->slow.nr;
}

size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched)
{
	size_t nr = 0;

	if (loader->opening.nr)
		watched[nr++] = (struct pollfd){opener__fd(loader->opener), POLLIN, 0};
	for (size_t i = 0; i < MAX_READINGS; i++)
		if (loader->readings[i].part)
			watched[nr++] = (struct pollfd){loader->readings[i].reading.reader.status,
							POLLIN, 0};
	return nr;
}
