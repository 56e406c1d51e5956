// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any user may write to /tmp, and pids are reused. So a perf map is believed only if it lies
 * below the process's own root, is named by the pid in the process's own namespace, belongs to its
 * user or to root, and was written since this image began. A jitdump is believed because the
 * process mapped it.
 */
#include "symbols/jit/jit.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/shortage.h"
#include "elf/symbol_table.h"
#include "processes/file.h"
#include "processes/images.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/opener.h"
#include "processes/procfs.h"
#include "processes/roots.h"
#include "symbols/jit/late_names.h"

#define MAX_CODE_BYTES	(32U << 20)
#define MAX_ROUND_BYTES (16U << 20)
#define PATIENCE_NS	1000000000ULL
#define MAX_LATE_WORK	(4U << 20)

/* Rounds at the end of a run, as a file that has grown a lot is read in parts. */
#define MAX_LAST_ROUNDS 16

/* A file's time is that of the last tick, and a process starts between two ticks. */
#define TICK_NS 20000000LL
/* After the process's end the kernel may still close its file and write the rest. */
#define LAST_WORDS_NS 1000000000LL

struct jit {
	struct jit_round *round;
	uint64_t refreshed;		  /* the last round */
	struct process_identity identity; /* pid 0: not known */
	struct jit_file map, dump;
	struct late_table *late; /* NULL: there was no room */
	bool is_over;		 /* the last refresh was after the process's end */
	uint64_t nr_unnamed;	 /* jit__want() calls */
};

void jit_round__begin(struct jit_round *round, size_t max_code_bytes)
{
	round->bounds.max_code_bytes =
		max_code_bytes < MAX_CODE_BYTES ? max_code_bytes : MAX_CODE_BYTES;
	round->allowance = MAX_ROUND_BYTES;
	round->left_ns = PATIENCE_NS;
	if (round->late)
		round->late->bounds.work = MAX_LATE_WORK;
	round->number++;
}

struct jit *jit__new(struct jit_round *round, uint64_t instance)
{
	struct jit *jit = xcalloc(1, sizeof(*jit));

	jit->round = round;
	jit_file__init(&jit->map, round, READ_PERF_MAP);
	jit_file__init(&jit->dump, round, READ_JITDUMP);
	if (round->late)
		jit->late = late_names__open(round->late, instance);
	jit->map.code.late = jit->dump.code.late = jit->late;
	return jit;
}

void jit__free(struct jit *jit)
{
	if (!jit)
		return;
	if (jit->late)
		jit->late->is_over = jit->is_over;
	jit->map.code.late = jit->dump.code.late = NULL;
	jit_file__fini(&jit->map);
	jit_file__fini(&jit->dump);
	free(jit);
}

/* ---- perf-PID.map ---- */

/* Where a map must be, and which user must own it. */
struct expected {
	int root;
	struct process_identity identity;
	bool is_gone; /* the process is gone */
};

static int find_expected(struct jit *jit, const struct image *image, struct expected *expected)
{
	const struct mapped_by by = {.pid = image->pid, .start_ticks = image->start_ticks};
	struct living living = {0};
	const struct opening opening = {
		.kind = OPENING_PROCESS, .by = &by, .path = "root", .living = &living};
	const int root = opener__open(jit->round->opener, &opening, jit->round->budget);
	const int kept = root__fd(image->root);
	bool is_known;

	*expected = (struct expected){.root = root, .identity = living.identity};
	if (living.identity.pid)
		jit->identity = living.identity;
	if (root >= 0 && living.identity.pid)
		return 0;
	if (root >= 0) {
		close(root);
		return -EACCES;
	}
	if (root == -EPERM) /* our rights are too few; the owner is not wrong */
		return -EACCES;
	if (root != -ENOENT && root != -ESRCH)
		return root;

	/*
	 * A zombie has no root any more, and may be reaped meanwhile. Its map is expected where it
	 * was, if its root, pid and user were read while it lived. Otherwise it is assumed to be
	 * like us: below our root, with the pid that we see, owned by our user.
	 */
	is_known = jit->identity.pid != 0;
	if (is_known ? kept < 0 && jit->identity.pid != image->pid : kept >= 0)
		return -ESRCH;
	expected->is_gone = true;
	expected->identity.pid = is_known ? jit->identity.pid : image->pid;
	expected->identity.uid = is_known ? jit->identity.uid : geteuid();
	expected->root = kept >= 0 ? fcntl(kept, F_DUPFD_CLOEXEC, 0)
				   : open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return expected->root < 0 ? -errno : 0;
}

/*
 * Checks that the map is the process's own, and was written since the process began: an older one
 * is of an earlier process with the same pid. 0, or why not; -ESTALE: it is of another process,
 * which is no error. A hard link could expose another user's file, so it is refused.
 */
static int check_map(int fd, const struct image *image, const struct expected *expected)
{
	const int64_t asleep_ns = (int64_t)(clock_ns(CLOCK_BOOTTIME) - monotonic_ns());
	const int64_t born_ns = (int64_t)procfs__birth_ns(image->start_ticks);
	uint32_t uid, nr_links;
	int64_t changed_ns;

	if (file__owner(fd, &uid, &nr_links) || file__changed_ns(fd, &changed_ns))
		return -ESTALE;
	if (expected->is_gone && image->end_ns &&
	    changed_ns > (int64_t)image->end_ns + LAST_WORDS_NS)
		return -ESTALE;
	if (changed_ns + asleep_ns < born_ns - TICK_NS ||
	    changed_ns < (int64_t)image->begin_ns - TICK_NS)
		return -ESTALE;
	if (uid != expected->identity.uid && uid != 0)
		return -EPERM;
	return nr_links > 1 ? -EMLINK : 0;
}

