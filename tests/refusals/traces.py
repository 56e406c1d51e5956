# SPDX-License-Identifier: GPL-2.0-only
"""What strace wrote: calls of each thread, in order, those that were refused, and how processes ended."""

import dataclasses
import re

LINE = re.compile(r"(\d+) +(.*)")
CALL = re.compile(r"(\w+)\((.*)")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
UNFINISHED = " <unfinished ...>"
PATH = re.compile(r'(?:^|[ ,(])"([^"]+)"|<(/[^<>]*)>')
# Where the first argument says what is asked for, or the second does.
KINDS = {"bpf": 0, "prctl": 0, "ioctl": 1, "fcntl": 1, "prlimit64": 1, "seccomp": 0, "futex": 1}
CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGSYS", "SIGTRAP")


@dataclasses.dataclass(frozen=True)
class Call:
    pid: int
    name: str
    text: str  # arguments and result

    @property
    def kind(self):
        """BPF_MAP_CREATE, PERF_EVENT_IOC_ENABLE...; "" where the call is of one kind."""
        if self.name not in KINDS:
            return ""
        arguments = self.text.split(", ")
        return re.sub(r"\W.*", "", arguments[min(KINDS[self.name], len(arguments) - 1)])

    @property
    def path(self):
        found = PATH.search(self.text)
        return found and (found[1] or found[2])

    @property
    def given_name(self):
        """Of a map or a program of BPF."""
        found = re.search(r'(?:map|prog)_name="([^"]+)"', self.text)
        return found and found[1]


class Trace:
    def __init__(self, text):
        self.calls = []
        self.exits = {}  # process: its exit status, or the name of the signal
        self.crashes = []
        begun = {}
        for line in text.splitlines():
            found = LINE.match(line)
            if not found:
                continue
            pid, rest = int(found[1]), found[2]
            self._note_end(pid, rest)
            if resumed := RESUMED.match(rest):
                name, before = begun.pop(pid, (resumed[1], ""))
                self.calls.append(Call(pid, name, before + resumed[2]))
            elif called := CALL.match(rest):
                if rest.endswith(UNFINISHED):
                    begun[pid] = called[1], called[2][: -len(UNFINISHED)]
                else:
                    self.calls.append(Call(pid, called[1], called[2]))

    def _note_end(self, pid, rest):
        if found := re.match(r"\+\+\+ exited with (\d+)", rest):
            self.exits[pid] = int(found[1])
        elif found := re.match(r"\+\+\+ killed by (SIG\w+)", rest):
            self.exits[pid] = found[1]
            if found[1] in CRASHES:
                self.crashes.append(f"{found[1]} in process {pid}")
        elif re.match(r"--- (%s) \{" % "|".join(CRASHES), rest):
            self.crashes.append(rest[:60])

    @property
    def refused(self):
        return [call for call in self.calls if call.text.endswith("(INJECTED)")]
