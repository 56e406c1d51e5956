// SPDX-License-Identifier: GPL-2.0-only
/*
 * zsh has _arguments for programs that have options as ours are. A function for each command:
 *
 *	_topstacks_top() {
 *		_arguments -s -S : \
 *			'*'{-p+,--pid=}'[these processes]:PID: _topstacks_ask pids list' \
 *			'--once[report one interval and exit]'
 *	}
 *
 * All of it is within single quotes; in those, colons and brackets are _arguments' own.
 */
#include "completion/shells.h"

SCRIPT_ASSET(zsh);

/*
 * Prints text within single quotes; the text has no newline. A single quote closes them, is
 * escaped, and opens them again.
 */
static void print_quoted(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", out);
		else if (strchr("[]:\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void begin(const struct completion_script *script)
{
	WRITE_ASSET(script->out, zsh);
}

static void begin_command(const struct completion_script *script,
			  const struct completion_command *command)
{
	fprintf(script->out, "\n_topstacks_%s() {\n\t_arguments -s -S :", command->name);
}

/*
 * Prints the action of a value for _arguments. A leading blank has a function called without
 * further arguments.
 */
static void print_action(FILE *out, const struct completed_value *value)
{
	switch (value->source) {
	case VALUE_WORDS:
		fputs(value->is_list ? " _values -s , word" : "(", out);
		script__print_words(out, value->text, " ");
		fputs(value->is_list ? "" : " )", out);
		break;
	case VALUE_ASKED:
		fprintf(out, " _topstacks_ask %s %s", value->text, value->is_list ? "list" : "one");
		break;
	case VALUE_FILES:
		fputs(" _files", out);
		if (*value->text)
			fprintf(out, " -g \"*.(%s)\"", value->text);
		break;
	case VALUE_DIRECTORIES:
		fputs(" _files -/", out);
		break;
	case VALUE_NONE:
	case VALUE_UNKNOWN:
		fputc(' ', out);
	}
}

/* Prints '(-i --interval)'{-i+,--interval=} or, for an option that adds to a list, '*'{...}. */
static void print_names(FILE *out, const struct option_row *row,
			const struct completed_value *value)
{
	const bool has_value = value->source != VALUE_NONE;
	const char *after_letter = has_value ? "+" : "", *after_name = has_value ? "=" : "";

	if (value->is_list)
		fprintf(out, "'*'");
	else if (row->letter && row->name)
		fprintf(out, "'(-%c --%s)'", row->letter, row->name);
	if (row->letter && row->name)
		fprintf(out, "{-%c%s,--%s%s}", row->letter, after_letter, row->name, after_name);
	else if (row->letter)
		fprintf(out, "-%c%s", row->letter, after_letter);
	else
		fprintf(out, "--%s%s", row->name, after_name);
}

static void tell_option(const struct completion_script *script,
			const struct completion_command *command, const struct option_row *row,
			const struct completed_value *value)
{
	FILE *out = script->out;

	(void)command;
	fprintf(out, " \\\n\t\t");
	print_names(out, row, value);
	fputs("'[", out);
	print_quoted(out, row->help);
	fputc(']', out);
	if (value->source != VALUE_NONE) {
		fputc(':', out);
		print_quoted(out, value->source == VALUE_WORDS ? row->name : row->metavar);
		fputc(':', out);
		print_action(out, value);
	}
	fputc('\'', out);
}

static void end_command(const struct completion_script *script,
			const struct completion_command *command,
			const struct completed_operands *operands)
{
	FILE *out = script->out;

	(void)command;
	if (*operands->first) {
		fprintf(out, " \\\n\t\t'1:action:(");
		script__print_words(out, operands->first, " ");
		fprintf(out, " )'");
	}
	if (operands->others.source != VALUE_NONE) {
		fprintf(out, " \\\n\t\t'*:operand:");
		print_action(out, &operands->others);
		fputc('\'', out);
	}
	fprintf(out, "\n}\n");
}

/*
 * Ends the script. After "--" some commands run a program. A sourced script defines the completion;
 * an autoloaded one is called.
 */
static void end(const struct completion_script *script)
{
	FILE *out = script->out;

	fprintf(out, "\n_topstacks_table() {\n\tknown=(\n");
	for (size_t i = 0; i < script->nr_commands; i++) {
		fprintf(out, "\t\t'%s:", script->commands[i].name);
		print_quoted(out, script->commands[i].summary);
		fprintf(out, "'\n");
	}
	fprintf(out, "\t)\n\trunning=(");
	for (size_t i = 0; i < script->nr_commands; i++)
		if (script->commands[i].operands == OPERANDS_COMMAND)
			fprintf(out, " %s", script->commands[i].name);
	fprintf(out, " )\n}\n\nif [[ $funcstack[1] == _topstacks ]]; then\n\t_topstacks \"$@\"\n"
		     "else\n\tcompdef _topstacks topstacks\nfi\n");
}

const struct completing_shell completing_zsh = {"zsh",	     begin,	  begin_command,
						tell_option, end_command, end};
