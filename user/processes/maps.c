// SPDX-License-Identifier: GPL-2.0-only
/*
 *	7fee292da000-7fee29300000 r-xp 00001000 fe:00 332383      /usr/lib/ld-linux-x86-64.so.2
 *	start        end          perms offset  device inode      path, with spaces as it has them
 *
 * A path's newlines are written as \012, everything else as it is. It is read with a buffer of
 * fixed size: what does not fit is a line that no kernel writes, and is skipped.
 */
#include "processes/maps.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "processes/procfs.h"

/* A path has up to 4,095 bytes, each written as up to four characters. */
#define BUFFER_BYTES 32768

/* 65,530 mappings, the kernel's default limit, take 8 MB with usual paths. */
#define MAX_TEXT_BYTES (16U << 20)

/* ---- kinds ---- */

/* 32-bit processes have addresses below this, and another vDSO. */
#define FIRST_64_BIT_ONLY (1ULL << 32)

enum mapping_kind mapping__kind(const struct mapping *mapping)
{
	/* Memory without a file has many names, and perf's records have others than maps. */
	static const char *const anonymous[] = {
		"//anon", "[anon", "/dev/zero (deleted)", "/anon_hugepage", "/SYSV", "[stack",
	};
	const char *path = mapping->path;

	for (size_t i = 0; i < sizeof(anonymous) / sizeof(anonymous[0]); i++)
		if (!strncmp(path, anonymous[i], strlen(anonymous[i])))
			return MAPPING_ANONYMOUS;
	if (!*path || !strcmp(path, "[heap]"))
		return MAPPING_ANONYMOUS;
	if (!strcmp(path, "[vdso]") && mapping->start >= FIRST_64_BIT_ONLY)
		return MAPPING_VDSO;
	return path[0] == '[' ? MAPPING_OTHER : MAPPING_FILE;
}

/* ---- a line ---- */

/*
 * Parses a number up to limit that is followed by `after`. Returns the text behind that; NULL:
 * there is none.
 */
static char *parse_number(char *text, int base, uint64_t limit, char after, uint64_t *number)
{
	const char *const first = text;
	int digit;

	for (*number = 0; (digit = hex_digit(*text)) >= 0 && digit < base; text++) {
		if (__builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, (uint64_t)digit, number) || *number > limit)
			return NULL;
	}
	if (text == first || *text != after)
		return NULL;
	return text + 1;
}

static char *parse_permissions(char *text, bool *executable)
{
	if (strnlen(text, 5) < 5 || text[4] != ' ')
		return NULL;
	*executable = text[2] == 'x';
	return text + 5;
}

static void unescape_newlines(char *path)
{
	char *to = path;

	for (; *path; path++) {
		if (!strncmp(path, "\\012", 4)) {
			*to++ = '\n';
			path += 3;
		} else {
			*to++ = *path;
		}
	}
	*to = '\0';
}

/*
 * Parses a line without its newline. mapping->path points into the line, which is changed. False:
 * not a line of maps.
 */
static bool parse_line(char *line, struct mapping *mapping, bool *executable)
{
	uint64_t major, minor;
	char *text, *inode;

	if (!(text = parse_number(line, 16, UINT64_MAX, '-', &mapping->start)) ||
	    !(text = parse_number(text, 16, UINT64_MAX, ' ', &mapping->end)) ||
	    !(text = parse_permissions(text, executable)) ||
	    !(text = parse_number(text, 16, UINT64_MAX, ' ', &mapping->offset)) ||
	    !(text = parse_number(text, 16, UINT32_MAX, ':', &major)) ||
	    !(inode = parse_number(text, 16, UINT32_MAX, ' ', &minor)))
		return false;
	/* A line without a path ends in the inode, or in the space after it. */
	text = inode + strcspn(inode, " ");
	if (*text)
		*text++ = '\0';
	if (!parse_number(inode, 10, UINT64_MAX, '\0', &mapping->inode))
		return false;
	text += strspn(text, " ");
	unescape_newlines(text);
	mapping->path = text;
	mapping->major = (uint32_t)major;
	mapping->minor = (uint32_t)minor;
	return mapping->start < mapping->end;
}

/* ---- all lines ---- */

struct map_lines {
	int (*on_mapping)(void *context, const struct mapping *mapping, bool executable);
	void *context;
	size_t nr_bytes; /* text parsed so far */
};

static int take_line(void *context, char *line, char *end)
{
	struct map_lines *lines = context;
	struct mapping mapping = {0};
	bool executable;

	lines->nr_bytes += (size_t)(end - line);
	if (lines->nr_bytes > MAX_TEXT_BYTES)
		return -EFBIG;
	if (!parse_line(line, &mapping, &executable))
		return 0;
	return lines->on_mapping(lines->context, &mapping, executable);
}

