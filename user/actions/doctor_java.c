// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor_java.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"

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
