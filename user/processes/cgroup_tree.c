// SPDX-License-Identifier: GPL-2.0-only
#include "processes/cgroup_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <mntent.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_DEPTH   64
#define MAX_VISITED 100000

void cgroup_tree__open(struct cgroup_tree *tree)
{
	char buffer[2 * PATH_MAX];
	struct mntent entry;
	FILE *mounts = setmntent("/proc/self/mounts", "re");

	tree->root = -1;
	while (mounts && tree->root < 0 && getmntent_r(mounts, &entry, buffer, sizeof(buffer))) {
		if (strcmp(entry.mnt_type, "cgroup2") || strlen(entry.mnt_dir) >= PATH_MAX)
			continue;
		strcpy(tree->mount_point, entry.mnt_dir);
		tree->root = open(entry.mnt_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (mounts)
		endmntent(mounts);
}

void cgroup_tree__close(struct cgroup_tree *tree)
{
	if (tree->root >= 0)
		close(tree->root);
	tree->root = -1;
}

const char *cgroup_tree__strip(const struct cgroup_tree *tree, const char *path)
{
	const size_t length = tree->root < 0 ? 0 : strlen(tree->mount_point);

	if (!length || strncmp(path, tree->mount_point, length) ||
	    (path[length] && path[length] != '/'))
		return path;
	return path[length] ? path + length : "/";
}

static int open_below(int root, const char *path, int flags)
{
	const struct open_how how = {
		.flags = (uint64_t)(flags | O_DIRECTORY | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};

	while (*path == '/')
		path++;
	return (int)syscall(SYS_openat2, root, *path ? path : ".", &how, sizeof(how));
}

int cgroup_tree__id(const struct cgroup_tree *tree, const char *path, uint64_t *id)
{
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(*id)];
	} cgroup = {.handle = {.handle_bytes = sizeof(*id)}};
	int mount, fd, code = 0;

	if (tree->root < 0)
		return -ENODEV;
	fd = open_below(tree->root, path, O_PATH);
	if (fd < 0)
		return errno == ENOTDIR || errno == EXDEV || errno == ELOOP ? -ENOENT : -errno;
	if (name_to_handle_at(fd, "", &cgroup.handle, &mount, AT_EMPTY_PATH))
		code = -errno;
	else
		memcpy(id, cgroup.handle.f_handle, sizeof(*id));
	close(fd);
	return code;
}

/* ---- hierarchies of version 1 ---- */

static bool has_directory(const char *mount_point, const char *path)
{
	const int root = open(mount_point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const int fd = root < 0 ? -1 : open_below(root, path, O_PATH);

	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	return fd >= 0;
}

bool cgroup_tree__has_version_1(const char *path, char place[PATH_MAX])
{
	char buffer[2 * PATH_MAX];
	struct mntent entry;
	bool has_any = false;
	FILE *mounts = setmntent("/proc/self/mounts", "re");

	place[0] = '\0';
	while (mounts && !place[0] && getmntent_r(mounts, &entry, buffer, sizeof(buffer))) {
		const size_t length = strlen(entry.mnt_dir);
		const bool is_said = !strncmp(path, entry.mnt_dir, length) && path[length] == '/';

		if (strcmp(entry.mnt_type, "cgroup") || length >= PATH_MAX)
			continue;
		has_any = true;
		if (has_directory(entry.mnt_dir, is_said ? path + length : path))
			strcpy(place, entry.mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return has_any;
}

/* ---- walking the tree ---- */

struct walk_of_cgroups {
	const struct cgroup_tree *tree;
	int (*visit)(void *context, const char *path);
	void *context;
	size_t nr_visited;
	char path[PATH_MAX];
};

/* Walks a cgroup. One that is removed meanwhile counts as empty. */
static int walk(struct walk_of_cgroups *walking, size_t length, unsigned int depth)
{
	const size_t room = sizeof(walking->path) - length;
	struct dirent *entry;
	DIR *directory;
	int fd, code, added;

	if (walking->nr_visited++ >= MAX_VISITED)
		return 0;
	code = walking->visit(walking->context, length ? walking->path : "/");
	if (code || depth >= MAX_DEPTH)
		return code < 0 ? code : 0;
	fd = open_below(walking->tree->root, walking->path, O_RDONLY);
	directory = fd < 0 ? NULL : fdopendir(fd);
	if (!directory) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (!code && (entry = readdir(directory))) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		added = snprintf(walking->path + length, room, "/%s", entry->d_name);
		if (added >= 0 && (size_t)added < room)
			code = walk(walking, length + (size_t)added, depth + 1);
	}
	closedir(directory);
	walking->path[length] = '\0';
	return code;
}

int cgroup_tree__walk(const struct cgroup_tree *tree, int (*visit)(void *context, const char *path),
		      void *context)
{
	struct walk_of_cgroups walking = {.tree = tree, .visit = visit, .context = context};

	return tree->root < 0 ? -ENODEV : walk(&walking, 0, 0);
}
