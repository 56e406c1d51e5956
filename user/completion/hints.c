// SPDX-License-Identifier: GPL-2.0-only
#include "completion/hints.h"

#include "base/system/users.h"
#include "capture/events/event_list.h"
#include "completion/completion.h"
#include "diff/comparable.h"
#include "diff/reports/report.h"
#include "formats/formats.h"
#include "processes/cgroup_tree.h"
#include "profile/owner.h"
#include "profile/wait.h"

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
	for (size_t i = 0; completion__shell(i); i++)
		print_word(out, completion__shell(i));
	return 0;
}

static int tell_kinds(FILE *out, struct error *err)
{
	(void)err;
	print_word(out, "options");
	for (enum option_hint hint = 0; hint < OPTION_HINTS; hint++)
		if (hint__get(hint)->name)
			print_word(out, hint__get(hint)->name);
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

	return offers__tell(NULL, &sink, err);
}

/* ---- the table ---- */

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
	[HINT_CANDIDATES] = {.name = "candidates", .tell = tell_kinds},
};

const struct hint *hint__get(enum option_hint hint)
{
	return &hints[hint];
}
