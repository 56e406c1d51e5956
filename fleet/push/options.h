/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of topstacks-push. */
#ifndef TOPSTACKS_PUSH_OPTIONS_H
#define TOPSTACKS_PUSH_OPTIONS_H

#include <stdbool.h>

#include "base/options/options.h"

enum push_format { PUSH_PYROSCOPE, PUSH_OTLP, PUSH_PPROF, PUSH_FORMATS };

struct push_options {
	const char *spool; /* the operand */
	const char *to;
	unsigned int format; /* enum push_format */
	const char *state;   /* a directory */
	const char *token_file, *user, *tenant, *ca;
	const char *metrics;
	unsigned int max_series, tries;
	double every_s, retry_s, timeout_s, max_age_s;
	bool once, dry_run, status;
};

extern const struct option_row push_option_rows[];

void push_options__print_help(void);

/*
 * Checks and completes what the table of options cannot: one directory, a URL unless --status was
 * asked for, and the place of the state ($STATE_DIRECTORY, as systemd sets it). 0, or
 * negative errno with err.
 */
int push_options__complete(struct push_options *options, char **words, struct error *err);

#endif
