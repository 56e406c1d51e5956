// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer_fires RATE CPU: counts the timer fires of the profiler's event on that CPU until standard
 * input ends. Prints "ready" when it counts, and at the end
 *
 *   {"fires": N, "idle_fires": N, "switched_off": {"PID": N}, "hidden": N}
 *
 * switched_off and hidden are fires that hit a task. The first ones fell into a bpf() call of that
 * process which keeps programs of perf events from running. The others fell into code that the
 * kernel does not show: BPF programs of a sandbox, for example, in which the kernel lets no other
 * program look. These two are left out where the kernel does not say where its variables are
 * (5.10).
 *
 * Choose a rate that no other event uses: events are told apart by their period.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "capture/sources/perf_events.h"
#include "timer_fires.h"
#include "timer_fires.skel.h"

#define POLL_MS	   100
#define MAX_RANGES 4096
#define MAX_FUNCS  512 /* of one program */

/* Code that the kernel shows: modules, and the functions of BPF programs. */
struct shown_range {
	unsigned long long begin, end;
};

struct shown {
	struct shown_range ranges[MAX_RANGES];
	size_t nr;
};

static unsigned long long find_symbol(const char *wanted)
{
	unsigned long long address;
	char line[512], name[256];
	FILE *file = fopen("/proc/kallsyms", "re");

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, wanted)) {
			fclose(file);
			return address;
		}
	fclose(file);
	return 0;
}

/* Returns the offset of a variable among those of a CPU; -1: the kernel does not tell. */
static long long find_per_cpu(const struct btf *btf, const char *name)
{
	int section = btf__find_by_name_kind(btf, ".data..percpu", BTF_KIND_DATASEC);
	const struct btf_var_secinfo *variable;
	const struct btf_type *type;
	int i;

	type = section < 0 ? NULL : btf__type_by_id(btf, (unsigned int)section);
	for (i = 0; type && i < btf_vlen(type); i++) {
		variable = btf_var_secinfos(type) + i;
		if (!strcmp(btf__name_by_offset(btf,
						btf__type_by_id(btf, variable->type)->name_off),
			    name))
			return variable->offset;
	}
	return -1;
}

static void find_variables(struct timer_fires *skeleton)
{
	struct btf *btf = btf__load_vmlinux_btf();
	long long bases, active, regs;

	if (!btf)
		return;
	bases = find_per_cpu(btf, "hrtimer_bases");
	active = find_per_cpu(btf, "bpf_prog_active");
	regs = find_per_cpu(btf, "__irq_regs");
	btf__free(btf);
	skeleton->rodata->cfg_prog_active = active - bases;
	skeleton->rodata->cfg_irq_regs = regs - bases;
	skeleton->rodata->cfg_looks_around = bases >= 0 && active >= 0 && regs >= 0;
}

static bool configure(struct timer_fires *skeleton, const char *rate, const char *cpu)
{
	struct stat own;

	if (stat("/proc/self/ns/pid", &own))
		return false;
	skeleton->rodata->cfg_namespace_device = own.st_dev;
	skeleton->rodata->cfg_namespace_inode = own.st_ino;
	skeleton->rodata->cfg_function = find_symbol("perf_swevent_hrtimer");
	skeleton->rodata->cfg_text_begin = find_symbol("_stext");
	skeleton->rodata->cfg_text_end = find_symbol("_etext");
	skeleton->rodata->cfg_period_ns =
		perf_events__period_ns(strtod(rate, NULL), (unsigned int)atoi(cpu));
	find_variables(skeleton);
	return skeleton->rodata->cfg_function && skeleton->rodata->cfg_text_end;
}

/* ---- code that the kernel shows ---- */

static bool is_shown(const struct shown *shown, unsigned long long address)
{
	size_t i;

	for (i = 0; i < shown->nr; i++)
		if (address >= shown->ranges[i].begin && address < shown->ranges[i].end)
			return true;
	return false;
}

