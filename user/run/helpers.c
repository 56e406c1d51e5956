// SPDX-License-Identifier: GPL-2.0-only
#include "run/helpers.h"

#include "base/system/spawner.h"
#include "processes/attacher.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "readers/reasons.h"
#include "run/limits.h"

#define DO_FOR_US "the processes that open and read files for us"

int helpers__start(struct helpers *helpers, bool attaches, struct error *err)
{
	int code = limits__check_file_size(err);

	if (code)
		return code;
	code = attaches ? attachers__start(&helpers->attachers) : 0;
	if (!code)
		code = openers__start(&helpers->openers);
	if (!code)
		code = readers__start(&helpers->readers, jobs__find);
	if (!code)
		return 0;
	helpers__stop(helpers);
	return reason__error(err, code, "cannot start " DO_FOR_US);
}

int helpers__await(const struct helpers *helpers, struct error *err)
{
	bool by_confine = false;
	int code = helpers->attachers ? spawner__await(helpers->attachers, &by_confine) : 0;

	if (!code)
		code = spawner__await(helpers->openers, &by_confine);
	if (!code)
		code = readers__await(helpers->readers, &by_confine);
	if (!code)
		return 0;
	reason__error(err, code,
		      by_confine ? "cannot take rights and system calls from " DO_FOR_US
				 : "cannot start " DO_FOR_US);
	if (by_confine && code == -ENOSYS)
		error__remedy(err, "topstacks needs a kernel that filters system calls "
				   "(CONFIG_SECCOMP_FILTER)");
	return code;
}

void helpers__stop(struct helpers *helpers)
{
	readers__stop(helpers->readers);
	spawner__stop(helpers->openers);
	spawner__stop(helpers->attachers);
	*helpers = (struct helpers){0};
}
