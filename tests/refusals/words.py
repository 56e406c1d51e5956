# SPDX-License-Identifier: GPL-2.0-only
"""What a true sentence about a refused call says: what the error means, and what it was that was refused."""

import os
import re

MEANINGS = {
    "EPERM": "operation not permitted",
    "ENOMEM": "cannot allocate memory|out of memory|no memory",
    "EINVAL": "invalid argument",
    "EMFILE": "too many open files|no descriptor is left",
    "EAGAIN": "resource temporarily unavailable|too many processes|too many threads|limit of processes|ulimit -u",
    "ENOSYS": "function not implemented|not implemented|was built without",
}

# Of errors that no call was given, and guesses that no refusal bears out.
NEVER_TRUE = (
    "input/output error|file exists|no such file|no such process|bad address|bad file descriptor|permission denied|is damaged|"
    "not an ELF file|belongs to another user|another user's|file of the kernel's own|on linux [0-9.]+ or later|"
    "the kernel's verifier refused"
)

# What a call works on. Beside these, the name of the call with "()" is always right, and the path that it was given.
OBJECTS = {
    "bpf": "BPF",
    "bpf BPF_MAP_CREATE": "maps?",
    "bpf BPF_MAP_FREEZE": "maps?",
    "bpf BPF_MAP_UPDATE_ELEM": "maps?",
    "bpf BPF_MAP_LOOKUP_ELEM": "maps?",
    "bpf BPF_MAP_DELETE_ELEM": "maps?",
    "bpf BPF_PROG_LOAD": "programs?",
    "bpf BPF_BTF_LOAD": "BTF|types",
    "bpf BPF_LINK_CREATE": "links?|attach|events?|probes?|programs?|iterators?",
    "bpf BPF_ITER_CREATE": "iterators?|programs?|read",
    "bpf BPF_RAW_TRACEPOINT_OPEN": "tracepoints?|attach|programs?",
    "bpf BPF_PROG_TEST_RUN": "programs?",
    "perf_event_open": "events?|probes?|perf",
    "ioctl": "events?|probes?|perf|terminal",
    "mmap": "map|maps|mapped|memory|buffers?|threads?|stack",
    "mremap": "memory",
    "mprotect": "memory|threads?|stack",
    "brk": "memory",
    "madvise": "memory",
    "memfd_create": "memfd|memory|in memory|symbols|types|tables|file",
    "ftruncate": "memory|file",
    "clone": "process(es)?|start",
    "fork": "process(es)?|start",
    "vfork": "process(es)?|start",
    "clone3": "threads?|process(es)?|start",
    "execve": "run|start|command",
    "socketpair": "sockets?|channel|process(es)?|descriptors?|open",
    "socket": "sockets?|listen|connect",
    "bind": "sockets?|listen",
    "listen": "sockets?|listen",
    "accept4": "sockets?|connect",
    "sendmsg": "process(es)?|helpers?|send|open|read",
    "recvmsg": "process(es)?|helpers?|receive|open|read",
    "poll": "wait|process(es)?|poll",
    "ppoll": "wait|process(es)?|poll",
    "epoll_create1": "epoll|wait",
    "epoll_ctl": "epoll|wait",
    "epoll_wait": "epoll|wait",
    "eventfd2": "eventfd|wake|wait|events?",
    "wait4": "process(es)?|wait",
    "pipe2": "pipes?|process(es)?|start",
    "read": "read",
    "pread64": "read",
    "write": "writ(e|ing|ten)|output",
    "pwrite64": "writ(e|ing|ten)|output",
    "prlimit64": "limits?|processor time|memory|open files",
    "seccomp": "seccomp|filter|confine|system calls",
    "prctl": "prctl|confine|process(es)?",
    "capset": "capabilit(y|ies)|rights?",
    "capget": "capabilit(y|ies)|rights?",
    "chdir": "process(es)?|start",
    "close_range": "process(es)?|start|descriptors?",
    "dup": "process(es)?|start|descriptors?",
    "dup2": "process(es)?|start|descriptors?",
    "fcntl": "process(es)?|start|descriptors?",
    "pidfd_open": "process(es)?",
    "getdents64": "read|list|directory",
    "setsid": "process(es)?|session",
}

# Files by what they are for, where nobody would look for the name.
FILES = (
    ("/sys/kernel/btf/", "BTF|kernel('s)? types"),
    ("/proc/kallsyms", "kernel functions|kernel symbols"),
    ("/sys/devices/system/cpu/", "CPUs?"),
    ("/proc/[0-9]+", "process(es)?|shares|short_children|stacks|pid"),
    ("/sys/kernel/(debug/)?tracing", "tracepoints?|tracefs"),
)


def has(words, text):
    return re.search(rf"(?<![\w])(?:{words})(?![\w])", text, re.IGNORECASE) is not None


def means(error, text):
    return has(MEANINGS[error], text)


def contradicts(error, text):
    """The words that are of another error, or "" if there are none."""
    for other, words in (*MEANINGS.items(), ("", NEVER_TRUE)):
        found = re.search(words, text, re.IGNORECASE)
        if found and other != error and not (other and means(error, text)):
            return found[0]
    return ""


def objects_of(call):
    """A pattern of what may be named."""
    kind = f"{call.name} {call.kind}".strip()
    words = [OBJECTS.get(kind) or OBJECTS.get(call.name) or re.escape(call.name), re.escape(call.name) + r"\(\)"]
    if call.given_name:
        words.append(re.escape(call.given_name))
    if call.path:
        words += [re.escape(call.path), re.escape(os.path.basename(call.path.rstrip("/")) or call.path)]
        words += [meant for pattern, meant in FILES if re.match(pattern, call.path)]
    return "|".join(words)


def has_cut(path, text):
    """A long path is cut off in a sentence."""
    return any(path.startswith(each) for each in re.findall(r'"([^"]*/[^"]*)\u2026"', text))


def names_file(path, text):
    return has(re.escape(os.path.basename(path)), text) or has_cut(path, text)


def names(call, text):
    return has(objects_of(call), text) or has_cut(call.path or "", text)
