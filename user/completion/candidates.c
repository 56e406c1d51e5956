// SPDX-License-Identifier: GPL-2.0-only
/* Prints the candidates that a script asks for, with all characters made harmless. */
#include "completion/hints.h"

#include "completion/completion.h"

/* Characters without a meaning to shells, anywhere in a word. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

/* Prints text with other characters replaced by underscores. */
static void print_reduced(FILE *out, const char *text, const char *marks)
{
	for (; *text; text++)
		fputc(strchr(PLAIN, *text) || strchr(marks, *text) ? *text : '_', out);
}

static bool is_plain(const char *name, const char *marks)
{
	for (; *name; name++)
		if (!strchr(PLAIN, *name) && !strchr(marks, *name))
			return false;
	return true;
}

void candidate__print(FILE *out, const char *name, const char *marks, const char *meaning,
		      const char *meaning_marks)
{
	if (!*name || *name == '-' || !is_plain(name, marks))
		return;
	fputs(name, out);
	if (meaning && *meaning) {
		fputc('\t', out);
		print_reduced(out, meaning, meaning_marks);
	}
	fputc('\n', out);
}

int completion__print_candidates(FILE *out, const char *kind, struct error *err)
{
	struct quoted quoted;

	for (enum option_hint hint = 0; hint < OPTION_HINTS; hint++) {
		const struct hint *row = hint__get(hint);

		if (row->name && !strcmp(row->name, kind))
			return row->tell(out, err);
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no candidates are called %s; \"topstacks help --candidates candidates\" "
			  "lists what is",
			  quote(&quoted, kind));
}
