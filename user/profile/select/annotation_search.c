// SPDX-License-Identifier: GPL-2.0-only
/* Search of a sampled function by the name that the user gave. */

#include "base/distance.h"
#include "base/function_name.h"
#include "profile/annotation.h"

/* Ways in which a name may match, the strictest first. */
enum likeness {
	LIKE_ITSELF,
	LIKE_WITH_MODULE, /* "libc.so.6:malloc" */
	LIKE_WITHOUT_PARAMETERS,
	/* without template arguments and return type: "process<>", "process" */
	LIKE_WITHOUT_ARGUMENTS,
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

/* Returns the index after the bracket that closes the template arguments at this place. */
static size_t skip_arguments(const char *name, size_t at, size_t end)
{
	size_t depth = 0, length;

	for (; at < end; at += length) {
		length = function_name__operator(name, at);
		if (length)
			continue;
		length = 1;
		if (name[at] == '<')
			depth++;
		else if (name[at] == '>' && !--depth)
			return at + 1;
	}
	return end;
}

/* "int ns::list<char>::take<int>(int)" matches "ns::list<>::take<>" and "ns::list::take". */
static bool is_without_arguments(const char *wanted, const char *name)
{
	struct function_name called;
	size_t at, length;

	if (!function_name__find(name, strlen(name), &called))
		return false;
	for (at = called.start; at < called.end; at += length, wanted += length) {
		length = function_name__operator(name, at);
		if (!length && name[at] == '<') {
			at = skip_arguments(name, at, called.end);
			wanted += strncmp(wanted, "<>", 2) ? 0 : 2;
			continue;
		}
		length = length ? length : 1;
		if (strncmp(name + at, wanted, length) != 0)
			return false;
	}
	return !*wanted;
}

/* True if the name has all parts of the shortened one, in order, from its beginning to its end. */
static bool has_parts(const char *wanted, const char *name, size_t nr_bytes)
{
	const char *const sign = "\u2026", *const end = name + nr_bytes,
			  *cut = strstr(wanted, sign);
	size_t length;

	if (!cut || strncmp(name, wanted, (size_t)(cut - wanted)) != 0)
		return false;
	name += cut - wanted;
	for (wanted = cut + strlen(sign); name <= end && (cut = strstr(wanted, sign));
	     wanted = cut + strlen(sign)) {
		const size_t nr_left = (size_t)(end - name), nr_wanted = (size_t)(cut - wanted);
		const char *part = memmem(name, nr_left, wanted, nr_wanted);

		if (!part)
			return false;
		name = part + nr_wanted;
	}
	length = strlen(wanted);
	return name <= end && (size_t)(end - name) >= length &&
	       !memcmp(end - length, wanted, length);
}

/* Views also leave out the return type, and the parameters where there is little room. */
static bool is_shortened(const char *wanted, const struct group_row *group)
{
	const char *const name = group->name;
	const size_t nr_bytes = strlen(name), length = group->module ? strlen(group->module) : 0;
	struct function_name called;

	if (length && !strncmp(wanted, group->module, length) && wanted[length] == ':' &&
	    wanted[length + 1] != ':')
		wanted += length + 1;
	if (has_parts(wanted, name, nr_bytes))
		return true;
	return function_name__find(name, nr_bytes, &called) &&
	       (has_parts(wanted, name + called.start, nr_bytes - called.start) ||
		has_parts(wanted, name + called.start, called.end - called.start));
}

static bool is_like(const struct group_row *group, const char *wanted, enum likeness likeness)
{
	if (likeness == LIKE_WITH_MODULE)
		return is_with_module(wanted, group);
	if (likeness == LIKE_WITHOUT_PARAMETERS)
		return is_without_parameters(wanted, group->name);
	if (likeness == LIKE_WITHOUT_ARGUMENTS)
		return is_without_arguments(wanted, group->name);
	if (likeness == LIKE_SHORTENED)
		return is_shortened(wanted, group);
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
