/* SPDX-License-Identifier: GPL-2.0-only */
/* The options for the target and the way of sampling, common to all commands that sample. */
#ifndef TOPSTACKS_COMMANDS_TARGET_OPTIONS_H
#define TOPSTACKS_COMMANDS_TARGET_OPTIONS_H

#include "base/common.h"
#include "base/options/options.h"
#include "run/session.h"

/* Options that a session's plan does not take unchanged. */
struct target_options {
	struct pid_list pids;
	unsigned int tid;
	bool all;
	bool no_children;
	bool user_only, kernel_only;
	struct cpu_list cpus;
	bool no_demangle;
	bool stats;
	uint64_t alloc_every; /* in bytes; 0: not given */
	bool live;
};

/*
 * Rows for a command whose struct has a struct target_options called field and a struct
 * session_plan called session: the target, and how to sample it. TARGET_ROWS adds --user and the
 * bounds on our own cost.
 */
/* clang-format off */
#define WHOM_ROWS(type, field, session)                                                             \
	{OPT_SECTION("What to sample")},                                                            \
	{'p', "pid", "PID[,PID...]", OPT_PIDS(type, field.pids, 1024), NULL,                        \
	 "these processes, all their threads, and all their descendants, present and future"},      \
	{0, "no-children", NULL, OPT_FLAG(type, field.no_children), NULL, "without their child processes"}, \
	{'t', "tid", "TID", OPT_ID_OF(type, field.tid, HINT_TID), NULL, "only this thread"},        \
	{'a', "all", NULL, OPT_FLAG(type, field.all), NULL,                                         \
	 "the whole system; also without -p, -t, a name or COMMAND"},                               \
	{0, "comm", "NAME[,NAME...]",                                                               \
	 OPT_NAMES_OF(type, session.target.names.comms, 16, HINT_COMM), NULL,                       \
	 "processes with this name (a shell pattern), and their children"},                         \
	{0, "uid", "USER[,USER...]",                                                                \
	 OPT_NAMES_OF(type, session.target.names.users, 16, HINT_USER), NULL,                       \
	 "processes of this user, by name or number"},                                              \
	{0, "cgroup", "PATH[,PATH...]",                                                             \
	 OPT_NAMES_OF(type, session.target.names.cgroups, 16, HINT_CGROUP), NULL,                   \
	 "processes in this cgroup and in the cgroups below it"},                                   \
	{0, "container", "ID[,ID...]",                                                              \
	 OPT_NAMES_OF(type, session.target.names.containers, 16, HINT_CONTAINER), NULL,             \
	 "processes in this container: docker:3f2a1b4c5d6e, as report --by container shows it, "    \
	 "or the start of its id"},                                                                 \
	{'C', "cpus", "CPULIST", OPT_CPUS(type, field.cpus, 8191), NULL,                            \
	 "sample on these CPUs only, e.g. 0,4-7"}

#define HOW_ROWS(type, field, session)                                                              \
	{OPT_SECTION("How to sample")},                                                             \
	{'e', "event", "EVENT[,EVENT...]",                                                          \
	 OPT_LIST_OF(type, session.capture.event, HINT_EVENT), NULL,                                \
	 "events to sample: cpu (CPU time) unless given; topstacks list shows all events"},         \
	{'F', "rate", "HZ", OPT_NUMBER(type, session.capture.rate_hz, 0.01, 100000), NULL,          \
	 "samples per second on each CPU, 99 unless given; not for counted events"},                \
	{0, "alloc-every", "SIZE", OPT_SIZE(type, field.alloc_every, 1, 1LL << 40), NULL,           \
	 "with -e alloc: bytes between two samples, on average; 512K unless given"},                \
	{0, "live", NULL, OPT_FLAG(type, field.live), NULL,                                         \
	 "with -e alloc: also show memory that is still allocated, by allocating stack"},           \
	{'U', "user-only", NULL, OPT_FLAG(type, field.user_only), NULL, "only user stacks"},        \
	{'K', "kernel-only", NULL, OPT_FLAG(type, field.kernel_only), NULL, "only kernel stacks"},  \
	{0, "threads", NULL, OPT_FLAG(type, session.capture.by_thread), NULL,                       \
	 "count each thread separately"},                                                           \
	{0, "wakers", NULL, OPT_FLAG(type, session.capture.wakers), NULL,                           \
	 "with -e off-cpu, wall or lock: show the waker's stack above the stack that waited"},      \
	{0, "max-depth", "N", OPT_UNSIGNED(type, session.capture.max_depth, 1, 1024), "127",        \
	 "keep the N frames nearest to the leaf; at most kernel.perf_event_max_stack"},             \
	{0, "unwind", "auto|fp|dwarf", OPT_CHOICE(type, session.capture.unwinder), "auto",          \
	 "how to walk user stacks: fp: by frame pointers; dwarf: by tables from .eh_frame; auto: "  \
	 "dwarf if the kernel can (Linux 5.17), else fp"},                                          \
	{0, "frames", "plain|all|native", OPT_CHOICE(type, session.capture.frames), "plain",        \
	 "plain: functions of the language; all: with the interpreter's C functions; native: only " \
	 "these"},                                                                                  \
	{0, "java-names", NULL, OPT_FLAG(type, session.java_names), NULL,                           \
	 "ask JVMs for the names of their code, as jcmd PID Compiler.perfmap does"},                \
	{0, "unwind-memory", "SIZE",                                                                \
	 OPT_SIZE(type, session.capture.max_unwind_bytes, 1 << 20, 128 << 20), "128M",              \
	 "most memory for unwind tables in the kernel"},                                            \
	{0, "stats", NULL, OPT_FLAG(type, field.stats), NULL,                                       \
	 "measure the run time of the BPF program; this costs some 20 ns per sample"},              \
	{0, "no-demangle", NULL, OPT_FLAG(type, field.no_demangle), NULL,                           \
	 "show the mangled names of C++, Rust and D functions"},                                    \
	{0, "symfs", "DIR", OPT_STRING_OF(type, session.symbols.symfs, HINT_DIRECTORY), NULL,       \
	 "look for debug files and unstripped programs below DIR first"}

#define TARGET_ROWS(type, field, session)                                                           \
	WHOM_ROWS(type, field, session),                                                            \
	{0, "user", "NAME", OPT_STRING_OF(type, session.target.user, HINT_USER), NULL,              \
	 "run COMMAND as this user"},                                                               \
	HOW_ROWS(type, field, session),                                                             \
	{0, "max-memory", "SIZE",                                                                   \
	 OPT_SIZE(type, session.capture.max_memory_bytes, 8 << 20, 1LL << 40), "64M",               \
	 "most memory for the maps in the kernel"},                                                 \
	{0, "max-overhead", "PCT", OPT_NUMBER(type, session.max_overhead, 0.01, 10000), NULL,       \
	 "lower the rate while topstacks itself takes more than PCT of a CPU"},                     \
	{0, "symbol-memory", "SIZE",                                                                \
	 OPT_SIZE(type, session.symbols.max_bytes, 4 << 20, 1LL << 40), "128M",                     \
	 "most memory for symbols; the least recently used are dropped, and read again if needed"}
/* clang-format on */

/*
 * Completes the plan of a session; borrows options and words (the command, or an empty list).
 * -EINVAL with err filled if options contradict each other.
 */
int target_options__plan(const struct target_options *options, char **words,
			 struct session_plan *plan, struct error *err);

#endif
