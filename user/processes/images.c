// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes are known from events, and from /proc, which is read when an image is requested of
 * which too little is known. /proc shows the present only: its state includes all earlier events.
 * So an event that arrives later but is older only moves the beginning of the image that was read.
 *
 * When records were lost, existing images have an older generation, and living ones are read again
 * when they are next used.
 */
#include "processes/images.h"

#include "base/time_budget.h"
#include "processes/file.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/opener.h"
#include "processes/procfs.h"
#include "processes/roots.h"

#define IMAGE_PART 2 /* share of max_bytes for one image */

/* Evict down to three quarters, so that the next mapping does not evict again. */
#define LEAVE(max) ((max) / 4 * 3)

/* A refused image may be smaller by now: it is read again after this time. */
#define REFUSED_NS 60000000000ULL

/* A reading that took long is not repeated soon, as the process may cause that on purpose. */
#define ASK_AGAIN_NS 500000000ULL
#define LONG_NS	     5000000ULL
#define PAUSE_FACTOR 32

/* ---- life ---- */

void images__init(struct images *images, struct mapped_files *files, struct roots *roots,
		  size_t max_bytes, void (*free_jit)(struct jit *jit))
{
	*images = (struct images){.files = files,
				  .roots = roots,
				  .max_bytes = max_bytes,
				  .generation = 1,
				  .swept_generation = 1};
	time_lines__init(&images->lines, free_jit);
}

void images__fini(struct images *images)
{
	time_lines__fini(&images->lines);
}

/* mappings: NULL: none yet. */
static struct image *begin_image(struct images *images, int32_t pid, uint64_t begin_ns,
				 struct mappings *mappings)
{
	return time_lines__begin(&images->lines, pid, begin_ns,
				 mappings ? mappings : mappings__new(images->files));
}

/* ---- bounds ---- */

/*
 * Mappings are charged to the images that have them. If the sum is too large, the largest images
 * lose theirs first. An image that loses its mappings, or is too large alone, is refused: it has
 * none for a while.
 */

bool images__take_refusal(struct images *images, struct refusal *refusal)
{
	if (images->nr_told == images->nr_refusals)
		return false;
	*refusal = (struct refusal){0};
	if (images->nr_told < MAX_REFUSALS)
		*refusal = images->refusals[images->nr_told];
	images->nr_told++;
	return true;
}

/* Drops an image's mappings; they are read again after a while. */
static void refuse(struct images *images, struct image *image, bool is_text)
{
	mappings__free(image->mappings);
	image->mappings = mappings__new(images->files);
	if (!image->refused_ns && images->nr_refusals < MAX_REFUSALS)
		images->refusals[images->nr_refusals] = (struct refusal){image->pid, is_text};
	if (!image->refused_ns && images->nr_refusals <= MAX_REFUSALS)
		images->nr_refusals++;
	image->is_refused = true;
	image->refused_ns = monotonic_ns();
	images__touch(images, image);
}

/* An image, and the memory of its mappings including all that share them. */
struct charge {
	struct image *image;
	const struct mappings *mappings;
	size_t bytes;
};

struct charges {
	struct charge *charges;
	size_t nr_charges, capacity;
};

static void add_charge(void *context, struct image *image)
{
	struct charges *charges = context;

	if (image->is_refused)
		return;
	array__reserve(&charges->charges, &charges->capacity, charges->nr_charges + 1);
	charges->charges[charges->nr_charges++] = (struct charge){image, image->mappings, 0};
}

static int by_mappings(const void *left, const void *right)
{
	const struct charge *a = left, *b = right;

	return (a->mappings > b->mappings) - (a->mappings < b->mappings);
}

static int largest_first(const void *left, const void *right)
{
	const struct charge *a = left, *b = right;

	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes)
				    : by_mappings(left, right);
}

