# SPDX-License-Identifier: GPL-2.0-only
"""What the kernel says of a process' programs on perf events: how often they ran, and for how long.

Read from the fdinfo of the process' own descriptors, so that nobody else's programs get in.
"""

import contextlib
import ctypes
import os
import platform
import re
import struct
from collections import namedtuple

_SYSCALL = {"x86_64": 321, "aarch64": 280}[platform.machine()]
_ENABLE_STATS = 32
_STATS_RUN_TIME = 0
_TYPE_PERF_EVENT = "7"
_PROG_LOAD = 5
_RAW_TRACEPOINT_OPEN = 17
_TYPE_RAW_TRACEPOINT = 17
_RETURN_0 = struct.pack("=QQ", 0xB7, 0x95)  # r0 = 0; exit

_libc = ctypes.CDLL(None, use_errno=True)

Runs = namedtuple("Runs", "number time_ns")


def _bpf(command, attributes, what):
    attributes = ctypes.create_string_buffer(attributes, 128)
    fd = _libc.syscall(_SYSCALL, command, attributes, len(attributes))
    if fd < 0:
        raise OSError(ctypes.get_errno(), f"cannot {what}")
    return fd


@contextlib.contextmanager
def statistics():
    """Run times are kept while this is entered (and cost each run some 20 ns)."""
    fd = _bpf(_ENABLE_STATS, struct.pack("=I", _STATS_RUN_TIME), "enable BPF statistics")
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def doing_nothing(tracepoint):
    """A program of this process that returns at once, on a tracepoint of the kernel's."""
    code, licence, name = (ctypes.create_string_buffer(text) for text in (_RETURN_0, b"GPL", tracepoint.encode()))
    address = ctypes.addressof
    program = struct.pack("=IIQQ", _TYPE_RAW_TRACEPOINT, len(_RETURN_0) // 8, address(code), address(licence))
    with contextlib.ExitStack() as stack:
        program = _bpf(_PROG_LOAD, program, "load a BPF program")
        stack.callback(os.close, program)
        link = struct.pack("=QI", address(name), program)
        stack.callback(os.close, _bpf(_RAW_TRACEPOINT_OPEN, link, f"attach to {tracepoint}"))
        yield


def descriptors(pid, kind):
    """The fdinfo of each of a process' descriptors of one kind ("bpf-map"), as {field: text}."""
    found = []
    with contextlib.suppress(OSError):  # it may end meanwhile
        for fd in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):  # or close one
                if os.readlink(f"/proc/{pid}/fd/{fd}") == f"anon_inode:{kind}":
                    with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii") as file:
                        found.append(dict(re.findall(r"^(\w+):\s+(\S+)", file.read(), re.M)))
    return found


def sampling_runs(pid):
    """Runs of the process' program on perf events; of the busiest, should it have several."""
    programs = [
        Runs(int(fields["run_cnt"]), int(fields["run_time_ns"]))
        for fields in descriptors(pid, "bpf-prog")
        if fields.get("prog_type") == _TYPE_PERF_EVENT
    ]
    return max(programs, default=Runs(0, 0))


def most_runs(pid):
    """Of all programs that the process has open, of any type, how often the busiest ran."""
    return max((int(fields["run_cnt"]) for fields in descriptors(pid, "bpf-prog")), default=0)


def own_runs():
    """Of a program of this process: see doing_nothing()."""
    programs = descriptors(os.getpid(), "bpf-prog")
    return Runs(sum(int(one["run_cnt"]) for one in programs), sum(int(one["run_time_ns"]) for one in programs))


def run_time_ns(pid):
    """Time in all programs that the process has open, each once."""
    programs = descriptors(pid, "bpf-prog")
    return sum({fields["prog_id"]: int(fields["run_time_ns"]) for fields in programs}.values())


def map_bytes(pid):
    """Kernel memory of all BPF maps that the process has open, each once."""
    maps = descriptors(pid, "bpf-map")
    return sum({fields["map_id"]: int(fields["memlock"]) for fields in maps}.values())
