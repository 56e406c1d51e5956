// SPDX-License-Identifier: GPL-2.0-only
#include "elf/function_search.h"

#include "base/distance.h"
#include "elf/names.h"
#include "elf/symbols.h"

/*
 * Longer names are compared as symbols only, so that the time stays linear in the size of the
 * names.
 */
#define MAX_BYTES 4096

struct seen_name {
	char symbol[MAX_BYTES], shown[MAX_BYTES];
};

static enum function_likeness compare(const char *wanted, const struct code_symbol *symbol,
				      struct seen_name *name, size_t *distance)
{
	const size_t length = strlen(wanted);
	const char *rest = name->shown + length;

	if (symbol->length == length && !memcmp(symbol->name, wanted, length))
		return LIKE_SYMBOL;
	if (!name->shown[0])
		return LIKE_NOTHING;
	if (!strncmp(name->shown, wanted, length)) {
		if (!*rest)
			return LIKE_SHOWN;
		if (*rest == '(')
			return strstr(rest, " [clone ") ? LIKE_CLONED : LIKE_WITHOUT_PARAMETERS;
		if (!strncmp(rest, " [clone ", 8))
			return LIKE_CLONED;
	}
	*distance = distance__of_functions(wanted, name->shown);
	return *distance != SIZE_MAX ? LIKE_NEARLY : LIKE_NOTHING;
}

static void add(struct function_search *search, const struct code_symbol *symbol,
		const struct seen_name *name, size_t distance)
{
	struct found_function *functions = search->functions;
	size_t place = search->nr_functions;

	while (place && distance < functions[place - 1].distance)
		place--;
	search->has_more |= search->nr_functions == FUNCTION_SHOWN_NAMES;
	if (place == FUNCTION_SHOWN_NAMES)
		return;
	search->nr_functions += !search->has_more;
	memmove(&functions[place + 1], &functions[place],
		(search->nr_functions - 1 - place) * sizeof(*functions));
	functions[place] = (struct found_function){
		.start = symbol->start, .size = symbol->size, .distance = distance};
	memcpy(functions[place].symbol, name->symbol,
	       strnlen(name->symbol, FUNCTION_SHOWN_NAME_SIZE - 1));
	memcpy(functions[place].shown, name->shown,
	       strnlen(name->shown, FUNCTION_SHOWN_NAME_SIZE - 1));
}

static void see(void *context, const struct code_symbol *symbol)
{
	struct function_search *search = context;
	enum function_likeness likeness;
	struct seen_name name;
	size_t distance = 0, known = 0;

	name.symbol[0] = name.shown[0] = '\0';
	if (symbol->length < MAX_BYTES) {
		memcpy(name.symbol, symbol->name, symbol->length);
		name.symbol[symbol->length] = '\0';
		if (!names__demangle(name.symbol, name.shown, sizeof(name.shown)))
			memcpy(name.shown, name.symbol, symbol->length + 1);
	}
	likeness = compare(search->name, symbol, &name, &distance);
	if (likeness == LIKE_NOTHING || likeness > search->likeness)
		return;
	if (likeness < search->likeness) {
		search->nr_functions = 0;
		search->has_more = search->is_chosen_at_load = false;
	}
	search->likeness = likeness;
	search->is_chosen_at_load |= symbol->is_chooser;
	while (known < search->nr_functions && search->functions[known].start != symbol->start)
		known++;
	/* The first of several versions of a symbol counts. */
	if (likeness == LIKE_SYMBOL ? !search->nr_functions : known == search->nr_functions)
		add(search, symbol, &name, distance);
}

int function_search__look(struct elf_file *file, uint32_t type, struct function_search *search)
{
	return elf_symbols__each(file, type, see, search);
}
