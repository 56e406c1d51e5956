// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/event_list.h"

#include <fnmatch.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "capture/events/perf_names.h"
#include "capture/events/presets.h"
#include "capture/events/tracefs.h"
#include "capture/events/tracepoint.h"
#include "capture/host/features.h"

/* Short meanings of common tracepoints, after the kernel's own sources. */

/* clang-format off */
static const struct {
	const char *name, *meaning;
} tracepoint_meanings[] = {
	{"block:block_bio_queue", "a file system or a program hands over a piece of input or output"},
	{"block:block_rq_complete", "a device has done a request, or part of it; weight=nr_sector"},
	{"block:block_rq_insert", "a request waits for its device; weight=bytes"},
	{"block:block_rq_issue", "a request goes to its device; weight=bytes"},
	{"block:block_rq_requeue", "a request has to wait again"},
	{"compaction:mm_compaction_begin", "the kernel moves pages, to have large pieces of memory"},
	{"cgroup:cgroup_attach_task", "a task moves to another cgroup"},
	{"exceptions:page_fault_kernel", "the kernel touched memory that was not mapped yet"},
	{"exceptions:page_fault_user", "a program touched memory that was not mapped yet"},
	{"ext4:ext4_da_write_begin", "ext4: a write begins; weight=len"},
	{"ext4:ext4_sync_file_enter", "ext4: a program waits until a file is on its disk"},
	{"filelock:posix_lock_inode", "a program locks a file, or unlocks it"},
	{"filemap:mm_filemap_add_to_page_cache", "a page of a file is read into memory"},
	{"filemap:mm_filemap_delete_from_page_cache", "a page of a file leaves memory"},
	{"huge_memory:mm_collapse_huge_page", "small pages become a huge one"},
	{"irq:irq_handler_entry", "the handler of a device's interrupt begins"},
	{"irq:softirq_entry", "work that an interrupt left behind begins; vec says which"},
	{"irq:softirq_raise", "an interrupt leaves work behind"},
	{"kmem:kfree", "the kernel gives back a piece of its memory"},
	{"kmem:kmalloc", "the kernel takes a piece of memory; weight=bytes_alloc"},
	{"kmem:kmem_cache_alloc", "the kernel takes an object of a cache of its own; weight=bytes_alloc"},
	{"kmem:kmem_cache_free", "the kernel gives back an object of a cache"},
	{"kmem:mm_page_alloc", "pages of memory are taken, 2 to the power of order of them"},
	{"kmem:mm_page_free", "pages of memory are given back"},
	{"kmem:rss_stat", "the memory of a process grows or shrinks to so many bytes"},
	{"lock:contention_begin", "a thread begins to wait for a lock of the kernel's"},
	{"lock:contention_end", "a thread has got a lock of the kernel's that it waited for"},
	{"migrate:mm_migrate_pages", "pages move to other memory"},
	{"napi:napi_poll", "a network device is asked for packets; weight=work"},
	{"net:net_dev_queue", "a packet waits for its network device; weight=len"},
	{"net:net_dev_start_xmit", "a packet goes to its network device; weight=len"},
	{"net:net_dev_xmit", "a network device has taken a packet; weight=len"},
	{"net:netif_receive_skb", "a packet came in; weight=len"},
	{"net:netif_rx", "a packet came in, by the slow path; weight=len"},
	{"oom:mark_victim", "memory is short: a process is to be killed"},
	{"power:cpu_frequency", "a CPU changes its frequency"},
	{"power:cpu_idle", "a CPU goes idle, or is woken"},
	{"raw_syscalls:sys_enter", "any system call begins; id says which"},
	{"raw_syscalls:sys_exit", "any system call returns; ret says what"},
	{"sched:sched_migrate_task", "a thread moves to another CPU"},
	{"sched:sched_process_exec", "a process executes a program"},
	{"sched:sched_process_exit", "a thread ends"},
	{"sched:sched_process_fork", "a process or a thread is made"},
	{"sched:sched_stat_runtime", "a thread has run; weight=runtime"},
	{"sched:sched_switch", "a thread is put off its CPU, whose stack it is"},
	{"sched:sched_wakeup", "a thread is woken, not always by whose stack it is"},
	{"sched:sched_wakeup_new", "a new thread is woken for the first time"},
	{"sched:sched_waking", "a thread wakes another one"},
	{"signal:signal_deliver", "a signal reaches its process"},
	{"signal:signal_generate", "a signal is sent"},
	{"skb:consume_skb", "a packet has done its duty"},
	{"skb:kfree_skb", "a packet is dropped"},
	{"sock:inet_sock_set_state", "a connection changes its state"},
	{"sock:sock_rcvqueue_full", "a socket's queue is full: a packet is dropped"},
	{"task:task_newtask", "a process or a thread is made"},
	{"task:task_rename", "a thread gets another name"},
	{"tcp:tcp_probe", "a segment of TCP came in; weight=data_len"},
	{"tcp:tcp_receive_reset", "the other side resets a connection"},
	{"tcp:tcp_retransmit_skb", "TCP sends a segment again"},
	{"tcp:tcp_send_reset", "we reset a connection"},
	{"timer:hrtimer_expire_entry", "a precise timer is due"},
	{"timer:timer_expire_entry", "a timer is due"},
	{"tlb:tlb_flush", "a CPU forgets translations of addresses"},
	{"vmscan:mm_vmscan_direct_reclaim_begin", "memory is short: a thread has to look for some itself"},
	{"vmscan:mm_vmscan_kswapd_wake", "memory is short: the kernel's own thread looks for some"},
	{"workqueue:workqueue_execute_start", "a worker of the kernel's begins its work"},
	{"workqueue:workqueue_queue_work", "work is left to a worker of the kernel's"},
	{"writeback:writeback_dirty_folio", "a page of a file was changed, and is to be written"},
	{"writeback:writeback_start", "changed pages begin to be written; weight=nr_pages"},
	{"xdp:xdp_exception", "an XDP program failed"},
};
/* clang-format on */

