// SPDX-License-Identifier: GPL-2.0-only
/* Names on this machine: users, cgroups and their containers, events. */

#include "base/system/users.h"
#include "capture/events/event_list.h"
#include "completion/hints.h"
#include "processes/cgroup_tree.h"
#include "profile/owner.h"

#define CGROUP_MARKS	"/@:"
#define CONTAINER_MARKS ":"
#define EVENT_MARKS	":/"
#define MEANING_MARKS	" ,:/"

static void print_user(void *context, const char *name)
{
	candidate__print(context, name, "", NULL, "");
}

int users__tell(FILE *out, struct error *err)
{
	(void)err;
	users__visit(print_user, out);
	return 0;
}

static int print_cgroup(void *context, const char *path)
{
	candidate__print(context, path, CGROUP_MARKS, NULL, "");
	return 0;
}

/*
 * Prints the container of a cgroup. Cgroups inside it are skipped, as the outermost one has the
 * name.
 */
static int print_container(void *context, const char *path)
{
	char name[CONTAINER_NAME_SIZE];

	if (!container__name(path, name, sizeof(name)))
		return 0;
	candidate__print(context, name, CONTAINER_MARKS, NULL, "");
	return 1;
}

/* Visits the cgroups; none if no hierarchy is mounted. */
static int tell_cgroups(FILE *out, int (*visit)(void *context, const char *path), struct error *err)
{
	struct cgroup_tree tree;
	int code;

	cgroup_tree__open(&tree);
	code = cgroup_tree__walk(&tree, visit, out);
	cgroup_tree__close(&tree);
	if (code && code != -ENODEV)
		return error__set(err, EXIT_SYSTEM, code, "cannot read the tree of cgroups");
	return 0;
}

int cgroup_paths__tell(FILE *out, struct error *err)
{
	return tell_cgroups(out, print_cgroup, err);
}

int containers__tell(FILE *out, struct error *err)
{
	return tell_cgroups(out, print_container, err);
}

/* Prints an event, except probes: their syntax is no name. */
static void print_event(void *context, enum offer_group group, const char *name,
			const char *meaning)
{
	if (group != OFFERS_PROBES)
		candidate__print(context, name, EVENT_MARKS, meaning, MEANING_MARKS);
}

static void ignore_lack(void *context, enum offer_group group, const char *why)
{
	(void)context, (void)group, (void)why;
}

int event_names__tell(FILE *out, struct error *err)
{
	const struct offer_sink sink = {out, print_event, ignore_lack};

	return offers__tell(NULL, &sink, err);
}
