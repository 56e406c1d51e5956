// SPDX-License-Identifier: GPL-2.0-only
#include "push/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/destination.h"
#include "base/output/path_walk.h"
#include "base/quote.h"

#define FILE_NAME "sent"
#define HEAD	  "topstacks-push 1\n"
#define MAX_BYTES 65536

/* ---- writing ---- */

static void print_account(FILE *out, const struct push_ledger *account, const char *prefix)
{
	for (int i = 0; i < PUSH_COUNTS; i++)
		fprintf(out, "%s%s %" PRIu64 "\n", prefix, push_ledger__name((enum push_count)i),
			account->of[i]);
}

static void print_number(FILE *out, const char *key, uint64_t number)
{
	fprintf(out, "%s %" PRIu64 "\n", key, number);
}

static void print_file(FILE *out, const struct push_state *state)
{
	fprintf(out, "file %s\n", state->file);
	print_number(out, "file_number", state->file_number);
	print_number(out, "file_id", state->file_id[0]);
	print_number(out, "file_check", state->file_id[1]);
	print_number(out, "plan", state->plan);
	print_number(out, "next", state->next);
	print_number(out, "trying", state->is_trying);
	for (uint64_t i = 0; i < state->nr_ends; i++)
		print_number(out, "end", state->ends[i]);
	print_account(out, &state->before, "before_");
}

int state__write(const struct push_state *state, const char *directory, struct error *err)
{
	struct destination destination;
	char *path = files__join(directory, FILE_NAME);
	int code = path ? destination__open(&destination, path, DESTINATION_PRIVATE, err)
			: memory__error(err);

	if (!code) {
		fputs(HEAD, destination.out);
		print_account(destination.out, &state->account, "");
		print_number(destination.out, "number", state->number);
		if (*state->last)
			fprintf(destination.out, "last %s\n", state->last);
		if (*state->name)
			fprintf(destination.out, "name %s\n", state->name);
		if (*state->file)
			print_file(destination.out, state);
		fputs("whole 1\n", destination.out);
		code = destination__close(&destination, 0, err);
	}
	free(path);
	return code;
}

/* ---- reading ---- */

static bool take_account(struct push_ledger *account, const char *key, uint64_t number)
{
	for (int i = 0; i < PUSH_COUNTS; i++) {
		if (!strcmp(key, push_ledger__name((enum push_count)i))) {
			account->of[i] = number;
			return true;
		}
	}
	return false;
}

static bool take_end(struct push_state *state, uint64_t end)
{
	if (state->nr_ends == STATE_MAX_ENDS)
		return false;
	state->ends[state->nr_ends++] = end;
	return true;
}

static bool take_number(struct push_state *state, const char *key, uint64_t number)
{
	const struct {
		const char *key;
		uint64_t *field;
	} fields[] = {
		{"number", &state->number},	 {"file_number", &state->file_number},
		{"file_id", &state->file_id[0]}, {"file_check", &state->file_id[1]},
		{"plan", &state->plan},		 {"next", &state->next},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (!strcmp(key, fields[i].key)) {
			*fields[i].field = number;
			return true;
		}
	}
	if (!strcmp(key, "trying"))
		state->is_trying = number;
	else if (!strcmp(key, "end"))
		return take_end(state, number);
	else if (!strncmp(key, "before_", 7))
		return take_account(&state->before, key + 7, number);
	else
		return take_account(&state->account, key, number);
	return true;
}

static char *name_field(struct push_state *state, const char *key)
{
	if (!strcmp(key, "name"))
		return state->name;
	if (!strcmp(key, "last"))
		return state->last;
	return !strcmp(key, "file") ? state->file : NULL;
}

static bool take_line(struct push_state *state, const char *key, const char *value)
{
	char *end, *field = name_field(state, key);
	uint64_t number;

	if (field && strlen(value) > NAME_MAX)
		return false;
	if (field) {
		strcpy(field, value);
		return true;
	}
	errno = 0;
	number = strtoull(value, &end, 10);
	return *value >= '0' && *value <= '9' && !*end && !errno && take_number(state, key, number);
}

/* text is written to. */
static bool take_lines(struct push_state *state, char *text)
{
	bool is_whole = false;

	if (strncmp(text, HEAD, strlen(HEAD)))
		return false;
	text += strlen(HEAD);
	for (char *line = strsep(&text, "\n"); line && *line; line = strsep(&text, "\n")) {
		char *value = strchr(line, ' ');

		if (!value || is_whole)
			return false;
		*value++ = '\0';
		is_whole = !strcmp(line, "whole");
		if (!is_whole && !take_line(state, line, value))
			return false;
	}
	return is_whole;
}

int state__read(struct push_state *state, const char *directory, struct error *err)
{
	struct quoted quoted;
	char *path = files__join(directory, FILE_NAME), *text = NULL;
	size_t length;
	int code = path ? files__read(path, MAX_BYTES, &text, &length) : -ENOMEM;

	*state = (struct push_state){0};
	if (code == -ENOENT)
		code = 0;
	else if (code)
		error__set(err, EXIT_INTERNAL, code, "cannot read %s",
			   quote(&quoted, path ? path : directory));
	else if (strlen(text) != length || !take_lines(state, text))
		code = error__say(err, EXIT_INTERNAL, -EINVAL,
				  "%s is damaged; without it all files are sent again",
				  quote(&quoted, path));
	free(text);
	free(path);
	return code;
}

/* ---- one pusher ---- */

int state__lock(const char *directory, int *lock, struct error *err)
{
	struct quoted quoted;

	*lock = path_walk__open_directory(directory, true);
	if (*lock < 0)
		return error__set(err, EXIT_INTERNAL, *lock, "cannot use the directory %s",
				  quote(&quoted, directory));
	if (flock(*lock, LOCK_EX | LOCK_NB))
		return error__say(err, EXIT_USAGE, -EBUSY,
				  "another topstacks-push keeps its state in %s; each server needs "
				  "a directory of its own",
				  quote(&quoted, directory));
	return 0;
}
