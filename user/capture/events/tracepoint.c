// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the description that tracefs has of each tracepoint:
 *
 *	name: block_rq_issue
 *	ID: 1124
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		field:unsigned int bytes;	offset:28;	size:4;	signed:0;
 *		field:char rwbs[8];	offset:34;	size:8;	signed:0;
 *		field:__data_loc char[] cmd;	offset:60;	size:4;	signed:0;
 *
 *	print fmt: "%d,%d %s …
 *
 * Damaged lines are skipped.
 */
#include "capture/events/tracepoint.h"

#include <ctype.h>

#include "capture/events/suggestions.h"
#include "capture/events/tracefs.h"

#define MAX_FIELD_NAME 64
#define MAX_LIST       (4 << 20) /* bytes of all names */

/* ---- names ---- */

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

bool tracepoint_name__is_sane(const char *name)
{
	const char *colon = strchr(name, ':'), *c;

	if (!colon || strlen(name) >= TRACEPOINT_MAX_NAME || strchr(colon + 1, ':'))
		return false;
	if (colon == name || !colon[1] || name[0] == '.' || colon[1] == '.')
		return false;
	for (c = name; *c; c++)
		if (c != colon && !is_name_char(*c))
			return false;
	return true;
}

/* ---- a description ---- */

/* Reads the number behind a key in "\toffset:28;". False: there is none, or it is above most. */
static bool read_number(const char *line, const char *key, unsigned long most,
			unsigned long *number)
{
	const char *found = strstr(line, key);
	char *end;

	if (!found || !isdigit((unsigned char)found[strlen(key)]))
		return false;
	errno = 0;
	*number = strtoul(found + strlen(key), &end, 10);
	return !errno && *end == ';' && *number <= most;
}

/* Cuts the name out of a declaration: "char comm[16]", "__data_loc char[] name". NULL: none. */
static const char *cut_name(char *declaration)
{
	char *bracket = strrchr(declaration, '['), *end = declaration + strlen(declaration);
	char *name;

	if (bracket && end[-1] == ']') /* the bracket belongs to the name, not to the type */
		end = bracket;
	while (end > declaration && end[-1] == ' ')
		end--;
	name = end;
	while (name > declaration && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	*end = '\0';
	if (name == end || end - name >= MAX_FIELD_NAME || isdigit((unsigned char)*name))
		return NULL;
	return name;
}

static bool begins_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Returns the shape of a field. The declaration still has its name. */
static enum tracepoint_shape shape_of(const char *declaration, unsigned long size)
{
	if (strchr(declaration, '[') || strstr(declaration, "__data_loc") ||
	    strstr(declaration, "__rel_loc"))
		return SHAPE_OTHER;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return SHAPE_OTHER;
	if (strchr(declaration, '*'))
		return SHAPE_ADDRESS;
	if (begins_with(declaration, "struct ") || begins_with(declaration, "union "))
		return SHAPE_OTHER;
	return SHAPE_NUMBER;
}

/* Parses a line behind "field:". False: the line is damaged. */
static bool parse_field(char *line, struct tracepoint_field *field)
{
	char *end = strchr(line, ';');
	unsigned long offset, size, is_signed;

	if (!end || !read_number(end, "\toffset:", TRACEPOINT_MAX_RECORD, &offset) ||
	    !read_number(end, "\tsize:", TRACEPOINT_MAX_RECORD - offset, &size) ||
	    !read_number(end, "\tsigned:", 1, &is_signed))
		return false;
	*end = '\0';
	*field = (struct tracepoint_field){
		.offset = (uint16_t)offset,
		.size = (uint16_t)size,
		.is_signed = is_signed,
		.shape = shape_of(line, size),
	};
	field->name = cut_name(line);
	if (!field->name)
		return false;
	if (begins_with(field->name, "common_") || offset < sizeof(void *))
		field->shape = SHAPE_COMMON;
	return true;
}

static void parse_line(struct tracepoint *tracepoint, char *line)
{
	struct tracepoint_field field;
	unsigned long id;
	char *end;

	if (begins_with(line, "\tfield:") && parse_field(line + strlen("\tfield:"), &field)) {
		array__reserve(&tracepoint->fields, &tracepoint->capacity,
			       tracepoint->nr_fields + 1);
		tracepoint->fields[tracepoint->nr_fields++] = field;
	}
	if (begins_with(line, "ID: ") && isdigit((unsigned char)line[4])) {
		errno = 0;
		id = strtoul(line + 4, &end, 10);
		if (!errno && !*end && id <= UINT32_MAX)
			tracepoint->id = (uint32_t)id;
	}
}

int tracepoint__parse(struct tracepoint *tracepoint, char *format)
{
	char *line = format, *next;

	*tracepoint = (struct tracepoint){.noun = "tracepoint", .text = format};
	while (line && !begins_with(line, "print fmt:")) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		parse_line(tracepoint, line);
		line = next;
	}
	return tracepoint->nr_fields && tracepoint->id ? 0 : -EINVAL;
}

void tracepoint__free(struct tracepoint *tracepoint)
{
	free(tracepoint->fields);
	free(tracepoint->text);
	*tracepoint = (struct tracepoint){0};
}