static void show(struct shown *shown, unsigned long long begin, unsigned long long nr_bytes)
{
	if (shown->nr < MAX_RANGES && !is_shown(shown, begin))
		shown->ranges[shown->nr++] = (struct shown_range){begin, begin + nr_bytes};
}

static void show_modules(struct shown *shown)
{
	unsigned long long begin, nr_bytes;
	FILE *file = fopen("/proc/modules", "re");
	char line[4096];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%*s %llu %*s %*s %*s %llx", &nr_bytes, &begin) == 2)
			show(shown, begin, nr_bytes);
	if (file)
		fclose(file);
}

static void show_program(struct shown *shown, int fd)
{
	__u64 functions[MAX_FUNCS] = {0};
	__u32 nr_bytes[MAX_FUNCS] = {0};
	struct bpf_prog_info info = {
		.jited_ksyms = (__u64)(unsigned long)functions,
		.nr_jited_ksyms = MAX_FUNCS,
		.jited_func_lens = (__u64)(unsigned long)nr_bytes,
		.nr_jited_func_lens = MAX_FUNCS,
	};
	__u32 size = sizeof(info), i;

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	for (i = 0; i < info.nr_jited_ksyms && i < MAX_FUNCS; i++)
		show(shown, functions[i], nr_bytes[i]);
}

static void show_programs(struct shown *shown)
{
	__u32 id = 0;
	int fd;

	while (!bpf_prog_get_next_id(id, &id)) {
		fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0)
			continue;
		show_program(shown, fd);
		close(fd);
	}
}

/*
 * Waits until standard input ends. Programs come and go, so the code that the kernel shows is read
 * again whenever an unknown address was hit.
 */
static void watch(const struct told_fires *told, struct shown *shown)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	__u32 seen = 0;
	bool more = true;
	char byte;

	while (more) {
		if (poll(&input, 1, POLL_MS) > 0)
			more = read(STDIN_FILENO, &byte, 1) > 0;
		for (; seen < told->nr_elsewhere && seen < MAX_TOLD; seen++)
			if (!is_shown(shown, told->elsewhere[seen])) {
				show_modules(shown);
				show_programs(shown);
			}
	}
}

/* ---- the answer ---- */

static int compare_pids(const void *a, const void *b)
{
	const __u32 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print_switched_off(struct told_fires *told)
{
	__u32 nr = told->nr_switched_off < MAX_TOLD ? told->nr_switched_off : MAX_TOLD;
	__u32 i, begin;

	qsort(told->switched_off, nr, sizeof(*told->switched_off), compare_pids);
	for (i = 0; i < nr; i = begin) {
		for (begin = i; begin < nr && told->switched_off[begin] == told->switched_off[i];)
			begin++;
		printf("%s\"%u\": %u", i ? ", " : "", told->switched_off[i], begin - i);
	}
}

static unsigned int count_hidden(const struct told_fires *told, const struct shown *shown)
{
	unsigned int nr = 0;
	__u32 i;

	for (i = 0; i < told->nr_elsewhere && i < MAX_TOLD; i++)
		nr += !is_shown(shown, told->elsewhere[i]);
	return nr;
}

int main(int argc, char **argv)
{
	static struct shown shown;
	struct timer_fires *skeleton;

	if (argc != 3)
		return 2;
	skeleton = timer_fires__open();
	if (!skeleton)
		return 1;
	if (!configure(skeleton, argv[1], argv[2]) || timer_fires__load(skeleton) ||
	    timer_fires__attach(skeleton)) {
		timer_fires__destroy(skeleton);
		return 1;
	}
	puts("ready");
	fflush(stdout);
	watch(&skeleton->bss->told, &shown);
	printf("{\"fires\": %llu, \"idle_fires\": %llu", (unsigned long long)skeleton->bss->fires,
	       (unsigned long long)skeleton->bss->idle_fires);
	if (skeleton->rodata->cfg_looks_around) {
		printf(", \"switched_off\": {");
		print_switched_off(&skeleton->bss->told);
		printf("}, \"hidden\": %u", count_hidden(&skeleton->bss->told, &shown));
	}
	puts("}");
	timer_fires__destroy(skeleton);
	return 0;
}
