// SPDX-License-Identifier: GPL-2.0-only
#include "processes/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * Calls statx without synchronizing: fstat would ask the server of a FUSE or network file system,
 * which may never answer.
 */
static int look_at(int fd, struct statx *status)
{
	const unsigned int wanted = STATX_BASIC_STATS | STATX_BTIME;

	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted, status) ? -errno : 0;
}

static int64_t ns_of(const struct statx_timestamp *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

int file__identify(int fd, struct file_identity *identity)
{
	struct statx status;
	const int code = look_at(fd, &status);

	if (code)
		return code;
	*identity = (struct file_identity){
		.inode = status.stx_ino,
		.device = makedev(status.stx_dev_major, status.stx_dev_minor),
		.nr_bytes = status.stx_size,
		.modified_ns = ns_of(&status.stx_mtime),
	};
	return 0;
}

uint64_t file__mount(int fd)
{
	char path[48], line[64];
	struct statx status;
	uint64_t mount = 0;
	FILE *file;

	/* Since Linux 5.8; before, /proc/self/fdinfo tells it: "mnt_id:\t29". */
	if (!statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) &&
	    status.stx_mask & STATX_MNT_ID)
		return status.stx_mnt_id;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "mnt_id: %" SCNu64, &mount) == 1)
			break;
	if (file)
		fclose(file);
	return mount;
}

void file__path(int fd, char *path, size_t size)
{
	char link[48];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = fd < 0 ? -1 : readlink(link, path, size - 1);
	path[length < 0 ? 0 : length] = '\0';
}

bool file_identity__equals(const struct file_identity *a, const struct file_identity *b)
{
	return a->inode == b->inode && a->device == b->device && a->nr_bytes == b->nr_bytes &&
	       a->modified_ns == b->modified_ns;
}

bool file__is_same(int a, int b)
{
	struct file_identity of_a, of_b;

	return !file__identify(a, &of_a) && !file__identify(b, &of_b) &&
	       of_a.device == of_b.device && of_a.inode == of_b.inode;
}

int file__owner(int fd, uint32_t *uid, uint32_t *nr_links)
{
	struct statx status;
	const int code = look_at(fd, &status);

	if (code)
		return code;
	*uid = status.stx_uid;
	*nr_links = status.stx_nlink;
	return 0;
}

/* Uses the change time, as no user can set it. */
bool file__is_older(int fd, int64_t time_ns)
{
	struct statx status;

	return !look_at(fd, &status) && ns_of(&status.stx_ctime) < time_ns;
}

/*
 * A new file with an old inode number has a younger birth, a rewritten one a younger modification.
 * (Not the change time: renaming or removing a file makes that younger, too.)
 */
int file__changed_ns(int fd, int64_t *changed_ns)
{
	const int64_t now = (int64_t)clock_ns(CLOCK_REALTIME);
	struct statx status;
	int64_t changed, born;
	const int code = look_at(fd, &status);

	if (code)
		return code;
	changed = ns_of(&status.stx_mtime);
	if (changed > now) /* any user can set the time */
		changed = 0;
	born = ns_of(status.stx_mask & STATX_BTIME ? &status.stx_btime : &status.stx_ctime);
	if (born > changed)
		changed = born;
	*changed_ns = changed - (now - (int64_t)monotonic_ns());
	return 0;
}
