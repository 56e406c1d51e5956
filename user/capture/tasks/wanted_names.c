// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/wanted_names.h"

#include <ctype.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "base/system/users.h"
#include "capture/events/capture_options.h"
#include "capture/host/skeleton.h"
#include "capture/tasks/internal.h"
#include "profile/owner.h"
#include "topstacks/abi.h"
#include "topstacks/comm_pattern.h"

static int put(const struct bpf_map *map, const void *key, const void *value)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int code = bpf_map_update_elem(bpf_map__fd(map), key, value, BPF_ANY) ? -errno : 0;

	rights__restore(before);
	return code;
}

static void note_missing(struct wanted_names *wanted, uint32_t kind, const char *name)
{
	if (wanted->missing_kind)
		return;
	wanted->missing_kind = kind;
	wanted->missing = name;
}

/* ---- process names ---- */

static int add_comms(struct wanted_names *wanted, struct error *err)
{
	const struct name_list *comms = &wanted->names->comms;
	struct comm_pattern pattern;
	struct quoted quoted;
	uint32_t i;
	int code;

	for (i = 0; i < comms->nr_names; i++) {
		if (comm_pattern__make(&pattern, comms->names[i]))
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "--comm %s is too long a pattern",
					  quote(&quoted, comms->names[i]));
		code = put(wanted->skeleton->maps.wanted_comms, &i, &pattern);
		if (code)
			return error__set(err, EXIT_INTERNAL, code, "cannot fill the BPF maps");
	}
	return 0;
}

/* ---- users ---- */

/*
 * Finds a user by name or number. A name that looks like a number is tried as a name first, as
 * other programs do.
 */
static bool find_user(const char *name, uint32_t *user)
{
	struct user entry;
	char *end;
	unsigned long number;

	if (!users__find(&entry, name)) {
		*user = entry.number;
		return true;
	}
	if (!isdigit((unsigned char)*name))
		return false;
	number = strtoul(name, &end, 10);
	*user = (uint32_t)number;
	return !*end && number < UINT32_MAX;
}

static int add_users(struct wanted_names *wanted, struct error *err)
{
	const struct name_list *users = &wanted->names->users;
	const uint32_t one = 1;
	uint32_t user;
	size_t i;
	int code;

	for (i = 0; i < users->nr_names; i++) {
		if (!find_user(users->names[i], &user)) {
			note_missing(wanted, KIND_USER, users->names[i]);
			continue;
		}
		code = put(wanted->skeleton->maps.wanted_users, &user, &one);
		if (code)
			return error__set(err, EXIT_INTERNAL, code, "cannot fill the BPF maps");
	}
	return 0;
}

/* ---- cgroups ---- */

/* Stores a cgroup with all its kinds, as several names may mean the same cgroup. */
static int put_cgroup(struct wanted_names *wanted, const struct wanted_cgroup *cgroup)
{
	uint32_t kinds = cgroup->kind;
	size_t i;

	for (i = 0; i < wanted->nr_cgroups; i++)
		if (wanted->cgroups[i].id == cgroup->id)
			kinds |= wanted->cgroups[i].kind;
	return put(wanted->skeleton->maps.wanted_cgroups, &cgroup->id, &kinds);
}

static int add_cgroup(struct wanted_names *wanted, const char *path, uint64_t id, uint32_t kind)
{
	const struct wanted_cgroup cgroup = {.path = xstrdup(path), .id = id, .kind = kind};

	array__reserve(&wanted->cgroups, &wanted->cgroups_capacity, wanted->nr_cgroups + 1);
	wanted->cgroups[wanted->nr_cgroups++] = cgroup;
	return put_cgroup(wanted, &cgroup);
}

static int add_cgroups(struct wanted_names *wanted)
{
	const struct name_list *cgroups = &wanted->names->cgroups;
	uint64_t id;
	size_t i;
	int code = 0;

	for (i = 0; i < cgroups->nr_names && !code; i++) {
		const char *path = cgroup_tree__strip(&wanted->tree, cgroups->names[i]);

		if (cgroup_tree__id(&wanted->tree, path, &id))
			note_missing(wanted, KIND_CGROUP, cgroups->names[i]);
		else
			code = add_cgroup(wanted, path, id, KIND_CGROUP);
	}
	return code;
}

/* ---- containers ---- */

struct container_search {
	struct wanted_names *wanted;
	const char *name;
	bool is_found;
};

/*
 * Adds a container's cgroup. Returns 1 so that the walk skips what is below, which belongs to the
 * container.
 */
static int look_for_container(void *context, const char *path)
{
	struct container_search *search = context;
	uint64_t id;
	int code;

	if (!container__matches(path, search->name) ||
	    cgroup_tree__id(&search->wanted->tree, path, &id))
		return 0;
	search->is_found = true;
	code = add_cgroup(search->wanted, path, id, KIND_CONTAINER);
	return code ? code : 1;
}

static int add_containers(struct wanted_names *wanted)
{
	const struct name_list *containers = &wanted->names->containers;
	size_t i;
	int code = 0;

	for (i = 0; i < containers->nr_names && !code; i++) {
		struct container_search search = {.wanted = wanted, .name = containers->names[i]};

		code = cgroup_tree__walk(&wanted->tree, look_for_container, &search);
		if (code == -ENODEV)
			code = 0;
		if (!search.is_found)
			note_missing(wanted, KIND_CONTAINER, containers->names[i]);
	}
	return code;
}

/* ---- all names ---- */

int wanted_names__init(struct wanted_names *wanted, const struct target_names *names,
		       struct topstacks_bpf *skeleton, struct error *err)
{
	int code;

	*wanted = (struct wanted_names){.names = names, .skeleton = skeleton, .tree = {.root = -1}};
	if (names->cgroups.nr_names || names->containers.nr_names)
		cgroup_tree__open(&wanted->tree);
	code = add_comms(wanted, err);
	if (!code)
		code = add_users(wanted, err);
	if (code)
		return code;
	code = add_cgroups(wanted);
	if (!code)
		code = add_containers(wanted);
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot look for cgroups") : 0;
}

void wanted_names__fini(struct wanted_names *wanted)
{
	size_t i;

	if (wanted->names)
		cgroup_tree__close(&wanted->tree);
	for (i = 0; i < wanted->nr_cgroups; i++)
		free(wanted->cgroups[i].path);
	free(wanted->cgroups);
	*wanted = (struct wanted_names){0};
}

void wanted_names__refresh(struct wanted_names *wanted)
{
	const int map = bpf_map__fd(wanted->skeleton->maps.wanted_cgroups);
	uint64_t id, before;

	for (size_t i = 0; i < wanted->nr_cgroups; i++) {
		struct wanted_cgroup *cgroup = &wanted->cgroups[i];

		if (cgroup_tree__id(&wanted->tree, cgroup->path, &id) || id == cgroup->id)
			continue;
		before = rights__raise(RIGHTS_TO_SAMPLE);
		bpf_map_delete_elem(map, &cgroup->id);
		rights__restore(before);
		cgroup->id = id;
		if (put_cgroup(wanted, cgroup))
			cgroup->id = 0; /* tried again next time */
	}
}
