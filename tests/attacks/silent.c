// SPDX-License-Identifier: GPL-2.0-only
/*
 * silent OPERATION FILE MOUNTPOINT: serves a copy of a file as MOUNTPOINT/file by FUSE, to
 * everybody, and says "ready". OPERATION is lookup, getattr, open or read: from SIGUSR1 on it is
 * never answered. With "fault" the program fails two reads, and does not answer the others: the
 * kernel tries a page that often before it waits for it with the memory's lock held. The file
 * belongs to the attacker and is always new.
 *
 * libs: fuse3
 */
#define FUSE_USE_VERSION 35
#include <err.h>
#include <errno.h>
#include <fuse_lowlevel.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_INODE 2
#define FILE_NAME  "file"
#define MAX_BYTES  (1 << 20)

#define MAX_FAILURES 2

static const char *operation;
static volatile sig_atomic_t is_silent;
static char contents[MAX_BYTES];
static size_t nr_bytes;
static int nr_failures;
static uid_t owner;

static void fall_silent(int signal_number)
{
	(void)signal_number;
	is_silent = 1;
}

static bool answers(const char *name)
{
	return !is_silent || strcmp(operation, name);
}

static struct stat attributes_of(fuse_ino_t inode)
{
	struct stat attributes = {.st_ino = inode, .st_mode = S_IFDIR | 0755, .st_nlink = 2};

	if (inode == FILE_INODE) {
		attributes.st_mode = S_IFREG | 0755;
		attributes.st_nlink = 1;
		attributes.st_size = (off_t)nr_bytes;
	}
	attributes.st_uid = attributes.st_gid = owner;
	clock_gettime(CLOCK_REALTIME, &attributes.st_mtim);
	return attributes;
}

static void on_lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = {.ino = FILE_INODE, .attr = attributes_of(FILE_INODE)};

	if (!answers("lookup"))
		return;
	if (parent != FUSE_ROOT_ID || strcmp(name, FILE_NAME))
		fuse_reply_err(request, ENOENT);
	else
		fuse_reply_entry(request, &entry);
}

static void on_getattr(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	const struct stat attributes = attributes_of(inode);

	(void)file;
	if (answers("getattr"))
		fuse_reply_attr(request, &attributes, 0);
}

static void on_open(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	(void)inode;
	if (answers("open"))
		fuse_reply_open(request, file);
}

static void on_read(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset,
		    struct fuse_file_info *file)
{
	const size_t begin = (size_t)offset < nr_bytes ? (size_t)offset : nr_bytes;

	(void)inode;
	(void)file;
	if (!answers("fault")) {
		if (nr_failures++ < MAX_FAILURES)
			fuse_reply_err(request, EIO);
		return;
	}
	if (answers("read"))
		fuse_reply_buf(request, contents + begin,
			       size < nr_bytes - begin ? size : nr_bytes - begin);
}

static const struct fuse_lowlevel_ops operations = {
	.lookup = on_lookup,
	.getattr = on_getattr,
	.open = on_open,
	.read = on_read,
};

static void read_contents(const char *path)
{
	FILE *file = fopen(path, "r");
	struct stat status;

	if (!file || fstat(fileno(file), &status))
		err(1, "%s", path);
	nr_bytes = fread(contents, 1, sizeof(contents), file);
	owner = status.st_uid;
	fclose(file);
}

int main(int argc, char **argv)
{
	char *options[] = {argv[0], "-oallow_other", NULL};
	struct fuse_args arguments = FUSE_ARGS_INIT(2, options);
	struct fuse_session *session;

	if (argc != 4)
		errx(2, "usage: silent lookup|getattr|open|read|fault FILE MOUNTPOINT");
	operation = argv[1];
	read_contents(argv[2]);
	signal(SIGUSR1, fall_silent);
	session = fuse_session_new(&arguments, &operations, sizeof(operations), NULL);
	if (!session || fuse_session_mount(session, argv[3]))
		errx(1, "cannot mount");
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	puts("ready");
	fflush(stdout);
	while (!fuse_session_exited(session)) {
		struct fuse_buf buffer = {0};
		int size = fuse_session_receive_buf(session, &buffer);

		if (size > 0)
			fuse_session_process_buf(session, &buffer);
		else if (size != -EINTR)
			break;
		free(buffer.mem);
	}
	fuse_session_unmount(session);
	return 0;
}
