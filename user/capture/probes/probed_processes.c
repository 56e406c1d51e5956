// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/probed_processes.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "base/system/thread.h"
#include "capture/host/features.h"
#include "capture/probes/uprobe_link.h"
#include "processes/process.h"
#include "topstacks/abi.h"

#define PMU_TYPE   "/sys/bus/event_source/devices/uprobe/type"
#define SEMAPHORE  32 /* format/ref_ctr_offset: config:32-63 */
#define OF_RETURNS 1  /* format/retprobe of the PMU: config:0 */
#define NR_CLOSERS 16
#define MANY_ENDED 64 /* ended processes whose probes are worth a removal */

/* ---- opening ---- */

int probed_processes__pmu_type(uint32_t *type, struct error *err)
{
	char *text;

	if (files__read(PMU_TYPE, 32, &text, NULL))
		return error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "this kernel was built without probes (CONFIG_UPROBE_EVENTS)");
	*type = (uint32_t)strtoul(text, NULL, 10);
	free(text);
	return 0;
}

/*
 * Two refusals need words: from ba677dbe77af on a uprobe needs more rights than other events
 * (EPERM, EACCES), and all probes of one instruction must have the same semaphore or none (EINVAL).
 * bcc's probes pass a random number as semaphore.
 */
int probed_processes__explain(int code, const char *what, struct error *err)
{
	if ((code == -EPERM || code == -EACCES) && !(rights__permitted() & RIGHT_SYS_ADMIN))
		return error__say(
			err, EXIT_SYSTEM, code,
			"cannot %s: this kernel wants CAP_SYS_ADMIN for that: run as root", what);
	if (code == -E2BIG)
		return error__say(err, EXIT_USAGE, code,
				  "a probe is put into %d processes at most: name fewer of them",
				  PROBED_PROCESSES_MAX);
	if (code == -EINVAL) {
		error__set(err, EXIT_SYSTEM, code, "cannot %s", what);
		return error__remedy(err, "another tool may have a probe at the same instruction, "
					  "such that the kernel takes no second one, as bcc's do: "
					  "end that one first");
	}
	return features__explain(NULL, err, code, what);
}

static size_t ring_bytes(void)
{
	return 2 * (size_t)sysconf(_SC_PAGESIZE);
}

/* Attaches a program that was loaded for links (see kernel.c). There is no event then. */
static int attach_by_link(struct probed_process *process, const char *path)
{
	const struct probe_request *request = &process->request;
	const struct uprobe_link wanted = {
		.file = path,
		.offset = request->offset,
		.semaphore = request->semaphore,
		.cookie = PROBE_COOKIE(request->event, request->site, process->pid),
		.is_of_returns = request->is_of_returns,
		.pid = process->pid,
	};
	const int link = uprobe_link__make(bpf_program__fd(request->program), &wanted);

	if (link < 0)
		return link;
	process->link = (struct event_link){.is_attached = true, .fd = link};
	return 0;
}

static int attach(struct probed_process *process, const char *path)
{
	const struct probe_request *request = &process->request;
	const int32_t pid = process->pid;
	struct perf_event_attr attr = {
		.type = request->pmu_type,
		.size = sizeof(attr),
		.config =
			request->semaphore << SEMAPHORE | (request->is_of_returns ? OF_RETURNS : 0),
		.uprobe_path = (uintptr_t)path,
		.probe_offset = request->offset,
		.disabled = 1,
	};

	if (request->semaphore > UINT32_MAX)
		return -ENOTSUP;
	process->fd = (int)syscall(SYS_perf_event_open, &attr, pid ? pid : -1,
				   pid ? -1 : request->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (process->fd < 0)
		return -errno;
	process->ring =
		mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, process->fd, 0);
	return event_link__attach(&process->link, request->program, process->fd,
				  PROBE_COOKIE(request->event, request->site, process->pid));
}

/*
 * Names the file by our descriptor, so that the kernel probes the very file that was read. We
 * are not dumpable, so /proc/self/fd is root's, and the kernel finds the file only while our right
 * to look is raised.
 */
static int open_probe(struct probed_process *process)
{
	/* These rights include the right to probe. */
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS | RIGHTS_TO_LOOK);
	const struct probe_request *request = &process->request;
	char path[32];
	int code;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", request->file);
	if (bpf_program__get_expected_attach_type(request->program) == TRACE_UPROBE_MULTI)
		code = attach_by_link(process, path);
	else
		code = attach(process, path);
	rights__restore(before);
	return code;
}

