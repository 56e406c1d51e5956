// SPDX-License-Identifier: GPL-2.0-only
/* topstacks-push: sends what was recorded to a server of profiles. */
#include <stdio.h>

#include "base/output/output.h"
#include "base/system/rights.h"
#include "push/confine.h"
#include "push/dry_run.h"
#include "push/options.h"
#include "push/pusher.h"
#include "push/signals.h"

static int run(struct push_options *values, char **words, struct error *err)
{
	int code = push_options__complete(values, words, err);

	if (code)
		return code;
	if (values->status)
		return pusher__print_status(values, err);
	if (values->dry_run)
		return dry_run__print(values, err);
	signals__hold();
	return pusher__run(values, err);
}

static int dispatch(char **words, struct error *err)
{
	struct push_options values = {0};
	struct options options = {
		.rows = push_option_rows,
		.operands = OPERANDS_WORDS,
		.values = &values,
	};
	int code = confine__pusher(err);

	if (!code) {
		code = options__parse(&options, words, err);
		if (code == -ENOENT)
			error__remedy(err, "--help lists all");
	}
	if (!code && options.help)
		push_options__print_help();
	else if (!code && options.version)
		printf("topstacks-push %s\n", TOPSTACKS_VERSION);
	else if (!code)
		code = run(&values, options.words, err);
	options__fini(&options);
	return code;
}

int main(int argc, char **argv)
{
	struct error err = {0}, unwritten = {0};
	int code = rights__init();

	output__prepare();
	code = code ? error__set(&err, EXIT_SYSTEM, code,
				 "cannot give up the rights of the program file")
		    : dispatch(argv + (argc > 0), &err);
	if (output__finish(&unwritten) && code >= 0) {
		err = unwritten;
		code = err.code;
	}
	if (code >= 0 || code == -EPIPE)
		return EXIT_DONE;
	fprintf(stderr, "topstacks-push: %s\n", err.text);
	return (int)err.exit_code;
}
