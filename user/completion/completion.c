// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scripts of shells, which never change, and what they ask for: candidates, with all characters
 * made harmless, and the table of options.
 */
#include "completion/completion.h"

#include "base/system/users.h"
#include "capture/events/event_list.h"
#include "diff/comparable.h"
#include "diff/reports/report.h"
#include "formats/formats.h"
#include "processes/cgroup_tree.h"
#include "profile/owner.h"
#include "profile/wait.h"

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

/* ---- words from the program's tables ---- */

static void print_word(FILE *out, const char *word)
{
	candidate__print(out, word, "", NULL, "");
}

static int tell_waits(FILE *out, struct error *err)
{
	(void)err;
	for (enum wait_kind kind = WAIT_FOR_NOTHING + 1; kind < WAIT_KINDS; kind++)
		print_word(out, wait_kind__name(kind));
	return 0;
}

static int tell_states(FILE *out, struct error *err)
{
	(void)err;
	print_word(out, "blocked"); /* several may be given */
	for (enum wait_state state = WAIT_UNKNOWN + 1; state < WAIT_STATES; state++)
		print_word(out, wait_state__name(state));
	return 0;
}

static int tell_report_formats(FILE *out, struct error *err)
{
	(void)err;
	print_word(out, "text"); /* for people, so not in a struct format */
	print_word(out, "markdown");
	for (size_t i = 0; formats__name(i); i++)
		print_word(out, formats__name(i));
	return 0;
}

static int tell_diff_formats(FILE *out, struct error *err)
{
	(void)err;
	for (size_t i = 0; diff_report__format(i); i++)
		print_word(out, diff_report__format(i));
	return 0;
}

static int tell_obstacles(FILE *out, struct error *err)
{
	(void)err;
	for (enum obstacle obstacle = 0; obstacle < OBSTACLES; obstacle++)
		print_word(out, obstacle__name(obstacle));
	return 0;
}

static int tell_shells(FILE *out, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < SCRIPTS; i++)
		print_word(out, scripts[i].shell);
	return 0;
}

/* ---- names on this machine: users, cgroups and their containers, events ---- */

#define CGROUP_MARKS	"/@:"
#define CONTAINER_MARKS ":"
#define EVENT_MARKS	":/"
#define MEANING_MARKS	" ,:/"

static void print_user(void *context, const char *name)
{
	candidate__print(context, name, "", NULL, "");
}

static int tell_users(FILE *out, struct error *err)
{
	(void)err;
	users__visit(print_user, out);
	return 0;
}

static int print_cgroup(void *context, const char *path)
{
	candidate__print(context, path, CGROUP_MARKS, NULL, "");
	return 0;
}

/*
 * Prints the container of a cgroup. Cgroups inside it are skipped, as the outermost one has the
 * name.
 */
static int print_container(void *context, const char *path)
{
	char name[CONTAINER_NAME_SIZE];

	if (!container__name(path, name, sizeof(name)))
		return 0;
	candidate__print(context, name, CONTAINER_MARKS, NULL, "");
	return 1;
}

/* Visits the cgroups; none if no hierarchy is mounted. */
static int tell_cgroups(FILE *out, int (*visit)(void *context, const char *path), struct error *err)
{
	struct cgroup_tree tree;
	int code;

	cgroup_tree__open(&tree);
	code = cgroup_tree__walk(&tree, visit, out);
	cgroup_tree__close(&tree);
	if (code && code != -ENODEV)
		return error__set(err, EXIT_SYSTEM, code, "cannot read the tree of cgroups");
	return 0;
}

static int tell_cgroup_paths(FILE *out, struct error *err)
{
	return tell_cgroups(out, print_cgroup, err);
}

static int tell_containers(FILE *out, struct error *err)
{
	return tell_cgroups(out, print_container, err);
}

/* Prints an event, except probes: their syntax is no name. */
static void print_event(void *context, enum offer_group group, const char *name,
			const char *meaning)
{
	if (group != OFFERS_PROBES)
		candidate__print(context, name, EVENT_MARKS, meaning, MEANING_MARKS);
}

static void ignore_lack(void *context, enum offer_group group, const char *why)
{
	(void)context, (void)group, (void)why;
}

static int tell_event_names(FILE *out, struct error *err)
{
	const struct offer_sink sink = {out, print_event, ignore_lack};

	return event_list__tell(NULL, &sink, err);
}

/* ---- hints ---- */

/* Whether a value is a path. */
enum hint_path {
	PATH_IS_NONE,
	PATH_IS_FILE,
	PATH_IS_DIRECTORY,
};

