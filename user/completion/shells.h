/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of a shell's script writer, which is called for each command and each option once,
 * in order.
 */
#ifndef TOPSTACKS_COMPLETION_SHELLS_H
#define TOPSTACKS_COMPLETION_SHELLS_H

#include "base/common.h"
#include "completion/completion.h"
#include "completion/hints.h"

enum value_source {
	VALUE_NONE,    /* no value */
	VALUE_UNKNOWN, /* no candidates */
	VALUE_WORDS,   /* text: the words, "auto|always|never" */
	VALUE_ASKED,   /* text: the kind to ask the program for */
	VALUE_FILES,   /* text: endings, "pb.gz|pb"; "": any */
	VALUE_DIRECTORIES,
};

/* The value of an option, or an operand. */
struct completed_value {
	enum value_source source;
	bool is_list; /* comma-separated */
	char text[512];
};

/* Operands of a command: if first is not empty, the first operand is one of its words. */
struct completed_operands {
	char first[512]; /* "save|show"; "": like the others */
	struct completed_value others;
	bool run; /* a program and its arguments, after "--" */
};

struct completion_script {
	FILE *out;
	const struct completion_command *commands;
	size_t nr_commands;
};

/* Functions that write the parts of a script. Commands come between begin and end. */
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

/* The fixed part of a script: shells/NAME, embedded by a rule of the Makefile. */
#define SCRIPT_ASSET(name)                                                           \
	extern const char _binary_user_completion_shells_topstacks_##name##_start[], \
		_binary_user_completion_shells_topstacks_##name##_end[]
#define WRITE_ASSET(out, name)                                                            \
	script__print_fixed(out, _binary_user_completion_shells_topstacks_##name##_start, \
			    _binary_user_completion_shells_topstacks_##name##_end)

void script__print_fixed(FILE *out, const char *start, const char *end);

/* Prints "a|b" as "a b", with `before` in front of each. */
void script__print_words(FILE *out, const char *words, const char *before);

/* Prints text for single quotes; each character in marks gets a backslash. */
void script__print_escaped(FILE *out, const char *text, const char *marks);

#endif
