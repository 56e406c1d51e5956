// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts pass through three queues:
 *
 *	to_open ──> opening ──> readings
 *
 * A queue holds references to its parts, so a requested file arrives even if its process is gone:
 * the next process will map it again.
 */
#include "capture/unwinding/internal.h"

#include <poll.h>
#include <unistd.h>

#include "interpreters/interpreters.h"
#include "processes/maps.h"
#include "processes/opener.h"
#include "unwind/unwind.h"

/* ---- pending_reads ---- */

#define MAX_SLOW    2  /* slow reads at a time */
#define MAX_PUT_OFF 32 /* slow reads that may wait */
#define SLOW_NS	    250000000ULL

void unwind_readings__init(struct unwind_readings *readings, struct readers *readers,
			   struct unwind_failures *failures)
{
	*readings = (struct unwind_readings){.readers = readers, .failures = failures};
	part_queue__init(&readings->to_read);
	part_queue__init(&readings->to_come);
	part_queue__init(&readings->slow);
}

void unwind_readings__fini(struct unwind_readings *readings)
{
	part_queue__fini(&readings->to_read);
	part_queue__fini(&readings->to_come);
	part_queue__fini(&readings->slow);
	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++) {
		reading__close(&readings->at_work[i].reading);
		if (readings->at_work[i].part)
			unwind_part__put(readings->at_work[i].part);
	}
}

void unwind_readings__add(struct unwind_readings *readings, struct unwind_part *part, bool is_first)
{
	part_queue__push(is_first ? &readings->to_read : &readings->to_come, part);
}

/* ---- ending ---- */

static void finish_read(struct unwind_readings *readings, struct unwind_part *part)
{
	unwind_part__finish(part);
	unwind_part__put(part);
	readings->nr_done++;
}

/* Settles a file: all parts of it are done. */
static void settle(struct unwind_readings *readings, struct unwind_part *part, int code,
		   struct unwind_table *table, const struct interpreter *interpreter)
{
	const struct unwind_file *file = part->file;

	unwind_failures__note(readings->failures, part->mapping.path, code);
	unwind_files__settle_file(part->files, part->file, table, interpreter);
	finish_read(readings, part);
	for (size_t nr = readings->to_come.nr; nr; nr--) {
		struct unwind_part *other = part_queue__pop(&readings->to_come);

		if (other->file == file)
			finish_read(readings, other);
		else
			part_queue__push(&readings->to_come, other);
	}
}

/*
 * Returns how the reading ended; -EINPROGRESS: it goes on. A reader of unwind rows has no reason to
 * ask questions.
 */
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

/*
 * Validates a reader's answer, which is untrusted: a struct interpreter, then a table. False: it is
 * malformed.
 */
static bool view_answer(const struct reader_answer *answer, struct unwind_table **table)
{
	const struct interpreter *interpreter = answer->bytes;

	return answer->nr_bytes >= sizeof(*interpreter) && interpreter__is_sane(interpreter) &&
	       !unwind_table__view(interpreter + 1, answer->nr_bytes - sizeof(*interpreter), table);
}

static void take_answer(struct unwind_readings *readings, struct unwind_part *part, int code,
			const struct reader_answer *answer)
{
	const struct interpreter *interpreter = answer->bytes;
	struct unwind_table *table = NULL;

	if (!code && !view_answer(answer, &table))
		code = -EIO;
	settle(readings, part, code, table, table && interpreter->language ? interpreter : NULL);
}

/* Returns true if the reading has used up its time and others wait. */
static bool gives_way(const struct unwind_readings *readings,
		      const struct unwind_reading_slot *slot)
{
	return readings->to_read.nr && !slot->part->is_slow &&
	       monotonic_ns() > slot->begun_ns + SLOW_NS;
}

static void free_slot(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	reading__close(&slot->reading);
	readings->nr_at_work--;
	readings->nr_slow_at_work -= slot->part->is_slow;
	slot->part = NULL;
}

static void end_reading(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	struct unwind_part *part = slot->part;
	struct reader_answer answer = {0};
	int code = look_at(&slot->reading, &answer);

	if (code == -EINPROGRESS && !gives_way(readings, slot))
		return;
	free_slot(readings, slot);
	if (code == -EINPROGRESS) {
		part->is_slow = true;
		code = -EAGAIN;
	}
	if (part->is_slow && code == -EAGAIN && readings->slow.nr < MAX_PUT_OFF)
		part_queue__push(&readings->slow, part);
	else if (!part->is_slow && code == -EAGAIN && !unwind_part__is_overdue(part))
		part_queue__push(&readings->to_read, part);
	else
		take_answer(readings, part, code, &answer);
	reader_answer__free(&answer);
}