static void refuse_largest(struct images *images)
{
	size_t bytes = images->files->bytes, nr;
	struct charges charges = {0};
	struct charge *charge;

	time_lines__visit(&images->lines, add_charge, &charges);
	charge = charges.charges;
	nr = charges.nr_charges;
	if (!nr)
		return;
	qsort(charge, nr, sizeof(*charge), by_mappings);
	for (size_t i = 0; i < nr; i++)
		charge[i].bytes = i && charge[i].mappings == charge[i - 1].mappings
					  ? charge[i - 1].bytes
					  : mappings__bytes(charge[i].image->mappings);
	qsort(charge, nr, sizeof(*charge), largest_first);
	for (size_t i = 0; i < nr; i++) {
		if (i && charge[i].mappings != charge[i - 1].mappings) {
			bytes -= bytes > charge[i - 1].bytes ? charge[i - 1].bytes : bytes;
			if (bytes <= LEAVE(images->max_bytes))
				break;
		}
		refuse(images, charge[i].image, false);
	}
	free(charge);
	mapped_files__forget(images->files, monotonic_ns());
}

/* An image has got mappings: refuses this image or larger ones if memory is exceeded. */
static void bound(struct images *images, struct image *image)
{
	if (mappings__exceed(image->mappings, images->max_bytes / IMAGE_PART))
		refuse(images, image, false);
	if (images->files->bytes <= images->max_bytes)
		return;
	mapped_files__forget(images->files, monotonic_ns());
	if (images->files->bytes > LEAVE(images->max_bytes))
		refuse_largest(images);
}

/* ---- /proc ---- */

static void set_root(struct image *image, struct root_directory *root)
{
	root__unref(image->root);
	image->root = root;
	image->root_is_own = true;
}

static int open_root(const struct images *images, const struct mapped_by *by, struct living *living)
{
	const struct opening opening = {
		.kind = OPENING_PROCESS, .by = by, .path = "root", .living = living};

	return opener__open(images->files->opener, &opening, images->files->budget);
}

/*
 * Reads the mappings of an image, or of a new one that begins at begin_ns. Events up to just before
 * the reading are included. start_ticks: the start time that the process must have; 0: any. 0 or
 * negative errno.
 */
static int read_image(struct images *images, struct image **image, int32_t pid, uint64_t begin_ns,
		      uint64_t start_ticks)
{
	const struct mapped_by by = {.pid = pid, .start_ticks = start_ticks};
	const struct mappings_bounds bounds = {.bytes = images->max_bytes / IMAGE_PART,
					       .if_short = images->puts_off};
	struct time_budget *budget = images->files->budget;
	const uint64_t now_ns = monotonic_ns();
	struct mappings *mappings = NULL;
	struct root_directory *kept = NULL;
	struct living living;
	uint64_t took_ns;
	int code, root = -1;

	images->failure = -ETIME;
	if (!time_budget__wait_ns(budget))
		return -ETIME;
	code = mappings__read(images->files, &by, &bounds, &mappings, &living);
	if (living.start_ticks)
		start_ticks = living.start_ticks; /* opening the root asks for it anew */
	if (!code) {
		if (!roots__has(images->roots, &living.root))
			root = open_root(images, &by, &living);
		kept = roots__take(images->roots, &living.root, root);
	}
	if (code == -EAGAIN)
		code = -ETIME;
	images->failure = code;
	took_ns = monotonic_ns() - now_ns;
	if (!images->files->opener) /* otherwise the opener's caller has charged it */
		time_budget__spend(budget, took_ns);
	if (code && code != -E2BIG && code != -EFBIG)
		return code;

	if (!*image) {
		*image = begin_image(images, pid, begin_ns, mappings);
	} else if (mappings) {
		mappings__free((*image)->mappings);
		(*image)->mappings = mappings;
		(*image)->serial = ++images->lines.serial;
	}
	(*image)->start_ticks = start_ticks;
	(*image)->generation = images->generation;
	(*image)->is_refused = false;
	if (code == -EFBIG && images->puts_off) {
		/*
		 * A process can make reading its mappings take a hundred times as long as usual,
		 * and must not delay the names of others. It keeps its old ones.
		 */
		images->failure = -ETIME;
		(*image)->is_long = (*image)->is_put_off = true;
		return 0;
	}
	set_root(*image, kept);
	(*image)->read_ns = now_ns;
	(*image)->ask_ns = took_ns < LONG_NS ? 0 : now_ns + PAUSE_FACTOR * took_ns;
	(*image)->is_put_off = false;
	if (images->puts_off)
		(*image)->is_long = false;
	if (code)
		refuse(images, *image, code == -EFBIG);
	else
		bound(images, *image);
	return 0;
}

