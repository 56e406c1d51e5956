# SPDX-License-Identifier: GPL-2.0-only
"""The twelve short runs whose system calls are refused, each with the program beside it that it samples."""

import dataclasses

DURATION_S = "0.2"
RATE_HZ = "997"


@dataclasses.dataclass(frozen=True)
class Run:
    """
    arguments: of topstacks, where {pid} is the workload's, {dir} the run's own directory and {workloads} where
    workloads are. output: what is judged, "json", "text", "profile" (a file), "spool" (files) or "report" (doctor's).
    """

    name: str
    arguments: tuple
    workload: tuple = ()
    output: str = "json"
    has_command: bool = False
    until_stopped: bool = False
    named: str = ""  # a module of which functions have to be seen by name

    @property
    def execs(self):
        """Other programs are no part of this suite: strace lets go of them, and cannot use seccomp then."""
        return self.has_command or self.until_stopped


COMPUTES = ("shares", "100")
SLEEPS = ("stacks", "2", "100", "2000", "nap")
FORKS = ("short_children", "5", "100")
ALLOCATES = ("{workloads}/allocs", "1", "2000", "0", "alone", "{dir}/truth")


def sampled(name, workload, *arguments, **kind):
    return Run(name, ("--json", "-p", "{pid}", *arguments), workload, named=workload[0], **kind)


def once(*arguments):
    return (*arguments, "-d", DURATION_S, "--once")


RUNS = {
    run.name: run
    for run in (
        sampled("cpu", COMPUTES, *once("-F", RATE_HZ)),
        Run("text", once("-p", "{pid}", "-F", RATE_HZ), COMPUTES, "text", named="shares"),
        Run(
            "record",
            ("record", "-p", "{pid}", "-F", RATE_HZ, "-d", DURATION_S, "-o", "{dir}/run.pb.gz"),
            COMPUTES,
            "profile",
            named="shares",
        ),
        Run("all", once("--json", "-a"), COMPUTES),
        sampled("off-cpu", SLEEPS, *once("-e", "off-cpu")),
        sampled("page-faults", FORKS, *once("-e", "page-faults")),
        sampled("two", FORKS, *once("-e", "cpu,page-faults", "-F", RATE_HZ)),
        Run(
            "alloc",
            ("--json", "--once", "-e", "alloc", "--alloc-every", "4096", "--", *ALLOCATES),
            has_command=True,
            named="allocs",
        ),
        sampled("long", COMPUTES, "-F", RATE_HZ, "-d", "0.5", "-i", "0.1"),
        Run(
            "command",
            ("--json", "-F", RATE_HZ, "--once", "--", "{workloads}/shares", DURATION_S),
            has_command=True,
            named="shares",
        ),
        Run(
            "serve",
            (
                *("serve", "-p", "{pid}", "--listen", "unix:{dir}/socket", "--slice", "1"),
                *("--spool", "{dir}/spool", "--spool-period", "1"),
            ),
            COMPUTES,
            "spool",
            until_stopped=True,
        ),
        Run("doctor", ("doctor",), output="report"),
    )
}