/* Returns the meaning, in text or static; NULL: none is known. */
static const char *meaning_of_tracepoint(const char *name, char *text, size_t size)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";
	size_t i;

	for (i = 0; i < sizeof(tracepoint_meanings) / sizeof(*tracepoint_meanings); i++)
		if (!strcmp(tracepoint_meanings[i].name, name))
			return tracepoint_meanings[i].meaning;
	if (!strncmp(name, enter, sizeof(enter) - 1))
		snprintf(text, size, "the system call %s begins", name + sizeof(enter) - 1);
	else if (!strncmp(name, leave, sizeof(leave) - 1))
		snprintf(text, size, "the system call %s returns ret", name + sizeof(leave) - 1);
	else
		return NULL;
	return text;
}

#define MAX_TERM     256 /* bytes of a PMU event's terms */
#define MOST_WEIGHTS 6	 /* weight fields listed for a tracepoint */

/* The query and its receiver. */
struct telling {
	const char *pattern;
	const struct offer_sink *sink;
};

/* clang-format off */
static const struct {
	const char *name, *meaning;
} event_meanings[] = {
	{"page-faults", "memory was used that was not mapped"},
	{"minor-faults", "of these, the ones that needed no disk"},
	{"major-faults", "of these, the ones that waited for a disk"},
	{"context-switches", "a thread left the CPU"},
	{"cpu-migrations", "a thread runs on another CPU than before"},
	{"alignment-faults", "the kernel mended an access that was not aligned"},
	{"emulation-faults", "the kernel did what the processor could not"},
	{"cycles", "clock ticks of a CPU that works"},
	{"instructions", "instructions that were done"},
	{"cache-references", "the last cache was asked"},
	{"cache-misses", "the last cache was asked in vain"},
	{"branches", "jumps in a program"},
	{"branch-misses", "jumps that the CPU had not foreseen"},
	{"bus-cycles", "clock ticks of the bus to memory"},
	{"ref-cycles", "clock ticks at a frequency that never changes"},
	{"stalled-cycles-frontend", "clock ticks without an instruction to do"},
	{"stalled-cycles-backend", "clock ticks in which an instruction had to wait"},
	{"L1-dcache-loads", "data was read"},
	{"L1-dcache-load-misses", "data was read that the first cache had not"},
	{"LLC-load-misses", "data was read that the last cache had not"},
	{"dTLB-load-misses", "data was read whose address had to be looked up"},
	{"iTLB-load-misses", "an instruction's address had to be looked up"},
};
/* clang-format on */

static bool matches(const struct telling *telling, const char *name)
{
	const char *pattern = telling->pattern;

	return !pattern || !fnmatch(pattern, name, 0) || strstr(name, pattern);
}

/* Returns "" if no meaning is known. */
static const char *meaning_of_event(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(event_meanings) / sizeof(*event_meanings); i++)
		if (!strcmp(event_meanings[i].name, name))
			return event_meanings[i].meaning;
	return "";
}

static void tell(const struct telling *telling, enum offer_group group, const char *name,
		 const char *meaning)
{
	if (matches(telling, name))
		telling->sink->on_offer(telling->sink->context, group, name, meaning);
}

/* Returns false if the processor does not count the event. A lack of rights is no such answer. */
static bool is_counted(const struct perf_name *name)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	struct perf_event_attr attr = {
		.type = name->type, .size = sizeof(attr), .config = name->config, .disabled = 1};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	const int code = fd < 0 ? errno : 0;

	rights__restore(before);
	if (fd >= 0)
		close(fd);
	return !code || code == EACCES || code == EPERM;
}

/* Returns true if the pattern is another name of the same event: "cs". */
static bool matches_other(const struct telling *telling, const struct perf_name *name)
{
	char text[PERF_NAME_SIZE];
	struct perf_name other;
	size_t n;

	for (n = 0; perf_names__get(n, text); n++)
		if (!strcmp(text, telling->pattern) && perf_names__find(text, &other))
			return !strcmp(other.text, name->text);
	return false;
}