int images__read(struct images *images, int32_t pid)
{
	struct time_line *line = time_lines__find(&images->lines, pid);
	struct image *image = line ? line->newest : NULL;
	int code;

	if (image && image->end_ns)
		image = NULL;
	code = read_image(images, &image, pid, line ? monotonic_ns() : 0,
			  image ? image->start_ticks : 0);
	return code == -ENOENT ? 0 : code;
}

static void read_if_put_off(void *context, struct image *image)
{
	struct images *images = context;

	if (image->is_put_off && !image->end_ns)
		read_image(images, &image, image->pid, 0, image->start_ticks);
}

void images__read_put_off(struct images *images)
{
	time_lines__visit(&images->lines, read_if_put_off, images);
}

/* ---- events ---- */

static void note_fork(struct images *images, const struct process_event *event)
{
	struct image *from = NULL, *image;
	struct time_line *parent = time_lines__find(&images->lines, event->parent);
	struct living living;
	struct mapped_by by;
	int root;

	if (event->pid == event->parent)
		return;
	if (parent)
		from = time_line__at(parent, event->time_ns);
	else
		read_image(images, &from, event->parent, 0, 0);
	image = begin_image(images, event->pid, event->time_ns,
			    from ? mappings__share(from->mappings) : NULL);
	image->generation = from ? from->generation : 0;
	if (!from)
		return;
	image->is_refused = from->is_refused;
	image->refused_ns = from->refused_ns;
	image->is_long = from->is_long;
	image->is_put_off = from->is_put_off;

	/* The parent's root is found while it lives: its children may be gone when looked up. */
	if (!from->root_is_own && !from->end_ns) {
		from->root_is_own = true;
		by = (struct mapped_by){.pid = from->pid, .start_ticks = from->start_ticks};
		root = open_root(images, &by, &living);
		if (root >= 0)
			set_root(from, roots__take(images->roots, &living.root, root));
	}
	image->root = root__ref(from->root);
}

static void note_exec(struct images *images, const struct process_event *event)
{
	const struct image *before =
		time_line__at(time_lines__find(&images->lines, event->pid), event->time_ns);
	struct root_directory *root = before ? before->root : NULL;
	struct image *image = begin_image(images, event->pid, event->time_ns, NULL);

	image->generation = images->generation;
	image->root = root__ref(root);
}

/*
 * Adds a mapping. An unknown process is read when its image is requested; if it is gone by then,
 * its events are all that is known.
 */
static void note_mapping(struct images *images, const struct process_event *event)
{
	struct time_line *line = time_lines__find(&images->lines, event->pid);
	struct image *image = line ? time_line__at(line, event->time_ns)
				   : begin_image(images, event->pid, 0, NULL);
	const struct mapped_area *area;

	if (!image || image->is_refused || event->time_ns <= image->read_ns)
		return;
	mappings__map(&image->mappings, &event->mapping, event->time_ns);

	/*
	 * The mapping may lie in an area that may be a copy of a text. No record tells when the
	 * file is unmapped, after which memory there is no copy: the mappings around it show that,
	 * so the image must be read again.
	 */
	area = mappings__find(image->mappings, event->mapping.start);
	if (area && area->original)
		image->generation = 0;
	image->mapped_ns = event->time_ns;
	image->serial = ++images->lines.serial;
	bound(images, image);
}

