/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command line options: one table of rows gives both the parser and the --help text.
 *
 * A row names an option and the field of the command's own struct that takes its value; the OPT_*
 * macros give kind, field and bounds, and do not compile when the field has another type:
 *
 *	struct top { double interval_s; unsigned int nr_rows; struct pid_list pids; bool all; };
 *	static const struct option_row rows[] = {
 *		{OPT_SECTION("Output")},
 *		{'i', "interval", "SEC", OPT_SECONDS(struct top, interval_s, 0.1, 86400), "5",
 *		 "time between two reports"},
 *		{'a', "all", NULL, OPT_FLAG(struct top, all), NULL, "sample all processes"},
 *		{0},
 *	};
 *
 * Help is lower case, without a full stop, in the words of the documentation; the default (the
 * field before it) is parsed like any value and shown by --help itself, so help never repeats it.
 * --help (-h) and --version belong to every command and need no rows.
 */
#ifndef TOPSTACKS_BASE_OPTIONS_OPTIONS_H
#define TOPSTACKS_BASE_OPTIONS_OPTIONS_H

#include <sys/types.h>

#include "base/common.h"

enum option_kind {
	OPTION_END,	 /* of the table */
	OPTION_SECTION,	 /* a title in the help text */
	OPTION_FLAG,	 /* bool; takes no value */
	OPTION_MARK,	 /* size_t: 1 + the operands before it; takes no value */
	OPTION_UNSIGNED, /* unsigned int */
	OPTION_NUMBER,	 /* double */
	OPTION_SECONDS,	 /* double; "5", "0.5", "500ms", "2m" */
	OPTION_SIZE,	 /* uint64_t, bytes; "64M", "1.5G": powers of 1024 */
	OPTION_STRING,	 /* const char *, not empty; borrowed from argv */
	OPTION_OPTIONAL, /* the same, only after '='; "" without it */
	OPTION_LIST,	 /* char *, not empty; given again, it goes on after a comma */
	OPTION_PATTERN,	 /* char *, not empty; given again, either of them matches */
	OPTION_CHOICE,	 /* unsigned int, index into the metavar "auto|always|never" */
	OPTION_PIDS,	 /* struct pid_list; "12,34" */
	OPTION_NAMES,	 /* struct name_list; "nginx,php-fpm" */
	OPTION_CPUS,	 /* struct cpu_list; "0,2-5" */
};

/* The meaning of a value or an operand beyond its kind: shell completion uses it. */
enum option_hint {
	HINT_NONE,
	HINT_FILE,
	HINT_PROFILE, /* a file that was recorded, or a directory of them */
	HINT_PICTURE, /* a flame graph */
	HINT_DIRECTORY,
	HINT_PID,
	HINT_TID,
	HINT_COMM,
	HINT_USER,
	HINT_CGROUP,
	HINT_CONTAINER,
	HINT_EVENT,
	HINT_WAIT,
	HINT_STATE,
	HINT_REPORT_FORMAT,
	HINT_DIFF_FORMAT,
	HINT_OBSTACLE,
	HINT_COMMAND,
	HINT_SHELL,
	HINT_CANDIDATES, /* a hint whose candidates the program itself lists */
	OPTION_HINTS,
};

/* In the order given, without duplicates. An option given twice adds to the list. */
struct pid_list {
	pid_t *ids;
	size_t nr_ids;
};

/* The same for names, none of which is empty or has a comma. */
struct name_list {
	char **names;
	size_t nr_names;
};

/* cpus[n]: whether CPU n is listed; nr_cpus: the highest listed CPU + 1. */
struct cpu_list {
	bool *cpus;
	size_t nr_cpus;
};

struct option_row {
	char letter;	     /* 'i' for -i; 0: none */
	const char *name;    /* "interval" for --interval; NULL: none */
	const char *metavar; /* "SEC"; NULL for flags */
	enum option_kind kind;
	size_t offset;	 /* of the field */
	double min, max; /* of the value; for pids and names, their number; for CPUs, their
			  * numbers */
	enum option_hint hint;
	const char *preset; /* the default, as a user would type it; NULL: the field stays zero */
	const char *help;
};

#define OPT_FIELD(type, field, wanted) \
	_Generic(&((type *)0)->field, wanted * : offsetof(type, field))

#define OPT_SECTION(title)	0, NULL, NULL, OPTION_SECTION, 0, 0, 0, HINT_NONE, NULL, title
#define OPT_FLAG(type, field)	OPTION_FLAG, OPT_FIELD(type, field, bool), 0, 0, HINT_NONE
#define OPT_MARK(type, field)	OPTION_MARK, OPT_FIELD(type, field, size_t), 0, 0, HINT_NONE
#define OPT_STRING(type, field) OPT_STRING_OF(type, field, HINT_NONE)
#define OPT_OPTIONAL(type, field) \
	OPTION_OPTIONAL, OPT_FIELD(type, field, const char *), 0, 0, HINT_NONE
