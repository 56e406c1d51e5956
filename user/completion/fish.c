// SPDX-License-Identifier: GPL-2.0-only
/*
 * fish is told of one option a line:
 *
 *	complete -c topstacks -n '__topstacks_is top' -s p -l pid -x -a '(__topstacks_ask pids list)' -d 'these processes'
 */
#include "completion/shells.h"

#define QUOTED_MARKS "'\\"

SCRIPT_ASSET(fish);

static void begin(const struct completion_script *script)
{
	FILE *out = script->out;

	WRITE_ASSET(out, fish);
	fprintf(out, "\nfunction __topstacks_commands\n\tstring join \\n");
	for (size_t i = 0; i < script->nr_commands; i++)
		fprintf(out, " %s", script->commands[i].name);
	fprintf(out, "\nend\n\ncomplete -c topstacks -f\n");
	for (size_t i = 0; i < script->nr_commands; i++) {
		fprintf(out, "complete -c topstacks -n __topstacks_is_first -a %s -d '",
			script->commands[i].name);
		script__print_escaped(out, script->commands[i].summary, QUOTED_MARKS);
		fprintf(out, "'\n");
	}
}

static void begin_line(FILE *out, const struct completion_command *command)
{
	fprintf(out, "complete -c topstacks -n '__topstacks_is %s", command->name);
}

static void begin_command(const struct completion_script *script,
			  const struct completion_command *command)
{
	fprintf(script->out, "\n# %s\n", command->name);
}

/* Prints the values: only these if they are known, else any file. */
static void print_value(FILE *out, const struct completed_value *value)
{
	switch (value->source) {
	case VALUE_WORDS:
		fprintf(out, " -x -a '(__topstacks_words %s", value->is_list ? "list" : "one");
		script__print_words(out, value->text, " ");
		fprintf(out, ")'");
		break;
	case VALUE_ASKED:
		fprintf(out, " -x -a '(__topstacks_ask %s %s)'", value->text,
			value->is_list ? "list" : "one");
		break;
	case VALUE_FILES:
		if (!*value->text) {
			fprintf(out, " -r -F");
			break;
		}
		fprintf(out, " -x -a '(__topstacks_files");
		script__print_words(out, value->text, " ");
		fprintf(out, " | string split0)'");
		break;
	case VALUE_DIRECTORIES:
		fprintf(out, " -x -a '(__topstacks_files / | string split0)'");
		break;
	case VALUE_UNKNOWN:
		fprintf(out, " -x");
		break;
	case VALUE_NONE:
		break;
	}
}

static void tell_option(const struct completion_script *script,
			const struct completion_command *command, const struct option_row *row,
			const struct completed_value *value)
{
	FILE *out = script->out;

	begin_line(out, command);
	fputc('\'', out);
	if (row->letter)
		fprintf(out, " -s %c", row->letter);
	if (row->name)
		fprintf(out, " -l %s", row->name);
	print_value(out, value);
	fprintf(out, " -d '");
	script__print_escaped(out, row->help, QUOTED_MARKS);
	fprintf(out, "'\n");
}

static void end_command(const struct completion_script *script,
			const struct completion_command *command,
			const struct completed_operands *operands)
{
	FILE *out = script->out;

	if (*operands->first) {
		begin_line(out, command);
		fprintf(out, "; and __topstacks_lacks");
		script__print_words(out, operands->first, " ");
		fprintf(out, "' -a '");
		script__print_words(out, operands->first, " ");
		fprintf(out, "'\n");
	}
	if (operands->others.source != VALUE_NONE && operands->others.source != VALUE_UNKNOWN) {
		begin_line(out, command);
		if (*operands->first) {
			fprintf(out, "; and not __topstacks_lacks");
			script__print_words(out, operands->first, " ");
		}
		fputc('\'', out);
		print_value(out, &operands->others);
		fputc('\n', out);
	}
	if (operands->run)
		fprintf(out,
			"complete -c topstacks -n '__topstacks_runs %s' "
			"-a '(__topstacks_program)'\n",
			command->name);
}

static void end(const struct completion_script *script)
{
	(void)script;
}

const struct completing_shell completing_fish = {"fish",      begin,	   begin_command,
						 tell_option, end_command, end};