static void on_exited(struct images *images, const struct process_event *event)
{
	struct time_line *line = time_lines__find(&images->lines, event->pid);

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

/* Whether to read the image again. Refused ones are not read again soon. */
static bool is_outdated(const struct images *images, const struct image *image)
{
	if (image->is_refused)
		return monotonic_ns() > image->refused_ns + REFUSED_NS;
	if (image->is_put_off && !images->puts_off)
		return true;
	return image->generation != images->generation && monotonic_ns() >= image->ask_ns;
}

/* The image of this process, read if necessary; NULL: nothing is known. */
static struct image *find_or_read(struct images *images, const struct process *process,
				  uint64_t start_ticks)
{
	struct time_line *line = time_lines__find(&images->lines, process->pid);
	struct image *image = time_line__at(line, process->seen_ns);

	if (!line) {
		read_image(images, &image, process->pid, 0, start_ticks);
	} else if (image && image->start_ticks &&
		   !procfs__same_start(image->start_ticks, start_ticks)) {
		/* Another process had the pid before, and its end was not reported. */
		const bool is_newest = image == line->newest;

		image = NULL;
		if (is_newest)
			read_image(images, &image, process->pid, process->seen_ns, start_ticks);
	} else if (image == line->newest && image && !image->end_ns && is_outdated(images, image)) {
		if (image->is_refused)
			image->refused_ns = monotonic_ns();
		if (read_image(images, &image, process->pid, 0, start_ticks) != -ETIME)
			image->generation = images->generation; /* if the process is gone, its
								 * image stays unchanged */
	}
	return image;
}

struct image *images__find(struct images *images, const struct process *process)
{
	const uint64_t start_ticks = procfs__ticks(process->start_ns);
	struct image *image = find_or_read(images, process, start_ticks);

	if (!image)
		return NULL;
	image->start_ticks = start_ticks;
	/*
	 * If all samples to come are later than the last change of mappings, addresses are no
	 * longer ambiguous, and may get other names.
	 */
	if (image->seen_ns <= image->mapped_ns && process->seen_ns > image->mapped_ns)
		images__touch(images, image);
	if (image->seen_ns < process->seen_ns)
		image->seen_ns = process->seen_ns;
	return image;
}

bool images__read_again(struct images *images, struct image *image)
{
	const struct time_line *line = time_lines__find(&images->lines, image->pid);
	const uint64_t now_ns = monotonic_ns();
	int code;

	if (!line || line->newest != image || image->end_ns || !image->start_ticks ||
	    image->is_refused || image->is_put_off || now_ns < image->ask_ns)
		return false;
	code = read_image(images, &image, image->pid, 0, image->start_ticks);
	if (image->ask_ns < now_ns + ASK_AGAIN_NS)
		image->ask_ns = now_ns + ASK_AGAIN_NS;
	return !code;
}

/* ---- all images ---- */

void images__touch(struct images *images, struct image *image)
{
	image->serial = ++images->lines.serial;
}

struct touching {
	struct images *images;
	const struct mapped_file *file;
};

static void touch_if_mapped(void *context, struct image *image)
{
	const struct touching *touching = context;

	if (!touching->file || mappings__have(image->mappings, touching->file))
		images__touch(touching->images, image);
}

void images__touch_all(struct images *images, const struct mapped_file *file)
{
	struct touching touching = {images, file};

	time_lines__visit(&images->lines, touch_if_mapped, &touching);
}

/*
 * Drops old images. After a loss of records it also ends processes that are gone, as the record of
 * their end may be lost.
 */
void images__forget(struct images *images, uint64_t before_ns)
{
	if (images->swept_generation != images->generation)
		time_lines__end_gone(&images->lines, monotonic_ns());
	images->swept_generation = images->generation;
	time_lines__forget(&images->lines, before_ns);
}

size_t images__memory_bytes(struct images *images)
{
	return sizeof(*images) + time_lines__memory_bytes(&images->lines);
}
