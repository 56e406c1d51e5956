// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts pass through queues:
 *
 *	to_open ──> opening ──> to_read ──> at work ──> done     at work <──> slow
 *	                └─────> to_come ─────────────────┘
 *
 * A queue holds references to its parts, so a requested file arrives even if its process is gone:
 * the next process will map it again.
 *
 * Reader processes read some files at a time, which takes milliseconds. A slow read is abandoned if
 * others wait, and is started again when nothing else is to be done, so that many files made to be
 * slow hold up no others.
 *
 * The first part of a file brings it to a reader; its other parts wait in to_come.
 */
#include "capture/unwinding/internal.h"

#include <poll.h>
#include <unistd.h>

#include "base/shortage.h"
#include "interpreters/interpreters.h"
#include "processes/maps.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "readers/reasons.h"
#include "unwind/unwind.h"

#define MAX_LEARNED  4096 /* files of processes that do not wait */
#define MAX_OPEN     64	  /* open files that wait for a reader */
#define MAX_READS    4	  /* the most readers for this job */
#define MAX_SLOW     2	  /* slow reads at a time */
#define MAX_PUT_OFF  32	  /* slow reads that may wait */
#define SLOW_NS	     250000000ULL
#define MAX_FAILURES 16 /* reported in a run */

_Static_assert(UNWIND_MAX_WATCHED == MAX_READS + 1, "readers, and the opener");

struct unwind_loader {
	struct unwind_files *files;
	struct readers *readers; /* NULL: no file has a table */
	struct opener *opener;	 /* NULL: files are opened here */
	struct part_queue to_open, opening, to_read, to_come, slow;
	struct read_slot {
		struct reading reading;
		struct unwind_part *part; /* NULL: none */
		uint64_t begun_ns;
	} at_work[MAX_READS];
	size_t nr_at_work, nr_slow_at_work;
	size_t next;		/* round-robin counter over at_work; only grows */
	uint64_t nr_done;	/* parts completed since the start */
	uint64_t last_progress; /* nr_done at the last call of unwind_loader__moves() */
	struct file_failure {
		char *path;
		int code;
	} failures[MAX_FAILURES]; /* files that should have a table but have none */
	size_t nr_failures, nr_taken;
};

/* ---- life ---- */

struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers)
{
	struct unwind_loader *loader = xcalloc(1, sizeof(*loader));

	loader->files = files;
	loader->readers = readers;
	part_queue__init(&loader->to_open);
	part_queue__init(&loader->opening);
	part_queue__init(&loader->to_read);
	part_queue__init(&loader->to_come);
	part_queue__init(&loader->slow);
	loader->opener = openers ? opener__new(openers) : NULL;
	return loader;
}

void unwind_loader__free(struct unwind_loader *loader)
{
	if (!loader)
		return;
	part_queue__fini(&loader->to_open);
	part_queue__fini(&loader->opening);
	part_queue__fini(&loader->to_read);
	part_queue__fini(&loader->to_come);
	part_queue__fini(&loader->slow);
	for (size_t i = 0; i < MAX_READS; i++) {
		reading__close(&loader->at_work[i].reading);
		if (loader->at_work[i].part)
			unwind_part__put(loader->at_work[i].part);
	}
	while (loader->nr_failures)
		free(loader->failures[--loader->nr_failures].path);
	opener__free(loader->opener);
	free(loader);
}

/* ---- failures ---- */

/*
 * Notes a failure of opening or reading a file. Most errors only mean that there is no table, and
 * -ECHILD is reported by the symbolizer. A shortage does not belong to a file, and is noted with
 * the first one.
 */
static void note_failure(struct unwind_loader *loader, const char *path, int code)
{
	const bool is_short = code != -ECHILD && shortage__is(code);

	if (!is_short && code != -ETIME && code != -ETIMEDOUT && code != -ENOMEM &&
	    code != -EAGAIN && code != -EPIPE && code != -EIO)
		return;
	for (size_t i = 0; i < loader->nr_failures; i++)
		if (!strcmp(loader->failures[i].path, path) ||
		    (is_short && loader->failures[i].code == code))
			return;
	if (loader->nr_failures < MAX_FAILURES)
		loader->failures[loader->nr_failures++] =
			(struct file_failure){xstrdup(path), code};
}

bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size)
{
	const struct file_failure *failure = &loader->failures[loader->nr_taken];
	struct quoted quoted;
	char reason[128] = "";

	if (loader->nr_taken == loader->nr_failures)
		return false;
	reason__text(failure->code, READ_UNWIND, reason, sizeof(reason));
	snprintf(text, size, "%s: %s", quote(&quoted, failure->path), reason);
	loader->nr_taken++;
	return true;
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
	bool is_first;
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

/* Takes the result of opening a part's file: a descriptor or negative errno. */
static void note_opened(struct unwind_loader *loader, struct unwind_part *part, int fd)
{
	struct file_identity identity;
	bool is_first;

	if (fd < 0 || file__identify(fd, &identity)) {
		if (fd >= 0)
			close(fd);
		else
			note_failure(loader, part->mapping.path, fd);
		finish(loader, part);
		return;
	}
	part->file = unwind_files__get(loader->files, &identity, &is_first);
	if (is_first) {
		part->fd = fd;
		part_queue__push(&loader->to_read, part);
		return;
	}
	close(fd);
	if (unwind_file__is_pending(part->file))
		part_queue__push(&loader->to_come, part);
	else
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

/* Asks the opener for files; without an opener, opens them here. */
static void open_files(struct unwind_loader *loader)
{
	while (loader->to_open.nr && loader->to_read.nr < MAX_OPEN) {
		const struct unwind_part *part = loader->to_open.first;
		const struct mapped_by by = {
			.pid = part->pid, .start = part->mapping.start, .end = part->mapping.end};
		const struct opening opening = {
			.kind = OPENING_MAPPED, .mapping = &part->mapping, .by = &by};
		uint64_t ticket;
		const int code = loader->opener ? opener__ask(loader->opener, &opening, &ticket)
						: opener__open(NULL, &opening, 0);

		if (code == -EAGAIN)
			return;
		if (loader->opener && !code)
			part_queue__push(&loader->opening, part_queue__pop(&loader->to_open));
		else
			note_opened(loader, part_queue__pop(&loader->to_open), code);
	}
}

/* ---- the end of a read ---- */

/* Settles a file: all parts of it are done. */
static void settle(struct unwind_loader *loader, struct unwind_part *part, int code,
		   struct unwind_table *table, const struct interpreter *interpreter)
{
	const struct unwind_file *file = part->file;

	note_failure(loader, part->mapping.path, code);
	unwind_files__settle_file(part->files, part->file, table, interpreter);
	finish(loader, part);
	for (size_t nr = loader->to_come.nr; nr; nr--) {
		struct unwind_part *other = part_queue__pop(&loader->to_come);

		if (other->file == file)
			finish(loader, other);
		else
			part_queue__push(&loader->to_come, other);
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
 * Validates a reader's answer, which is untrusted: a struct interpreter, then a table; and settles
 * the file with it.
 */
static void take_answer(struct unwind_loader *loader, struct unwind_part *part, int code,
			const struct reader_answer *answer)
{
	const struct interpreter *interpreter = answer->bytes;
	struct unwind_table *table = NULL;

	if (!code &&
	    (answer->nr_bytes < sizeof(*interpreter) || !interpreter__is_sane(interpreter) ||
	     unwind_table__view(interpreter + 1, answer->nr_bytes - sizeof(*interpreter), &table)))
		code = -EIO;
	settle(loader, part, code, table, table && interpreter->language ? interpreter : NULL);
}

static void end_read(struct unwind_loader *loader, struct read_slot *slot)
{
	struct unwind_part *part = slot->part;
	struct reader_answer answer = {0};
	int code = look_at(&slot->reading, &answer);

	if (code == -EINPROGRESS) {
		/* the read gives way if it has used up its time and others wait */
		if (!loader->to_read.nr || part->is_slow ||
		    monotonic_ns() <= slot->begun_ns + SLOW_NS)
			return;
	}
	reading__close(&slot->reading);
	loader->nr_at_work--;
	loader->nr_slow_at_work -= part->is_slow;
	slot->part = NULL;
	if (code == -EINPROGRESS) {
		part->is_slow = true;
		code = -EAGAIN;
	}
	if (part->is_slow && code == -EAGAIN && loader->slow.nr < MAX_PUT_OFF)
		part_queue__push(&loader->slow, part);
	else if (!part->is_slow && code == -EAGAIN && !unwind_part__is_overdue(part))
		part_queue__push(&loader->to_read, part);
	else
		take_answer(loader, part, code, &answer);
	reader_answer__free(&answer);
}

/* ---- the start of a read ---- */

/* Starts a read in a free slot. Returns false if no reader is free now. */
static bool fill(struct unwind_loader *loader, struct read_slot *slot)
{
	struct unwind_part *part;
	int code = -ENOSYS;

	if (loader->to_read.nr)
		part = part_queue__pop(&loader->to_read);
	else if (loader->slow.nr && loader->nr_slow_at_work < MAX_SLOW)
		part = part_queue__pop(&loader->slow);
	else
		return true;

	if (loader->readers)
		code = reading__start(&slot->reading, loader->readers, READ_UNWIND, &part->fd, 1,
				      NULL, 0);
	if (code == -EAGAIN && !unwind_part__is_overdue(part)) {
		part_queue__push(part->is_slow ? &loader->slow : &loader->to_read, part);
		return false;
	}
	if (code) {
		settle(loader, part, code, NULL, NULL);
		return true;
	}
	slot->part = part;
	slot->begun_ns = monotonic_ns();
	loader->nr_at_work++;
	loader->nr_slow_at_work += part->is_slow;
	return true;
}

/*
 * Takes one file that was read, and starts further reads. Only one, since the kernel may wait for
 * the maps of its table, and the caller has other deadlines.
 */
static void read_files(struct unwind_loader *loader)
{
	const uint64_t nr_before = loader->nr_done;
	struct read_slot *slot;
	size_t i;

	for (i = 0; i < MAX_READS && loader->nr_done == nr_before; i++) {
		slot = &loader->at_work[loader->next++ % MAX_READS];
		if (slot->part)
			end_read(loader, slot);
	}
	for (i = 0; i < MAX_READS; i++)
		if (!loader->at_work[i].part && !fill(loader, &loader->at_work[i]))
			break;
}

/* ---- requests and work ---- */

size_t unwind_loader__nr_queued(const struct unwind_loader *loader)
{
	return loader->to_open.nr + loader->opening.nr + loader->to_read.nr;
}

struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid)
{
	struct unwind_part *part = unwind_part__new(loader->files, mapping, pid);

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
	if (unwind_loader__nr_queued(loader) < MAX_LEARNED)
		unwind_part__put(unwind_loader__ask(loader, mapping, pid));
}

bool unwind_loader__work(struct unwind_loader *loader)
{
	const uint64_t nr_before = loader->nr_done;

	take_opened(loader);
	open_files(loader);
	read_files(loader);
	return loader->nr_done != nr_before;
}

bool unwind_loader__is_busy(const struct unwind_loader *loader)
{
	return unwind_loader__nr_queued(loader) || loader->nr_at_work || loader->slow.nr;
}

bool unwind_loader__moves(struct unwind_loader *loader)
{
	uint64_t progress = loader->nr_done;
	bool works = loader->opener && opener__is_at_work(loader->opener);

	for (size_t i = 0; i < MAX_READS; i++) {
		const struct read_slot *slot = &loader->at_work[i];

		if (!slot->part)
			continue;
		progress += reading__cpu_ns(&slot->reading);
		works |= !reading__is_idle(&slot->reading);
	}
	works |= progress != loader->last_progress;
	loader->last_progress = progress;
	return works;
}

size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched)
{
	size_t nr = 0;

	for (size_t i = 0; i < MAX_READS; i++)
		if (loader->at_work[i].part)
			watched[nr++] = (struct pollfd){loader->at_work[i].reading.reader.status,
							POLLIN, 0};
	if (loader->opening.nr)
		watched[nr++] = (struct pollfd){opener__fd(loader->opener), POLLIN, 0};
	return nr;
}