static void close_probe(struct probed_process *process)
{
	if (process->ring != MAP_FAILED)
		munmap(process->ring, ring_bytes());
	event_link__detach(&process->link, process->fd);
	if (process->fd >= 0)
		close(process->fd);
	process->ring = MAP_FAILED;
	process->fd = -1;
}

/* ---- closing ---- */

struct closing {
	struct probed_process *list;
	size_t nr, next;
};

static void *close_some(void *context)
{
	struct closing *closing = context;
	size_t i;

	while ((i = __atomic_fetch_add(&closing->next, 1, __ATOMIC_RELAXED)) < closing->nr)
		close_probe(&closing->list[i]);
	return NULL;
}

/* Closing a probe makes the kernel wait; several threads wait at the same time. */
static void close_all(struct closing *closing)
{
	pthread_t threads[NR_CLOSERS];
	size_t nr_threads = 0;

	while (nr_threads < NR_CLOSERS && nr_threads + 1 < closing->nr &&
	       !thread__start(&threads[nr_threads], close_some, closing))
		nr_threads++;
	close_some(closing);
	while (nr_threads)
		pthread_join(threads[--nr_threads], NULL);
}

/* Closes probes of ended processes. The caller holds the lock, which is released meanwhile. */
static void close_ended(struct probed_processes *processes)
{
	struct probed_process ended[PROBED_PROCESSES_MAX];
	struct closing closing = {.list = ended};
	size_t nr_kept = 0, i;

	for (i = 0; i < processes->nr; i++)
		if (processes->list[i].has_ended)
			ended[closing.nr++] = processes->list[i];
		else
			processes->list[nr_kept++] = processes->list[i];
	processes->nr = nr_kept;
	pthread_mutex_unlock(&processes->lock);
	close_all(&closing);
	pthread_mutex_lock(&processes->lock);
}

/* ---- the list ---- */

/* Returns the probe of a process; NULL: there is none. */
static struct probed_process *find(struct probed_processes *processes, int32_t pid)
{
	size_t i;

	for (i = 0; i < processes->nr; i++)
		if (processes->list[i].pid == pid && !processes->list[i].has_ended)
			return &processes->list[i];
	return NULL;
}

static void note_late(struct probed_processes *processes, uint64_t since_ns, uint64_t until_ns)
{
	processes->nr_late++;
	if (until_ns > since_ns)
		processes->late_ns += until_ns - since_ns;
}

static size_t count_ended(const struct probed_processes *processes)
{
	size_t nr = 0, i;

	for (i = 0; i < processes->nr; i++)
		nr += processes->list[i].has_ended;
	return nr;
}

static struct probed_process make(const struct probe_request *request, int32_t pid)
{
	return (struct probed_process){
		.request = *request, .pid = pid, .fd = -1, .ring = MAP_FAILED};
}

int probed_processes__add(struct probed_processes *processes, const struct probe_request *request,
			  int32_t pid)
{
	struct probed_process process = make(request, pid);
	int code;

	if (processes->nr == PROBED_PROCESSES_MAX)
		return -E2BIG;
	code = open_probe(&process);
	process.state = PROBING_OPENED;
	if (code)
		close_probe(&process);
	else
		processes->list[processes->nr++] = process;
	return code;
}

/* ---- the thread ---- */

static struct probed_process *next_waiting(struct probed_processes *processes)
{
	size_t i;

	for (i = 0; i < processes->nr; i++)
		if (processes->list[i].state == PROBING_WAITS && !processes->list[i].has_ended)
			return &processes->list[i];
	return NULL;
}

/*
 * Opens a queued probe. The caller holds the lock, which is released meanwhile; only this thread
 * moves entries of the list.
 */
static void open_waiting(struct probed_processes *processes, struct probed_process *process)
{
	struct probed_process opened;
	int code;

	process->state = PROBING_OPENS;
	opened = *process;
	pthread_mutex_unlock(&processes->lock);
	code = open_probe(&opened);
	if (code)
		close_probe(&opened);
	pthread_mutex_lock(&processes->lock);
	process->fd = opened.fd;
	process->ring = opened.ring;
	process->link = opened.link;
	process->state = PROBING_OPENED;
	process->has_ended |= code != 0;
	if (!code || !process->is_again)
		note_late(processes, process->since_ns, monotonic_ns());
}

/*
 * Returns true if an ended probe of the process still has a link. A link covers later programs of
 * its process, too, if something else puts a breakpoint there, so it must be closed first.
 */
static bool has_old_link(const struct probed_processes *processes, int32_t pid)
{
	const struct probed_process *process = processes->list;

	for (size_t i = 0; i < processes->nr; i++, process++)
		if (process->pid == pid && process->has_ended && process->link.is_attached &&
		    process->fd < 0)
			return true;
	return false;
}

