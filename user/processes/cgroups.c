// SPDX-License-Identifier: GPL-2.0-only
/*
 * The id of a cgroup is its file handle in the cgroup2 file system (kernfs, 33c5ac9175195), so the
 * kernel opens it directly, even if it has no process. Where that file system is not mounted, /proc
 * tells the path of a process that still lives.
 */
#include "processes/cgroups.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "processes/cgroup_tree.h"
#include "processes/opener.h"
#include "processes/procfs.h"

#define MAX_CACHED     4096
#define MAX_PROC_BYTES 65536
#define FILEID_KERNFS  0xfe /* linux/exportfs.h */

struct cgroup_answer {
	struct map_number id;
	char *path; /* or NULL */
};

struct cgroups {
	struct map answers;
	bool looked; /* the hierarchy was looked for */
	struct cgroup_tree tree;
};

static void free_answer(void *entry)
{
	struct cgroup_answer *answer = entry;

	free(answer->path);
	free(answer);
}

struct cgroups *cgroups__new(void)
{
	struct cgroups *cgroups = xcalloc(1, sizeof(*cgroups));

	cgroups->tree.root = -1;
	map__init_numbers(&cgroups->answers, free_answer);
	return cgroups;
}

void cgroups__free(struct cgroups *cgroups)
{
	if (!cgroups)
		return;
	cgroup_tree__close(&cgroups->tree);
	map__fini(&cgroups->answers);
	free(cgroups);
}

/* ---- by id ---- */

static char *find_by_id(const struct cgroups *cgroups, uint64_t id)
{
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(uint64_t)];
	} cgroup = {.handle = {.handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS}};
	char link[32], path[PATH_MAX];
	const char *below;
	uint64_t before;
	ssize_t length;
	int fd;

	memcpy(cgroup.handle.f_handle, &id, sizeof(id));
	before = rights__raise(RIGHTS_TO_LOOK);
	fd = open_by_handle_at(cgroups->tree.root, &cgroup.handle, O_PATH | O_CLOEXEC);
	rights__restore(before);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (length <= 0)
		return NULL;
	path[length] = '\0';
	below = cgroup_tree__strip(&cgroups->tree, path); /* of "/sys/fs/cgroup/a/b": "/a/b" */
	return below == path ? NULL : xstrdup(below);
}

/* ---- by a process in the cgroup ---- */

static char *find_by_process(const struct process *process, struct opener *opener,
			     struct time_budget *budget)
{
	const struct mapped_by by = {.pid = process->pid,
				     .start_ticks = procfs__ticks(process->start_ns)};
	const struct opening opening = {.kind = OPENING_PROCESS, .by = &by, .path = "cgroup"};
	const int fd = opener__open(opener, &opening, budget);
	char *text = NULL, *line = NULL, *path = NULL;

	if (fd < 0)
		return NULL;
	/* "0::/system.slice/nginx.service" is among the lines of other hierarchies. */
	if (!files__read_fd(fd, MAX_PROC_BYTES, &text, NULL))
		line = text;
	while (line && strncmp(line, "0::/", 4)) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (line)
		path = xstrndup(line + 3, strcspn(line + 3, "\n"));
	free(text);
	close(fd);
	return path;
}

/* ---- asking ---- */

const char *cgroups__path(struct cgroups *cgroups, const struct process *process,
			  struct opener *opener, struct time_budget *budget)
{
	struct cgroup_answer *answer;

	if (!process->cgroup)
		return NULL;
	if (map__nr_items(&cgroups->answers) >= MAX_CACHED)
		map__clear(&cgroups->answers);
	answer = map__find_number(&cgroups->answers, process->cgroup);
	if (answer)
		return answer->path;
	if (!cgroups->looked)
		cgroup_tree__open(&cgroups->tree);
	cgroups->looked = true;
	answer = map__add_number(&cgroups->answers, process->cgroup, sizeof(*answer));
	answer->path = cgroups->tree.root >= 0 ? find_by_id(cgroups, process->cgroup)
					       : find_by_process(process, opener, budget);
	return answer->path;
}
