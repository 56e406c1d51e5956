#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
front_sampler.py FRONT DIRECTORY [CERTIFICATE KEY]: stands in for the sampler of "topstacks serve". Starts the front
end FRONT with a channel, and the sockets DIRECTORY/socket, DIRECTORY/second (a unix socket, too), one of TCP
on loopback and one with TLS; writes DIRECTORY/ready when it can be asked: the ports, and its process id.

Each request that comes is a line of JSON in DIRECTORY/requests. What is answered: the token is "secret-token";
events called no-* are not sampled; a profile of 1000 s and more is answered when DIRECTORY/release is there, other
things at once: the bytes of DIRECTORY/profile, page, metrics. A delta for the client "broken" has no file.
Ends, and the front end with it, upon SIGTERM; DIRECTORY/ended has the front end's exit status then.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import sys

SETUP = struct.Struct("=II8III")
REQUEST = struct.Struct("=IIQIIIIQQq64s64s128s256s64s128s")
ANSWER = struct.Struct("=QII240s")
FIELDS = ("size", "subject", "number", "uid", "pid", "slices", "reserved", "duration_ns", "ago_ns", "at_ns",
          "event", "comm", "container", "cgroup", "client", "token")
SUBJECTS = ("profile", "delta", "page", "metrics")
FORGET, DELIVERED, HELLO = 4, 5, 6
UNIX, PLAIN, TLS = range(3)
NO_UID = 0xffffffff
FROM_NOW = 0xffffffffffffffff
TOKEN = "secret-token"


def listen(path=None):
    if path:
        one = socket.socket(socket.AF_UNIX)
        one.bind(path)
        os.chmod(path, 0o666)
    else:
        one = socket.socket()
        one.bind(("127.0.0.1", 0))
    one.listen(128)
    return one


class Sampler:
    def __init__(self, front, directory, tls):
        self.directory = directory
        self.held = []
        self.log = open(self.path("requests"), "w", encoding="utf-8")
        sockets = [listen(self.path("socket")), listen(self.path("second")), listen()]
        kinds = [UNIX, UNIX, PLAIN]
        if tls:
            sockets.append(listen())
            kinds.append(TLS)
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.keeper, kept = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.set_up(sockets, kinds, tls)
        self.front = self.start(front, theirs, kept)
        theirs.close()
        kept.close()
        self.greet()
        ports = [str(one.getsockname()[1]) for one in sockets[2:]]
        with open(self.path("starting"), "w", encoding="utf-8") as out:
            print(self.front.pid, *ports, file=out)
        os.rename(self.path("starting"), self.path("ready"))

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, front, channel, setup):
        def give_channels():
            copies = [os.dup(os.dup(os.dup(one.fileno()))) for one in (channel, setup)]
            for place, copy in enumerate(copies, 3):
                os.dup2(copy, place)
        return subprocess.Popen([front], preexec_fn=give_channels, pass_fds=(3, 4), stdin=subprocess.DEVNULL)

    def set_up(self, sockets, kinds, tls):
        files = [one.fileno() for one in sockets] + [os.open(name, os.O_RDONLY) for name in tls]
        said = SETUP.pack(SETUP.size, len(kinds), *(kinds + 8 * [0])[:8], bool(tls), 2000)
        socket.send_fds(self.keeper, [said], files)

    def greet(self):
        hello = dict(zip(FIELDS, REQUEST.unpack(self.channel.recv(4096))))
        assert hello["subject"] == HELLO, hello
        self.say({"number": 1}, 404, "an answer to a front end before this one")
        self.say(hello, 200, "")

    def run(self):
        self.channel.settimeout(0.05)
        while True:
            try:
                message = self.channel.recv(4096)
            except socket.timeout:
                message = None
            if message == b"":
                return
            if message:
                self.take(message)
            if self.held and os.path.exists(self.path("release")):
                for request in self.held:
                    self.give(request, "profile")
                self.held = []

    def take(self, message):
        assert len(message) == REQUEST.size, len(message)
        values = [one.split(b"\0")[0].decode() if isinstance(one, bytes) else one for one in REQUEST.unpack(message)]
        request = dict(zip(FIELDS, values))
        assert request["size"] == REQUEST.size
        if request["subject"] in (FORGET, DELIVERED):
            self.held = [one for one in self.held if one["number"] != request["number"]]
            return
        subject = SUBJECTS[request["subject"]]
        print(json.dumps(request | {"subject": subject}), file=self.log, flush=True)
        if request["token"] not in ("", TOKEN) or (not request["token"] and request["uid"] == NO_UID):
            self.say(request, 401, "the token is not that of this sampler")
        elif request["event"].startswith("no-"):
            self.say(request, 404, "off-cpu is not sampled; start serve with --waits")
        elif request["client"] == "broken":
            self.say(request, 200, "")
        elif request["ago_ns"] == FROM_NOW and request["duration_ns"] >= 1000 * 10**9:
            self.held.append(request)
        else:
            self.give(request, "profile" if subject == "delta" else subject)

    def say(self, request, status, text):
        self.channel.send(ANSWER.pack(request["number"], status, 0, text.encode()))

    def give(self, request, name):
        memory = os.memfd_create(name)
        with open(self.path(name), "rb") as source:
            os.write(memory, source.read())
        socket.send_fds(self.channel, [ANSWER.pack(request["number"], 200, 0, b"")], [memory])
        os.close(memory)


def main():
    sampler = Sampler(sys.argv[1], sys.argv[2], sys.argv[3:5])

    def end(*_):
        sampler.channel.close()
        with open(sampler.path("ended"), "w", encoding="utf-8") as out:
            print(sampler.front.wait(timeout=60), file=out)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    sampler.run()
    with open(sampler.path("ended"), "w", encoding="utf-8") as out:
        print(sampler.front.wait(timeout=60), file=out)
    sys.exit("the front end has ended")


main()
