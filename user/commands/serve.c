// SPDX-License-Identifier: GPL-2.0-only
/* topstacks serve: sample all the time, and answer for the last minutes. */
#include <unistd.h>

#include "actions/serve.h"
#include "commands/common_rows.h"
#include "commands/subcommand.h"
#include "commands/target_options.h"
#include "run/limits.h"
#include "serve/serve_socket.h"

struct serve_options {
	struct target_options target;
	struct serve_plan plan;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Access")},
	{0, "listen", "ADDRESS[,ADDRESS...]",
	 OPT_NAMES(struct serve_options, plan.listen.addresses, SERVE_MAX_LISTENERS), NULL,
	 "listen on unix:PATH or ADDRESS:PORT; unix:" SERVE_SOCKET " unless given"},
	{0, "token-file", "FILE", OPT_STRING_OF(struct serve_options, plan.token_file, HINT_FILE),
	 NULL, "a client with the token in it sees all; without it, serve makes one at its socket"},
	{0, "tls-cert", "FILE",
	 OPT_STRING_OF(struct serve_options, plan.listen.certificate, HINT_FILE), NULL,
	 "TLS certificate (PEM) for every ADDRESS:PORT"},
	{0, "tls-key", "FILE", OPT_STRING_OF(struct serve_options, plan.listen.key, HINT_FILE),
	 NULL, "private key (PEM) of --tls-cert"},
	{OPT_SECTION("History")},
	{0, "keep", "TIME", OPT_SECONDS(struct serve_options, plan.keep_s, 10, 86400), "15m",
	 "keep samples of this long, as far as --max-memory has room"},
	{0, "slice", "SEC", OPT_SECONDS(struct serve_options, plan.slice_s, 0.5, 600), "5s",
	 "keep samples in slices of this length"},
	{0, "max-memory", "SIZE",
	 OPT_SIZE(struct serve_options, plan.max_memory_bytes, 64 << 20, 1LL << 40), "128M",
	 "most resident memory of serve and all its processes"},
	{0, "max-overhead", "PCT",
	 OPT_NUMBER(struct serve_options, plan.session.max_overhead, 0.01, 100), "2",
	 "lower the rate, to 19 Hz at least, while topstacks takes more than PCT of a CPU"},
	{OPT_SECTION("Spool")},
	{0, "spool", "DIR", OPT_STRING_OF(struct serve_options, plan.spool, HINT_DIRECTORY), NULL,
	 "also write the samples to files here, for topstacks-push"},
	{0, "spool-period", "SEC", OPT_SECONDS(struct serve_options, plan.spool_s, 1, 1e6), "60",
	 "with --spool: begin a new file each SEC seconds"},
	{0, "spool-keep", "N", OPT_UNSIGNED(struct serve_options, plan.nr_spooled, 1, 1000000),
	 "1440", "with --spool: remove all but the newest N files"},
	{OPT_SECTION("Rules")},
	{0, "when", "RULE[,RULE...]", OPT_NAMES(struct serve_options, plan.rules, 32), NULL,
	 "save the kept minutes when this rule holds: 'cpu of comm=nginx > 150% for 10s'"},
	{0, "save-to", "DIR", OPT_STRING_OF(struct serve_options, plan.save_to, HINT_DIRECTORY),
	 NULL, "with --when: the directory of the saved files"},
	{0, "save-bytes", "SIZE",
	 OPT_SIZE(struct serve_options, plan.save_bytes, 1 << 20, 1LL << 40), "256M",
	 "with --when: remove the oldest files when all take more than this"},
	WHOM_ROWS(struct serve_options, target, plan.session),
	HOW_ROWS(struct serve_options, target, plan.session),
	{0},
};

static int run_serve(const struct options *options, struct error *err)
{
	struct serve_options *serve = options->values;
	struct serve_plan *plan = &serve->plan;
	char socket[PATH_MAX], *address = socket;
	int code = limits__check(err);

	if (code)
		return code;
	if (plan->slice_s * 2 > plan->keep_s)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--keep is shorter than two of --slice");
	if (plan->slice_s > plan->spool_s)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--spool-period is shorter than --slice");
	if (plan->rules.nr_names && !plan->save_to)
		return error__say(err, EXIT_USAGE, -EINVAL, "--when needs --save-to DIR");
	if (plan->save_to && !plan->rules.nr_names)
		return error__say(err, EXIT_USAGE, -EINVAL, "--save-to is for --when RULE");
	code = target_options__plan(&serve->target, options->words, &plan->session, err);
	/* The default bound on our cost must also work without the right to time programs. */
	plan->session.capture.program_time = serve->target.stats;
	plan->session.capture.program_time_if_may = true;
	if (!code && !plan->listen.addresses.nr_names)
		code = serve_socket__default_address(socket, err);
	if (code)
		return code;
	plan->listen.has_token_file = plan->token_file != NULL;
	if (plan->listen.addresses.nr_names)
		return serve__run(plan, err);
	plan->listen.addresses = (struct name_list){&address, 1};
	code = serve__run(plan, err);
	plan->listen.addresses = (struct name_list){0};
	return code;
}

const struct subcommand subcommand_serve = {
	.name = "serve",
	.summary = "sample all the time, and serve the last minutes",
	.usage = "[--listen ADDRESS...] [--keep TIME] [-p PID[,PID...] | -a | --comm NAME...] "
		 "[OPTION...]",
	.description =
		"Samples until Ctrl-C, keeps the last minutes in memory, and serves them over "
		"HTTP: as Go's net/http/pprof does, as a page, and as metrics. On the unix socket "
		"each user sees his own processes; a client with the token sees all.",
	.examples = "sudo topstacks serve\n"
		    "sudo topstacks serve --listen 127.0.0.1:6060 --token-file token\n"
		    "sudo topstacks serve -F 49 --spool /var/spool/topstacks",
	.exit_codes = "0  ended by a signal\n"
		      "2  wrong usage, or an address that cannot be used\n"
		      "3  a capability or a kernel feature is missing\n"
		      "4  an internal or I/O error",
	.operands = OPERANDS_NONE,
	.samples = true,
	.rows = rows,
	.values_size = sizeof(struct serve_options),
	.run = run_serve,
};
