// SPDX-License-Identifier: GPL-2.0-only
#include "views/name.h"

#include "base/function_name.h"
#include "base/middle.h"
#include "profile/profile.h"

#define LEAST_MODULE	4  /* columns: with no more, the beginning of a module says nothing */
#define LEAST_ARGUMENTS 12 /* columns: with less they say nothing either */
#define LEAST_TEMPLATE	48 /* columns: with less they leave nothing of the function */
#define MOST_BYTES	32768

/* ---- brief names ---- */

static void append(char brief[BRIEF_SIZE], size_t *nr, const char *bytes, size_t nr_bytes)
{
	if (*nr + nr_bytes >= BRIEF_SIZE)
		return;
	memcpy(brief + *nr, bytes, nr_bytes);
	*nr += nr_bytes;
}

/* Copies the name without the text between < and >. */
static void copy_outer(char brief[BRIEF_SIZE], const char *name, size_t i, size_t end)
{
	size_t nr = 0, length;
	int depth = 0;

	for (; i < end; i += length) {
		length = function_name__operator(name, i);
		if (!length) {
			length = 1;
			if (name[i] == '>' && depth)
				depth--;
		}
		if (!depth)
			append(brief, &nr, name + i, length);
		if (length == 1 && name[i] == '<')
			depth++;
	}
	brief[nr] = '\0';
}

/* The index of the first character that begins at this byte or later. */
static size_t next_character(const char *name, size_t at)
{
	while ((name[at] & 0xc0) == 0x80)
		at++;
	return at;
}

/* Copies the name, or its two ends if it is too long. */
static void copy_ends(char brief[BRIEF_SIZE], const char *name, size_t start, size_t end)
{
	static const char middle[] = "…";
	const size_t half = (BRIEF_SIZE - sizeof(middle)) / 2 - sizeof(middle);
	size_t nr = 0;

	if (end - start < BRIEF_SIZE) {
		append(brief, &nr, name + start, end - start);
	} else {
		const size_t first = next_character(name, start + half);
		const size_t last = next_character(name, end - half);

		append(brief, &nr, name + start, first - start);
		append(brief, &nr, middle, strlen(middle));
		append(brief, &nr, name + last, end - last);
	}
	brief[nr] = '\0';
}

/*
 * Makes a C++ name brief if it has more than most columns; else returns name itself. Template
 * arguments are often the only difference between functions, so with enough room they stay; their
 * middle may still be cut.
 */
static const char *brief_name(const char *name, size_t most, char brief[BRIEF_SIZE])
{
	size_t nr_bytes = strnlen(name, MOST_BYTES);
	struct function_name found;

	if (nr_bytes == MOST_BYTES || text__width_to(name, most) <= most)
		return name;
	if (!function_name__find(name, nr_bytes, &found))
		return name;
	copy_ends(brief, name, found.start, found.end);
	if (most < LEAST_TEMPLATE && text__width_to(brief, most) > most)
		copy_outer(brief, name, found.start, found.end);
	return *brief ? brief : name;
}

/* ---- names with their marks ---- */

static const struct mark {
	const char *text;
	enum style style;
} marks[FRAME_KINDS] = {
	[FRAME_USER] = {"", STYLE_PLAIN},	 [FRAME_KERNEL] = {" [k]", STYLE_KERNEL},
	[FRAME_JIT] = {" [j]", STYLE_JIT},	 [FRAME_INTERPRETED] = {" [p]", STYLE_JIT},
	[FRAME_INLINED] = {" [i]", STYLE_PLAIN},
};

const char *name__fit(const char *name, size_t most, struct fitted_name *fitted)
{
	if (most >= MIDDLE_MOST)
		return middle__shorten_function(name, MIDDLE_MOST, fitted->shortened);
	return middle__shorten(brief_name(name, most, fitted->brief), most, fitted->shortened);
}

size_t name__width(const char *name, enum frame_kind kind, size_t most)
{
	struct fitted_name fitted;

	return text__width(name__fit(name, most, &fitted)) + strlen(marks[kind].text);
}

void name__write(struct pen *pen, const char *name, const char *module, enum frame_kind kind)
{
	const struct mark *mark = &marks[kind];
	struct pen part = *pen;
	struct fitted_name fitted;

	/* The name is cut so that the mark still fits. */
	if (pen__is_bounded(pen) && pen__left(pen) > strlen(mark->text))
		part.end -= strlen(mark->text);
	pen__text(&part, mark->style, name__fit(name, pen__left(&part), &fitted));
	pen->column = part.column;
	pen__text(pen, mark->style, mark->text);
	if (module && !frame__says_module(name, module, kind) && pen__left(pen) > LEAST_MODULE)
		pen__format(pen, STYLE_DIM, " (%s)", module);
}

void name__write_arguments(struct pen *pen, const struct process *process)
{
	const char *line = process ? process->command_line : NULL, *name = line;
	size_t length = line ? strcspn(line, " ") : 0;

	if (!line || pen__left(pen) < LEAST_ARGUMENTS)
		return;
	for (size_t i = 0; i < length; i++)
		if (line[i] == '/')
			name = line + i + 1;
	length -= (size_t)(name - line);
	if (!strncmp(name, process->comm,
		     length < PROCESS_COMM_SIZE ? length : PROCESS_COMM_SIZE - 1))
		name += length;
	pen__text(pen, STYLE_DIM, *name == ' ' ? " " : "  ");
	pen__text(pen, STYLE_DIM, name);
}