/* Lists each event once, under its first name. */
static void tell_perf_names(const struct telling *telling, enum offer_group group)
{
	char text[PERF_NAME_SIZE], last[PERF_NAME_SIZE] = "";
	struct perf_name name;
	bool is_software;
	size_t n;

	for (n = 0; perf_names__get(n, text); n++) {
		if (!strcmp(text, last) || !perf_names__find(text, &name) ||
		    strcmp(text, name.text) != 0)
			continue;
		strcpy(last, text);
		is_software = name.type == PERF_TYPE_SOFTWARE;
		if (is_software != (group == OFFERS_SOFTWARE) ||
		    !(matches(telling, text) || matches_other(telling, &name)))
			continue;
		if (is_software || is_counted(&name))
			telling->sink->on_offer(telling->sink->context, group, text,
						meaning_of_event(text));
	}
}

/* path: "…/devices/msr/events/tsc", whose event is "msr/tsc/" */
static void tell_pmu_event(const struct telling *telling, const char *path)
{
	const char *event = strrchr(path, '/') + 1, *device, *end = event - strlen("/events/");
	char name[256], *terms = NULL;

	if (strchr(event, '.')) /* a .unit or .scale file of another event */
		return;
	for (device = end; device > path && device[-1] != '/';)
		device--;
	snprintf(name, sizeof(name), "%.*s/%s/", (int)(end - device), device, event);
	if (!matches(telling, name))
		return;
	if (!files__read(path, MAX_TERM, &terms, NULL))
		terms[strcspn(terms, "\n")] = '\0';
	telling->sink->on_offer(telling->sink->context, OFFERS_PMU, name, terms ? terms : "");
	free(terms);
}

/* Lists a tracepoint with our own words, else with the numeric fields of its records. */
static void tell_tracepoint(const struct telling *telling, int tracefs, const char *name)
{
	char text[160] = "", weights[128];
	const char *meaning = meaning_of_tracepoint(name, text, sizeof(text));
	struct tracepoint tracepoint;
	struct error err;

	if (!meaning && !tracepoint__read(&tracepoint, tracefs, name, &err)) {
		tracepoint__list_weights(&tracepoint, MOST_WEIGHTS, weights, sizeof(weights));
		snprintf(text, sizeof(text), "%s%s", *weights ? "fields: " : "", weights);
		tracepoint__free(&tracepoint);
	}
	telling->sink->on_offer(telling->sink->context, OFFERS_TRACEPOINTS, name,
				meaning ? meaning : text);
}

static int tell_tracepoints(const struct telling *telling, struct error *err)
{
	struct tracepoint_names names;
	const int tracefs = tracefs__open(err);
	size_t i;
	int code = tracefs < 0 ? tracefs : tracepoint_names__read(&names, tracefs, err);

	if (!code) {
		for (i = 0; i < names.nr_names; i++)
			if (matches(telling, names.names[i]))
				tell_tracepoint(telling, tracefs, names.names[i]);
		tracepoint_names__free(&names);
	} else if (code != -ENOMEM) {
		telling->sink->on_lack(telling->sink->context, OFFERS_TRACEPOINTS, err->text);
	}
	if (tracefs >= 0)
		close(tracefs);
	return code == -ENOMEM ? code : 0;
}

int event_list__tell(const char *pattern, const struct offer_sink *sink, struct error *err)
{
	const struct telling telling = {pattern, sink};
	const struct source *const *source;
	const struct preset *preset;
	struct features *features;
	glob_t found;
	int result;

	tell(&telling, OFFERS_CPU, "cpu",
	     "CPU time of whatever runs, by a timer on each CPU: the default");
	for (source = sources; *source; source++)
		if ((*source)->name)
			tell(&telling, (*source)->group, (*source)->name, (*source)->meaning);
	for (preset = presets; preset->name; preset++)
		tell(&telling, OFFERS_PRESETS, preset->name, preset->meaning);
	tell_perf_names(&telling, OFFERS_SOFTWARE);

	features = features__new("");
	if (features__answer(features, FEATURE_PMU)->state == FEATURE_MISSING)
		sink->on_lack(sink->context, OFFERS_HARDWARE,
			      "none: this machine has no counters for them, as virtual machines "
			      "often have not");
	else
		tell_perf_names(&telling, OFFERS_HARDWARE);
	features__free(features);

	result = glob("/sys/bus/event_source/devices/*/events/*", 0, NULL, &found);
	for (size_t i = 0; !result && i < found.gl_pathc; i++)
		tell_pmu_event(&telling, found.gl_pathv[i]);
	if (!result)
		globfree(&found);

	tell(&telling, OFFERS_PROBES, "uprobe:FILE:SYMBOL", "a function of a program is called");
	tell(&telling, OFFERS_PROBES, "uretprobe:FILE:SYMBOL", "it returns");
	return result == GLOB_NOSPACE ? memory__error(err) : tell_tracepoints(&telling, err);
}
