// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/internal.h"

#include <limits.h>
#include <unistd.h>

#include "base/system/users.h"
#include "capture/events/capture_options.h"
#include "capture/events/suggestions.h"
#include "capture/tasks/wanted_names.h"
#include "profile/owner.h"
#include "topstacks/abi.h"

#define TOLD_BYTES 512 /* bytes of suggestions */

static int refuse(struct error *err, const char *what, const char *name, const char *instead)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -ESRCH, "%s %s%s", what, quote(&quoted, name), instead);
}

/* ---- users ---- */

static const struct task_record *
find_parent(const struct task_record *of, const struct task_record *processes, size_t nr_processes)
{
	size_t i;

	for (i = 0; i < nr_processes; i++)
		if (processes[i].tgid == of->parent_tgid)
			return &processes[i];
	return NULL;
}

/* Returns true for a helper of this process: helpers run as users that no other process has. */
static bool is_ours(const struct task_record *process, const struct task_record *processes,
		    size_t nr_processes)
{
	int i;

	for (i = 0; i < 4 && process; i++) {
		if (process->ns_tgid == (uint32_t)getpid())
			return true;
		process = find_parent(process, processes, nr_processes);
	}
	return false;
}

static int refuse_user(const char *what, const char *name, const struct task_record *processes,
		       size_t nr_processes, struct error *err)
{
	struct suggestions near = {0};
	char told[TOLD_BYTES], user[256];

	for (size_t i = 0; i < nr_processes; i++) {
		if (is_ours(&processes[i], processes, nr_processes))
			continue;
		users__name(processes[i].user, user, sizeof(user));
		suggestions__add(&near, user, NULL, 1);
	}
	suggestions__format(&near, "; users who have some: ", told, sizeof(told));
	suggestions__fini(&near);
	return refuse(err, what, name, told);
}

/* ---- cgroups and containers ---- */

struct near_search {
	struct suggestions near;
	const char *wanted; /* last part of the wanted path; NULL: any container */
};

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Suggests a cgroup anywhere in the tree whose last part is similar to the wanted one. */
static int add_cgroup(void *context, const char *path)
{
	struct near_search *search = context;
	struct suggestions one = {0};

	suggestions__add(&one, last_name(path), search->wanted, 0);
	if (one.nr_names)
		suggestions__add(&search->near, path, NULL, 0);
	suggestions__fini(&one);
	return 0;
}

static int add_container(void *context, const char *path)
{
	struct near_search *search = context;
	char name[CONTAINER_NAME_SIZE];

	if (!container__name(path, name, sizeof(name)))
		return 0;
	suggestions__add(&search->near, name, NULL, 0);
	return 1;
}

/* Explains that the name may be a cgroup of version 1; "" if there is none. */
static const char *tell_of_versions(const struct wanted_names *wanted, char *text, size_t size)
{
	struct quoted at, other;
	char place[PATH_MAX];

	text[0] = '\0';
	if (wanted->missing_kind != KIND_CGROUP ||
	    !cgroup_tree__has_version_1(wanted->missing, place))
		return text;
	if (place[0])
		snprintf(text, size,
			 "; cgroups count of version 2, mounted at %s, and that one is of version "
			 "1, "
			 "at %s",
			 quote(&at, wanted->tree.mount_point), quote(&other, place));
	else
		snprintf(text, size,
			 "; cgroups count of version 2, mounted at %s, not those of version 1",
			 quote(&at, wanted->tree.mount_point));
	return text;
}

static int refuse_path(const struct wanted_names *wanted, struct error *err)
{
	const bool is_container = wanted->missing_kind == KIND_CONTAINER;
	struct near_search search = {.wanted = last_name(wanted->missing)};
	char told[2 * TOLD_BYTES];
	size_t length;

	if (wanted->tree.root < 0)
		return refuse(err, is_container ? "no container" : "no cgroup", wanted->missing,
			      ": no file system of cgroups (version 2) is mounted");
	cgroup_tree__walk(&wanted->tree, is_container ? add_container : add_cgroup, &search);
	suggestions__format(&search.near, is_container ? "; there are: " : "; near: ", told,
			    TOLD_BYTES);
	if (is_container && !search.near.nr_names)
		snprintf(told, sizeof(told), "; no cgroup is a container's");
	suggestions__fini(&search.near);
	length = strlen(told);
	tell_of_versions(wanted, told + length, sizeof(told) - length);
	return refuse(err, is_container ? "no container" : "no cgroup", wanted->missing, told);
}

int no_match__has_name(const struct wanted_names *wanted, const struct task_record *processes,
		       size_t nr_processes, struct error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "no such user%s:", users__where);
	if (wanted->missing_kind == KIND_USER)
		return refuse_user(what, wanted->missing, processes, nr_processes, err);
	return refuse_path(wanted, err);
}

/* ---- names that exist but match no process ---- */

static int refuse_comm(const struct name_list *comms, const struct task_record *processes,
		       size_t nr_processes, struct error *err)
{
	static const char later[] =
		"; to wait for some, sample all by -a, and select by report --comm";
	char comm[ABI_COMM_SIZE + 1] = "", told[TOLD_BYTES + sizeof(later)];
	struct suggestions near = {0};
	size_t i;

	for (i = 0; i < nr_processes; i++) {
		memcpy(comm, processes[i].comm, ABI_COMM_SIZE);
		suggestions__add(&near, comm, comms->names[0], 1);
	}
	suggestions__format(&near, "; near: ", told, TOLD_BYTES);
	suggestions__fini(&near);
	strcat(told, later);
	return refuse(err, "no process is called", comms->names[0], told);
}

int no_match__is_all(const struct wanted_names *wanted, uint32_t kinds,
		     const struct task_record *processes, size_t nr_processes, struct error *err)
{
	const struct target_names *names = wanted->names;
	uint32_t lacking = kinds;

	for (size_t i = 0; i < nr_processes; i++)
		lacking &= ~processes[i].kinds;
	if (lacking & KIND_COMM)
		return refuse_comm(&names->comms, processes, nr_processes, err);
	if (lacking & KIND_USER)
		return refuse_user("no process belongs to user", names->users.names[0], processes,
				   nr_processes, err);
	if (lacking & KIND_CGROUP)
		return refuse(err, "no process is in cgroup", names->cgroups.names[0], "");
	if (lacking & KIND_CONTAINER)
		return refuse(err, "no process is in container", names->containers.names[0], "");
	return error__say(err, EXIT_USAGE, -ESRCH,
			  "there are processes of each kind that was asked for, but none is of all "
			  "these kinds");
}
