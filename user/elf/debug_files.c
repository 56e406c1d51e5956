// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a file may lie is what distributions agree on (gdb's manual, "Debugging Information in
 * Separate Files"); that it is the right one is proven by its contents, so it does not matter who
 * put it there. Below each root in turn: --symfs, the process's own, ours.
 *
 *	/usr/lib/debug/.build-id/3f/2a…9c.debug		by build ID
 *	DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME	by .gnu_debuglink
 *	DIR/NAME of --symfs itself				a copy that was not stripped
 */
#include "elf/debug_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/rights.h"
#include "elf/file.h"
#include "processes/file.h"
#include "processes/open_file.h"

#define MAX_ROOTS	      3
#define MAX_CHECKSUMMED_BYTES (4ULL << 30)

struct search_root {
	int directory;
	bool is_symfs;
};

/* What is known of the file that is looked for. */
struct debug_search {
	const struct debug_query *query;
	struct search_root roots[MAX_ROOTS];
	size_t nr_roots;
	struct build_id id;
	const char *section;	 /* that it must have; NULL: any */
	char link[NAME_MAX + 1]; /* .gnu_debuglink; "": none */
	uint32_t checksum;
};

/* ---- roots ---- */

static void add_root(struct debug_search *search, int directory, bool is_symfs)
{
	size_t i;

	if (directory < 0)
		return;
	for (i = 0; i < search->nr_roots; i++) {
		if (file__is_same(search->roots[i].directory, directory)) {
			close(directory);
			return;
		}
	}
	search->roots[search->nr_roots++] = (struct search_root){directory, is_symfs};
}

static void open_roots(struct debug_search *search)
{
	const struct debug_query *query = search->query;
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

	if (query->symfs)
		add_root(search, open(query->symfs, flags), true);
	if (query->root >= 0)
		add_root(search, fcntl(query->root, F_DUPFD_CLOEXEC, 0), false);
	add_root(search, open("/", flags), false);
}

static void close_roots(struct debug_search *search)
{
	while (search->nr_roots)
		close(search->roots[--search->nr_roots].directory);
}

/* ---- is it the right one? ---- */

/* The checksum of .gnu_debuglink is zlib's (binutils: bfd_calc_gnu_debuglink_crc32). */
static bool has_checksum(int fd, uint32_t wanted)
{
	unsigned char buffer[65536];
	uLong checksum = crc32(0, NULL, 0);
	off_t offset = 0;
	ssize_t nr;

	while ((nr = pread(fd, buffer, sizeof(buffer), offset)) > 0) {
		checksum = crc32(checksum, buffer, (uInt)nr);
		offset += nr;
		if ((uint64_t)offset > MAX_CHECKSUMMED_BYTES)
			return false;
	}
	return nr == 0 && checksum == wanted;
}

static bool is_wanted(const struct debug_search *search, const struct elf_file *file, int fd,
		      bool by_link)
{
	struct elf_section section;
	struct build_id id;

	if (search->section && !elf_file__find(file, search->section, &section))
		return false;
	elf_file__build_id(file, &id);
	if (id.length && search->id.length)
		return build_id__equals(&id, &search->id);
	return by_link && has_checksum(fd, search->checksum);
}

/* Takes a descriptor, or -1. Gives it back if it is what is looked for. */
static int keep_wanted(const struct debug_search *search, int fd, bool by_link)
{
	struct elf_file file;
	bool wanted;

	if (fd < 0)
		return -ENOENT;
	if (file__is_same(fd, search->query->fd) || elf_file__open(&file, fd)) {
		close(fd);
		return -ENOENT;
	}
	wanted = is_wanted(search, &file, fd, by_link);
	elf_file__close(&file);
	if (wanted)
		return fd;
	close(fd);
	return -ENOENT;
}

/* ---- where it may be ---- */

static int __attribute__((format(printf, 4, 5)))
try_path(const struct debug_search *search, const struct search_root *root, bool by_link,
	 const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	uint64_t before;
	int length, fd;

	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(path))
		return -ENOENT;
	/* What is below --symfs is the caller's. */
	before = rights__raise(root->is_symfs ? 0 : RIGHTS_TO_LOOK);
	fd = open_file__below(root->directory, path, true);
	rights__restore(before);
	return keep_wanted(search, fd, by_link);
}

