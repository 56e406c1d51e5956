// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file for each kernel, by its build ID, and for each set of wanted types, by a hash of it:
 *
 *	$XDG_CACHE_HOME/topstacks/types-BUILD_ID-HASH	or $HOME/.cache/topstacks/...
 *
 * The file saves a search among all of the kernel's types. It has the places of those that were
 * found, and nothing else: the types are read from the kernel again, and names and kinds compared;
 * a sum over places and types shows damage. Yet offsets of members tell BPF programs which memory
 * of the kernel to read, and an author of the file could still give a type the place of another,
 * choose among types of one name, or hide one. So it is used only by a process with no more rights
 * than its caller has, and if no other user can have written it: its author could read the same
 * memory without us.
 *
 * A run never fails for the cache, nor waits for it: it searches.
 */
#include "capture/host/kernel_types.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/user_cache.h"
#include "base/system/rights.h"
#include "elf/file.h"
#include "topstacks/hash.h"

#define NOTES	    "/sys/kernel/notes"
#define NOTES_BYTES (64 << 10)
#define MAX_PLACES  (32 << 10)
#define BEING_MADE  "types.new"
#define FORMAT	    0x3173657079740a00ULL /* changes with what the file contains */

struct header {
	uint64_t format, sum;
};

uint64_t type_cache__hash(const void *bytes, size_t nr_bytes)
{
	uint64_t hash = hash_word(HASH_SEED, nr_bytes), word;
	const char *at = bytes;

	for (; nr_bytes; at += sizeof(word)) {
		const size_t nr = nr_bytes < sizeof(word) ? nr_bytes : sizeof(word);

		word = 0;
		memcpy(&word, at, nr);
		hash = hash_word(hash, word);
		nr_bytes -= nr;
	}
	return hash;
}

uint64_t type_cache__sum(const struct type_places *places, const void *extract,
			 size_t extract_bytes)
{
	return hash_word(type_cache__hash(places->list, places->nr * sizeof(*places->list)),
			 type_cache__hash(extract, extract_bytes));
}

void type_cache__open(struct type_cache *cache, uint64_t wanted)
{
	Elf_Data notes = {.d_type = ELF_T_NHDR, .d_version = EV_CURRENT};
	char id[BUILD_ID_TEXT_SIZE], path[PATH_MAX], *text;
	struct build_id build_id;

	cache->directory = -1;
	if (rights__exceed_caller() || files__read(NOTES, NOTES_BYTES, &text, &notes.d_size))
		return;
	notes.d_buf = text;
	build_id__find(&notes, &build_id);
	free(text);
	if (!build_id.length)
		return;
	build_id__format(&build_id, id);
	snprintf(cache->name, sizeof(cache->name), "types-%s-%016" PRIx64, id, wanted);
	user_cache__find(path, "/topstacks");
	cache->directory = user_cache__make(path);
}

void type_cache__close(struct type_cache *cache)
{
	if (cache->directory >= 0)
		close(cache->directory);
}

bool type_cache__read(const struct type_cache *cache, struct type_places *places, uint64_t *sum)
{
	const size_t most = sizeof(struct header) + MAX_PLACES * sizeof(*places->list);
	const int fd = cache->directory < 0
			       ? -1
			       : openat(cache->directory, cache->name,
					O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct header header;
	struct stat status;
	size_t nr_bytes = 0;
	char *text = NULL;

	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && user_cache__is_ours(fd))
		files__read_fd(fd, most, &text, &nr_bytes);
	close(fd);
	places->nr = 0;
	if (nr_bytes > sizeof(header)) {
		memcpy(&header, text, sizeof(header));
		*sum = header.sum;
		nr_bytes -= sizeof(header);
		if (header.format == FORMAT && !(nr_bytes % sizeof(*places->list)))
			places->nr = nr_bytes / sizeof(*places->list);
	}
	if (places->nr) {
		array__reserve(&places->list, &places->capacity, places->nr);
		memcpy(places->list, text + sizeof(header), nr_bytes);
	}
	free(text);
	return places->nr;
}

/*
 * Two processes that write at the same time may give the name to a file that is not whole: its sum
 * shows that. The file under the other name is overwritten by the next one that writes.
 */
void type_cache__write(const struct type_cache *cache, const struct type_places *places,
		       uint64_t sum)
{
	const struct header header = {FORMAT, sum};
	int fd;

	if (cache->directory < 0 || !places->nr || places->nr > MAX_PLACES)
		return;
	unlinkat(cache->directory, BEING_MADE, 0);
	fd = openat(cache->directory, BEING_MADE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (files__write(fd, &header, sizeof(header)) ||
	    files__write(fd, places->list, places->nr * sizeof(*places->list)) ||
	    renameat(cache->directory, BEING_MADE, cache->directory, cache->name))
		unlinkat(cache->directory, BEING_MADE, 0);
	close(fd);
}
