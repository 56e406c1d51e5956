// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/scheduler_time.h"

#include <fcntl.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "capture/host/cpus.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"
#include "topstacks/abi.h"

#define BATCH 512 /* elements read in one call (BPF_MAP_LOOKUP_BATCH, Linux 5.6) */

static bool is_stale(const struct target_entry *target, const struct program_session *session)
{
	return target->pass + 1 < session->pass;
}

/*
 * Removes targets that the last two passes over all tasks have not met. map: descriptor of the
 * targets map. If the kernel refuses a call, the rest stays until next time.
 */
static void sweep_dead_targets(int map, struct program_session *session)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options);
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct target_entry targets[BATCH], target;
	uint32_t ids[BATCH], next = 0, nr, i;
	bool is_first = true;
	int code;

	do {
		nr = BATCH;
		code = bpf_map_lookup_batch(map, is_first ? NULL : &next, &next, ids, targets, &nr,
					    &options);
		is_first = false;
		if (code && errno != ENOENT) /* ENOENT: the last elements */
			break;
		for (i = 0; i < nr && i < BATCH; i++) {
			if (!is_stale(&targets[i], session))
				continue;
			/* a second look: the id may belong to a new target by now */
			if (!bpf_map_lookup_elem(map, &ids[i], &target) &&
			    is_stale(&target, session) && !bpf_map_delete_elem(map, &ids[i]))
				__atomic_fetch_sub(&session->nr_targets, 1, __ATOMIC_RELAXED);
		}
	} while (!code);
	rights__restore(before);
}

#define CPU_TIMES "/proc/stat"
#define PASSES	  8
#define MAX_CPUS  65536 /* bound on CPU numbers in /proc/stat, as on all external input */

/*
 * Sums the CPU time of living and dead tasks. A thread that ends during a pass may be in both sums,
 * so a pass counts only if no thread died in it. Where threads die all the time, the last pass may
 * miss or repeat a little, which the next call corrects.
 */
static int task_time_ns(struct scheduler_time *time, uint64_t *ran_ns)
{
	struct program_session *session = &time->skeleton->bss->session;
	uint64_t dead_ns = 0;
	int pass, code = 0;

	session->pass++;
	session->nr_seen = 0;
	for (pass = 0; pass < PASSES && !code; pass++) {
		dead_ns = __atomic_load_n(&session->dead_ns, __ATOMIC_ACQUIRE);
		session->living_ns = 0;
		code = iterate__pass(time->task_times);
		if (dead_ns == __atomic_load_n(&session->dead_ns, __ATOMIC_ACQUIRE))
			break;
	}
	if (code)
		return code;
	*ran_ns = dead_ns + session->living_ns;
	if (session->nr_targets >
	    session->nr_seen) /* some targets have ended and are not freed yet, or never will be */
		sweep_dead_targets(bpf_map__fd(time->skeleton->maps.targets), session);
	return 0;
}

/*
 * Adds the growth of one CPU: an offline CPU has no line, and continues later where it stopped.
 * line: "cpu0 user nice system idle iowait irq softirq steal guest guest_nice", in ticks. Guest
 * times are part of user and nice; stolen time belongs to no task here.
 */
static void add_busy_ticks(struct scheduler_time *time, const char *line, uint64_t *ticks)
{
	const size_t cpu = strtoul(line + 3, NULL, 10), nr_before = time->nr_known_ticks;
	unsigned long long user, nice, system, idle, iowait, irq, softirq;
	uint64_t busy = 0;

	if (cpu >= MAX_CPUS || !cpus__is_wanted(time->cpus, cpu))
		return;
	array__reserve(&time->known_ticks, &time->nr_known_ticks, cpu + 1);
	memset(time->known_ticks + nr_before, 0,
	       (time->nr_known_ticks - nr_before) * sizeof(*time->known_ticks));
	if (sscanf(line, "cpu%*u %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
		   &iowait, &irq, &softirq) == 7)
		busy = user + nice + system + irq + softirq;
	*ticks += growth_of(&time->known_ticks[cpu], busy);
}

static int system_elapsed(struct scheduler_time *time, uint64_t *ran_ns)
{
	uint64_t tick_ns = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t ticks = 0;
	char *text, *line, *rest;
	int code;

	if (lseek(time->stat, 0, SEEK_SET))
		return -errno;
	code = files__read_fd(time->stat, 16 << 20, &text, NULL);
	if (code)
		return code;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!strncmp(line, "cpu", 3) && line[3] != ' ')
			add_busy_ticks(time, line, &ticks);
	free(text);
	*ran_ns = ticks * tick_ns;
	return 0;
}

static int explain(const struct scheduler_time *time, int code, struct error *err)
{
	if (time->stat >= 0)
		return error__set(err, EXIT_INTERNAL, code, "cannot read CPU times in " CPU_TIMES);
	return iterate__explain(time->skeleton->progs.on_task_time, code, err);
}

int scheduler_time__elapsed(struct scheduler_time *time, uint64_t *ran_ns, struct error *err)
{
	uint64_t now_ns = 0;
	int code;

	if (!time->task_times) {
		code = system_elapsed(time, ran_ns);
	} else {
		code = task_time_ns(time, &now_ns);
		if (!code)
			*ran_ns = growth_of(&time->known_ns, now_ns);
	}
	return code ? explain(time, code, err) : 0;
}

int scheduler_time__open(struct scheduler_time *time, struct topstacks_bpf *skeleton, bool everyone,
			 const struct cpus *cpus, struct error *err)
{
	uint64_t so_far_ns;

	*time = (struct scheduler_time){.skeleton = skeleton, .cpus = cpus, .stat = -1};
	if (everyone) {
		time->stat = open(CPU_TIMES, O_RDONLY | O_CLOEXEC);
		if (time->stat < 0)
			return error__set(err, EXIT_SYSTEM, -errno, "cannot open " CPU_TIMES);
	} else {
		time->task_times = iterate__link(skeleton->progs.on_task_time);
		if (!time->task_times)
			return explain(time, -errno, err);
	}
	return scheduler_time__elapsed(time, &so_far_ns, err);
}

void scheduler_time__close(struct scheduler_time *time)
{
	bpf_link__destroy(time->task_times);
	if (time->skeleton && time->stat >= 0) /* else the struct was never opened */
		close(time->stat);
	free(time->known_ticks);
	*time = (struct scheduler_time){0};
}