int maps__each(int fd, int (*on_mapping)(void *context, const struct mapping *, bool executable),
	       void *context)
{
	struct map_lines lines = {on_mapping, context, 0};
	char *buffer = xmalloc(BUFFER_BYTES); /* the stack may be small */
	const int code = files__each_line(fd, buffer, BUFFER_BYTES, take_line, &lines);

	free(buffer);
	return code;
}

struct executable_only {
	int (*on_mapping)(void *context, const struct mapping *mapping);
	void *context;
};

static int if_executable(void *context, const struct mapping *mapping, bool executable)
{
	struct executable_only *only = context;

	return executable ? only->on_mapping(only->context, mapping) : 0;
}

int maps__each_executable(int text, int (*on_mapping)(void *context, const struct mapping *),
			  void *context)
{
	struct executable_only only = {on_mapping, context};

	return maps__each(text, if_executable, &only);
}

/* ---- the text of a process ---- */

struct maps_copy {
	int to;
	ssize_t max_bytes;
};

/*
 * Copies a maps text, up to one byte more than wanted. Returns the number of bytes, or negative
 * errno.
 */
static ssize_t copy_of(int process, const char *maps, const struct maps_copy *copy)
{
	const int fd = procfs__open_file(process, maps, O_RDONLY);
	char *buffer;
	ssize_t got, sum = 0;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	buffer = malloc(BUFFER_BYTES);
	got = buffer ? 1 : -ENOMEM;
	while (got > 0 && sum <= copy->max_bytes) {
		got = read(fd, buffer, BUFFER_BYTES);
		if (got < 0)
			got = errno == EINTR ? 1 : -errno;
		else if (write(copy->to, buffer, (size_t)got) != got)
			got = -ENOMEM;
		else
			sum += got;
	}
	free(buffer);
	close(fd);
	return got < 0 ? got : sum;
}

/* Copies the maps of another thread: if the first thread has ended, its own maps are empty. */
static ssize_t copy_of_threads(int process, const struct maps_copy *copy)
{
	int fd = procfs__open_file(process, "task", O_RDONLY | O_DIRECTORY);
	DIR *threads = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *thread;
	char maps[NAME_MAX + 16];
	ssize_t sum = 0;

	if (!threads)
		return 0;
	while (!sum && (thread = readdir(threads))) {
		if (thread->d_name[0] == '.')
			continue;
		snprintf(maps, sizeof(maps), "task/%s/maps", thread->d_name);
		sum = copy_of(process, maps, copy);
		if (sum == -ESRCH)
			sum = 0;
	}
	closedir(threads);
	return sum;
}

int maps__copy(int process, size_t max_bytes)
{
	const int text = memfd_create("maps", MFD_CLOEXEC);
	const struct maps_copy copy = {text, (ssize_t)(max_bytes ? max_bytes : MAX_TEXT_BYTES)};
	ssize_t sum = text < 0 ? -errno : copy_of(process, "maps", &copy);

	if (!sum)
		sum = copy_of_threads(process, &copy);
	if (sum >= 0 && !lseek(text, 0, SEEK_SET))
		return text;
	if (text >= 0)
		close(text);
	return sum < 0 ? (int)sum : -EIO;
}

bool maps__exceed(int text, size_t max_bytes)
{
	struct stat status;

	return !fstat(text, &status) && status.st_size > (off_t)max_bytes;
}

/* ---- our own mappings ---- */

static int is_holding(void *context, const struct mapping *mapping, bool executable)
{
	struct mapping *found = context; /* start is the wanted address at first */

	(void)executable;
	if (found->start < mapping->start || found->start >= mapping->end)
		return 0;
	*found = *mapping;
	found->path = "";
	return 1;
}

bool maps__find_own(uint64_t address, struct mapping *mapping)
{
	const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool is_found;

	if (maps < 0)
		return false;
	*mapping = (struct mapping){.start = address};
	is_found = maps__each(maps, is_holding, mapping) == 1;
	close(maps);
	return is_found;
}

/* getauxval() gives its begin, and maps its end. */
int vdso__open(void)
{
	const uint64_t start = getauxval(AT_SYSINFO_EHDR);
	struct mapping vdso;
	ssize_t nr_bytes;
	int fd;

	if (!start || !maps__find_own(start, &vdso))
		return -ENOENT;
	nr_bytes = (ssize_t)(vdso.end - start);
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, (const void *)(uintptr_t)start, (size_t)nr_bytes) == nr_bytes)
		return fd;
	if (fd >= 0)
		close(fd);
	return -ENOENT;
}