struct hint {
	const char *name; /* of the kind of candidates: "pids"; NULL: no candidates */
	bool is_list;	  /* comma-separated, although the option's kind does not tell */
	/*
	 * Prints the candidates with candidate__print(). 0, or negative errno with err filled.
	 * NULL: there are none, or the tables of this file are asked.
	 */
	int (*tell)(FILE *out, struct error *err);

	enum hint_path path;
	const char *endings; /* of preferred files: "pb.gz|pb"; "": any */
};

#define PROFILE_ENDINGS "pb.gz|pb|pprof|prof|folded|collapsed"

static const struct hint hints[OPTION_HINTS] = {
	[HINT_FILE] = {.path = PATH_IS_FILE, .endings = ""},
	[HINT_PROFILE] = {.path = PATH_IS_FILE, .endings = PROFILE_ENDINGS},
	[HINT_PICTURE] = {.path = PATH_IS_FILE, .endings = "html|svg"},
	[HINT_DIRECTORY] = {.path = PATH_IS_DIRECTORY},
	[HINT_PID] = {.name = "pids", .tell = processes__tell},
	[HINT_TID] = {.name = "tids", .tell = threads__tell},
	[HINT_COMM] = {.name = "comms", .tell = comms__tell},
	[HINT_USER] = {.name = "users", .tell = tell_users},
	[HINT_CGROUP] = {.name = "cgroups", .tell = tell_cgroup_paths},
	[HINT_CONTAINER] = {.name = "containers", .tell = tell_containers},
	[HINT_EVENT] = {.name = "events", .is_list = true, .tell = tell_event_names},
	[HINT_WAIT] = {.name = "waits", .is_list = true, .tell = tell_waits},
	[HINT_STATE] = {.name = "states", .is_list = true, .tell = tell_states},
	[HINT_REPORT_FORMAT] = {.name = "formats", .tell = tell_report_formats},
	[HINT_DIFF_FORMAT] = {.name = "diff-formats", .tell = tell_diff_formats},
	[HINT_OBSTACLE] = {.name = "obstacles", .is_list = true, .tell = tell_obstacles},
	[HINT_COMMAND] = {.name = "commands"},
	[HINT_SHELL] = {.name = "shells", .tell = tell_shells},
	[HINT_CANDIDATES] = {.name = "candidates"},
};

/* ---- the table of options ---- */

struct table_row {
	const char *command, *forms, *source, *words, *metavar, *help;
	bool is_list;
};

/* An empty field is a dash, as shells take tabs in a row for one. */
static void print_line(FILE *out, const struct table_row *row)
{
	fprintf(out, "%s\t%s\t%s\t%s\t", row->command, row->forms,
		row->source ? row->source : "none", row->is_list ? "list" : "one");
	for (const char *words = row->words && *row->words ? row->words : "-"; *words; words++)
		fputc(*words == '|' ? ' ' : *words, out);
	fprintf(out, "\t%s\t%s\n", row->metavar ? row->metavar : "-", row->help ? row->help : "-");
}

static void take_hint(struct table_row *row, enum option_hint name)
{
	const struct hint *hint = &hints[name];

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
		print_line(out, &row);
	}
}

static void print_table(FILE *out, const struct completion_command *command, size_t nr_commands)
{
	for (; nr_commands > 0; command++, nr_commands--) {
		struct table_row row = {
			.command = command->name, .forms = ".", .help = command->summary};

		print_line(out, &row);
		print_options(out, command->name, command->rows);
		print_options(out, command->name, common_option_rows);
		if (command->actions) {
			row = (struct table_row){.command = command->name,
						 .forms = "1",
						 .source = "words",
						 .words = command->actions};
			print_line(out, &row);
		}
		if (command->operands == OPERANDS_WORDS) {
			row = (struct table_row){.command = command->name, .forms = "*"};
			take_hint(&row, command->hint);
			print_line(out, &row);
		} else if (command->operands == OPERANDS_COMMAND) {
			row = (struct table_row){.command = command->name, .forms = "--"};
			print_line(out, &row);
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
		const struct hint *row = &hints[hint];

		if (!row->name || strcmp(row->name, kind) != 0)
			continue;
		for (size_t i = 0; hint == HINT_COMMAND && i < nr_commands; i++)
			candidate__print(out, commands[i].name, "", commands[i].summary, " ,:");
		for (size_t i = 0; hint == HINT_CANDIDATES && i < OPTION_HINTS; i++)
			if (hints[i].name)
				print_word(out, hints[i].name);
		if (hint == HINT_CANDIDATES)
			print_word(out, "options");
		return row->tell ? row->tell(out, err) : 0;
	}
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no candidates are called %s; \"topstacks help --candidates candidates\" "
			  "lists what is",
			  quote(&quoted, kind));
}