#define OPT_LIST(type, field)	OPT_LIST_OF(type, field, HINT_NONE)
#define OPT_CHOICE(type, field) OPTION_CHOICE, OPT_FIELD(type, field, unsigned int), 0, 0, HINT_NONE
#define OPT_UNSIGNED(type, field, min, max) \
	OPTION_UNSIGNED, OPT_FIELD(type, field, unsigned int), min, max, HINT_NONE
#define OPT_NUMBER(type, field, min, max) \
	OPTION_NUMBER, OPT_FIELD(type, field, double), min, max, HINT_NONE
#define OPT_SECONDS(type, field, min, max) \
	OPTION_SECONDS, OPT_FIELD(type, field, double), min, max, HINT_NONE
#define OPT_SIZE(type, field, min, max) \
	OPTION_SIZE, OPT_FIELD(type, field, uint64_t), min, max, HINT_NONE
#define OPT_PIDS(type, field, most) \
	OPTION_PIDS, OPT_FIELD(type, field, struct pid_list), 1, most, HINT_PID
#define OPT_NAMES(type, field, most) OPT_NAMES_OF(type, field, most, HINT_NONE)
#define OPT_CPUS(type, field, highest) \
	OPTION_CPUS, OPT_FIELD(type, field, struct cpu_list), 0, highest, HINT_NONE

/* The same with a hint. */
#define OPT_STRING_OF(type, field, hint) \
	OPTION_STRING, OPT_FIELD(type, field, const char *), 0, 0, hint
#define OPT_LIST_OF(type, field, hint) OPTION_LIST, OPT_FIELD(type, field, char *), 0, 0, hint
#define OPT_PATTERN(type, field)       OPTION_PATTERN, OPT_FIELD(type, field, char *), 0, 0, HINT_NONE
#define OPT_NAMES_OF(type, field, most, hint) \
	OPTION_NAMES, OPT_FIELD(type, field, struct name_list), 1, most, hint
/* The id of one process or thread; at most PID_MAX_LIMIT of include/linux/threads.h on 64 bits. */
#define OPT_ID_OF(type, field, hint) \
	OPTION_UNSIGNED, OPT_FIELD(type, field, unsigned int), 1, 4194304, hint

/* The words that a command takes besides options. */
enum operands {
	OPERANDS_NONE,	  /* any operand is an error */
	OPERANDS_COMMAND, /* a program and its arguments, after "--" only */
	OPERANDS_WORDS,	  /* any number of words, before, between and after options */
};

struct options {
	const struct option_row *rows;
	enum operands operands;
	void *values; /* the command's struct, zeroed */

	/* Results of options__parse(). */
	bool help, version; /* given; the remaining words were not parsed */
	char **words;	    /* operands, ended by NULL; they point into argv */
	size_t nr_words;
};

/*
 * Sets defaults, then parses the words of argv (without the program's name, ended by NULL) in any
 * order up to "--". If an option is given twice the last value counts; lists add up. Moves operands
 * to the front of argv. Returns 0, or a negative errno with err filled (EXIT_USAGE); -ENOENT:
 * there is no such option, and none like it.
 */
int options__parse(struct options *options, char **argv, struct error *err);

/* Frees the lists in values. Call it whatever options__parse() returned. */
void options__fini(struct options *options);

/* The rows of -h and --version, which every command has; their fields are in struct options. */
extern const struct option_row common_option_rows[];

/* ---- kinds of values: from text to value, and in words ---- */

/* Stores the value of text in the row's field. 0, or -EINVAL: the row does not accept it. */
int option__store(const struct option_row *row, void *values, const char *text);

/* Describes the accepted values: "a whole number from 1 to 100", "auto, always or never". */
void option__describe(const struct option_row *row, char *text, size_t size);

/* Frees memory that option__store() allocated. */
void option__release(const struct option_row *row, void *values);

/* ---- the help text, from the rows that also parse ---- */

/* Prints the help of the rows and the two common ones. */
void options__print_help(FILE *out, const struct option_row *rows);

/* Prints "Usage: topstacks COMMAND LINE", one line for each line of usage. command: "": none. */
void options__print_usage(FILE *out, const char *command, const char *usage);

/* Prints the help of the rows with these names, in this order; names is ended by NULL. */
void options__print_some(FILE *out, const struct option_row *rows, const char *const *names);

/* Prints text in lines of at most 80 columns; all lines but the first are indented. */
void options__print_wrapped(FILE *out, const char *text, size_t indent);

#endif
