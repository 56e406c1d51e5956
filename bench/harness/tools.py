# SPDX-License-Identifier: GPL-2.0-only
"""The profilers that are compared: how each is called, and its output as one kind of Profile.

A tool is a function (pid, hz, seconds) -> Profile. Stacks are tuples of names, outermost first,
kernel frames last.
"""

import functools
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field

from . import process

BUILD = os.environ.get("BUILD", "build/release")
TOPSTACKS = os.environ.get("TOPSTACKS", "./topstacks")
OFFCPUTIME = shutil.which("offcputime", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")  # of libbpf-tools
STACK_BYTES = 127 * 8  # of one stack in a map, whatever its depth


@dataclass
class Profile:
    """What one run of one tool found."""

    usage: process.Usage
    counted: int  # samples of the target, with or without their stacks
    stacks: Counter = field(default_factory=Counter)
    moved_bytes: int = None  # carried from the kernel to user space; None: not known
    ledger: dict = None  # ours only
    cost: dict = None
    unbalanced: int = 0  # intervals whose ledger or whose drained counts do not add up

    def reaching(self, *functions):
        """How many samples have one of these functions somewhere in their stack."""
        wanted = set(functions)
        return sum(count for stack, count in self.stacks.items() if not wanted.isdisjoint(stack))


def _whom(pid):
    return ["-a"] if pid is None else ["-p", pid]


def topstacks_command(pid, hz, seconds, *extra):
    """One interval of one process, or with None of everything."""
    return [TOPSTACKS, *_whom(pid), "-F", hz, "-i", seconds, "--once", *extra]


def topstacks(pid, hz, seconds):
    return read_intervals(process.run(topstacks_command(pid, hz, seconds, "--json")))


def topstacks_intervals(pid, hz, seconds, interval_s):
    command = [TOPSTACKS, "-p", pid, "-F", hz, "-i", interval_s, "-d", seconds, "--json"]
    return read_intervals(process.run(command))


def topstacks_text(pid, hz, seconds):
    """Text as a person gets it; what it says is not read, only what it costs."""
    return Profile(process.run(topstacks_command(pid, hz, seconds)), 0)


def topstacks_folded(pid, hz, seconds):
    usage = process.run(topstacks_command(pid, hz, seconds, "--folded"))
    stacks = _folded(usage.stdout)
    return Profile(usage, sum(stacks.values()), stacks)


def topstacks_record(pid, hz, seconds):
    with tempfile.NamedTemporaryFile(suffix=".pb.gz") as file:
        command = [TOPSTACKS, "record", *_whom(pid), "-F", hz, "-d", seconds, "-o", file.name]
        return Profile(process.run(command), 0)


def _balances(interval):
    ledger = interval["ledger"]
    parts = sum(ledger[key] for key in ("counted", "idle", "filtered", "lost"))
    drained = sum(sample["count"] for sample in interval["samples"])
    return ledger["events"] == parts and ledger["counted"] == drained


def _add_interval(profile, interval):
    ledger, stacks = interval["ledger"], interval["ledger"]["stacks"]
    for key in ("events", "counted", "idle", "filtered", "lost"):
        profile.ledger[key] += ledger[key]
    for key in ("whole", "truncated", "unverified"):
        profile.ledger[key] += stacks[key]
    profile.ledger["missing"] += sum(stacks["missing_by"].values())
    for sample in interval["samples"]:
        names = [frame.get("function") or "[unknown]" for frame in sample["frames"]]
        profile.stacks[tuple(reversed(names))] += sample["count"]
    profile.unbalanced += not _balances(interval)
    profile.cost = interval["cost"]


def read_intervals(usage):
    """Sums the intervals of one run of ours."""
    profile = Profile(usage, 0, ledger=Counter(), cost={})
    for line in usage.stdout.splitlines():
        if line.strip():
            _add_interval(profile, json.loads(line))
    profile.counted = profile.ledger["counted"]
    return profile


def topstacks_moved_bytes(pid, hz, seconds):
    """What one run has the kernel copy, as a trace of its system calls shows it: reads of iterators over tasks, and stacks
    looked up. Not in it: counts, new stacks and side-band records, which lie in shared memory.

    read(48<anon_inode:bpf_iter>, "..."..., 65536) = 6048
    bpf(BPF_MAP_LOOKUP_ELEM, {map_fd=6<anon_inode:bpf-map>, ...}, 32) = 0
    """
    with tempfile.NamedTemporaryFile("r", errors="replace") as trace:
        tracer = ["strace", "-f", "-y", "-e", "trace=read,bpf", "-o", trace.name]
        process.run([*tracer, *topstacks_command(pid, hz, seconds, "--folded")])
        moved = 0
        for line in trace:
            if "LOOKUP_ELEM" in line and line.endswith("= 0\n"):
                moved += STACK_BYTES
            elif "bpf_iter>" in line:
                moved += max(0, int(line.rpartition("= ")[2].split()[0]))
        return moved


def _folded(text, skip=1):
    """Lines of "comm;main;f 12"; skip is the number of frames that are none."""
    stacks = Counter()
    for line in text.splitlines():
        frames, _, count = line.rpartition(" ")
        if frames and count.isdigit():
            stacks[tuple(frames.split(";")[skip:])] += int(count)
    return stacks


def baseline_command(name, pid, hz, seconds, *extra):
    program = f"{BUILD}/bench/baseline/{name}"
    return [program, *_whom(pid), "-F", hz, "-d", seconds, *extra]


def _baseline(name, pid, hz, seconds, *extra):
    usage = process.run(baseline_command(name, pid, hz, seconds, *extra))
    account = json.loads(usage.stderr.strip().splitlines()[-1])
    profile = Profile(usage, account["samples"], _folded(usage.stdout))
    profile.moved_bytes = account["bytes_moved"]
    return profile


def stackmap(pid, hz, seconds, buckets=1024, reuse=False):
    return _baseline("stackmap", pid, hz, seconds, "-b", buckets, *(["-R"] if reuse else []))


def streaming(pid, hz, seconds):
    return _baseline("streaming", pid, hz, seconds)


@functools.lru_cache(maxsize=None)
def _bcc_program():
    """`profile` of bcc's libbpf-tools, which is built if need be; see bench/bcc-profile."""
    program = f"{BUILD}/bench/bcc-profile"
    if not os.path.exists(program):
        process.run(["bench/bcc-profile", program])
    return program


def bcc_command(pid, hz, seconds, buckets=16384):
    whom = [] if pid is None else ["-p", pid]
    return [_bcc_program(), "-f", "-F", hz, *whom, "--stack-storage-size", buckets, seconds]


def bcc(pid, hz, seconds, buckets=16384):
    """One stack map of so many buckets, read once at the end."""
    usage = process.run(bcc_command(pid, hz, seconds, buckets))
    stacks = _folded(usage.stdout)
    return Profile(usage, sum(stacks.values()), stacks)


def offcputime_command(pid, seconds):
    whom = [] if pid is None else ["-p", pid]
    return [OFFCPUTIME, "--stack-storage-size", 16384, *whom, seconds]


def perf_record_command(pid, hz, seconds, data):
    # perf opens an event for each thread of the process; "sleep" only bounds the time.
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", hz, "-g", *_whom(pid), "-o", data]
    return [*command, "--", "sleep", seconds]


def _record(pid, hz, seconds, data):
    return process.run(perf_record_command(pid, hz, seconds, data))


def perf_report(pid, hz, seconds):
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "perf.data")
        usage = _record(pid, hz, seconds, data).then(
            process.run(
                ["perf", "report", "-i", data, "--stdio", "--no-children"]
                + ["-g", "folded,0,caller,function,count"]
            )
        )
        stacks = Counter()
        for line in usage.stdout.splitlines():
            found = re.match(r"(\d+) (\S.*)$", line)
            if found:
                stacks[tuple(found.group(2).split(";"))] += int(found.group(1))
        profile = Profile(usage, sum(stacks.values()), stacks)
        profile.moved_bytes = os.path.getsize(data)
        return profile


