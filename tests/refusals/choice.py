# SPDX-License-Identifier: GPL-2.0-only
"""
Which calls of a run are refused, and with what.

strace counts the calls of each thread for itself, so the third openat is refused in every thread that has one. The dynamic
loader's calls in the main thread are therefore left out, with the ones of the same number in other threads: without
them there is no program to judge.
"""

import collections
import dataclasses

from runs import RUNS

ERRORS = ("EPERM", "ENOMEM", "EINVAL", "EMFILE", "EAGAIN", "ENOSYS")

# They end a process, return from a signal, cannot fail, tell otherwise (brk returns an address), or are the C library's
# own, which aborts where a futex is refused.
NEVER_REFUSED = set(
    "exit exit_group rt_sigreturn restart_syscall getpid getppid gettid getuid geteuid getgid getegid set_tid_address "
    "set_robust_list arch_prctl rseq futex sched_yield umask brk close munmap clock_gettime rt_sigaction rt_sigprocmask "
    "rt_sigpending".split()
)

# Of the fast tier: what decides whether there is a run, or whether it has names.
MATTER = set(
    "bpf perf_event_open mmap openat openat2 memfd_create clone clone3 socket socketpair read newfstatat fstat statx ioctl "
    "write prlimit64 seccomp execve pidfd_open".split()
)
# The same for runs that execute programs, which take three times as long below strace, and begin like the others.
MATTER_THERE = set("bpf perf_event_open ioctl openat clone3 socket socketpair write execve newfstatat".split())
# Of the kinds of bpf calls, those that differ in what is said.
BPF_MATTERS = set(
    "BPF_MAP_CREATE BPF_PROG_LOAD BPF_BTF_LOAD BPF_LINK_CREATE BPF_ITER_CREATE BPF_PROG_TEST_RUN BPF_MAP_UPDATE_ELEM "
    "BPF_RAW_TRACEPOINT_OPEN".split()
)
FAST_RUNS = ("cpu", "off-cpu", "record", "alloc", "serve")
FAST_ERRORS = ("EPERM", "ENOMEM")


@dataclasses.dataclass(frozen=True)
class Refusal:
    run: str
    call: str
    error: str
    when: int
    kind: str = ""

    def __str__(self):
        return f"{self.run}: {self.call}{' ' if self.kind else ''}{self.kind} #{self.when} {self.error}"


def loader_calls(calls, main):
    """How many of each name the main thread makes until the loader gives its cache back."""
    made = collections.Counter()
    for call in calls[1:]:
        if call.pid == main:
            made[call.name] += 1
            if call.name == "munmap":
                break
    return made


def occurrences(trace):
    """{(call, kind): numbers}, of calls that can be refused, in any thread."""
    main = trace.calls[0].pid
    loader = loader_calls(trace.calls, main)
    counted = collections.Counter()
    found = collections.defaultdict(set)
    for call in trace.calls[1:]:  # strace executes the program, and does not refuse that
        counted[call.pid, call.name] += 1
        number = counted[call.pid, call.name]
        if call.name not in NEVER_REFUSED and number > loader[call.name]:
            found[call.name, call.kind].add(number)
    return {key: sorted(numbers) for key, numbers in found.items()}


def spread(numbers, most):
    """So many of them, the first and the last among them."""
    if len(numbers) <= most:
        return numbers
    return [numbers[i * (len(numbers) - 1) // (most - 1)] for i in range(most)]


def in_turn(run, chosen, errors, turn):
    """Errors take turns, from another one on in each run, so that over the runs of a suite a call is refused with all."""
    return [
        Refusal(run, call, errors[(turn + i) % len(errors)], number, kind)
        for i, ((call, number), kind) in enumerate(sorted(chosen.items()))
    ]


def fast(run, trace):
    """First and last occurrence of what matters."""
    chosen = {}
    matter = MATTER_THERE if RUNS[run].execs else MATTER
    for (call, kind), numbers in occurrences(trace).items():
        if call in matter and (call != "bpf" or kind in BPF_MATTERS):
            for number in spread(numbers, 2):
                chosen.setdefault((call, number), kind)
    return in_turn(run, chosen, FAST_ERRORS, FAST_RUNS.index(run))


def whole(run, trace, most, turn):
    """First, some in the middle and last of every call, at most so many."""
    chosen = {}
    for each in (2, 3, 5, 8, 13, 21, 34):
        for (call, kind), numbers in occurrences(trace).items():
            for number in spread(numbers, each):
                if len(chosen) < most:
                    chosen.setdefault((call, number), kind)
    return in_turn(run, chosen, ERRORS, turn)
