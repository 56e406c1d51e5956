#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
front_clients.py DIRECTORY: clients of a front end (front_sampler.py) that are many, slow, gone, or no clients at
all. Whatever they do, others are answered meanwhile. Needs root, to be several users.
"""

import os
import socket
import ssl
import sys
import time

DIRECTORY = sys.argv[1]
PATIENCE_S = 100  # what takes longer hangs
HEAD = b" HTTP/1.1\r\nHost: localhost\r\n"
WAITING = b"GET /debug/pprof/profile?seconds=1500" + HEAD + b"\r\n"  # held back by the sampler
PID, PORT, TLS_PORT = (int(word) for word in open(f"{DIRECTORY}/ready", encoding="utf-8").read().split())
PROFILE = open(f"{DIRECTORY}/profile", "rb").read()


def connect(uid=0):
    """By the unix socket, as that user."""
    os.seteuid(uid)
    try:
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(PATIENCE_S)
        one.connect(f"{DIRECTORY}/socket")
    finally:
        os.seteuid(0)
    return one


def read_all(one):
    """Until the other end closes, or an answer is whole."""
    text = b""
    try:
        while True:
            head, _, body = text.partition(b"\r\n\r\n")
            lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")]
            if body and lengths and len(body) >= int(lengths[0]):
                return text
            some = one.recv(65536)
            if not some:
                return text
            text += some
    except ConnectionError:
        return text


def status_of(text):
    return int(text.split(b" ")[1]) if text.startswith(b"HTTP/1.1 ") else 0


def ask(request, uid=0):
    with connect(uid) as one:
        try:
            one.sendall(request)
        except ConnectionError:
            pass
        return read_all(one)


def expect_answers(what):
    text = ask(b"GET /metrics" + HEAD + b"\r\n", 4999)
    assert status_of(text) == 200 and text.endswith(b"up 1\n"), (what, text[-300:])


def wait_for(what, condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.02)


def nr_asked():
    return open(f"{DIRECTORY}/requests", encoding="utf-8").read().count("\n")


def wait_here(uid, count):
    """So many clients of a user wait for the sampler."""
    before = nr_asked()
    clients = [connect(uid) for _ in range(count)]
    for one in clients:
        one.sendall(WAITING)
    wait_for("requests arrive", lambda: nr_asked() == before + count)
    return clients


def release(clients):
    """The sampler answers all; each gets the whole profile."""
    open(f"{DIRECTORY}/release", "w", encoding="utf-8").close()
    for one in clients:
        text = read_all(one)
        assert status_of(text) == 200 and text.endswith(b"\r\n\r\n" + PROFILE), text[-300:]
        one.close()
    os.unlink(f"{DIRECTORY}/release")


def nr_descriptors():
    return len(os.listdir(f"/proc/{PID}/fd"))


def check_many(idle):
    """60 of four users wait at once, and others are answered."""
    clients = sum((wait_here(uid, 15) for uid in range(4001, 5001, 250)), [])
    expect_answers("60 wait")
    release(clients)
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)


def check_bounds(idle):
    """16 of a user, and no more; and 64 in all."""
    clients = wait_here(4001, 16)
    text = ask(WAITING, 4001)
    assert status_of(text) == 503 and b"\r\nRetry-After: " in text and b"X-Go-Pprof" in text, text
    assert b"\r\nConnection: close" in text or b"\r\nConnection: Close" in text, text
    expect_answers("one user has too many")
    clients += sum((wait_here(uid, 16) for uid in (4002, 4003, 4004)), [])
    assert status_of(ask(WAITING, 4005)) == 503
    release(clients)
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)
    expect_answers("there were too many")


def check_gone(idle):
    """Who has gone frees his place, at the sampler too; a late answer is nobody's."""
    for count in (16, 4):
        for one in wait_here(4001, count):
            one.close()
        wait_for("places are free", lambda: nr_descriptors() <= idle)
    assert status_of(ask(b"GET /" + HEAD + b"\r\n", 4001)) == 200
    expect_answers("one user has come and gone")
    for one in wait_here(4002, 2):
        one.shutdown(socket.SHUT_WR)
        assert read_all(one) == b"", "who hears no more is waited with"
    release([])
    clients = wait_here(4002, 1)
    release(clients)

    def is_forgotten():
        return status_of(ask(b"GET /" + HEAD + b"\r\n", 4001)) == 200
    wait_for("late answers are there", is_forgotten)
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)
    with connect() as one:  # what is there at once is for those, too, who send no more
        one.sendall(b"GET /metrics" + HEAD + b"\r\n")
        one.shutdown(socket.SHUT_WR)
        assert status_of(read_all(one)) == 200