/* ---- starting ---- */

static struct unwind_part *next_to_read(struct unwind_readings *readings)
{
	if (readings->to_read.nr)
		return part_queue__pop(&readings->to_read);
	return readings->slow.nr && readings->nr_slow_at_work < MAX_SLOW
		       ? part_queue__pop(&readings->slow)
		       : NULL;
}

static int start(struct unwind_readings *readings, struct unwind_reading_slot *slot,
		 struct unwind_part *part)
{
	const int code = readings->readers ? reading__start(&slot->reading, readings->readers,
							    READ_UNWIND, &part->fd, 1, NULL, 0)
					   : -ENOSYS;

	if (code)
		return code;
	slot->part = part;
	slot->begun_ns = monotonic_ns();
	readings->nr_at_work++;
	readings->nr_slow_at_work += part->is_slow;
	return 0;
}

/* Starts a reading in a free slot. Returns false if no reader is free now. */
static bool fill(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	struct unwind_part *part = next_to_read(readings);
	const int code = part ? start(readings, slot, part) : 0;

	if (!code)
		return true;
	if (code == -EAGAIN && !unwind_part__is_overdue(part)) {
		part_queue__push(part->is_slow ? &readings->slow : &readings->to_read, part);
		return false;
	}
	settle(readings, part, code, NULL, NULL);
	return true;
}

/* ---- work ---- */

void unwind_readings__work(struct unwind_readings *readings)
{
	const uint64_t nr_before = readings->nr_done;
	struct unwind_reading_slot *slot;
	size_t i;

	for (i = 0; i < MAX_UNWIND_READINGS && readings->nr_done == nr_before; i++) {
		slot = &readings->at_work[readings->next++ % MAX_UNWIND_READINGS];
		if (slot->part)
			end_reading(readings, slot);
	}
	for (i = 0; i < MAX_UNWIND_READINGS; i++)
		if (!readings->at_work[i].part && !fill(readings, &readings->at_work[i]))
			break;
}

bool unwind_readings__is_busy(const struct unwind_readings *readings)
{
	return readings->to_read.nr || readings->nr_at_work || readings->slow.nr;
}

bool unwind_readings__are_at_work(const struct unwind_readings *readings, uint64_t *progress)
{
	bool works = false;

	*progress += readings->nr_done;
	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++) {
		if (!readings->at_work[i].part)
			continue;
		*progress += reading__cpu_ns(&readings->at_work[i].reading);
		works |= !reading__is_idle(&readings->at_work[i].reading);
	}
	return works;
}

size_t unwind_readings__watch(const struct unwind_readings *readings, struct pollfd *watched)
{
	size_t nr = 0;

	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++)
		if (readings->at_work[i].part)
			watched[nr++] = (struct pollfd){readings->at_work[i].reading.reader.status,
							POLLIN, 0};
	return nr;
}

/* ---- loader ---- */

#define MAX_LEARNED 4096 /* files of processes that do not wait */
#define MAX_OPEN    64	 /* open files that wait for a reader */

_Static_assert(UNWIND_MAX_WATCHED == MAX_UNWIND_READINGS + 1, "readers, and the opener");

struct unwind_loader {
	struct unwind_files *files;
	struct opener *opener; /* NULL: files are opened here */
	struct part_queue to_open, opening;
	struct unwind_readings readings;
	uint64_t nr_done;	/* parts completed without reading */
	uint64_t last_progress; /* number of completions at the last moves */
	struct unwind_failures failures;
};

/* ---- life ---- */

struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers)
{
	struct unwind_loader *loader = calloc(1, sizeof(*loader));

	if (!loader)
		return NULL;
	loader->files = files;
	part_queue__init(&loader->to_open);
	part_queue__init(&loader->opening);
	unwind_readings__init(&loader->readings, readers, &loader->failures);
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
	part_queue__fini(&loader->to_open);
	part_queue__fini(&loader->opening);
	unwind_readings__fini(&loader->readings);
	unwind_failures__fini(&loader->failures);
	opener__free(loader->opener);
	free(loader);
}

bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size)
{
	return unwind_failures__take(&loader->failures, text, size);
}

/* ---- opening ---- */

/* Completes a part that has left its queue. */
static void finish(struct unwind_loader *loader, struct unwind_part *part)
{
	unwind_part__finish(part);
	unwind_part__put(part);
	loader->nr_done++;
}

