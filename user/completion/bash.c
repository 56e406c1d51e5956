// SPDX-License-Identifier: GPL-2.0-only
/*
 * bash has no notion of options: after what shells/topstacks.bash does with any of them, a function
 * tells what there are.
 *
 *	_topstacks_table() {
 *		case $1 in
 *		top)
 *			options=(-p --pid --once)
 *			case $2 in
 *			-p | --pid) value=(asked list pids) ;;
 *			esac
 *			runs=yes
 *			;;
 */
#include "completion/shells.h"

SCRIPT_ASSET(bash);

static const char *const sources[] = {
	[VALUE_NONE] = "none",	 [VALUE_UNKNOWN] = "unknown", [VALUE_WORDS] = "words",
	[VALUE_ASKED] = "asked", [VALUE_FILES] = "files",     [VALUE_DIRECTORIES] = "directories",
};

static void begin(const struct completion_script *script)
{
	WRITE_ASSET(script->out, bash);
	fprintf(script->out, "\n_topstacks_table() {\n\tcommands=(");
	for (size_t i = 0; i < script->nr_commands; i++)
		fprintf(script->out, "%s%s", i ? " " : "", script->commands[i].name);
	fprintf(script->out, ")\n\tcase $1 in\n");
}

static void begin_command(const struct completion_script *script,
			  const struct completion_command *command)
{
	fprintf(script->out, "\t%s)\n\t\tcase $2 in\n", command->name);
}

static void print_value(FILE *out, const char *name, const struct completed_value *value)
{
	fprintf(out, "%s=(%s %s", name, sources[value->source], value->is_list ? "list" : "one");
	script__print_words(out, value->text, " ");
	fprintf(out, ")");
}

static void tell_option(const struct completion_script *script,
			const struct completion_command *command, const struct option_row *row,
			const struct completed_value *value)
{
	(void)command;
	if (value->source == VALUE_NONE)
		return;
	fprintf(script->out, "\t\t");
	if (row->letter)
		fprintf(script->out, "-%c%s", row->letter, row->name ? " | " : "");
	if (row->name)
		fprintf(script->out, "--%s", row->name);
	fprintf(script->out, ") ");
	print_value(script->out, "value", value);
	fprintf(script->out, " ;;\n");
}

static void print_names(FILE *out, const struct option_row *row)
{
	for (; row->kind != OPTION_END; row++) {
		if (row->letter)
			fprintf(out, " -%c", row->letter);
		if (row->kind != OPTION_SECTION && row->name)
			fprintf(out, " --%s", row->name);
	}
}

static void end_command(const struct completion_script *script,
			const struct completion_command *command,
			const struct completed_operands *operands)
{
	FILE *out = script->out;

	fprintf(out, "\t\tesac\n\t\toptions=(");
	print_names(out, command->rows);
	print_names(out, common_option_rows);
	fprintf(out, ")\n");
	if (*operands->first) {
		fprintf(out, "\t\tactions=(");
		script__print_words(out, operands->first, " ");
		fprintf(out, ")\n");
	}
	if (operands->others.source != VALUE_NONE) {
		print_value(out, "\t\toperands", &operands->others);
		fputc('\n', out);
	}
	if (operands->run)
		fprintf(out, "\t\truns=yes\n");
	fprintf(out, "\t\t;;\n");
}

static void end(const struct completion_script *script)
{
	fprintf(script->out, "\tesac\n}\n\ncomplete -F _topstacks topstacks\n");
}

const struct completing_shell completing_bash = {"bash",      begin,	   begin_command,
						 tell_option, end_command, end};
