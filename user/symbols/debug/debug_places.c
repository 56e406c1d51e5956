// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a file may lie is what distributions agree on (gdb's manual, "Debugging Information in
 * Separate Files"). Below each root in turn: --symfs, the process's own, ours.
 *
 *	/usr/lib/debug/.build-id/3f/2a…9c.debug		by build ID
 *	DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME	by .gnu_debuglink
 *	/usr/lib/debug/.dwz/NAME, …/.dwz/MACHINE/NAME	by .gnu_debugaltlink
 *	DIR/NAME					a .dwo file
 *	PATH.dwp					a package of them
 *	DIR/NAME of --symfs itself			an unstripped copy
 *	/.build-id/3f/2a…9c.debug, /3f2a…9c.debug, /NAME, /NAME.debug	there as well
 *	/3f2a…9c/NAME, DIR/NAME/3f2a…9c, DIR/NAME/3f2a…9c/elf	there, too, as for pprof and perf
 *	/3f2a…9c/debuginfo		in the user's cache of debuginfod, at last
 *
 * The author of a hostile file may control its reader, and have it ask for any path. So a reader
 * gets only files that have the same owner as its file, or that all users may read.
 */
#include "symbols/debug/debug_places.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/output/user_cache.h"
#include "base/shortage.h"
#include "processes/file.h"
#include "processes/open_file.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "symbols/debug/debug_cache.h"

#define MAX_ROOTS 3

struct search_root {
	int directory;
	bool is_symfs, is_cache;
};

struct search {
	const struct debug_places *places;
	struct search_root roots[MAX_ROOTS];
	size_t nr_roots;
	const char *name;
	int64_t since_ns;
	uint32_t nr_before; /* files found so far, given for smaller indexes */
	int found;	    /* descriptor; -1: not found yet */
	int failure;	    /* error of a file that may exist but cannot be opened; 0: none */
};

/* ---- roots ---- */

int debug_places__check_symfs(const char *symfs, struct error *err)
{
	struct stat status;
	struct quoted quoted;
	int code = 0;

	if (!symfs)
		return 0;
	if (stat(symfs, &status))
		code = -errno;
	else if (!S_ISDIR(status.st_mode))
		code = -ENOTDIR;
	return code ? error__set(err, EXIT_USAGE, code, "cannot look below --symfs %s",
				 quote(&quoted, symfs))
		    : 0;
}

static void add_root(struct search *search, int directory, bool is_symfs)
{
	if (directory < 0)
		return;
	for (size_t i = 0; i < search->nr_roots; i++) {
		if (file__is_same(search->roots[i].directory, directory)) {
			close(directory);
			return;
		}
	}
	search->roots[search->nr_roots++] =
		(struct search_root){.directory = directory, .is_symfs = is_symfs};
}

static void open_roots(struct search *search)
{
	const struct debug_places *places = search->places;
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

	if (places->symfs)
		add_root(search, open(places->symfs, flags), true);
	if (places->root >= 0)
		add_root(search, fcntl(places->root, F_DUPFD_CLOEXEC, 0), false);
	add_root(search, open("/", flags), false);
}

static void close_roots(struct search *search)
{
	while (search->nr_roots)
		close(search->roots[--search->nr_roots].directory);
}

/* ---- a place ---- */

static bool may_be_handed_over(const struct search *search, const struct search_root *root, int fd)
{
	struct statx own, found;

	if (root->is_cache && !user_cache__is_ours(fd))
		return false;
	if (search->places->fd < 0)
		return true;
	return !statx(search->places->fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_UID,
		      &own) &&
	       !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_UID | STATX_MODE, &found) &&
	       (own.stx_uid == found.stx_uid || found.stx_mode & S_IROTH);
}

static void __attribute__((format(printf, 3, 4)))
look(struct search *search, const struct search_root *root, const char *format, ...)
{
	const struct debug_places *places = search->places;
	char path[PATH_MAX];
	const struct opening opening = {
		.kind = OPENING_BELOW, .root = root->directory, .path = path};
	va_list arguments;
	int length, fd;

	if (search->found >= 0)
		return;
	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(path))
		return;
	/* Files below --symfs are the caller's, so they are opened with the caller's rights. */
	fd = root->is_symfs ? open_file__below(root->directory, path, true)
			    : opener__open(places->opener, &opening, places->budget);
	if (fd == -EAGAIN || fd == -ETIMEDOUT || shortage__is(fd))
		search->failure = fd;
	if (fd < 0)
		return;
	if (!file__is_older(fd, search->since_ns) && may_be_handed_over(search, root, fd) &&
	    !search->nr_before--)
		search->found = fd;
	else
		close(fd);
}

/* The length of the file's directory without the last '/'. False: it is not known. */
static bool directory_of(const struct search *search, int *length)
{
	const char *path = search->places->path, *slash = strrchr(path, '/');

	*length = slash && slash - path < PATH_MAX ? (int)(slash - path) : 0;
	return path[0] == '/';
}

/* ---- all places ---- */

static bool is_id(const char *name)
{
	return name[strspn(name, "0123456789abcdef")] == '\0' && strlen(name) > 2;
}