static int try_build_id(const struct debug_search *search, const struct search_root *root)
{
	char id[BUILD_ID_TEXT_SIZE];
	int fd;

	if (search->id.length < 2)
		return -ENOENT;
	build_id__format(&search->id, id);
	fd = try_path(search, root, false, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	if (fd < 0 && root->is_symfs)
		fd = try_path(search, root, false, "/.build-id/%.2s/%s.debug", id, id + 2);
	return fd;
}

static int try_link(const struct debug_search *search, const struct search_root *root)
{
	const char *path = search->query->path, *slash = strrchr(path, '/');
	const int length = slash ? (int)(slash - path) : 0;
	int fd;

	if (!search->link[0] || path[0] != '/' || length >= PATH_MAX)
		return -ENOENT;
	fd = try_path(search, root, true, "%.*s/%s", length, path, search->link);
	if (fd < 0)
		fd = try_path(search, root, true, "%.*s/.debug/%s", length, path, search->link);
	if (fd < 0)
		fd = try_path(search, root, true, "/usr/lib/debug%.*s/%s", length, path,
			      search->link);
	return fd;
}

static int try_root(const struct debug_search *search, const struct search_root *root)
{
	int fd = -ENOENT;

	if (root->is_symfs && search->id.length && search->query->path[0] == '/')
		fd = try_path(search, root, false, "%s", search->query->path);
	if (fd < 0)
		fd = try_build_id(search, root);
	return fd < 0 ? try_link(search, root) : fd;
}

/* ---- what the file says of it ---- */

/* The name at the start of a section; what follows it is at *after. NULL: there is none. */
static const char *read_link(struct elf_file *file, const char *section_name, const char **after,
			     size_t *nr_after)
{
	struct elf_section section;
	const Elf_Data *data;
	const char *end;

	if (!elf_file__find(file, section_name, &section))
		return NULL;
	data = elf_file__data(file, &section);
	end = data ? memchr(data->d_buf, '\0', data->d_size) : NULL;
	if (!end)
		return NULL;
	*after = end + 1;
	*nr_after = data->d_size - (size_t)(*after - (const char *)data->d_buf);
	return data->d_buf;
}

/* NAME, zeros up to a multiple of four, checksum in the file's byte order. */
static void note_debug_link(struct debug_search *search, struct elf_file *file)
{
	const char *after, *name;
	size_t nr_after, padding, i;

	name = read_link(file, ".gnu_debuglink", &after, &nr_after);
	if (!name || strlen(name) > NAME_MAX || strchr(name, '/'))
		return;
	padding = -(size_t)(after - name) % 4;
	if (nr_after < padding + 4)
		return;
	for (i = 0; i < 4; i++) {
		const size_t shift = file->header.e_ident[EI_DATA] == ELFDATA2MSB ? 3 - i : i;

		search->checksum |= (uint32_t)(unsigned char)after[padding + i] << (8 * shift);
	}
	strcpy(search->link, name);
}

int debug_files__open(const struct debug_query *query, const char *section)
{
	struct debug_search search = {.query = query, .section = section};
	struct elf_file file;
	int fd = -ENOENT;
	size_t i;

	if (elf_file__open(&file, query->fd))
		return -ENOENT;
	elf_file__build_id(&file, &search.id);
	note_debug_link(&search, &file);
	elf_file__close(&file);
	if (!search.id.length && !search.link[0])
		return -ENOENT;
	open_roots(&search);
	for (i = 0; i < search.nr_roots && fd < 0; i++)
		fd = try_root(&search, &search.roots[i]);
	close_roots(&search);
	return fd;
}

/* ---- what a distribution leaves in the file ---- */

/*
 * Compressed bytes may stand for any number of others, so what comes out is bounded, by a ratio
 * that symbol tables do not reach, and in all.
 */
#define MAX_DECODER_BYTES (80U << 20) /* xz -9 takes 65 MiB */
#define MINI_MAX_BYTES	  (64U << 20)
#define MINI_MAX_RATIO	  64
#define MINI_FIRST_BYTES  65536

/* 0, or -ENOENT: these bytes are no xz stream, or come to more than bytes. */
static int decode(const Elf_Data *data, unsigned char *to, size_t *bytes)
{
	uint64_t memory_limit = MAX_DECODER_BYTES;
	size_t read = 0, written = 0;
	const lzma_ret result = lzma_stream_buffer_decode(
		&memory_limit, 0, NULL, data->d_buf, &read, data->d_size, to, &written, *bytes);

	if (result == LZMA_MEM_ERROR)
		return -ENOMEM;
	*bytes = written;
	return result == LZMA_OK ? 0 : -ENOENT;
}

int debug_files__open_mini(struct elf_file *file, struct elf_file *mini)
{
	struct elf_section section;
	const Elf_Data *data;
	unsigned char *image;
	size_t bytes;
	int code;

	if (!elf_file__find(file, ".gnu_debugdata", &section))
		return -ENOENT;
	data = elf_file__data(file, &section);
	if (!data)
		return -ENOENT;
	bytes = MINI_FIRST_BYTES + MINI_MAX_RATIO * data->d_size;
	if (bytes > MINI_MAX_BYTES)
		bytes = MINI_MAX_BYTES;
	image = malloc(bytes);
	if (!image)
		return -ENOMEM;
	code = decode(data, image, &bytes);
	if (code) {
		free(image);
		return code;
	}
	return elf_file__open_memory(mini, image, bytes) ? -ENOENT : 0;
}

/* ---- what several debug files share ---- */

/* A name that is not absolute starts where the debug file really is. */
static int try_alternate(const struct debug_search *search, const struct search_root *root,
			 const char *name, int debug_fd)
{
	char link[32], directory[PATH_MAX];
	ssize_t length;
	char *slash;
	int fd = try_build_id(search, root);

	if (fd >= 0 || !name[0])
		return fd;
	if (name[0] == '/')
		return try_path(search, root, false, "%s", name);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", debug_fd);
	length = readlink(link, directory, sizeof(directory) - 1);
	if (length <= 0)
		return -ENOENT;
	directory[length] = '\0';
	slash = strrchr(directory, '/');
	if (slash)
		*slash = '\0';
	return try_path(search, root, false, "%s/%s", directory, name);
}

int debug_files__open_alternate(const struct debug_query *query, int debug_fd)
{
	struct debug_search search = {.query = query};
	const char *name, *id;
	char path[PATH_MAX];
	struct elf_file file;
	int fd = -ENOENT;
	size_t i;

	if (elf_file__open(&file, debug_fd))
		return -ENOENT;
	name = read_link(&file, ".gnu_debugaltlink", &id, &search.id.length);
	if (name && search.id.length <= sizeof(search.id.bytes) && strlen(name) < sizeof(path)) {
		memcpy(search.id.bytes, id, search.id.length);
		strcpy(path, name);
	} else {
		search.id.length = 0;
	}
	elf_file__close(&file);
	if (!search.id.length)
		return -ENOENT;
	open_roots(&search);
	for (i = 0; i < search.nr_roots && fd < 0; i++)
		fd = try_alternate(&search, &search.roots[i], path, debug_fd);
	close_roots(&search);
	return fd;
}
