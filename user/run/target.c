// SPDX-License-Identifier: GPL-2.0-only
#include "run/target.h"

#include "base/files.h"
#include "base/system/rights.h"
#include "processes/procfs.h"

enum capture_scope target__scope(const struct target *target)
{
	if (target->command)
		return SCOPE_COMMAND;
	if (target->tid)
		return SCOPE_THREAD;
	if (target->nr_pids)
		return SCOPE_PROCESSES;
	return target_names__any(&target->names) ? SCOPE_NAMED : SCOPE_SYSTEM;
}

static void print_comm(FILE *out, pid_t id)
{
	char path[64], *comm;
	uint64_t before;
	bool failed;

	snprintf(path, sizeof(path), "/proc/%d/comm", id);
	before = rights__raise(RIGHTS_TO_LOOK);
	failed = !procfs__is_ours() || files__read(path, 256, &comm, NULL);
	rights__restore(before);
	if (failed)
		return;
	comm[strcspn(comm, "\n")] = '\0';
	text__print_safe(out, comm, 0);
	fputc(' ', out);
	free(comm);
}

/* Prints words such as " called nginx or php-fpm". */
static void describe_names(FILE *out, const char *words, const struct name_list *list)
{
	size_t i;

	for (i = 0; i < list->nr_names; i++) {
		fputs(i ? " or " : words, out);
		text__print_safe(out, list->names[i], 60);
	}
}

char *target__describe(const struct target *target)
{
	char *text, **word;
	size_t nr_bytes, i;
	FILE *out = xmemstream(&text, &nr_bytes);

	if (target->command) {
		for (word = target->command; *word; word++) {
			text__print_safe(out, *word, 40);
			if (word[1])
				fputc(' ', out);
		}
	} else if (target->nr_pids) {
		for (i = 0; i < target->nr_pids && i < 4; i++) {
			if (i)
				fputs(", ", out);
			print_comm(out, target->pids[i]);
			fprintf(out, "(pid %d)", target->pids[i]);
		}
		if (i < target->nr_pids)
			fprintf(out, " and %zu more", target->nr_pids - i);
	} else if (target->tid) {
		print_comm(out, target->tid);
		fprintf(out, "(thread %d)", target->tid);
	} else {
		fputs(target_names__any(&target->names) ? "processes" : "all processes", out);
	}
	describe_names(out, " called ", &target->names.comms);
	describe_names(out, " of user ", &target->names.users);
	describe_names(out, " in cgroup ", &target->names.cgroups);
	describe_names(out, " in container ", &target->names.containers);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
