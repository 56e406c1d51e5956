# SPDX-License-Identifier: GPL-2.0-only
"""
gil.py SECONDS: threads in C code without the interpreter's lock, each under a chain of its own: one computes, the others
wait for a lock, for what a pipe has, and for time to pass. Tells, before it says "ready", the chains by thread
id, and at the end how often each of them began.
"""

import hashlib
import os
import threading
import time

import truth

end = truth.begin()
lock = threading.Lock()
reader, writer = os.pipe()
threads = {}
turns = {}


def know(name):
    threads[threading.get_native_id()] = {"name": name, "chain": truth.chain()[1:]}
    turns[name] = 0


def hash_inner():
    know("hash")
    while not truth.past(end):
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 50000)
        turns["hash"] += 1


def lock_inner():
    know("lock")
    while not truth.past(end):
        lock.acquire(timeout=0.02)
        turns["lock"] += 1


def read_inner():
    know("read")
    while not truth.past(end):
        os.read(reader, 1)
        turns["read"] += 1


def sleep_inner():
    know("sleep")
    while not truth.past(end):
        time.sleep(0.02)
        turns["sleep"] += 1


def hash_outer():
    hash_inner()


def lock_outer():
    lock_inner()


def read_outer():
    read_inner()


def sleep_outer():
    sleep_inner()


def hash_main():
    hash_outer()


def lock_main():
    lock_outer()


def read_main():
    read_outer()


def sleep_main():
    sleep_outer()


def feed():
    while not truth.past(end):
        time.sleep(0.02)
        os.write(writer, b"x")
    os.write(writer, b"x")


def main():
    lock.acquire()
    targets = (hash_main, lock_main, read_main, sleep_main)
    started = [threading.Thread(target=target) for target in targets]
    for one in started:
        one.start()
    while len(threads) < len(targets):
        time.sleep(0.01)
    truth.tell(threads=threads)
    truth.ready()
    feed()
    for one in started:
        one.join()
    truth.tell(turns=turns)


main()
