/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Users of this machine. A shared build asks whomever the machine asks. A static one reads /etc/passwd and
 * /etc/group and nothing else: the C library would load code of the machine for it, of any other version.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_USERS_H
#define TOPSTACKS_BASE_SYSTEM_USERS_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

/* Where a name was looked for, behind "no such user": "" or " in /etc/passwd". */
extern const char users__where[];

struct user {
	uid_t number;
	gid_t group;
	char name[256];
	char home[PATH_MAX];
};

/* 0; -ENOENT; -ENAMETOOLONG. */
int users__find(struct user *user, const char *name);

/* The name of a user, or the number if it has none, cut off at size. */
void users__name(uid_t number, char *name, size_t size);

/* Each user's name, in the order of whoever knows them; only for the length of the call. */
void users__visit(void (*visit)(void *context, const char *name), void *context);

/* The number of a group. 0 or -ENOENT. */
int users__find_group(const char *name, gid_t *group);

/* All groups that the user is in, at *groups, which the caller frees; their number, or a negative errno. */
int users__groups(const struct user *user, gid_t **groups);

#endif