static void *probe_children(void *context)
{
	struct probed_processes *processes = context;
	struct probed_process *waiting;

	pthread_mutex_lock(&processes->lock);
	while (!processes->stops) {
		waiting = next_waiting(processes);
		if (waiting && has_old_link(processes, waiting->pid))
			close_ended(processes);
		else if (waiting)
			open_waiting(processes, waiting);
		else if (count_ended(processes) >= MANY_ENDED)
			close_ended(processes);
		else
			pthread_cond_wait(&processes->changed, &processes->lock);
	}
	pthread_mutex_unlock(&processes->lock);
	return NULL;
}

/*
 * Queues a probe for the thread. The caller holds the lock. Without room or thread, the process
 * counts as never probed.
 */
static void hand_over(struct probed_processes *processes, const struct probed_process *process)
{
	if (!processes->has_thread)
		processes->has_thread =
			!thread__start(&processes->thread, probe_children, processes);
	if (!processes->has_thread || processes->nr == PROBED_PROCESSES_MAX) {
		note_late(processes, process->since_ns, process->since_ns);
		return;
	}
	processes->list[processes->nr++] = *process;
	pthread_cond_signal(&processes->changed);
}

/* ---- events of processes ---- */

static void note_fork(struct probed_processes *processes, int32_t pid, int32_t parent,
		      uint64_t time_ns)
{
	const struct probed_process *from;
	struct probed_process child;

	pthread_mutex_lock(&processes->lock);
	from = find(processes, parent);
	if (from && !find(processes, pid)) {
		child = make(&from->request, pid);
		child.since_ns = time_ns;
		hand_over(processes, &child);
	}
	pthread_mutex_unlock(&processes->lock);
}

static bool is_orphaned(const struct probed_process *process)
{
	struct pollfd watched = {.fd = process->fd, .events = POLLIN};

	if (process->fd < 0)
		return process->link.is_attached && uprobe_link__is_orphaned(process->link.fd);
	return process->ring != MAP_FAILED && poll(&watched, 1, 0) == 1 &&
	       watched.revents & POLLHUP;
}

static void note_exec(struct probed_processes *processes, int32_t pid, uint64_t time_ns)
{
	struct probed_process *before, again;

	pthread_mutex_lock(&processes->lock);
	before = find(processes, pid);
	if (before && before->state == PROBING_OPENED && is_orphaned(before)) {
		again = make(&before->request, pid);
		again.since_ns = time_ns;
		again.is_again = true;
		before->has_ended = true;
		hand_over(processes, &again);
	}
	pthread_mutex_unlock(&processes->lock);
}

static void note_exit(struct probed_processes *processes, int32_t pid, uint64_t time_ns)
{
	struct probed_process *process;

	pthread_mutex_lock(&processes->lock);
	process = find(processes, pid);
	if (process) {
		if (process->state == PROBING_WAITS && !process->is_again)
			note_late(processes, process->since_ns, time_ns);
		process->has_ended = true;
		pthread_cond_signal(&processes->changed);
	}
	pthread_mutex_unlock(&processes->lock);
}

void probed_processes__observe(struct probed_processes *processes,
			       const struct process_event *event, bool follows_children)
{
	if (event->type == PROCESS_FORKED && follows_children)
		note_fork(processes, event->pid, event->parent, event->time_ns);
	else if (event->type == PROCESS_EXECED)
		note_exec(processes, event->pid, event->time_ns);
	else if (event->type == PROCESS_EXITED)
		note_exit(processes, event->pid, event->time_ns);
}

void probed_processes__take_late(struct probed_processes *processes, uint64_t *nr, uint64_t *ns)
{
	pthread_mutex_lock(&processes->lock);
	*nr = processes->nr_late;
	*ns = processes->late_ns;
	processes->nr_late = processes->late_ns = 0;
	pthread_mutex_unlock(&processes->lock);
}

void probed_processes__init(struct probed_processes *processes)
{
	pthread_mutex_init(&processes->lock, NULL);
	pthread_cond_init(&processes->changed, NULL);
}

void probed_processes__close(struct probed_processes *processes)
{
	struct closing closing = {.list = processes->list};

	pthread_mutex_lock(&processes->lock);
	processes->stops = true;
	pthread_cond_signal(&processes->changed);
	pthread_mutex_unlock(&processes->lock);
	if (processes->has_thread)
		pthread_join(processes->thread, NULL);
	processes->has_thread = false;
	closing.nr = processes->nr;
	close_all(&closing);
	processes->nr = 0;
}
