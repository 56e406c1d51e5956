# SPDX-License-Identifier: GPL-2.0-only
"""
blocked.py SECONDS: a thread waits in read() for what never comes, from before it says "ready" on; another one waits likewise
after SIGUSR1. Tells their ids and chains.
"""

import os
import signal
import threading
import time

import truth

end = truth.begin()
reader, writer = os.pipe()
begun = threading.Semaphore(0)


def read_inner(name):
    truth.tell(**{name: {"tid": threading.get_native_id(), "chain": truth.chain()}})
    begun.release()
    os.read(reader, 1)


def read_outer(name):
    read_inner(name)


def start(name):
    threading.Thread(target=read_outer, args=(name,), daemon=True).start()
    begun.acquire()


def main():
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGUSR1,))
    start("before")
    truth.ready()
    signal.sigwait((signal.SIGUSR1,))
    start("after")
    while not truth.past(end):
        time.sleep(0.1)


main()
