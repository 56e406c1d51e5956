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
#include <libiberty/ansidecl.h>
#include <libiberty/hashtab.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "processes/living.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/procfs.h"
#include "processes/roots.h"
#include "symbols/jit.h"

/* All images of one pid. */
struct line {
	int32_t pid;
	struct image *newest; /* NULL only while it is made */
};

struct images {
	htab_t lines;
	struct modules *modules;
	struct roots *roots;
	uint64_t serial;
	uint64_t generation;	   /* one more whenever records were lost; from 1 */
	uint64_t swept_generation; /* of the last search for processes whose end was lost */
};

/* ---- life ---- */

static hashval_t hash_pid(int32_t pid)
{
	return (hashval_t)pid * 2654435761U;
}

static hashval_t hash_line(const void *entry)
{
	return hash_pid(((const struct line *)entry)->pid);
}

static int equals_line(const void *entry, const void *key)
{
	return ((const struct line *)entry)->pid == ((const struct line *)key)->pid;
}

static void free_image(struct image *image)
{
	mappings__free(image->mappings);
	root__unref(image->root);
	jit__free(image->jit);
	free(image);
}

/* Frees an image and all that are older. */
static void free_from(struct image *image)
{
	while (image) {
		struct image *older = image->older;

		free_image(image);
		image = older;
	}
}

static void free_line(void *entry)
{
	struct line *line = entry;

	free_from(line->newest);
	free(line);
}

struct images *images__new(struct modules *modules, struct roots *roots)
{
	struct images *images = calloc(1, sizeof(*images));

	if (!images)
		return NULL;
	images->modules = modules;
	images->roots = roots;
	images->generation = images->swept_generation = 1;
	images->lines = htab_try_create(64, hash_line, equals_line, free_line);
	if (!images->lines) {
		free(images);
		return NULL;
	}
	return images;
}

void images__free(struct images *images)
{
	if (!images)
		return;
	htab_delete(images->lines);
	free(images);
}

static struct line *find_line(const struct images *images, int32_t pid)
{
	const struct line key = {.pid = pid};

	return htab_find_with_hash(images->lines, &key, hash_pid(pid));
}

static struct line *new_line(struct images *images, int32_t pid)
{
	struct line *line = calloc(1, sizeof(*line));
	void **slot;

	if (!line)
		return NULL;
	line->pid = pid;
	slot = htab_find_slot_with_hash(images->lines, line, hash_pid(pid), INSERT);
	if (!slot) {
		free(line);
		return NULL;
	}
	*slot = line;
	return line;
}

/* ---- the time line ---- */

static struct image *image_at(const struct line *line, uint64_t time_ns)
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
	struct line *line = find_line(images, pid);
	struct image *newest;

	if (!mappings)
		mappings = mappings__new();
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

static void set_root(struct image *image, struct root *root)
{
	root__unref(image->root);
	image->root = root;
	image->root_is_own = true;
}

/* A process that others come from, while it lives: they may be gone when they are asked for. */
static void look_at_root(struct images *images, struct image *image)
{
	struct root *root;

	if (image->root_is_own || image->end_ns)
		return;
	image->root_is_own = true;
	if (!living__root(images->roots, image->pid, image->start_ticks, &root))
		set_root(image, root);
}

/*
 * Reads an image's mappings anew, or those of a new one that begins at begin_ns. Events until the
 * time just before the reading are in it.
 */
static int read_image(struct images *images, struct image **image, int32_t pid, uint64_t begin_ns,
		      uint64_t start_ticks)
{
	const uint64_t now_ns = monotonic_ns();
	struct mappings *mappings;
	struct root *root;
	int code = living__mappings(images->modules, pid, &start_ticks, &mappings);

	if (code)
		return code;
	if (living__root(images->roots, pid, start_ticks, &root))
		root = NULL;
	if (*image) {
		mappings__free((*image)->mappings);
		(*image)->mappings = mappings;
		(*image)->serial = ++images->serial;
	} else {
		*image = begin_image(images, pid, begin_ns, mappings);
		if (!*image) {
			root__unref(root);
			return -ENOMEM;
		}
	}
	set_root(*image, root);
	(*image)->read_ns = now_ns;
	(*image)->start_ticks = start_ticks;
	(*image)->generation = images->generation;
	return 0;
}

int images__read(struct images *images, int32_t pid)
{
	struct line *line = find_line(images, pid);
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
	struct line *parent = find_line(images, event->parent);

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
	look_at_root(images, from);
	image->root = root__ref(from->root);
}

