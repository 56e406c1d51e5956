# SPDX-License-Identifier: GPL-2.0-only
"""Programs to be sampled. Each says "ready", runs for a bounded time, and prints its truth as JSON
at the end."""

import json
import os
import signal
import subprocess

BUILD = os.environ.get("BUILD", "build/release")


class Target:
    """A running workload: `with Target("stacks", 10) as target: target.pid`."""

    def __init__(self, name, *arguments, cpu=None, directory="workloads"):
        self._command = [f"{BUILD}/{directory}/{name}", *map(str, arguments)]
        if cpu is not None:
            self._command = ["taskset", "-c", str(cpu), *self._command]
        self._process = None
        self._output = None
        self.pid = 0

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid
        ready = self._process.stdout.readline().strip()
        if ready != "ready":
            raise RuntimeError(f"{self._command[0]} said {ready!r}")
        return self

    def __exit__(self, *_):
        if self._output is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.communicate()

    def snapshot(self):
        """What a workload that heeds SIGUSR1 says of itself up to now."""
        self._process.send_signal(signal.SIGUSR1)
        return json.loads(self._process.stdout.readline())

    def truth(self, stop=True):
        """Ends the workload (or waits for its end) and returns what it printed last."""
        if stop:
            self._process.send_signal(signal.SIGTERM)
        self._output, _ = self._process.communicate()
        return json.loads(self._output.strip().splitlines()[-1])