/*
 * Completes a part that is the vDSO, which comes from the kernel and is the same in our memory: no
 * reader is needed.
 */
static void take_vdso(struct unwind_loader *loader, struct unwind_part *part)
{
	static const struct file_identity vdso;
	struct unwind_table *table = NULL;
	bool is_first = false;
	int fd;

	part->file = unwind_files__get(loader->files, &vdso, &is_first);
	if (is_first) {
		fd = vdso__open();
		if (fd >= 0) {
			unwind_table__build(fd, &table);
			close(fd);
		}
		unwind_files__settle_file(loader->files, part->file, table, NULL);
	}
	finish(loader, part);
}

static void take_file(struct unwind_loader *loader, struct unwind_part *part, int fd,
		      const struct file_identity *identity)
{
	bool is_first = false;

	part->file = unwind_files__get(loader->files, identity, &is_first);
	if (is_first)
		part->fd = fd;
	else
		close(fd);
	if (is_first || (part->file && unwind_file__is_pending(part->file)))
		unwind_readings__add(&loader->readings, part, is_first);
	else
		finish(loader, part);
}

/* Takes the result of opening a part's file: a descriptor or negative errno. */
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
		unwind_failures__note(&loader->failures, part->mapping.path, fd);
	finish(loader, part);
}

static void take_opened(struct unwind_loader *loader)
{
	struct unwind_part *part;
	struct opened opened;

	while (loader->opening.nr && opener__take(loader->opener, 0, &opened)) {
		part = part_queue__pop(&loader->opening);
		if (opened.fd == -ECANCELED) /* the opener gave up because of an earlier file */
			part_queue__push(&loader->to_open, part);
		else
			note_opened(loader, part, opened.fd);
	}
}

/*
 * Asks the opener for a file, then *is_asked is true and 0 is returned; without an opener, opens it
 * here. Returns a descriptor or negative errno.
 */
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
	while (loader->to_open.nr && loader->readings.to_read.nr < MAX_OPEN) {
		bool is_asked;
		const int code = ask_for(loader, loader->to_open.first, &is_asked);

		if (code == -EAGAIN)
			return;
		if (is_asked)
			part_queue__push(&loader->opening, part_queue__pop(&loader->to_open));
		else
			note_opened(loader, part_queue__pop(&loader->to_open), code);
	}
}

/* ---- the path of a part ---- */

size_t unwind_loader__nr_queued(const struct unwind_loader *loader)
{
	return loader->to_open.nr + loader->opening.nr + loader->readings.to_read.nr;
}

struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid)
{
	struct unwind_part *part = unwind_part__new(loader->files, mapping, pid);

	if (!part)
		return NULL;
	unwind_part__hold(part); /* one reference for the caller, one for a queue */
	if (mapping__kind(&part->mapping) == MAPPING_VDSO)
		take_vdso(loader, part);
	else if (part->mapping.inode)
		part_queue__push(&loader->to_open, part);
	else
		finish(loader, part);
	return part;
}

void unwind_loader__learn(struct unwind_loader *loader, const struct mapping *mapping, int32_t pid)
{
	struct unwind_part *part = NULL;

	if (unwind_loader__nr_queued(loader) < MAX_LEARNED)
		part = unwind_loader__ask(loader, mapping, pid);
	if (part)
		unwind_part__put(part);
}

bool unwind_loader__work(struct unwind_loader *loader)
{
	const uint64_t before = loader->nr_done + loader->readings.nr_done;

	take_opened(loader);
	ask_opener(loader);
	unwind_readings__work(&loader->readings);
	return loader->nr_done + loader->readings.nr_done != before;
}

bool unwind_loader__is_busy(const struct unwind_loader *loader)
{
	return unwind_loader__nr_queued(loader) || unwind_readings__is_busy(&loader->readings);
}

bool unwind_loader__moves(struct unwind_loader *loader)
{
	const uint64_t last_progress = loader->last_progress;
	bool works = loader->opener && opener__is_at_work(loader->opener);

	loader->last_progress = loader->nr_done;
	works |= unwind_readings__are_at_work(&loader->readings, &loader->last_progress);
	return works || loader->last_progress != last_progress;
}

size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched)
{
	size_t nr = unwind_readings__watch(&loader->readings, watched);

	if (loader->opening.nr)
		watched[nr++] = (struct pollfd){opener__fd(loader->opener), POLLIN, 0};
	return nr;
}
