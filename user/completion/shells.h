/* SPDX-License-Identifier: GPL-2.0-only */
/* What a shell's file has to know: it is told of each command and each option once, in order. */
#ifndef TOPSTACKS_COMPLETION_SHELLS_H
#define TOPSTACKS_COMPLETION_SHELLS_H

#include <stdbool.h>
#include <stdio.h>

#include "completion/completion.h"
#include "completion/hints.h"

enum value_source {
	VALUE_NONE,    /* there is no value */
	VALUE_UNKNOWN, /* nothing is known of it */
	VALUE_WORDS,   /* text: "auto|always|never" */
	VALUE_ASKED,   /* text: the kind that the program is asked for */
	VALUE_FILES,   /* text: endings, "pb.gz|pb"; "": any */
	VALUE_DIRECTORIES,
};

/* Of an option, or an operand. */
struct completed_value {
	enum value_source source;
	bool is_list; /* several with commas between them */
	char text[512];
};

/* Operands of a command, which begin with one of these words, if there are such. */
struct completed_operands {
	char first[512]; /* "save|show"; "": as the others */
	struct completed_value others;
	bool run; /* a program and its arguments, after "--" */
};

struct completion_script {
	FILE *out;
	const struct completion_command *commands;
	size_t nr_commands;
};

/* Each writes a part of the script. Commands are told between begin and end. */
struct completing_shell {
	const char *name;
	void (*begin)(const struct completion_script *script);
	void (*begin_command)(const struct completion_script *script,
			      const struct completion_command *command);
	void (*tell_option)(const struct completion_script *script,
			    const struct completion_command *command, const struct option_row *row,
			    const struct completed_value *value);
	void (*end_command)(const struct completion_script *script,
			    const struct completion_command *command,
			    const struct completed_operands *operands);
	void (*end)(const struct completion_script *script);
};

extern const struct completing_shell completing_bash, completing_zsh, completing_fish;

/* What is the same whatever the options are: shells/NAME, as the Makefile's rule for it embeds it. */
#define SCRIPT_ASSET(name)                                                           \
	extern const char _binary_user_completion_shells_topstacks_##name##_start[], \
		_binary_user_completion_shells_topstacks_##name##_end[]
#define WRITE_ASSET(out, name)                                                            \
	script__print_fixed(out, _binary_user_completion_shells_topstacks_##name##_start, \
			    _binary_user_completion_shells_topstacks_##name##_end)

void script__print_fixed(FILE *out, const char *start, const char *end);

/* "a|b" as "a b", with something before each of them. */
void script__print_words(FILE *out, const char *words, const char *before);

/* Text within single quotes, in which marks stand for themselves if a backslash is before them. */
void script__print_escaped(FILE *out, const char *text, const char *marks);

#endif