static void note_exec(struct images *images, const struct process_event *event)
{
	const struct image *before = image_at(find_line(images, event->pid), event->time_ns);
	struct root *root = before ? before->root : NULL;
	struct image *image = begin_image(images, event->pid, event->time_ns, NULL);

	if (!image)
		return;
	image->generation = images->generation;
	image->root = root__ref(root);
}

/* A process that we had not heard of is read when somebody asks; this is what if it is gone then.
 */
static void note_mapping(struct images *images, const struct process_event *event)
{
	struct line *line = find_line(images, event->pid);
	struct image *image =
		line ? image_at(line, event->time_ns) : begin_image(images, event->pid, 0, NULL);

	if (!image || event->time_ns <= image->read_ns)
		return;
	mappings__map(&image->mappings, images->modules, &event->mapping, event->time_ns);
	image->mapped_ns = event->time_ns;
	image->serial = ++images->serial;
}

static void on_exited(struct images *images, const struct process_event *event)
{
	struct line *line = find_line(images, event->pid);

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

/* The image that must be this process's, read if there is a reason to; NULL: nothing is known. */
static struct image *find_or_read(struct images *images, const struct process *process,
				  uint64_t start_ticks)
{
	struct line *line = find_line(images, process->pid);
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
	} else if (image == line->newest && image && !image->end_ns &&
		   image->generation != images->generation) {
		read_image(images, &image, process->pid, 0, start_ticks);
		image->generation = images->generation; /* or it is gone, and stays as it is */
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

#define ASK_AGAIN_NS 500000000ULL

bool images__read_again(struct images *images, struct image *image)
{
	const struct line *line = find_line(images, image->pid);
	const uint64_t now_ns = monotonic_ns();

	if (!line || line->newest != image || image->end_ns || !image->start_ticks ||
	    now_ns - image->asked_ns < ASK_AGAIN_NS)
		return false;
	image->asked_ns = now_ns;
	return !read_image(images, &image, image->pid, 0, image->start_ticks);
}

void images__touch(struct images *images, struct image *image)
{
	image->serial = ++images->serial;
}

/* ---- forgetting ---- */

struct forgetting {
	struct images *images;
	uint64_t before_ns;
};

static int forget_in_line(void **slot, void *context)
{
	const struct forgetting *forgetting = context;
	struct line *line = *slot;
	struct image *needed = image_at(line, forgetting->before_ns);

	if (needed) {
		free_from(needed->older);
		needed->older = NULL;
	}
	/* The first thread's end is not the process's while others go on. */
	if (line->newest->end_ns && line->newest->end_ns < forgetting->before_ns &&
	    kill(line->pid, 0) && errno == ESRCH)
		htab_clear_slot(forgetting->images->lines, slot);
	return 1;
}

/* The end of a process may be among the records that were lost. */
static int end_if_gone(void **slot, void *context)
{
	struct line *line = *slot;
	const uint64_t *now_ns = context;

	if (!line->newest->end_ns && kill(line->pid, 0) && errno == ESRCH)
		line->newest->end_ns = *now_ns;
	return 1;
}

void images__forget(struct images *images, uint64_t before_ns)
{
	struct forgetting forgetting = {images, before_ns};
	uint64_t now_ns = monotonic_ns();

	if (images->swept_generation != images->generation)
		htab_traverse_noresize(images->lines, end_if_gone, &now_ns);
	images->swept_generation = images->generation;
	htab_traverse(images->lines, forget_in_line, &forgetting);
}

static int drop_jit(void **slot, void *context)
{
	const struct line *line = *slot;
	struct image *image;

	(void)context;
	for (image = line->newest; image; image = image->older) {
		jit__free(image->jit);
		image->jit = NULL;
	}
	return 1;
}

void images__drop_jit(struct images *images)
{
	htab_traverse_noresize(images->lines, drop_jit, NULL);
}

static int add_bytes(void **slot, void *context)
{
	const struct line *line = *slot;
	const struct image *image;
	size_t *bytes = context;

	*bytes += sizeof(*line);
	for (image = line->newest; image; image = image->older)
		*bytes += sizeof(*image) + mappings__memory_bytes(image->mappings);
	return 1;
}

size_t images__nr_processes(const struct images *images)
{
	return htab_elements(images->lines);
}

size_t images__memory_bytes(const struct images *images)
{
	size_t bytes = sizeof(*images) + htab_size(images->lines) * sizeof(void *);

	htab_traverse_noresize(images->lines, add_bytes, &bytes);
	return bytes;
}
