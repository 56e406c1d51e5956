// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file is proven to be the right one by its contents, so it does not matter where it comes from.
 */
#include "elf/debug_files.h"

#include <limits.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf/file.h"
#include "processes/file.h"

#define MAX_OFFERS	      32
#define MAX_CHECKSUMMED_BYTES (512ULL << 20) /* half a second of CPU time */

/* The file that is looked for. */
struct debug_search {
	const struct debug_candidates *offers;
	int fd; /* the file that it belongs to */
	struct build_id id;
	const char *section;	 /* required section; NULL: any */
	char link[NAME_MAX + 1]; /* .gnu_debuglink; "": none */
	uint32_t checksum;
	uint64_t left_bytes; /* bytes left to checksum */
};

/* ---- is it the right one? ---- */

/* The checksum of .gnu_debuglink is zlib's (binutils: bfd_calc_gnu_debuglink_crc32). */
static bool has_checksum(struct debug_search *search, int fd)
{
	unsigned char buffer[16384]; /* on the stack, which ulimit may have made small */
	uLong checksum = crc32(0, NULL, 0);
	struct stat status;
	off_t offset = 0;
	ssize_t nr;

	if (fstat(fd, &status) || (uint64_t)status.st_size > search->left_bytes)
		return false;
	search->left_bytes -= (uint64_t)status.st_size;
	while ((nr = pread(fd, buffer, sizeof(buffer), offset)) > 0) {
		checksum = crc32(checksum, buffer, (uInt)nr);
		offset += nr;
		if (offset > status.st_size) /* the file is growing */
			return false;
	}
	return nr == 0 && checksum == search->checksum;
}

static bool is_proven(struct debug_search *search, int fd, bool by_link)
{
	struct elf_section section;
	struct elf_file file;
	struct build_id id;
	bool proven;

	if (file__is_same(fd, search->fd) || elf_file__open(&file, fd))
		return false;
	proven = !search->section || elf_file__find(&file, search->section, &section);
	elf_file__build_id(&file, &id);
	elf_file__close(&file);
	if (proven && id.length && search->id.length)
		return build_id__equals(&id, &search->id);
	return proven && by_link && has_checksum(search, fd);
}

/* Returns the first offered file that fits. */
static int ask(struct debug_search *search, enum debug_question question, const char *name)
{
	const struct debug_candidates *offers = search->offers;

	for (unsigned int i = 0; i < MAX_OFFERS; i++) {
		const int fd = offers->next(offers->context, question, name, i);

		if (fd < 0)
			break;
		if (is_proven(search, fd, question == QUESTION_DEBUG_LINK))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static int ask_by_id(struct debug_search *search, enum debug_question question)
{
	char id[BUILD_ID_TEXT_SIZE];

	build_id__format(&search->id, id);
	return id[0] ? ask(search, question, id) : -ENOENT;
}

/* ---- references in the file ---- */

/* The name at the start of a section; *after: the bytes behind it. NULL: there is none. */
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

int debug_files__open(int fd, const char *section, const struct debug_candidates *offers)
{
	struct debug_search search = {.offers = offers,
				      .fd = fd,
				      .section = section,
				      .left_bytes = MAX_CHECKSUMMED_BYTES};
	struct elf_file file;
	int found;

	if (elf_file__open(&file, fd))
		return -ENOENT;
	elf_file__build_id(&file, &search.id);
	note_debug_link(&search, &file);
	elf_file__close(&file);
	found = ask_by_id(&search, QUESTION_DEBUG_ID);
	if (found < 0 && search.link[0])
		found = ask(&search, QUESTION_DEBUG_LINK, search.link);
	return found;
}

/* ---- mini-debuginfo ---- */

/*
 * A few compressed bytes may expand to any size, so the output is limited: by a ratio that symbol
 * tables do not reach, and in total.
 */
#define MAX_DECODER_BYTES (80U << 20) /* xz -9 takes 65 MiB */
#define MINI_MAX_BYTES	  (64U << 20)
#define MINI_MAX_RATIO	  64
#define MINI_FIRST_BYTES  65536

int debug_files__open_mini(struct elf_file *file, struct elf_file *mini)
{
	uint64_t memory_limit = MAX_DECODER_BYTES;
	size_t bytes, nr_read = 0, nr_written = 0;
	struct elf_section section;
	const Elf_Data *data;
	unsigned char *image;
	lzma_ret result;

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
	result = lzma_stream_buffer_decode(&memory_limit, 0, NULL, data->d_buf, &nr_read,
					   data->d_size, image, &nr_written, bytes);
	if (result != LZMA_OK) { /* not an xz stream, or it is larger */
		free(image);
		return result == LZMA_MEM_ERROR ? -ENOMEM : -ENOENT;
	}
	return elf_file__open_memory(mini, image, nr_written) ? -ENOENT : 0;
}

/* ---- alternate files ---- */

int debug_files__open_alternate(int fd, const struct debug_candidates *offers)
{
	struct debug_search search = {.offers = offers, .fd = fd};
	const char *path, *name, *id = "";
	char link[NAME_MAX + 1] = "";
	struct elf_file file;
	int found;

	if (elf_file__open(&file, fd))
		return -ENOENT;
	path = read_link(&file, ".gnu_debugaltlink", &id, &search.id.length);
	if (!path || search.id.length > sizeof(search.id.bytes))
		search.id.length = 0;
	memcpy(search.id.bytes, id, search.id.length);
	name = path ? strrchr(path, '/') : NULL;
	name = name ? name + 1 : path;
	if (name && strlen(name) <= NAME_MAX)
		strcpy(link, name);
	elf_file__close(&file);
	found = ask_by_id(&search, QUESTION_ALTERNATE);
	if (found < 0 && search.id.length && link[0])
		found = ask(&search, QUESTION_ALTERNATE_LINK, link);
	return found;
}
