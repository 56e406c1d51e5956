// SPDX-License-Identifier: GPL-2.0-only
#include "commands/target_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/quote.h"
#include "base/text.h"
#include "capture/capture.h"
#include "run/command.h"
#include "run/recorder.h"
#include "views/slowdown.h"

#define MAX_SAMPLE_RATE "kernel.perf_event_max_sample_rate"
#define MAX_STACK	"kernel.perf_event_max_stack"

static int check_targets(const struct target_options *options, char **words, struct error *err)
{
	int nr_targets = (options->pids.nr_ids > 0) + (options->tid > 0) + options->all +
			 (words && words[0]);

	if (nr_targets > 1)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "-p, -t, -a and -- COMMAND exclude each other");
	if (options->no_children && !options->pids.nr_ids)
		return error__say(err, EXIT_USAGE, -EINVAL, "--no-children needs -p");
	if (options->user && !(words && words[0]))
		return error__say(err, EXIT_USAGE, -EINVAL, "--user needs -- COMMAND");
	if (options->user_only && options->kernel_only)
		return error__say(err, EXIT_USAGE, -EINVAL, "-U and -K exclude each other");
	return 0;
}

static unsigned long read_sysctl(const char *path)
{
	unsigned long value = 0;
	char *text;

	if (!files__read(path, 64, &text, NULL)) {
		value = strtoul(text, NULL, 10);
		free(text);
	}
	return value;
}

/* Beyond the limit the kernel throttles: samples would be lost, if not in silence. */
int target_options__check_rate(double rate_hz, struct error *err)
{
	unsigned long limit_hz = read_sysctl("/proc/sys/kernel/perf_event_max_sample_rate");
	double needed_hz = capture__needed_limit_hz(rate_hz);

	if (!limit_hz || needed_hz <= (double)limit_hz)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "at -F %g the kernel would throttle, as " MAX_SAMPLE_RATE " is %lu; "
			  "lower it, or: sudo sysctl " MAX_SAMPLE_RATE "=%.0f",
			  rate_hz, limit_hz, needed_hz);
}

unsigned int target_options__nr_cpus(const struct target_options *options)
{
	const struct cpu_list *cpus = &options->cpus;
	unsigned int nr = 0;

	if (!cpus->cpus)
		return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < cpus->nr_cpus; i++)
		nr += cpus->cpus[i];
	return nr;
}

/* What is refused anyway needs no word of what it would cost. */
void target_options__note_slowdown(const struct target_options *options)
{
	struct error err = {0};
	char text[128];

	if (!isatty(STDERR_FILENO) || target_options__check_rate(options->rate_hz, &err))
		return;
	if (slowdown__describe(options->rate_hz, target_options__nr_cpus(options), text,
			       sizeof(text)))
		fprintf(stderr, "topstacks: %s\n", text);
}

static int check_symfs(const struct target_options *options, struct error *err)
{
	struct stat status;
	struct quoted quoted;
	int code = 0;

	if (!options->symfs)
		return 0;
	if (stat(options->symfs, &status))
		code = -errno;
	else if (!S_ISDIR(status.st_mode))
		code = -ENOTDIR;
	return code ? error__set(err, EXIT_USAGE, code, "cannot look below --symfs %s",
				 quote(&quoted, options->symfs))
		    : 0;
}

static void note_depth(const struct target_options *options)
{
	unsigned long limit = read_sysctl("/proc/sys/kernel/perf_event_max_stack");

	if (limit && options->max_depth > limit)
		fprintf(stderr,
			"topstacks: stacks are cut at %lu frame%s by " MAX_STACK
			"; for more: sudo sysctl " MAX_STACK "=%u\n",
			limit, text__plural(limit), options->max_depth);
}

static void note_proc(bool whole_system)
{
	if (!files__proc_is_ours())
		fprintf(stderr,
			"topstacks: /proc is that of another pid namespace, so programs that "
			"already run have no names; to mend it: mount -t proc proc /proc\n");
	else if (whole_system && !files__proc_has_all())
		fprintf(stderr,
			"topstacks: processes outside of this pid namespace have neither names nor "
			"unwind tables here; to have them run topstacks on the host\n");
}