/* "sched:sched_switch" -> "events/sched/sched_switch/format" */
int tracepoint__read(struct tracepoint *tracepoint, int tracefs, const char *name,
		     struct error *err)
{
	char path[TRACEPOINT_MAX_NAME + 32], *format;
	struct quoted quoted;
	int code;

	*tracepoint = (struct tracepoint){0};
	if (!tracepoint_name__is_sane(name))
		return -ENOENT;
	snprintf(path, sizeof(path), "events/%s/format", name);
	*strchr(path, ':') = '/';
	code = tracefs__read(tracefs, path, TRACEPOINT_MAX_FORMAT, &format);
	if (code == -ENOENT)
		return code;
	if (!code)
		code = tracepoint__parse(tracepoint, format);
	if (!code)
		return 0;
	tracepoint__free(tracepoint);
	return error__set(err, EXIT_SYSTEM, code,
			  "cannot read what the kernel says of tracepoint %s",
			  quote(&quoted, name));
}

/* ---- fields ---- */

const struct tracepoint_field *tracepoint__field(const struct tracepoint *tracepoint,
						 const char *name)
{
	size_t i;

	for (i = 0; i < tracepoint->nr_fields; i++)
		if (!strcmp(tracepoint->fields[i].name, name))
			return &tracepoint->fields[i];
	return NULL;
}

static bool fits(const struct tracepoint_field *field, bool is_weight)
{
	return field->shape == SHAPE_NUMBER || (field->shape == SHAPE_ADDRESS && !is_weight);
}

/* Writes "; near: bytes", or all usable fields if none is similar. Returns text. */
static const char *say_others(const struct tracepoint *tracepoint, const char *name, bool is_weight,
			      char *text, size_t size)
{
	const char *const wanted[] = {name, NULL};
	struct suggestions near = {0};
	size_t i, j;

	for (j = 0; j < 2 && !near.nr_names; j++)
		for (i = 0; i < tracepoint->nr_fields; i++)
			if (fits(&tracepoint->fields[i], is_weight))
				suggestions__add(&near, tracepoint->fields[i].name, wanted[j], 0);
	suggestions__format(&near, j < 2 ? "; near: " : "; there are: ", text, size);
	suggestions__fini(&near);
	return text;
}

const struct tracepoint_field *tracepoint__number(const struct tracepoint *tracepoint,
						  const char *event, const char *name,
						  bool is_weight, struct error *err)
{
	const struct tracepoint_field *field = tracepoint__field(tracepoint, name);
	const char *why = "is no number";
	struct quoted quoted, of;
	char others[256];

	if (field && fits(field, is_weight))
		return field;
	say_others(tracepoint, name, is_weight, others, sizeof(others));
	if (!field) {
		error__say(err, EXIT_USAGE, -ENOENT, "%s %s has no field %s%s", tracepoint->noun,
			   quote(&of, event), quote(&quoted, name), others);
		return NULL;
	}
	if (field->shape == SHAPE_COMMON)
		why = "is none that BPF programs see";
	else if (field->shape == SHAPE_ADDRESS)
		why = "is an address, which is no quantity";
	error__say(err, EXIT_USAGE, -EINVAL, "field %s of %s %s %s: it cannot be %s%s",
		   quote(&quoted, name), tracepoint->noun, quote(&of, event), why,
		   is_weight ? "a weight" : "compared with", others);
	return NULL;
}

const char *tracepoint__list_weights(const struct tracepoint *tracepoint, size_t most, char *text,
				     size_t size)
{
	size_t nr_listed = 0, i;
	int length = 0;

	text[0] = '\0';
	for (i = 0; i < tracepoint->nr_fields && nr_listed < most; i++) {
		if (!fits(&tracepoint->fields[i], true))
			continue;
		length += snprintf(text + length, size - (size_t)length, "%s%s",
				   nr_listed++ ? ", " : "", tracepoint->fields[i].name);
		if (length >= (int)size) /* cut */
			break;
	}
	return text;
}

/* ---- the list of all tracepoints ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tracepoint_names__read(struct tracepoint_names *names, int tracefs, struct error *err)
{
	char *line, *next;
	int code;

	*names = (struct tracepoint_names){0};
	code = tracefs__read(tracefs, "available_events", MAX_LIST, &names->text);
	if (code)
		return error__set(err, EXIT_SYSTEM, code, "cannot read the list of tracepoints");
	for (line = names->text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (!tracepoint_name__is_sane(line))
			continue;
		array__reserve(&names->names, &names->capacity, names->nr_names + 1);
		names->names[names->nr_names++] = line;
	}
	if (names->nr_names)
		qsort(names->names, names->nr_names, sizeof(*names->names), compare_names);
	return 0;
}

void tracepoint_names__free(struct tracepoint_names *names)
{
	free(names->names);
	free(names->text);
	*names = (struct tracepoint_names){0};
}

void tracepoint_names__suggest(struct suggestions *near, int tracefs, const char *wanted)
{
	struct tracepoint_names names;
	struct error err;
	size_t i;

	if (tracepoint_names__read(&names, tracefs, &err))
		return;
	for (i = 0; i < names.nr_names; i++)
		suggestions__add(near, names.names[i], wanted, 0);
	tracepoint_names__free(&names);
}
