/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Users of this machine. A dynamic build uses the system's name services. A static build reads only
 * /etc/passwd and /etc/group, because the C library would load the system's modules of another
 * version into it.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_USERS_H
#define TOPSTACKS_BASE_SYSTEM_USERS_H

#include <limits.h>
#include <sys/types.h>

#include "base/common.h"

/* Where names are looked up, appended to "no such user": "" or " in /etc/passwd". */
extern const char users__where[];

struct user {
	uid_t number;
	gid_t group;
	char name[256];
	char home[PATH_MAX];
};

/* Finds a user by name. 0; -ENOENT; -ENAMETOOLONG. */
int users__find(struct user *user, const char *name);

/* Writes the name of a user, or the number if it has none, cut off at size. */
void users__name(uid_t number, char *name, size_t size);

/*
 * Calls visit with each user's name, in the order of the name service; name is valid during the
 * call.
 */
void users__visit(void (*visit)(void *context, const char *name), void *context);

/* Finds the number of a group. 0 or -ENOENT. */
int users__find_group(const char *name, gid_t *group);

/*
 * Lists all groups of the user in *groups, which the caller frees; returns their number, or a
 * negative errno.
 */
int users__groups(const struct user *user, gid_t **groups);

#endif
