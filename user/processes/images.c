// SPDX-License-Identifier: GPL-2.0-only
/*
 *	time          ──────fork──────────exec──────────────exit────fork────►
 *	images of a pid      [ parent's    )[ new program            )[ another process
 *
 * The image of a sample is the last one that began before it. /proc shows the present only: what is
 * read there at some time includes every event until then, so events that are told later, but are
 * older, move the beginning of what was read and change nothing else.
 *
 * When records were lost, images are of an older generation than we are, and the living ones are
 * read again when they are next used.
 */
#include "processes/images.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hurry.h"
#include "processes/file.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/procfs.h"
#include "processes/roots.h"

/* All images of one pid. */
struct time_line {
	struct map_number pid;
	struct images *images;
	struct image *newest; /* NULL only while it is made */
};

/* ---- life ---- */

static void drop_jit(const struct images *images, struct image *image)
{
	if (image->jit)
		images->free_jit(image->jit);
	image->jit = NULL;
}

static void free_image(const struct images *images, struct image *image)
{
	mappings__free(image->mappings);
	root__unref(image->root);
	drop_jit(images, image);
	free(image);
}

/* Frees an image and all that are older. */
static void free_from(const struct images *images, struct image *image)
{
	while (image) {
		struct image *older = image->older;

		free_image(images, image);
		image = older;
	}
}

static void free_line(void *item)
{
	struct time_line *line = item;

	free_from(line->images, line->newest);
	free(line);
}

int images__init(struct images *images, struct mapped_files *files, struct roots *roots,
		 size_t max_bytes, void (*free_jit)(struct jit *jit))
{
	*images = (struct images){.files = files,
				  .roots = roots,
				  .max_bytes = max_bytes,
				  .free_jit = free_jit,
				  .generation = 1,
				  .swept_generation = 1};
	return map__init_numbers(&images->lines, free_line);
}

void images__fini(struct images *images)
{
	map__fini(&images->lines);
}

static struct time_line *find_line(const struct images *images, int32_t pid)
{
	return map__find_number(&images->lines, (uint64_t)pid);
}

static struct time_line *new_line(struct images *images, int32_t pid)
{
	struct time_line *line = map__add_number(&images->lines, (uint64_t)pid, sizeof(*line));

	if (line)
		line->images = images;
	return line;
}

/* ---- the time line ---- */

static struct image *image_at(const struct time_line *line, uint64_t time_ns)
{
	struct image *image = line ? line->newest : NULL;

	while (image && image->begin_ns > time_ns)
		image = image->older;
	return image;
}

/*
 * Begins an image at some time, with a reference to mappings, which it takes; NULL: none yet. What
 * was read from /proc after that time stays the newest, and begins then.
 */
static struct image *begin_image(struct images *images, int32_t pid, uint64_t begin_ns,
				 struct mappings *mappings)
{
	struct image *image = calloc(1, sizeof(*image));
	struct time_line *line = find_line(images, pid);
	struct image *newest;

	if (!mappings)
		mappings = mappings__new(images->files);
	if (!line && image && mappings)
		line = new_line(images, pid);
	if (!image || !mappings || !line) {
		mappings__free(mappings);
		free(image);
		return NULL;
	}
	*image = (struct image){.pid = pid, .begin_ns = begin_ns, .mappings = mappings};
	image->serial = ++images->serial;
	newest = line->newest;
	if (newest && newest->read_ns >= begin_ns) {
		image->older = newest->older;
		newest->older = image;
		newest->begin_ns = begin_ns;
	} else {
		image->older = newest;
		line->newest = image;
	}
	return image;
}

/* ---- /proc ---- */

static void set_root(struct image *image, struct root_directory *root)
{
	root__unref(image->root);
	image->root = root;
	image->root_is_own = true;
}

