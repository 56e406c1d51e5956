// SPDX-License-Identifier: GPL-2.0-only
#include "completion/hints.h"

#include "completion/completion.h"
#include "diff/comparable.h"
#include "diff/reports/report.h"
#include "formats/formats.h"
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
	for (enum option_hint hint = 0; hint < OPTION_HINTS; hint++)
		if (hint__get(hint)->name)
			print_word(out, hint__get(hint)->name);
	return 0;
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
	[HINT_USER] = {.name = "users", .tell = users__tell},
	[HINT_CGROUP] = {.name = "cgroups", .tell = cgroup_paths__tell},
	[HINT_CONTAINER] = {.name = "containers", .tell = containers__tell},
	[HINT_EVENT] = {.name = "events", .is_list = true, .tell = event_names__tell},
	[HINT_WAIT] = {.name = "waits", .is_list = true, .is_fixed = true, .tell = tell_waits},
	[HINT_STATE] = {.name = "states", .is_list = true, .is_fixed = true, .tell = tell_states},
	[HINT_REPORT_FORMAT] = {.name = "formats", .is_fixed = true, .tell = tell_report_formats},
	[HINT_DIFF_FORMAT] = {.name = "diff-formats", .is_fixed = true, .tell = tell_diff_formats},
	[HINT_OBSTACLE] = {.name = "obstacles",
			   .is_list = true,
			   .is_fixed = true,
			   .tell = tell_obstacles},
	[HINT_SHELL] = {.name = "shells", .is_fixed = true, .tell = tell_shells},
	[HINT_CANDIDATES] = {.name = "candidates", .is_fixed = true, .tell = tell_kinds},
};

const struct hint *hint__get(enum option_hint hint)
{
	return &hints[hint];
}
