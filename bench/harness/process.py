# SPDX-License-Identifier: GPL-2.0-only
"""Runs one command and tells what it used.

CPU time is rusage of the child and all that it waited for. Peak memory is VmHWM, read at the very
end of the process' life, which a trace of its exit event allows: ru_maxrss would carry over our
own size, and polling would miss what is allocated last, where symbols are read.
"""

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

from . import bpf

_PTRACE_CONT = 7
_PTRACE_SEIZE = 0x4206
_PTRACE_O_TRACEEXIT = 0x40
_EVENT_EXIT = 6
_EVENT_STOP = 128
_POLL_S = 0.02

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


@dataclass
class Usage:
    """What one command, or several in a row, used."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_bytes: int = 0  # VmHWM
    map_bytes: int = 0  # memlock of its BPF maps, in the kernel
    status: int = 0
    stdout: str = ""
    stderr: str = ""

    def then(self, later):
        """This one followed by another: times add up, memory is the larger one."""
        return Usage(
            self.cpu_s + later.cpu_s,
            self.wall_s + later.wall_s,
            max(self.peak_bytes, later.peak_bytes),
            max(self.map_bytes, later.map_bytes),
            self.status or later.status,
            later.stdout,
            self.stderr + later.stderr,
        )


class Failed(Exception):
    """A command of the benchmark did not do what it was asked to."""


_limits_s = [180]


@contextlib.contextmanager
def time_limit(seconds):
    """Commands that run longer than this, one by one, are killed and fail."""
    _limits_s.append(seconds)
    try:
        yield
    finally:
        _limits_s.pop()


def run(command, environment=None):
    """Runs a command to its end. Raises Failed if its exit status is not 0."""
    command = [str(word) for word in command]
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.monotonic()
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={**os.environ, **(environment or {})},
        )
        usage = _watch(child.pid, start + _limits_s[-1])
        child.returncode = usage.status  # waited for behind Popen's back
        usage.wall_s = time.monotonic() - start
        usage.stdout, usage.stderr = _text(stdout), _text(stderr)
    if usage.status:
        raise Failed(f"{' '.join(command)}: status {usage.status}: {usage.stderr.strip()[-300:]}")
    return usage


@contextlib.contextmanager
def beside(command, lead_s):
    """A command runs all the while, and has had so many seconds to get ready; it is ended afterwards."""
    words = [str(word) for word in command]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(lead_s)
        yield child.pid
        if child.poll() is not None:
            raise Failed(f"{' '.join(words)}: ended early, with status {child.returncode}")
    finally:
        child.terminate()
        child.wait()


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def _ptrace(request, pid, data):
    if _libc.ptrace(request, pid, None, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def _watch(pid, deadline):
    """Follows the child to its end; a stop of it wakes us, so that signals reach it at once."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    try:
        _ptrace(_PTRACE_SEIZE, pid, _PTRACE_O_TRACEEXIT)
        return _follow(pid, deadline)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _follow(pid, deadline):
    usage = Usage()
    next_look = 0.0
    while True:
        waited, status, rusage = os.wait4(pid, os.WNOHANG)
        if not waited:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            if time.monotonic() > next_look:
                usage.map_bytes = max(usage.map_bytes, bpf.map_bytes(pid))
                next_look = time.monotonic() + 0.5
            signal.sigtimedwait([signal.SIGCHLD], _POLL_S)
        elif os.WIFSTOPPED(status):
            _resume(pid, status, usage)
        else:
            usage.cpu_s = rusage.ru_utime + rusage.ru_stime
            usage.status = os.waitstatus_to_exitcode(status)
            return usage


def _resume(pid, status, usage):
    event = status >> 16
    if event == _EVENT_EXIT:
        usage.peak_bytes = peak_bytes(pid)
    signal_number = 0 if event in (_EVENT_EXIT, _EVENT_STOP) else os.WSTOPSIG(status)
    _ptrace(_PTRACE_CONT, pid, signal_number)


def cpu_so_far_s(pid):
    """CPU time of the main thread; /proc/PID/stat would tell it in ticks."""
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def peak_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        found = re.search(r"^VmHWM:\s+(\d+) kB$", file.read(), re.M)
    return int(found.group(1)) * 1024 if found else 0