/* A process that others come from, while it lives: they may be gone when they are asked for. */
static void learn_root(struct images *images, struct image *image)
{
	uint64_t start_ticks = image->start_ticks;
	int process;

	if (image->root_is_own || image->end_ns)
		return;
	image->root_is_own = true;
	process = procfs__open_born(image->pid, &start_ticks);
	if (process < 0)
		return;
	set_root(image, roots__take(images->roots, process));
	close(process);
}

/* What /proc tells of a process. */
struct image_reading {
	uint64_t start_ticks; /* of its birth: that it must have, 0: any; then that it has */
	struct mappings *mappings;
	struct root_directory *root;
};

static int read_process(const struct images *images, int32_t pid, struct image_reading *reading)
{
	const int process = procfs__open_born(pid, &reading->start_ticks);
	struct mapped_by by = {.pid = pid};
	int code;

	if (process < 0)
		return process;
	by.start_ticks = reading->start_ticks;
	code = mappings__read(images->files, &by, images->max_bytes / IMAGE_PART,
			      &reading->mappings);
	if (!code)
		reading->root = roots__take(images->roots, process);
	close(process);
	return code;
}

static bool is_too_much(int code)
{
	return code == -E2BIG || code == -EFBIG;
}

/* Puts what was read, which it takes, into the image, or into a new one. 0 or -ENOMEM. */
static int take_reading(struct images *images, struct image **image, int32_t pid, uint64_t begin_ns,
			const struct image_reading *reading)
{
	if (*image && reading->mappings) {
		mappings__free((*image)->mappings);
		(*image)->mappings = reading->mappings;
		(*image)->serial = ++images->serial;
	} else if (!*image) {
		*image = begin_image(images, pid, begin_ns, reading->mappings);
	}
	if (!*image) {
		root__unref(reading->root);
		return -ENOMEM;
	}
	set_root(*image, reading->root);
	(*image)->start_ticks = reading->start_ticks;
	(*image)->generation = images->generation;
	return 0;
}

/* What was refused may have become smaller since, and is read again after so long. */
#define REFUSED_NS 60000000000ULL

/* What took long is not done again soon: it may be meant to. */
#define ASK_AGAIN_NS 500000000ULL
#define LONG_NS	     5000000ULL
#define PAUSE_FACTOR 32

/*
 * Reads an image's mappings anew, or those of a new one that begins at begin_ns. Events until the
 * time just before the reading are in it.
 */
static int read_image(struct images *images, struct image **image, int32_t pid, uint64_t begin_ns,
		      uint64_t start_ticks)
{
	struct image_reading reading = {.start_ticks = start_ticks};
	const uint64_t now_ns = monotonic_ns();
	uint64_t took_ns;
	int code;

	if (!hurry__wait_ns(images->hurry))
		return -ETIME;
	code = read_process(images, pid, &reading);
	took_ns = monotonic_ns() - now_ns;
	if (!images->files->opener) /* else who waits for it has spent it */
		hurry__spend(images->hurry, took_ns);
	if (code && !is_too_much(code))
		return code == -EAGAIN ? -ETIME : code;
	if (take_reading(images, image, pid, begin_ns, &reading))
		return -ENOMEM;
	(*image)->read_ns = now_ns;
	(*image)->ask_ns = took_ns < LONG_NS ? 0 : now_ns + PAUSE_FACTOR * took_ns;
	(*image)->is_refused = false;
	if (code)
		images__refuse(images, *image, code == -EFBIG);
	else
		images__bound(images, *image);
	return 0;
}

int images__read(struct images *images, int32_t pid)
{
	struct time_line *line = find_line(images, pid);
	struct image *image = line ? line->newest : NULL;
	int code;

	if (image && image->end_ns)
		image = NULL;
	code = read_image(images, &image, pid, line ? monotonic_ns() : 0,
			  image ? image->start_ticks : 0);
	return code == -ENOENT ? 0 : code;
}

/* ---- events ---- */

