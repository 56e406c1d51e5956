// SPDX-License-Identifier: GPL-2.0-only
#include "processes/attacher.h"

#include <sys/resource.h>

#include "base/shortage.h"
#include "base/system/rights.h"
#include "base/system/spawner.h"

/*
 * Rights to find a process and its root, to switch to its user, and, for the spawner alone, to kill
 * attachers that have switched. An attacher gives up all of them before it touches anything of the
 * process.
 */
#define RIGHTS_TO_ATTACH (RIGHT_SYS_PTRACE | RIGHTS_TO_BECOME | RIGHT_KILL)

static int confine(const void *context)
{
	(void)context;
	rights__hide_memory();
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	return rights__reduce(RIGHTS_TO_ATTACH);
}

static int run(const void *context, uint32_t kind, const struct worker *worker)
{
	(void)context;
	(void)kind;
	return worker->nr_bytes == sizeof(struct attaching) ? attacher__serve(worker->arguments)
							    : -EINVAL;
}

int attachers__start(struct spawner **spawner)
{
	static const struct spawner_plan plan = {
		.name = "ts-attacher", .confine = confine, .run = run};

	return spawner__start(spawner, &plan);
}

int attacher__ask(struct spawner *spawner, const struct attaching *attaching, struct hired *hired)
{
	return spawner__hire(spawner, 0, NULL, 0, attaching, sizeof(*attaching), hired);
}

const char *attacher__why(int code)
{
	static const struct {
		int code;
		const char *words;
	} reasons[] = {
		{EACCES, "it is not ours to look at, which takes CAP_SYS_PTRACE"},
		{EADDRINUSE, "the socket /tmp/.java_pid of its number is none of its own"},
		{EBADMSG, "it answers as no JVM does"},
		{ECONNREFUSED, "no process listens at its socket in /tmp"},
		{EEXIST,
		 "something of somebody else is in the way, /tmp/.attach_pid of its number"},
		{ENOENT, "it has no /tmp where it could be told"},
		{ENOSYS, "it does not catch SIGQUIT, so it cannot be told (java -Xrs)"},
		{ENOTSUP, "it does not know Compiler.perfmap, which Java 17 and later do"},
		{ENOTUNIQ, "the perf map of its number in /tmp is none of its own"},
		{EPERM, "it is another user's, which takes CAP_SETUID and CAP_SETGID"},
		{ETIMEDOUT, "it did not do so within 2 s"},
		{EUCLEAN, "it runs with the rights of several users"},
	};
	size_t i;

	if (code == -ESRCH)
		return NULL;
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (code == -reasons[i].code)
			return reasons[i].words;
	return shortage__is(code) ? "there are too few processes, descriptors or memory for it"
				  : "the process for the request failed";
}
