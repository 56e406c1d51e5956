// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scripts of shells, which never change, and what they ask for: candidates, with all characters
 * made harmless, and the table of options.
 */
#include "completion/completion.h"

#include "completion/hints.h"

/* The scripts in shells/, embedded by a rule of the Makefile. */
#define SCRIPT(name)                                                                 \
	extern const char _binary_user_completion_shells_topstacks_##name##_start[], \
		_binary_user_completion_shells_topstacks_##name##_end[]
SCRIPT(bash);
SCRIPT(zsh);
SCRIPT(fish);

#define SCRIPT_ROW(name)                                                        \
	{                                                                       \
#name, _binary_user_completion_shells_topstacks_##name##_start, \
			_binary_user_completion_shells_topstacks_##name##_end   \
	}
static const struct {
	const char *shell, *start, *end;
} scripts[] = {SCRIPT_ROW(bash), SCRIPT_ROW(zsh), SCRIPT_ROW(fish)};

#define SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

const char *completion__shell(size_t index)
{
	return index < SCRIPTS ? scripts[index].shell : NULL;
}

int completion__print_script(FILE *out, const char *shell, struct error *err)
{
	struct quoted quoted;

	for (size_t i = 0; i < SCRIPTS; i++) {
		if (strcmp(scripts[i].shell, shell) != 0)
			continue;
		fwrite(scripts[i].start, 1, (size_t)(scripts[i].end - scripts[i].start), out);
		return 0;
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no completions for %s; there are some for bash, zsh and fish",
			  quote(&quoted, shell));
}

/* ---- candidates ---- */

/* Characters without a meaning to shells, anywhere in a word. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

void candidate__print(FILE *out, const char *name, const char *marks, const char *meaning,
		      const char *meaning_marks)
{
	if (!*name || *name == '-')
		return;
	for (const char *at = name; *at; at++)
		if (!strchr(PLAIN, *at) && !strchr(marks, *at))
			return;
	fputs(name, out);
	if (meaning && *meaning) {
		fputc('\t', out);
		for (; *meaning; meaning++)
			fputc(strchr(PLAIN, *meaning) || strchr(meaning_marks, *meaning) ? *meaning
											 : '_',
			      out);
	}
	fputc('\n', out);
}

/* ---- the table of options ---- */

struct table_row {
	const char *command, *forms, *source, *words, *metavar, *help;
	bool is_list;
};

/* An empty field is a dash, as shells take tabs in a row for one. */
static void print_row(FILE *out, const struct table_row *row)
{
	fprintf(out, "%s\t%s\t%s\t%s\t", row->command, row->forms,
		row->source ? row->source : "none", row->is_list ? "list" : "one");
	for (const char *words = row->words && *row->words ? row->words : "-"; *words; words++)
		fputc(*words == '|' ? ' ' : *words, out);
	fprintf(out, "\t%s\t%s\n", row->metavar ? row->metavar : "-", row->help ? row->help : "-");
}

static void take_hint(struct table_row *row, enum option_hint name)
{
	const struct hint *hint = hint__get(name);

	row->is_list |= hint->is_list;
	row->words = hint->name ? hint->name : hint->endings;
	row->source = hint->name			? "asked"
		      : hint->path == PATH_IS_FILE	? "files"
		      : hint->path == PATH_IS_DIRECTORY ? "directories"
							: "unknown";
}

static void print_options(FILE *out, const char *command, const struct option_row *option)
{
	for (; option->kind != OPTION_END; option++) {
		struct table_row row = {
			.command = command, .metavar = option->metavar, .help = option->help};
		char forms[64];

		snprintf(forms, sizeof(forms), "%s%.1s%s%s%s", option->letter ? "-" : "",
			 &option->letter, option->letter && option->name ? " " : "",
			 option->name ? "--" : "", option->name ? option->name : "");
		row.forms = forms;
		switch (option->kind) {
		case OPTION_SECTION:
			continue;
		case OPTION_FLAG:
		case OPTION_MARK:
		case OPTION_OPTIONAL: /* the next word is not its value */
			break;
		case OPTION_CHOICE:
			row.source = "words";
			row.words = option->metavar;
			break;
		default:
			row.is_list = option->kind == OPTION_LIST || option->kind == OPTION_PIDS ||
				      option->kind == OPTION_NAMES;
			take_hint(&row, option->hint);
		}
		print_row(out, &row);
	}
}

static void print_table(FILE *out, const struct completion_command *command, size_t nr_commands)
{
	for (; nr_commands > 0; command++, nr_commands--) {
		struct table_row row = {
			.command = command->name, .forms = ".", .help = command->summary};

		print_row(out, &row);
		print_options(out, command->name, command->rows);
		print_options(out, command->name, common_option_rows);
		if (command->actions) {
			row = (struct table_row){.command = command->name,
						 .forms = "1",
						 .source = "words",
						 .words = command->actions};
			print_row(out, &row);
		}
		if (command->operands == OPERANDS_WORDS) {
			row = (struct table_row){.command = command->name, .forms = "*"};
			take_hint(&row, command->hint);
			print_row(out, &row);
		} else if (command->operands == OPERANDS_COMMAND) {
			row = (struct table_row){.command = command->name, .forms = "--"};
			print_row(out, &row);
		}
	}
}

int completion__print_candidates(FILE *out, const char *kind,
				 const struct completion_command *commands, size_t nr_commands,
				 struct error *err)
{
	struct quoted quoted;

	if (!strcmp(kind, "options")) {
		print_table(out, commands, nr_commands);
		return 0;
	}
	for (enum option_hint hint = 0; hint < OPTION_HINTS; hint++) {
		const struct hint *row = hint__get(hint);

		if (!row->name || strcmp(row->name, kind) != 0)
			continue;
		for (size_t i = 0; hint == HINT_COMMAND && i < nr_commands; i++)
			candidate__print(out, commands[i].name, "", commands[i].summary, " ,:");
		return row->tell ? row->tell(out, err) : 0;
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no candidates are called %s; \"topstacks help --candidates candidates\" "
			  "lists what is",
			  quote(&quoted, kind));
}
