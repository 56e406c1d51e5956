// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor_programs.h"

#include <ctype.h>
#include <dirent.h>

#include "base/escape.h"
#include "base/files.h"
#include "base/system/rights.h"
#include "capture/host/program_list.h"

#define MAX_PIDS (sizeof(((struct doctor_java *)NULL)->pids) / sizeof(pid_t))

static bool is_java(const char *pid)
{
	char path[64], *comm;
	bool is_one;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	if (files__read(path, 64, &comm, NULL))
		return false;
	is_one = !strcmp(comm, "java\n");
	free(comm);
	return is_one;
}

void doctor_java__find(struct doctor_java *java)
{
	DIR *processes = opendir("/proc");
	struct dirent *process;

	*java = (struct doctor_java){.nr_pids = 0};
	if (!processes)
		return;
	while ((process = readdir(processes))) {
		if (!isdigit((unsigned char)process->d_name[0]) || !is_java(process->d_name))
			continue;
		if (java->nr_pids < MAX_PIDS)
			java->pids[java->nr_pids] = atoi(process->d_name);
		java->nr_pids++;
	}
	closedir(processes);
}

static size_t nr_listed(const struct doctor_java *java)
{
	return java->nr_pids < MAX_PIDS ? java->nr_pids : MAX_PIDS;
}

void doctor_java__print(FILE *out, const struct doctor_java *java)
{
	if (!java->nr_pids)
		return;
	fprintf(out, "\nJava\n  %zu process%s of the name java:", java->nr_pids,
		java->nr_pids == 1 ? "" : "es");
	for (size_t i = 0; i < nr_listed(java); i++)
		fprintf(out, "%s %d", i ? "," : "", java->pids[i]);
	fprintf(out, "%s\n", java->nr_pids > MAX_PIDS ? ", ..." : "");
	fputs("  --java-names asks a JVM of 17 or later for names, and it goes on running;\n"
	      "  its stacks have their callers if it was started with -XX:+PreserveFramePointer.\n",
	      out);
}

void doctor_java__print_json(FILE *out, const struct doctor_java *java)
{
	fputc('[', out);
	for (size_t i = 0; i < nr_listed(java); i++)
		fprintf(out, "%s%d", i ? "," : "", java->pids[i]);
	fputc(']', out);
}

#define MAX_ROWS 20

static const char *const sampled[] = {
	[REACH_YES] = "yes",
	[REACH_NO] = "no",
	[REACH_OF_USERS] = "uprobes",
};

static const char *const sampled_json[] = {
	[REACH_YES] = "true",
	[REACH_NO] = "false",
	[REACH_OF_USERS] = "null",
};

/* Facts that do not depend on which programs are loaded. */
static const char sentences[] =
	"  kprobe, tracepoint and perf_event programs cannot be sampled: while one runs on a CPU, "
	"the\n"
	"  kernel runs no program of a perf event there, and no sample is made; uprobes can, from "
	"Linux\n"
	"  6.0 on. All other kinds are sampled like the kernel that calls them (xdp, tc, socket "
	"filters,\n"
	"  fentry, raw_tp, LSM, struct_ops), by the CPU clock as long as interrupts are on.\n";

static void print_program(FILE *out, const struct program_list *list,
			  const struct loaded_program *program)
{
	const double measured_ns = list->measured_s * 1e9;
	char kind[PROGRAM_KIND_SIZE];

	if (program->nr_runs)
		fprintf(out, "  %12" PRIu64 " %12" PRIu64, program->run_ns / program->nr_runs,
			program->nr_runs);
	else
		fprintf(out, "  %12s %12s", "-", list->measured_s > 0 ? "0" : "-");
	if (list->measured_s > 0)
		fprintf(out, " %8.2f %%", 100 * (double)program->run_ns / measured_ns);
	else
		fprintf(out, " %10s", "-");
	fprintf(out, "  %-8s %-14s ", sampled[program__reach(program->type)],
		program__kind(program->type, kind));
	text__print_safe(out, *program->name ? program->name : "(no name)", 0);
	fprintf(out, " (id %u)\n", program->id);
}

static void print_programs(FILE *out, const struct program_list *list)
{
	size_t i;

	fprintf(out, "  %12s %12s %10s  %-8s %-14s %s\n", "ns a run", "runs", "of a CPU", "sampled",
		"kind", "program");
	for (i = 0; i < list->nr_programs && i < MAX_ROWS; i++)
		print_program(out, list, &list->programs[i]);
	if (list->nr_programs > i)
		fprintf(out, "  and %zu%s more: --json has them\n", list->nr_programs - i,
			list->has_more ? " or" : "");
}

void doctor_programs__print(FILE *out, const struct program_list *list, int code)
{
	fprintf(out, "\nBPF programs\n");
	if (code < 0) {
		fprintf(out, "  unknown: bpf(): %s%s\n", strerror(-code),
			rights__permitted() & RIGHT_SYS_ADMIN ? "" : "; root may list them");
	} else {
		fprintf(out, "  %zu%s loaded; ", list->nr_programs,
			list->has_more ? " and more" : "");
		if (list->measured_s > 0)
			fprintf(out,
				"the kernel measured them for %.1f s, and measures no more on our "
				"behalf\n",
				list->measured_s);
		else
			fprintf(out, "--bpf-stats 1 lets the kernel measure them for a second, in "
				     "which each run reads a clock twice\n");
		if (list->nr_programs)
			print_programs(out, list);
	}
	fprintf(out, "%s", sentences);
}

void doctor_programs__print_json(FILE *out, const struct program_list *list, int code)
{
	fprintf(out, "{\"error\":");
	if (code < 0)
		text__print_json(out, strerror(-code));
	else
		fprintf(out, "null");
	fprintf(out, ",\"measured_s\":");
	if (list->measured_s > 0)
		fprintf(out, "%.6f", list->measured_s);
	else
		fprintf(out, "null");
	fprintf(out, ",\"more\":%s,\"programs\":[", list->has_more ? "true" : "false");
	for (size_t i = 0; i < list->nr_programs; i++) {
		fprintf(out, "%s", i ? "," : "");
		char kind[PROGRAM_KIND_SIZE];

		fprintf(out, "{\"id\":%u,\"kind\":", list->programs[i].id);
		text__print_json(out, program__kind(list->programs[i].type, kind));
		fprintf(out, ",\"name\":");
		text__print_json(out, list->programs[i].name);
		fprintf(out, ",\"sampled\":%s,\"runs\":%" PRIu64 ",\"run_time_ns\":%" PRIu64 "}",
			sampled_json[program__reach(list->programs[i].type)],
			list->programs[i].nr_runs, list->programs[i].run_ns);
	}
	fprintf(out, "]}");
}
