// SPDX-License-Identifier: GPL-2.0-only
#include "push/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PYROSCOPE_AGE_S 3600 /* Pyroscope's default */

const struct option_row push_option_rows[] = {
	{OPT_SECTION("Server")},
	{0, "to", "URL", OPT_STRING(struct push_options, to), NULL,
	 "send there; http:// is for this machine alone"},
	{0, "format", "pyroscope|otlp|pprof", OPT_CHOICE(struct push_options, format), "pyroscope",
	 "what the server takes: Pyroscope's Push, OpenTelemetry's profiles, or a profile a "
	 "request"},
	{0, "token-file", "FILE", OPT_STRING_OF(struct push_options, token_file, HINT_FILE), NULL,
	 "a file that nobody else may read, with the token or password"},
	{0, "user", "NAME", OPT_STRING(struct push_options, user), NULL,
	 "the token is this user's password; without it, it is a bearer's"},
	{0, "tenant", "NAME", OPT_STRING(struct push_options, tenant), NULL,
	 "whose data it is, where Pyroscope serves several tenants"},
	{0, "ca", "FILE", OPT_STRING_OF(struct push_options, ca, HINT_FILE), NULL,
	 "certificates to trust in the place of the system's"},
	{0, "timeout", "SEC", OPT_SECONDS(struct push_options, timeout_s, 0.1, 3600), "30",
	 "how long an answer may take"},
	{OPT_SECTION("What is sent")},
	{0, "max-series", "N", OPT_UNSIGNED(struct push_options, max_series, 0, 5000), "200",
	 "of services, commands and containers at most so many; the rest is \"other\""},
	{0, "max-age", "SEC", OPT_SECONDS(struct push_options, max_age_s, 0, 1e9), NULL,
	 "older files are not sent; an hour for Pyroscope, which refuses them, else without end"},
	{0, "dry-run", NULL, OPT_FLAG(struct push_options, dry_run), NULL,
	 "print what would leave, and send nothing"},
	{OPT_SECTION("How")},
	{0, "state", "DIR", OPT_STRING_OF(struct push_options, state, HINT_DIRECTORY), NULL,
	 "keep here what was sent; $STATE_DIRECTORY unless given"},
	{0, "every", "SEC", OPT_SECONDS(struct push_options, every_s, 0.01, 86400), "10",
	 "time between two looks for new files"},
	{0, "once", NULL, OPT_FLAG(struct push_options, once), NULL,
	 "end when all files that are there are sent or given up"},
	{0, "retry", "SEC", OPT_SECONDS(struct push_options, retry_s, 0.001, 3600), "1",
	 "the first wait after a failure; the next ones double, up to 300 times that"},
	{0, "tries", "N", OPT_UNSIGNED(struct push_options, tries, 0, 1e6), "0",
	 "end after so many failures in a row; 0: never"},
	{OPT_SECTION("What became of it")},
	{0, "status", NULL, OPT_FLAG(struct push_options, status), NULL,
	 "print the ledger and end"},
	{0, "metrics", "FILE", OPT_STRING_OF(struct push_options, metrics, HINT_FILE), NULL,
	 "write the ledger here too, for Prometheus"},
	{0},
};

void push_options__print_help(void)
{
	printf("Usage: topstacks-push DIR --to URL [OPTION...]\n"
	       "       topstacks-push DIR --status [--state DIR]\n\n");
	options__print_wrapped(
		stdout,
		"Sends what topstacks record --rotate or topstacks serve --spool wrote to a server "
		"of profiles, oldest first, and keeps a ledger of what became of each sample. Only "
		"reads the directory.",
		0);
	options__print_help(stdout, push_option_rows);
	printf("\nExamples:\n"
	       "  topstacks-push /var/lib/topstacks --to http://localhost:4040 --state sent\n"
	       "  topstacks-push /var/lib/topstacks --state sent --status\n"
	       "\nExit codes:\n"
	       "  0  sent or given up, as asked; 2 wrong usage, or wrong server\n"
	       "  3  no permission, here or there\n"
	       "  4  the state cannot be written, or --tries is reached\n");
}

static int refuse(struct error *err, const char *text)
{
	return error__say(err, EXIT_USAGE, -EINVAL, "%s", text);
}

static bool is_same_directory(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

int push_options__complete(struct push_options *options, char **words, struct error *err)
{
	if (!words[0] || words[1])
		return refuse(err, "one directory is needed, that of record --rotate or serve "
				   "--spool: topstacks-push DIR --to URL");
	options->spool = words[0];
	if (!options->state)
		options->state = getenv("STATE_DIRECTORY");
	if (!options->to && !options->status)
		return refuse(err, "no server is named: --to URL");
	if ((!options->state || !*options->state) && !options->dry_run)
		return refuse(err, "no directory for what was sent: --state DIR");
	if (options->state && is_same_directory(options->state, options->spool))
		return refuse(err, "the directory of the spool is never written to: --state "
				   "needs another one");
	if (options->user && !options->token_file)
		return refuse(err, "--user needs a password: --token-file FILE");
	if (options->max_age_s <= 0 && options->format == PUSH_PYROSCOPE)
		options->max_age_s = PYROSCOPE_AGE_S;
	return 0;
}
