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
	const char *const module = group->module ? group->module : "";
	const size_t length = strlen(likeness == LIKE_WITH_MODULE ? module : wanted);

	switch (likeness) {
	case LIKE_WITH_MODULE:
		return length && !strncmp(wanted, module, length) && wanted[length] == ':' &&
		       !strcmp(wanted + length + 1, group->name);
	case LIKE_WITHOUT_PARAMETERS:
		/* "ns::parse(int, char*) const" is "ns::parse", "operator()(int)" "operator()" */
		return length && !strncmp(group->name, wanted, length) &&
		       group->name[length] == '(';
	case LIKE_WITHOUT_ARGUMENTS:
		return is_without_arguments(wanted, group->name);
	case LIKE_SHORTENED:
		return is_shortened(wanted, group);
	default:
		return !strcmp(wanted, group->name);
	}
}

long annotation__search(const struct profile *profile, const char *name,
			struct annotated_function **functions)
{
	struct group_row *groups;
	const long nr_groups = profile__group(profile, GROUP_BY_FUNCTION, SORT_BY_TOTAL, &groups);
	long nr = 0;

	*functions = xcalloc((size_t)nr_groups + 1, sizeof(**functions));
	for (enum likeness likeness = 0; !nr && likeness < LIKENESSES; likeness++)
		for (long i = 0; i < nr_groups; i++)
			if (is_like(&groups[i], name, likeness))
				(*functions)[nr++] = (struct annotated_function){
					.name = groups[i].name,
					.module = groups[i].module,
					.total = groups[i].total,
					.kind = groups[i].kind,
				};
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
	free(groups);
	return near;
}