#define MAP_PATH_SIZE 32

/*
 * Opens the map; path: its name, also if it does not exist. Returns a descriptor or negative errno.
 */
static int open_map(struct jit *jit, const struct image *image, char path[MAP_PATH_SIZE])
{
	struct opening opening = {.kind = OPENING_NOFOLLOW, .path = path};
	struct expected expected;
	int code = find_expected(jit, image, &expected), fd = -1;

	snprintf(path, MAP_PATH_SIZE, "/tmp/perf-%d.map",
		 code ? image->pid : expected.identity.pid);
	if (!code) {
		opening.root = expected.root;
		fd = opener__open(jit->round->opener, &opening, jit->round->budget);
		code = fd < 0 ? fd : check_map(fd, image, &expected);
		close(expected.root);
	}
	if (!code)
		return fd;
	if (fd >= 0)
		close(fd);
	if (code == -EACCES || code == -EPERM || code == -EMLINK)
		jit_file__refuse(&jit->map, path, code);
	else if (code == -ETIMEDOUT || code == -EMEDIUMTYPE || shortage__is(code))
		jit->map.why_unread = code; /* the error was reported by the opener */
	return code;
}

/* ---- jit-PID.dump ---- */

/* Most mapped files of that name that are tried: a process may map anything. */
#define MAX_TRIES 4

struct dump_search {
	struct jit *jit;
	const struct image *image;
	int32_t pid;
	size_t nr_tries;
};

static int open_if_dump(void *context, void *item)
{
	struct dump_search *search = context;
	const struct mapped_area *area = item;
	const struct mapped_file *file = area->file;
	const struct mapped_by by = {.pid = search->image->pid,
				     .start_ticks = search->image->start_ticks,
				     .start = area->range.start,
				     .end = area->range.last + 1,
				     .root = search->image->root};
	const struct opening opening = {
		.kind = OPENING_MAPPED, .mapping = &file->mapping, .by = &by};
	int fd;

	if (file->kind != MAPPING_FILE || jitdump__pid(file->mapping.path) != search->pid)
		return 0;
	fd = opener__open(search->jit->round->opener, &opening, search->jit->round->budget);
	if (fd >= 0)
		jit_file__open(&search->jit->dump, file->mapping.path, fd);
	return search->jit->dump.fd >= 0 || ++search->nr_tries == MAX_TRIES;
}

/* ---- both ---- */

bool jit__refresh(struct jit *jit, const struct image *image)
{
	struct dump_search search = {.jit = jit, .image = image};
	char path[MAP_PATH_SIZE];
	bool has_changed = false;
	int fd;

	if (jit->refreshed == jit->round->number)
		return false;
	jit->refreshed = jit->round->number;
	jit->is_over = image->end_ns != 0;

	/* The map; also reads the process's identity. If a new file has replaced it, only that counts. */
	fd = open_map(jit, image, path);
	if (fd >= 0 && jit->map.fd >= 0 && file__is_same(jit->map.fd, fd))
		close(fd);
	else if (fd >= 0)
		has_changed = jit_file__open(&jit->map, path, fd);
	has_changed |= jit_file__refresh(&jit->map);

	/*
	 * The runtime maps the dump to tell profilers of it. A child inherits the mapping from its
	 * parent, but the pid in the name differs.
	 */
	search.pid = jit->identity.pid ? jit->identity.pid : image->pid;
	if (jit->dump.fd < 0)
		mappings__each(image->mappings, open_if_dump, &search);
	return jit_file__refresh(&jit->dump) || has_changed;
}

void jit__want(struct jit *jit, uint64_t address, const struct late_window *window)
{
	jit->nr_unnamed++;
	if (jit->late)
		late_table__want(jit->late, address, window);
}

uint64_t jit__nr_unnamed(const struct jit *jit)
{
	return jit->nr_unnamed;
}

int jit__why_unread(const struct jit *jit)
{
	const int code = jit->map.why_unread ? jit->map.why_unread : jit->dump.why_unread;

	return !code || shortage__is(code) ? code : -EACCES;
}

bool jit__find(const struct jit *jit, uint64_t address, struct found_symbol *found)
{
	return jit_code__find(&jit->dump.code, address, found) ||
	       jit_code__find(&jit->map.code, address, found);
}

/* ---- reading after the end ---- */

/* Reads what an ended process wrote last: it names samples, even if none came after that. */
static void look_if_ended(void *nothing, struct image *image)
{
	(void)nothing;
	if (image->end_ns && image->jit && !image->jit->is_over)
		jit__refresh(image->jit, image);
}

void jit_round__look_at_ended(struct time_lines *lines)
{
	time_lines__visit(lines, look_if_ended, NULL);
}

static void look(void *has_more, struct image *image)
{
	const struct jit *jit = image->jit;

	if (!jit)
		return;
	jit__refresh(image->jit, image);
	*(bool *)has_more |= jit->map.has_more || jit->dump.has_more;
}

void jit_round__look_at_all(struct jit_round *round, size_t max_code_bytes,
			    struct time_lines *lines)
{
	bool has_more = true;

	for (int i = 0; i < MAX_LAST_ROUNDS && has_more; i++) {
		has_more = false;
		jit_round__begin(round, max_code_bytes);
		time_lines__visit(lines, look, &has_more);
	}
}