def perf_script(pid, hz, seconds):
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "perf.data")
        collapse = os.path.join(os.path.dirname(os.path.abspath(__file__)), "collapse.py")
        text = os.path.join(directory, "script.txt")
        usage = _record(pid, hz, seconds, data)
        usage = usage.then(process.run(["sh", "-c", f"perf script -i {data} > {text}"]))
        usage = usage.then(process.run(["python3", "-S", "-B", collapse, text]))
        stacks = _folded(usage.stdout)
        profile = Profile(usage, sum(stacks.values()), stacks)
        profile.moved_bytes = os.path.getsize(data)
        return profile


def bpftrace(pid, hz, seconds):
    program = (
        f"profile:hz:{hz} /pid == {pid}/ {{ @[ustack, kstack] = count(); }} "
        f"interval:s:{seconds} {{ exit(); }}"
    )
    usage = process.run(
        ["bpftrace", "-q", "-e", program],
        {"BPFTRACE_MAP_KEYS_MAX": "40000", "BPFTRACE_STRLEN": "64"},
    )
    stacks = _bpftrace_stacks(usage.stdout)
    return Profile(usage, sum(stacks.values()), stacks)


def _bpftrace_stacks(text):
    """Entries of this form, whose lines are user frames, a comma, kernel frames, all leaf first:

    @[
        spin+47
        main+10
    , ]: 12
    """
    stacks, user, kernel, frames = Counter(), [], [], []
    for line in text.splitlines():
        end = re.match(r"(.*)\]: (\d+)$", line)
        if line.startswith("@["):
            user, kernel = [], []
            frames = user
        elif end:
            stacks[tuple(user[::-1] + kernel[::-1])] += int(end.group(2))
        elif line.startswith(","):
            frames = kernel
        elif line.strip():
            frames.append(line.strip().rsplit("+", 1)[0])
    return stacks


@functools.lru_cache(maxsize=None)
def works(tool, *commands):
    """Whether a foreign tool is installed and really samples on this machine."""
    if not all(shutil.which(command) for command in commands):
        return False
    try:
        tool(os.getpid(), 99, 1)
        return True
    except (process.Failed, OSError):
        return False
