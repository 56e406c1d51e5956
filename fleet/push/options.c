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
	 "the server; http:// only on this machine"},
	{0, "format", "pyroscope|otlp|pprof", OPT_CHOICE(struct push_options, format), "pyroscope",
	 "the protocol: Pyroscope's Push, OpenTelemetry's profiles, or one pprof profile per "
	 "request"},
	{0, "token-file", "FILE", OPT_STRING_OF(struct push_options, token_file, HINT_FILE), NULL,
	 "a file with the token or password, which no other user may read"},
	{0, "user", "NAME", OPT_STRING(struct push_options, user), NULL,
	 "send the token as this user's password; otherwise as a bearer token"},
	{0, "tenant", "NAME", OPT_STRING(struct push_options, tenant), NULL,
	 "the tenant, if Pyroscope serves several"},
	{0, "ca", "FILE", OPT_STRING_OF(struct push_options, ca, HINT_FILE), NULL,
	 "certificates to trust instead of the system's"},
	{0, "timeout", "SEC", OPT_SECONDS(struct push_options, timeout_s, 0.1, 3600), "30",
	 "longest time to wait for an answer"},
	{OPT_SECTION("What to send")},
	{0, "max-series", "N", OPT_UNSIGNED(struct push_options, max_series, 0, 5000), "200",
	 "at most N services, commands and containers; the rest is \"other\""},
	{0, "max-age", "SEC", OPT_SECONDS(struct push_options, max_age_s, 0, 1e9), NULL,
	 "do not send older files; 1 h for Pyroscope, which refuses them, else no limit"},
	{0, "dry-run", NULL, OPT_FLAG(struct push_options, dry_run), NULL,
	 "print what would be sent, and send nothing"},
	{OPT_SECTION("How to send")},
	{0, "state", "DIR", OPT_STRING_OF(struct push_options, state, HINT_DIRECTORY), NULL,
	 "keep the list of sent files here; $STATE_DIRECTORY unless given"},
	{0, "every", "SEC", OPT_SECONDS(struct push_options, every_s, 0.01, 86400), "10",
	 "seconds between two looks for new files"},
	{0, "once", NULL, OPT_FLAG(struct push_options, once), NULL,
	 "exit when all present files are sent or given up"},
	{0, "retry", "SEC", OPT_SECONDS(struct push_options, retry_s, 0.001, 3600), "1",
	 "wait this long after a failure; double it after each further one, up to 300 times"},
	{0, "tries", "N", OPT_UNSIGNED(struct push_options, tries, 0, 1e6), "0",
	 "exit after N failures in a row; 0: never"},
	{OPT_SECTION("Ledger")},
	{0, "status", NULL, OPT_FLAG(struct push_options, status), NULL,
	 "print the ledger and exit"},
	{0, "metrics", "FILE", OPT_STRING_OF(struct push_options, metrics, HINT_FILE), NULL,
	 "also write the ledger here, for Prometheus"},
	{0},
};

void push_options__print_help(void)
{
	printf("Usage: topstacks-push DIR --to URL [OPTION...]\n"
	       "       topstacks-push DIR --status [--state DIR]\n\n");
	options__print_wrapped(
		stdout,
		"Sends the files of topstacks record --rotate or topstacks serve --spool to a "
		"profile server, oldest first. Keeps a ledger that accounts for each sample. Only "
		"reads the directory.",
		0);
	options__print_help(stdout, push_option_rows);
	printf("\nExamples:\n"
	       "  topstacks-push /var/lib/topstacks --to http://localhost:4040 --state sent\n"
	       "  topstacks-push /var/lib/topstacks --state sent --status\n"
	       "\nExit codes:\n"
	       "  0  all files are sent or given up\n"
	       "  2  wrong usage, or wrong server\n"
	       "  3  no permission on this machine or on the server\n"
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