static void note_fork(struct images *images, const struct process_event *event)
{
	struct image *from = NULL, *image;
	struct time_line *parent = find_line(images, event->parent);

	if (event->pid == event->parent)
		return;
	if (parent)
		from = image_at(parent, event->time_ns);
	else
		read_image(images, &from, event->parent, 0, 0);
	image = begin_image(images, event->pid, event->time_ns,
			    from ? mappings__share(from->mappings) : NULL);
	if (!image)
		return;
	image->generation = from ? from->generation : 0;
	if (!from)
		return;
	image->is_refused = from->is_refused;
	image->refused_ns = from->refused_ns;
	learn_root(images, from);
	image->root = root__ref(from->root);
}

static void note_exec(struct images *images, const struct process_event *event)
{
	const struct image *before = image_at(find_line(images, event->pid), event->time_ns);
	struct root_directory *root = before ? before->root : NULL;
	struct image *image = begin_image(images, event->pid, event->time_ns, NULL);

	if (!image)
		return;
	image->generation = images->generation;
	image->root = root__ref(root);
}

/*
 * A process that was not heard of before is read when somebody asks for it. If it is gone by then,
 * what its events told is what there is.
 */
static void note_mapping(struct images *images, const struct process_event *event)
{
	struct time_line *line = find_line(images, event->pid);
	struct image *image =
		line ? image_at(line, event->time_ns) : begin_image(images, event->pid, 0, NULL);

	if (!image || image->is_refused || event->time_ns <= image->read_ns)
		return;
	mappings__map(&image->mappings, &event->mapping, event->time_ns);
	image->mapped_ns = event->time_ns;
	image->serial = ++images->serial;
	images__bound(images, image);
}

static void on_exited(struct images *images, const struct process_event *event)
{
	struct time_line *line = find_line(images, event->pid);

	if (line && line->newest->begin_ns <= event->time_ns &&
	    line->newest->read_ns < event->time_ns)
		line->newest->end_ns = event->time_ns;
}

void images__observe(struct images *images, const struct process_event *event)
{
	switch (event->type) {
	case PROCESS_FORKED:
		note_fork(images, event);
		break;
	case PROCESS_EXECED:
		note_exec(images, event);
		break;
	case PROCESS_MAPPED:
		note_mapping(images, event);
		break;
	case PROCESS_EXITED:
		on_exited(images, event);
		break;
	case PROCESS_RECORDS_LOST:
		images->generation++;
		break;
	}
}

/* ---- asking ---- */

/* What is refused is not read again soon, whether it can be or not. */
static bool is_outdated(const struct images *images, const struct image *image)
{
	if (image->is_refused)
		return monotonic_ns() > image->refused_ns + REFUSED_NS;
	return image->generation != images->generation && monotonic_ns() >= image->ask_ns;
}

/* The image that must be this process's, read if there is a reason to; NULL: nothing is known. */
static struct image *find_or_read(struct images *images, const struct process *process,
				  uint64_t start_ticks)
{
	struct time_line *line = find_line(images, process->pid);
	struct image *image = image_at(line, process->seen_ns);

	if (!line) {
		read_image(images, &image, process->pid, 0, start_ticks);
	} else if (image && image->start_ticks &&
		   !procfs__same_start(image->start_ticks, start_ticks)) {
		/* Another process had the pid, and we were not told of its end. */
		const bool is_newest = image == line->newest;

		image = NULL;
		if (is_newest)
			read_image(images, &image, process->pid, process->seen_ns, start_ticks);
	} else if (image == line->newest && image && !image->end_ns && is_outdated(images, image)) {
		if (image->is_refused)
			image->refused_ns = monotonic_ns();
		if (read_image(images, &image, process->pid, 0, start_ticks) != -ETIME)
			image->generation = images->generation; /* if gone, it stays as it is */
	}
	return image;
}