def check_nonsense(_):
    """Whatever is sent is answered with an error, or with nothing; what is right besides is answered."""
    def header(bytes_):
        return b"GET /metrics" + HEAD + bytes_ + b"\r\n\r\n"
    for request, statuses in (
            (b"\r\n" * 4000, (0, 400)),
            (b"GET\r\n\r\n", (0, 400)),
            (b"GET /metrics HTTP/1.1\r\n\r\n", (400,)),
            (b"GET /metrics HTTP/9.9\r\nHost: localhost\r\n\r\n", (0, 400, 505)),
            (bytes(range(256)) * 64 + b"\r\n\r\n", (0, 400, 414, 431)),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600) + b"\r\n\r\n", (0, 400)),
            (header(b"X: " + b"a" * 20000), (0, 413, 431)),
            (b"GET /" + b"a" * 20000 + HEAD + b"\r\n", (0, 414)),
            (b"A" * 20000, (0, 414)),
            (header(b"\r\n".join(b"X: y" for _ in range(3000))), (0, 413, 431)),
            (header(b"Host: other"), (400,)),
            (header(b"Authorization: Bearer a\r\nAuthorization: Bearer b"), (400,)),
            (header(b"Content-Length: 5") + b"hello", (413,)),
            (header(b"Content-Length: 18446744073709551616"), (0, 400, 413)),
            (header(b"Content-Length: -1"), (0, 400, 413)),
            (header(b"Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n\r\n", (413,)),
            (header(b"Expect: 100-continue\r\nContent-Length: 5"), (413,)),
            (b"GET http://evil.example/metrics" + HEAD + b"\r\n", (400, 404)),
            (b"GET /%2e%2e/%2e%2e/etc/passwd" + HEAD + b"\r\n", (404,)),
            (b"GET /debug/pprof/%00" + HEAD + b"\r\n", (400,))):
        with connect() as one:
            try:
                one.sendall(request)
                one.shutdown(socket.SHUT_WR)
            except ConnectionError:
                pass
            text = read_all(one)
        assert status_of(text) in statuses, (request[:60], text[:300])
        assert b"passwd" not in text or status_of(text) == 404
    expect_answers("nonsense")
    with socket.create_connection(("127.0.0.1", TLS_PORT), timeout=PATIENCE_S) as one:
        one.sendall(os.urandom(3000))
        one.shutdown(socket.SHUT_WR)
        read_all(one)
    expect_answers("nonsense by TLS")


def check_gone_tls(idle):
    """The same by TLS, whose connections end in other ways."""
    context = ssl.create_default_context(cafile=f"{DIRECTORY}/../certificate")
    request = WAITING.replace(b"\r\n\r\n", b"\r\nAuthorization: Bearer secret-token\r\n\r\n")

    def connect_tls():
        one = socket.create_connection(("127.0.0.1", TLS_PORT), timeout=PATIENCE_S)
        return context.wrap_socket(one, server_hostname="localhost")
    before = nr_asked()
    clients = [connect_tls() for _ in range(8)]
    for one in clients:
        one.sendall(request)
    wait_for("requests arrive", lambda: nr_asked() == before + 8)
    for one in clients[4:]:
        one.close()
    wait_for("places are free", lambda: nr_descriptors() <= idle + 4)
    release(clients[:4])
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)
    for one in (connect_tls(), connect_tls()):  # one that says nothing, and one that is cut off
        os.close(one.detach())
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)


def check_slow(idle):
    """Who sends nothing, or a byte now and then, or what the library gives up on, is given some seconds."""
    begin = time.monotonic()
    silent, slow, given_up = connect(4001), connect(4002), connect(4003)
    given_up.sendall(b"GET /metrics?" + b"a=b&" * 1500 + HEAD + b"\r\n")
    text = iter(b"GET /metrics" + HEAD + b"X: " + b"a" * 4000)

    def is_over():
        try:
            slow.sendall(bytes([next(text)]))
            return False
        except ConnectionError:
            return True
    while not is_over():
        assert time.monotonic() - begin < PATIENCE_S, "whoever is slow may stay for ever"
        expect_answers("one is slow")
        time.sleep(0.1)
    assert read_all(silent) == b""
    assert status_of(read_all(given_up)) in (0, 413, 414)
    assert time.monotonic() - begin > 5, "nobody may think a while"
    wait_for("descriptors are closed", lambda: nr_descriptors() <= idle)


def main():
    expect_answers("nobody else is here")
    idle = nr_descriptors()  # or one more, where that client's is not closed yet
    for one in (check_many, check_bounds, check_gone, check_gone_tls, check_nonsense, check_slow):
        print(one.__name__, flush=True)
        wait_for("all is quiet", lambda: nr_descriptors() <= idle)
        one(idle)
    expect_answers("all have gone")


main()
