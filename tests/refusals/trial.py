# SPDX-License-Identifier: GPL-2.0-only
"""One run below strace, with a call refused or none, and what came of it."""

import contextlib
import dataclasses
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

from traces import Trace

MARK = "TOPSTACKS_REFUSALS"  # in the environment of all that a run starts
MACHINE_LOCK = "/sys/kernel/btf/vmlinux"  # tests that are alone on the machine hold it: tests/runner.sh
HANGS_S = 30
POLL_S = 0.05
SAMPLES_S = 5  # from the start, or it is not going to
PROFILE = ".pb.gz"


@dataclasses.dataclass
class Place:
    program: str
    build: str
    directory: str  # where directories of runs are made
    hangs_s: float = HANGS_S

    @property
    def workloads(self):
        return os.path.join(self.build, "workloads")


@dataclasses.dataclass
class Outcome:
    status: object = None  # exit status, or the name of the signal
    out: str = ""
    err: str = ""
    trace: Trace = None
    hung: bool = False
    files: tuple = ()  # that are left, relative to the run's directory
    processes: tuple = ()  # that are left, by name
    profiles: tuple = ()  # what reading the files that were written says: (exit status, JSON, error)
    seconds: float = 0
    directory: str = ""


def marked(mark):
    """Processes that were started by a run, and are no zombies: {pid: name}."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{entry}/environ", "rb") as environment:
                if wanted not in environment.read().split(b"\0"):
                    continue
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                name, rest = stat.read().split("(", 1)[1].rsplit(")", 1)
            if rest.split()[0] not in "ZX":
                found[int(entry)] = name
    return found


def settled(mark, process):
    """What is still there after a moment: who ends with its parent does so then."""
    for _ in range(20):
        left = marked(mark)
        left.pop(process.pid, None)
        if not left or process.poll() is None:
            break
        time.sleep(POLL_S)
    return left


def kill_all(mark):
    for pid in marked(mark):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def children(pid):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as listed:
            return [int(each) for each in listed.read().split()]
    return []


def files_below(directory):
    return {
        os.path.relpath(os.path.join(base, name), directory)
        for base, _, names in os.walk(directory)
        for name in names
    }


def shared_memory():
    with contextlib.suppress(OSError):
        return {f"/dev/shm/{name}" for name in os.listdir("/dev/shm") if "topstacks" in name}
    return set()


@contextlib.contextmanager
def workload(place, run):
    """
    Its process id, once it says that it is ready. A run starts its own, so that none outlives its time; it leaves the CPUs to
    what is judged.
    """
    if not run.workload:
        yield None
        return
    command = ["nice", "-n", "19", os.path.join(place.workloads, run.workload[0]), *run.workload[1:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        try:
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def strace(run, log, refusal, names):
    """
    -y: descriptors with what they are of. execve is in every log, so that the first line is the main process's. Where other
    programs are let go of, seccomp would refuse them everything.
    """
    command = ["strace", "-f", "-q", "-y", "-o", log, *(["-b", "execve"] if run.execs else [])]
    if refusal:
        command += ["-e", f"trace=execve,{names}", "-e", f"inject={names}:error={refusal.error}:when={refusal.when}"]
        if not run.execs:
            command.append("--seccomp-bpf")
    return command


def stop(process, directory):
    """SIGTERM, once there is a file of what was sampled."""
    deadline = time.monotonic() + SAMPLES_S
    while process.poll() is None and time.monotonic() < deadline:
        if any(name.endswith(PROFILE) for name in files_below(directory)):
            break
        time.sleep(POLL_S)
    for pid in children(process.pid):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)


def read_profiles(place, run, directory, files):
    """What topstacks itself reads in what was written, without strace."""
    found = []
    for name in sorted(files):
        if run.output in ("profile", "spool") and name.endswith(PROFILE):
            command = [place.program, "report", "--format", "json", os.path.join(directory, name)]
            read = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
            found.append((read.returncode, read.stdout, read.stderr))
    return tuple(found)


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def perform(place, run, refusal=None):
    """Runs it, and removes all that it leaves."""
    outer = tempfile.mkdtemp(dir=place.directory)
    own = os.path.join(outer, "run")
    for name in ("tmp", "runtime"):
        os.makedirs(os.path.join(own, name), mode=0o700)
    out, err, log = (os.path.join(outer, name) for name in ("out", "err", "log"))
    mark = uuid.uuid4().hex
    environment = dict(
        os.environ,
        HOME=own,
        TMPDIR=os.path.join(own, "tmp"),
        XDG_CACHE_HOME="/proc/none",  # no cache of kernel types: its file would be the first that a run writes
        XDG_STATE_HOME=os.path.join(own, "state"),
        XDG_CONFIG_HOME=os.path.join(own, "config"),
        XDG_DATA_HOME=os.path.join(own, "data"),
        XDG_RUNTIME_DIR=os.path.join(own, "runtime"),
        LC_ALL="C.UTF-8",
        **{MARK: mark},
    )
    shared = shared_memory()
    result = Outcome(directory=own)
    try:
        with open(MACHINE_LOCK, "rb") as lock, workload(place, run) as pid, open(out, "wb") as to_out, open(
            err, "wb"
        ) as to_err:
            fcntl.flock(lock, fcntl.LOCK_SH)
            arguments = [each.format(pid=pid, dir=own, workloads=place.workloads) for each in run.arguments]
            command = strace(run, log, refusal, refusal and refusal.call) + [place.program, *arguments]
            begin = time.monotonic()
            with subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=to_out,
                stderr=to_err,
                env=environment,
                cwd=own,
                start_new_session=True,
            ) as process:
                if run.until_stopped:
                    stop(process, own)
                try:
                    process.wait(place.hangs_s)
                except subprocess.TimeoutExpired:
                    result.hung = True
                result.seconds = time.monotonic() - begin
                left = settled(mark, process)
                result.processes = tuple(sorted(left.values()))
                process.kill()
                kill_all(mark)
        result.trace = Trace(text_of(log))
        main = result.trace.calls[0].pid if result.trace.calls else None
        result.status = result.trace.exits.get(main, process.returncode)
        # strace stays as long as any process does: where the first has ended, the others were left behind.
        if main in result.trace.exits:
            result.hung = False
        result.out, result.err = text_of(out), text_of(err)
        result.files = tuple(sorted(files_below(own) | (shared_memory() - shared)))
        result.profiles = read_profiles(place, run, own, result.files)
        return result
    finally:
        kill_all(mark)
        shutil.rmtree(outer, ignore_errors=True)