static void look_for_id(struct search *search, const struct search_root *root)
{
	const char *id = search->name;

	if (!is_id(id))
		return;
	look(search, root, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	if (root->is_symfs)
		look(search, root, "/.build-id/%.2s/%s.debug", id, id + 2);
}

/* Looks for a copy in --symfs itself, because users seldom keep the whole path there. */
static void look_beside(struct search *search, const struct search_root *root)
{
	const char *slash = strrchr(search->places->path, '/');

	if (is_id(search->name))
		look(search, root, "/%s.debug", search->name);
	if (!slash || !slash[1])
		return;
	look(search, root, "%s", slash);
	look(search, root, "%s.debug", slash);
	if (!is_id(search->name))
		return;
	look(search, root, "/%s%s", search->name, slash);
	look(search, root, "%s/%s/elf", search->places->path, search->name);
	look(search, root, "%s/%s", search->places->path, search->name);
}

static void look_for_debug_id(struct search *search, const struct search_root *root)
{
	if (root->is_symfs && search->places->path[0] == '/')
		look(search, root, "%s", search->places->path);
	look_for_id(search, root);
	if (root->is_symfs)
		look_beside(search, root);
}

static void look_for_debug_link(struct search *search, const struct search_root *root)
{
	const char *path = search->places->path, *name = search->name;
	int length;

	if (!directory_of(search, &length))
		return;
	look(search, root, "%.*s/%s", length, path, name);
	look(search, root, "%.*s/.debug/%s", length, path, name);
	look(search, root, "/usr/lib/debug%.*s/%s", length, path, name);
}

/*
 * Looks in the directory of alternate files: Fedora has one, Debian has one for each architecture.
 */
static void look_for_alternate(struct search *search, const struct search_root *root)
{
	struct utsname machine;

	look(search, root, "/usr/lib/debug/.dwz/%s", search->name);
	if (!uname(&machine))
		look(search, root, "/usr/lib/debug/.dwz/%s-linux-gnu/%s", machine.machine,
		     search->name);
	look_for_debug_link(search, root);
}

static void look_for_split(struct search *search, const struct search_root *root)
{
	int length;

	if (directory_of(search, &length))
		look(search, root, "%.*s/%s", length, search->places->path, search->name);
}

static void look_for_package(struct search *search, const struct search_root *root)
{
	if (search->places->path[0] == '/')
		look(search, root, "%s.dwp", search->places->path);
}

/*
 * Looks in the cache of debuginfod clients: "executable" is the program itself, if no other place
 * has it.
 */
static void look_in_cache(struct search *search, bool wants_program)
{
	char path[PATH_MAX];
	struct search_root root = {.is_cache = true};

	if (search->found >= 0 || !is_id(search->name))
		return;
	root.directory = debug_cache__open(path);
	if (root.directory < 0)
		return;
	look(search, &root, "/%s/debuginfo", search->name);
	if (wants_program)
		look(search, &root, "/%s/executable", search->name);
	close(root.directory);
}

int debug_places__open(const struct debug_places *places, const struct reader_question *question)
{
	static void (*const looks[NR_DEBUG_QUESTIONS])(struct search *,
						       const struct search_root *) = {
		[QUESTION_DEBUG_ID] = look_for_debug_id,
		[QUESTION_DEBUG_LINK] = look_for_debug_link,
		[QUESTION_ALTERNATE] = look_for_id,
		[QUESTION_ALTERNATE_LINK] = look_for_alternate,
		[QUESTION_SPLIT] = look_for_split,
		[QUESTION_PACKAGE] = look_for_package,
	};
	struct search search = {.places = places,
				.name = question->name,
				.nr_before = question->index,
				.found = -1};

	open_roots(&search);
	for (size_t i = 0; i < search.nr_roots && search.found < 0; i++)
		looks[question->kind](&search, &search.roots[i]);
	close_roots(&search);
	if (question->kind == QUESTION_DEBUG_ID || question->kind == QUESTION_ALTERNATE)
		look_in_cache(&search, false);
	return search.found < 0 ? -ENOENT : search.found;
}

/* Looks for NAME.debug, the usual name for the debug file of a file without a debug link. */
static void look_for_named(struct search *search, const struct search_root *root)
{
	const char *slash = strrchr(search->places->path, '/'), *id = search->name;
	char name[NAME_MAX + 1];

	if (!slash || snprintf(name, sizeof(name), "%s.debug", slash + 1) >= (int)sizeof(name))
		return;
	search->name = name;
	look_for_debug_link(search, root);
	search->name = id;
}

int debug_places__open_file(const struct debug_places *places, const char *build_id, uint32_t index)
{
	struct search search = {.places = places,
				.name = build_id,
				.since_ns = places->since_ns,
				.nr_before = index,
				.found = -1};

	open_roots(&search);
	for (size_t i = 0; i < search.nr_roots; i++) {
		if (!search.roots[i].is_symfs && places->path[0] == '/')
			look(&search, &search.roots[i], "%s", places->path);
		look_for_debug_id(&search, &search.roots[i]);
	}
	search.since_ns = 0;
	for (size_t i = 0; i < search.nr_roots; i++)
		look_for_named(&search, &search.roots[i]);
	close_roots(&search);
	look_in_cache(&search, true);
	if (search.found >= 0)
		return search.found;
	return search.failure ? search.failure : -ENOENT;
}

bool debug_places__await(const struct debug_places *places, struct reading *reading,
			 uint64_t until_ns)
{
	struct reader_question question;
	enum reading_state state;

	while ((state = reading__wait(reading, until_ns, &question)) == READING_ASKS) {
		const int fd = debug_places__open(places, &question);

		if (places->used)
			file__path(fd, places->used, PATH_MAX);
		reading__reply(reading, fd);
		if (fd >= 0)
			close(fd);
	}
	return state == READING_ENDED;
}
