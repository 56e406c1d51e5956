// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/users.h"

#include <grp.h>
#include <pwd.h>

#define MAX_GROUPS 65536 /* the kernel's limit */

#ifdef TOPSTACKS_STATIC

const char users__where[] = " in /etc/passwd";

static bool is_named(const struct passwd *entry, const void *name)
{
	return !strcmp(entry->pw_name, name);
}

static bool has_number(const struct passwd *entry, const void *number)
{
	return entry->pw_uid == *(const uid_t *)number;
}

/* The first entry that is_meant() accepts; valid until the next call. */
static const struct passwd *find(bool (*is_meant)(const struct passwd *, const void *),
				 const void *what)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	if (!file)
		return NULL;
	do
		entry = fgetpwent(file);
	while (entry && !is_meant(entry, what));
	fclose(file);
	return entry;
}

void users__visit(void (*visit)(void *context, const char *name), void *context)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;

	while (file && (entry = fgetpwent(file)))
		visit(context, entry->pw_name);
	if (file)
		fclose(file);
}

static const struct passwd *find_name(const char *name)
{
	return find(is_named, name);
}

static const struct passwd *find_number(uid_t number)
{
	return find(has_number, &number);
}

int users__find_group(const char *name, gid_t *group)
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *entry = NULL;

	while (file && (entry = fgetgrent(file)) && strcmp(entry->gr_name, name))
		;
	if (entry)
		*group = entry->gr_gid;
	if (file)
		fclose(file);
	return entry ? 0 : -ENOENT;
}

int users__groups(const struct user *user, gid_t **groups)
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *group;
	size_t nr = 0, capacity = 0;

	*groups = NULL;
	array__reserve(groups, &capacity, 1);
	(*groups)[nr++] = user->group;
	while (file && nr < MAX_GROUPS && (group = fgetgrent(file))) {
		char **member = group->gr_mem;

		while (*member && strcmp(*member, user->name))
			member++;
		if (group->gr_gid == user->group || !*member)
			continue;
		array__reserve(groups, &capacity, nr + 1);
		(*groups)[nr++] = group->gr_gid;
	}
	if (file)
		fclose(file);
	return (int)nr;
}

#else

const char users__where[] = "";

void users__visit(void (*visit)(void *context, const char *name), void *context)
{
	const struct passwd *entry;

	setpwent();
	while ((entry = getpwent()))
		visit(context, entry->pw_name);
	endpwent();
}

static const struct passwd *find_name(const char *name)
{
	return getpwnam(name);
}

static const struct passwd *find_number(uid_t number)
{
	return getpwuid(number);
}

int users__find_group(const char *name, gid_t *group)
{
	const struct group *entry = getgrnam(name);

	if (!entry)
		return -ENOENT;
	*group = entry->gr_gid;
	return 0;
}

int users__groups(const struct user *user, gid_t **groups)
{
	int room = 64, nr = 64, got;

	*groups = xcalloc((size_t)room, sizeof(**groups));
	while ((got = getgrouplist(user->name, user->group, *groups, &nr)) < 0) {
		if (nr <= room || nr > MAX_GROUPS)
			return -E2BIG;
		room = nr; /* the number needed */
		*groups = xrealloc(*groups, (size_t)room * sizeof(**groups));
	}
	return got;
}

#endif

int users__find(struct user *user, const char *name)
{
	const struct passwd *entry = find_name(name);

	if (!entry)
		return -ENOENT;
	if (strlen(entry->pw_name) >= sizeof(user->name))
		return -ENAMETOOLONG;
	*user = (struct user){.number = entry->pw_uid, .group = entry->pw_gid};
	strcpy(user->name, entry->pw_name);
	snprintf(user->home, sizeof(user->home), "%s", entry->pw_dir);
	return 0;
}

void users__name(uid_t number, char *name, size_t size)
{
	const struct passwd *entry = find_number(number);

	if (entry)
		snprintf(name, size, "%s", entry->pw_name);
	else
		snprintf(name, size, "%u", number);
}
