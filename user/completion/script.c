// SPDX-License-Identifier: GPL-2.0-only
/* Walks the tables of options once, and passes them to a shell's script writer. */

#include "completion/shells.h"

static const struct completing_shell *const shells[] = {
	&completing_bash,
	&completing_zsh,
	&completing_fish,
};

#define SHELLS (sizeof(shells) / sizeof(shells[0]))

const char *completion__shell(size_t index)
{
	return index < SHELLS ? shells[index]->name : NULL;
}

void script__print_fixed(FILE *out, const char *start, const char *end)
{
	fwrite(start, 1, (size_t)(end - start), out);
}

void script__print_words(FILE *out, const char *words, const char *before)
{
	size_t length;

	for (; *words; words += length + (words[length] != '\0')) {
		length = strcspn(words, "|");
		fprintf(out, "%s%.*s", before, (int)length, words);
	}
}

void script__print_escaped(FILE *out, const char *text, const char *marks)
{
	for (; *text; text++) {
		if (strchr(marks, *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void set_text(struct completed_value *value, enum value_source source, const char *text)
{
	value->source = source;
	snprintf(value->text, sizeof(value->text), "%s", text);
}

/* Takes the candidates into the script as words, so that it need not ask. */
static int take_words(struct completed_value *value, const struct hint *hint, struct error *err)
{
	char *lines = NULL, *end;
	size_t size;
	FILE *stream = open_memstream(&lines, &size);
	int code = stream ? hint->tell(stream, err) : error__no_memory(err);

	if (stream && fclose(stream) && !code)
		code = error__no_memory(err);
	if (!code) {
		while ((end = strchr(lines, '\n')))
			*end = end[1] ? '|' : '\0';
		set_text(value, VALUE_WORDS, lines);
	}
	free(lines);
	return code;
}

static void take_commands(const struct completion_script *script, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < script->nr_commands && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : "",
					 script->commands[i].name);
}

static int take_hint(const struct completion_script *script, struct completed_value *value,
		     enum option_hint name, struct error *err)
{
	const struct hint *hint = hint__get(name);

	value->is_list |= hint->is_list;
	if (name == HINT_COMMAND) {
		set_text(value, VALUE_WORDS, "");
		take_commands(script, value->text, sizeof(value->text));
		return 0;
	}
	if (hint->is_fixed)
		return take_words(value, hint, err);
	if (hint->tell)
		set_text(value, VALUE_ASKED, hint->name);
	else if (hint->path == PATH_IS_FILE)
		set_text(value, VALUE_FILES, hint->endings);
	else if (hint->path == PATH_IS_DIRECTORY)
		set_text(value, VALUE_DIRECTORIES, "");
	else
		set_text(value, VALUE_UNKNOWN, "");
	return 0;
}

static bool is_list(enum option_kind kind)
{
	return kind == OPTION_LIST || kind == OPTION_PIDS || kind == OPTION_NAMES;
}

static int tell_option(const struct completing_shell *shell, const struct completion_script *script,
		       const struct completion_command *command, const struct option_row *row,
		       struct error *err)
{
	struct completed_value value = {.is_list = is_list(row->kind)};
	int code = 0;

	if (row->kind == OPTION_CHOICE)
		set_text(&value, VALUE_WORDS, row->metavar);
	else if (row->kind != OPTION_FLAG && row->kind != OPTION_MARK &&
		 row->kind != OPTION_OPTIONAL) /* the next word is not its value */
		code = take_hint(script, &value, row->hint, err);
	if (!code)
		shell->tell_option(script, command, row, &value);
	return code;
}

static int tell_options(const struct completing_shell *shell,
			const struct completion_script *script,
			const struct completion_command *command, const struct option_row *row,
			struct error *err)
{
	int code = 0;

	for (; !code && row->kind != OPTION_END; row++)
		if (row->kind != OPTION_SECTION)
			code = tell_option(shell, script, command, row, err);
	return code;
}

static int tell_command(const struct completing_shell *shell,
			const struct completion_script *script,
			const struct completion_command *command, struct error *err)
{
	struct completed_operands operands = {.run = command->operands == OPERANDS_COMMAND};
	int code;

	shell->begin_command(script, command);
	code = tell_options(shell, script, command, command->rows, err);
	if (!code)
		code = tell_options(shell, script, command, common_option_rows, err);
	if (!code && command->operands == OPERANDS_WORDS)
		code = take_hint(script, &operands.others, command->hint, err);
	if (code)
		return code;
	if (command->actions)
		snprintf(operands.first, sizeof(operands.first), "%s", command->actions);
	shell->end_command(script, command, &operands);
	return 0;
}

int completion__print(FILE *out, const char *name, const struct completion_command *commands,
		      size_t nr_commands, struct error *err)
{
	const struct completion_script script = {out, commands, nr_commands};
	const struct completing_shell *shell = NULL;
	struct quoted quoted;
	int code = 0;

	for (size_t i = 0; i < SHELLS; i++)
		if (!strcmp(shells[i]->name, name))
			shell = shells[i];
	if (!shell)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "no completions for %s; there are some for bash, zsh and fish",
				  quote(&quoted, name));
	shell->begin(&script);
	for (size_t i = 0; !code && i < nr_commands; i++)
		code = tell_command(shell, &script, &commands[i], err);
	if (!code)
		shell->end(&script);
	return code;
}