int target_options__check(const struct target_options *options, char **words, struct error *err)
{
	int code = check_targets(options, words, err);

	if (!code)
		code = target_options__check_rate(options->rate_hz, err);
	if (!code)
		code = check_symfs(options, err);
	if (!code)
		code = files__check_proc(err);
	if (!code) {
		note_depth(options);
		note_proc(!options->pids.nr_ids && !options->tid && !(words && words[0]));
	}
	return code;
}

/* ---- in words ---- */

static void describe_command(FILE *out, char **words)
{
	for (; *words; words++) {
		text__print_safe(out, *words, 40);
		if (words[1])
			fputc(' ', out);
	}
}

static void print_comm(FILE *out, const char *path)
{
	char *comm;

	if (!files__proc_is_ours() || files__read(path, 256, &comm, NULL))
		return;
	comm[strcspn(comm, "\n")] = '\0';
	text__print_safe(out, comm, 0);
	fputc(' ', out);
	free(comm);
}

static void describe_pids(FILE *out, const struct pid_list *pids)
{
	char path[64];
	size_t i;

	for (i = 0; i < pids->nr_ids && i < 4; i++) {
		if (i)
			fputs(", ", out);
		snprintf(path, sizeof(path), "/proc/%d/comm", pids->ids[i]);
		print_comm(out, path);
		fprintf(out, "(pid %d)", pids->ids[i]);
	}
	if (i < pids->nr_ids)
		fprintf(out, " and %zu more", pids->nr_ids - i);
}

char *target_options__describe(const struct target_options *options, char **words)
{
	char *text = NULL, path[64];
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	if (words && words[0]) {
		describe_command(out, words);
	} else if (options->pids.nr_ids) {
		describe_pids(out, &options->pids);
	} else if (options->tid) {
		snprintf(path, sizeof(path), "/proc/%u/comm", options->tid);
		print_comm(out, path);
		fprintf(out, "(thread %u)", options->tid);
	} else {
		fputs("all processes", out);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- opening ---- */

static enum capture_scope scope_of(const struct target_options *options, const struct child *child)
{
	if (child)
		return SCOPE_COMMAND;
	if (options->tid)
		return SCOPE_THREAD;
	return options->pids.nr_ids ? SCOPE_PROCESSES : SCOPE_SYSTEM;
}

int target_options__open(const struct target_options *options, const struct child *child,
			 struct lines *lines, struct recorder **recorder, struct error *err)
{
	pid_t tid = (pid_t)options->tid;
	struct symbols_options symbols = {
		.demangle = !options->no_demangle,
		.symfs = options->symfs,
		.lines = lines,
		.max_bytes = (size_t)options->max_symbol_bytes,
	};
	struct capture_options capture = {
		.scope = scope_of(options, child),
		.ids = options->pids.ids,
		.nr_ids = options->pids.nr_ids,
		.follow_children = !options->no_children && !options->tid,
		.user_stacks = !options->kernel_only,
		.kernel_stacks = !options->user_only,
		.by_thread = options->threads,
		.program_time = options->stats || options->max_overhead > 0,
		.rate_hz = options->rate_hz,
		.cpus = options->cpus.cpus,
		.nr_cpus = options->cpus.nr_cpus,
		.max_depth = options->max_depth,
		.max_memory_bytes = options->max_memory_bytes,
		.unwinder = (enum unwinder)options->unwinder,
		.max_unwind_bytes = options->max_unwind_bytes,
	};
	int code;

	if (child || options->tid) {
		capture.ids = child ? &child->pid : &tid;
		capture.nr_ids = 1;
	}
	code = recorder__open(recorder, &capture, &symbols, err);
	if (!code && options->max_overhead > 0)
		recorder__govern(*recorder, options->max_overhead / 100);
	return code;
}