/* Samples that are all younger than the mappings are no more in doubt: they may get other names. */
static void see(struct images *images, struct image *image, uint64_t seen_ns)
{
	if (image->seen_ns <= image->mapped_ns && seen_ns > image->mapped_ns)
		images__touch(images, image);
	if (image->seen_ns < seen_ns)
		image->seen_ns = seen_ns;
}

struct image *images__find(struct images *images, const struct process *process)
{
	const uint64_t start_ticks = procfs__ticks(process->start_ns);
	struct image *image = find_or_read(images, process, start_ticks);

	if (!image)
		return NULL;
	image->start_ticks = start_ticks;
	see(images, image, process->seen_ns);
	return image;
}

bool images__read_again(struct images *images, struct image *image)
{
	const struct time_line *line = find_line(images, image->pid);
	const uint64_t now_ns = monotonic_ns();
	int code;

	if (!line || line->newest != image || image->end_ns || !image->start_ticks ||
	    image->is_refused || now_ns < image->ask_ns)
		return false;
	code = read_image(images, &image, image->pid, 0, image->start_ticks);
	if (image->ask_ns < now_ns + ASK_AGAIN_NS)
		image->ask_ns = now_ns + ASK_AGAIN_NS;
	return !code;
}

void images__touch(struct images *images, struct image *image)
{
	image->serial = ++images->serial;
}

static bool touch_in_line(void *item, void *file)
{
	const struct time_line *line = item;

	for (struct image *image = line->newest; image; image = image->older)
		if (mappings__have(image->mappings, file))
			images__touch(line->images, image);
	return false;
}

void images__touch_all(struct images *images, const struct mapped_file *file)
{
	map__visit(&images->lines, touch_in_line, (void *)(uintptr_t)file);
}

/* ---- forgetting ---- */

/* The first thread's end is not the process's while others go on. */
static bool is_gone(const struct time_line *line)
{
	return kill((pid_t)line->pid.number, 0) && errno == ESRCH;
}

static bool forget_older(void *item, void *context)
{
	const uint64_t before_ns = *(const uint64_t *)context;
	struct time_line *line = item;
	struct image *needed = image_at(line, before_ns);

	if (needed) {
		free_from(line->images, needed->older);
		needed->older = NULL;
	}
	return line->newest->end_ns && line->newest->end_ns < before_ns && is_gone(line);
}

/* The end of a process may be among the records that were lost. */
static bool end_if_gone(void *item, void *now_ns)
{
	struct time_line *line = item;

	if (!line->newest->end_ns && is_gone(line))
		line->newest->end_ns = *(const uint64_t *)now_ns;
	return false;
}

void images__forget(struct images *images, uint64_t before_ns)
{
	uint64_t now_ns = monotonic_ns();

	if (images->swept_generation != images->generation)
		map__visit(&images->lines, end_if_gone, &now_ns);
	images->swept_generation = images->generation;
	map__visit(&images->lines, forget_older, &before_ns);
}

struct images_visit {
	void (*visit)(void *context, struct image *image);
	void *context;
};

static bool visit_line(void *item, void *context)
{
	const struct time_line *line = item;
	const struct images_visit *visit = context;
	struct image *image;

	for (image = line->newest; image; image = image->older)
		visit->visit(visit->context, image);
	return false;
}

void images__visit(struct images *images, void (*visit)(void *context, struct image *image),
		   void *context)
{
	struct images_visit visits = {visit, context};

	map__visit(&images->lines, visit_line, &visits);
}

static void drop_jit_of(void *images, struct image *image)
{
	drop_jit(images, image);
}

void images__drop_jit(struct images *images)
{
	images__visit(images, drop_jit_of, images);
}

static void add_bytes(void *bytes, struct image *image)
{
	*(size_t *)bytes += sizeof(*image);
}

size_t images__memory_bytes(struct images *images)
{
	size_t bytes = sizeof(*images) + map__memory_bytes(&images->lines) +
		       map__nr_items(&images->lines) * sizeof(struct time_line);

	images__visit(images, add_bytes, &bytes);
	return bytes;
}
