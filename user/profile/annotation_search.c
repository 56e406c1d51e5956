// SPDX-License-Identifier: GPL-2.0-only
/* Which function somebody means, of those that were sampled. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "profile/annotation.h"

/* How a name is compared, the strictest first. */
enum likeness {
	LIKE_ITSELF,
	LIKE_WITH_MODULE, /* "libc.so.6:malloc" */
	LIKE_WITHOUT_PARAMETERS,
	LIKE_SHORTENED, /* "process<std::tuple<…t> const*)", as views write it */
	LIKENESSES,
};

static bool is_with_module(const char *wanted, const struct group_row *group)
{
	const size_t length = group->module ? strlen(group->module) : 0;

	return length && !strncmp(wanted, group->module, length) && wanted[length] == ':' &&
	       !strcmp(wanted + length + 1, group->name);
}

/* "ns::parse(int, char*) const" is "ns::parse", and "operator()(int)" is "operator()". */
static bool is_without_parameters(const char *wanted, const char *name)
{
	const size_t length = strlen(wanted);

	return length && !strncmp(name, wanted, length) && name[length] == '(';
}

/* It has the parts that are left, in this order, from its beginning to its end. */
static bool is_shortened(const char *wanted, const char *name)
{
	const char *const sign = "\u2026", *cut = strstr(wanted, sign);
	size_t length;

	if (!cut || strncmp(name, wanted, (size_t)(cut - wanted)) != 0)
		return false;
	name += cut - wanted;
	for (wanted = cut + strlen(sign); (cut = strstr(wanted, sign));
	     wanted = cut + strlen(sign)) {
		const char *part = memmem(name, strlen(name), wanted, (size_t)(cut - wanted));

		if (!part)
			return false;
		name = part + (cut - wanted);
	}
	length = strlen(wanted);
	return strlen(name) >= length && !strcmp(name + strlen(name) - length, wanted);
}

static bool is_like(const struct group_row *group, const char *wanted, enum likeness likeness)
{
	if (likeness == LIKE_WITH_MODULE)
		return is_with_module(wanted, group);
	if (likeness == LIKE_WITHOUT_PARAMETERS)
		return is_without_parameters(wanted, group->name);
	if (likeness == LIKE_SHORTENED)
		return is_shortened(wanted, group->name);
	return !strcmp(wanted, group->name);
}

static long choose(const struct group_row *groups, size_t nr_groups, const char *wanted,
		   struct annotated_function *functions)
{
	long nr = 0;

	for (enum likeness likeness = 0; !nr && likeness < LIKENESSES; likeness++)
		for (size_t i = 0; i < nr_groups; i++)
			if (is_like(&groups[i], wanted, likeness))
				functions[nr++] = (struct annotated_function){
					.name = groups[i].name,
					.module = groups[i].module,
					.total = groups[i].total,
					.kind = groups[i].kind,
				};
	return nr;
}

long annotation__search(const struct profile *profile, const char *name,
			struct annotated_function **functions)
{
	struct group_row *groups;
	long nr = profile__group(profile, GROUP_BY_FUNCTION, SORT_BY_TOTAL, &groups);

	if (nr < 0)
		return nr;
	*functions = calloc((size_t)nr + 1, sizeof(**functions));
	nr = *functions ? choose(groups, (size_t)nr, name, *functions) : -ENOMEM;
	free(groups);
	return nr;
}

const char *annotation__near(const struct profile *profile, const char *name)
{
	struct group_row *groups;
	const long nr = profile__group(profile, GROUP_BY_FUNCTION, SORT_BY_TOTAL, &groups);
	size_t least = SIZE_MAX;
	const char *near = NULL;

	for (long i = 0; i < nr; i++) {
		const size_t distance = distance__of_functions(name, groups[i].name);

		if (distance >= least)
			continue;
		least = distance;
		near = groups[i].name;
	}
	if (nr >= 0)
		free(groups);
	return near;
}
