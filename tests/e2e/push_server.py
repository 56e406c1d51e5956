#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# What topstacks-push sends to, and what it sends: a server that counts by itself, from the specifications of
# pprof, Connect and OTLP, and fails as it is told; and files of samples.
#
#	push_server.py serve DIR [CERTIFICATE]
#		takes requests until it is killed. DIR/port says where, DIR/log has a JSON object for each request.
#		DIR/modes says what happens to the next ones, a line each, the last one for all that follow.
#	push_server.py make SPOOL FIRST COUNT [SEED] [AGE_S...]
#		writes files numbered from FIRST on; prints how many samples are in them. They are as old as said, in turn.
#	push_server.py balance LEDGER DIR [RECORDED]
#		the ledger adds up, and agrees with what the server has counted (and with what was recorded).
#	push_server.py sum DIR: samples that the server has stored

import email.utils
import gzip
import http.server
import json
import os
import random
import re
import socket
import ssl
import struct
import sys
import threading
import time

MAX_SAMPLES, MAX_INFLATED = 16000, 2 << 20  # Pyroscope's limits
SECRET = "SECRET"


# ---- protobuf ----

def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def fields(data):
    """Pairs of a field's number and its number or bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = read_varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif kind == 2:
            length, at = read_varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "a field that is cut off"
        else:
            raise ValueError(f"wire type {kind}")
        yield key >> 3, value


def numbers(values):
    """Repeated numbers, packed or not."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            one, at = read_varint(value, at)
            found.append(one)
    return found


def group(data):
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def varint(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


# ---- what is in a request ----

class Broken(Exception):
    """A rule of the servers that does not hold."""


def rule(holds, text):
    if not holds:
        raise Broken(text)


def check_ids(messages, what):
    ids = [numbers(group(message).get(1, [0]))[0] for message in messages]
    rule(ids == list(range(1, len(ids) + 1)), f"ids of {what} are not 1, 2, 3: {ids[:5]}")
    return ids


def read_pprof(data, found):
    """Samples of a profile, by its first type that is a count."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    rule(len(data) <= MAX_INFLATED, f"{len(data)} bytes inflated")
    rule(SECRET.encode() not in data, "what was not to leave has left")
    profile = group(data)
    strings = [text.decode() for text in profile[6]]  # raises if it is no UTF-8
    rule(strings[0] == "", "the first string is not empty")
    types = [strings[numbers(group(one)[1])[0]] for one in profile[1]]
    counted = [strings[numbers(group(one)[2])[0]] for one in profile[1]].index("count")
    found["types"] = types
    for what, number in ("mappings", 3), ("functions", 5):
        check_ids(profile.get(number, []), what)
    nr_locations = len(check_ids(profile.get(4, []), "locations"))
    samples = profile.get(2, [])
    rule(len(samples) <= MAX_SAMPLES, f"{len(samples)} samples")
    total = 0
    for sample in samples:
        sample = group(sample)
        values = numbers(sample.get(2, []))
        rule(len(values) == len(types), "not as many values as types")
        rule(all(1 <= one <= nr_locations for one in numbers(sample.get(1, []))), "no such location")
        total += values[counted]
        for label in sample.get(3, []):
            label = group(label)
            found["keys"].add(strings[numbers(label[1])[0]])
    found["times"].append(numbers(profile.get(9, [0]))[0] / 1e9)
    found["inflated"] = max(found["inflated"], len(data))
    return total


def read_push(body, found):
    total = 0
    for number, series in fields(body):
        rule(number == 1, "no series")
        series = group(series)
        labels = {}
        for label in series[1]:
            label = group(label)
            name, value = label[1][0].decode(), label[2][0].decode()
            rule(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]*", name) and name not in labels, f"label {name}")
            labels[name] = value
        rule(labels.get("__name__") and labels.get("service_name"), f"labels {labels}")
        found["series"].append(labels)
        for sample in series[2]:
            sample = group(sample)
            identity = sample[2][0].decode()
            rule(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity), f"no UUID: {identity}")
            count = read_pprof(sample[1][0], found)
            rule(not any("-" in name for name in found["types"]), f"types {found['types']}")
            found["parts"].append([identity, count])
            total += count
    return total


def read_otlp(body, found):
    data = gzip.decompress(body)
    rule(SECRET.encode() not in data, "what was not to leave has left")
    request = group(data)
    dictionary = group(request[2][0])
    strings = [text.decode() for text in dictionary[5]]
    nr_stacks = len(dictionary.get(7, []))
    total = 0
    for resource in request.get(1, []):
        resource = group(resource)
        labels = {}
        for attribute in group(resource[1][0]).get(1, []):
            attribute = group(attribute)
            labels[attribute[1][0].decode()] = group(attribute[2][0]).get(1, [b""])[0].decode()
        found["series"].append(labels)
        for scope in resource.get(2, []):
            for profile in group(scope).get(2, []):
                profile = group(profile)
                unit = strings[numbers(group(profile[1][0])[2])[0]]
                found["times"].append(profile[3][0] / 1e9)
                for sample in profile.get(2, []):
                    sample = group(sample)
                    rule(numbers(sample.get(1, [0]))[0] < nr_stacks, "no such stack")
                    if unit == "count":
                        total += sum(numbers(sample.get(4, [])))
    for attribute in dictionary.get(6, []):
        found["keys"].add(strings[numbers(group(attribute).get(1, [0]))[0]])
    found["inflated"] = len(data)
    return total


READERS = {
    "/push.v1.PusherService/Push": ("application/proto", read_push),
    "/v1development/profiles": ("application/x-protobuf", read_otlp),
    "/pprof": ("application/octet-stream", read_pprof),
}


# ---- the server ----

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, **facts):
        with self.server.lock:
            facts["time"] = time.time()
            with open(self.server.directory + "/log", "a", encoding="utf-8") as log:
                log.write(json.dumps(facts) + "\n")

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def cut(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        mode = self.server.next_mode()
        if mode == "cut":  # in the middle of the request
            self.rfile.read(min(length // 2, 100))
            self.note(mode=mode, stored=0)
            self.cut()
            return
        body = self.rfile.read(length)
        found = {"series": [], "parts": [], "keys": set(), "times": [], "inflated": 0, "types": []}
        problem = None
        samples = 0
        try:
            rule(self.path in READERS, f"no such path: {self.path}")
            rule(time.monotonic() >= self.server.not_before, "it came earlier than Retry-After said")
            kind, reader = READERS[self.path]
            rule(self.headers["Content-Type"] == kind, "content type")
            samples = reader(body, found)
        except (Broken, KeyError, IndexError, ValueError, AssertionError, OSError, EOFError) as error:
            problem = repr(error)
        found["keys"] = sorted(found["keys"])
        self.take(mode, found, samples, problem)

    def take(self, mode, found, samples, problem):
        word, _, value = mode.partition("=")
        status = {"ok": 200, "slow": 200, "cut-answer": 200, "huge": 200, "hold": 200, "partial": 200}.get(word)
        if status is None:
            status = int(word) if word.isdigit() else 200
        if word == "max" and found["inflated"] > int(value):
            status = 413
        if word == "burst" and found["inflated"] > int(value):
            status = 429
        self.note(mode=mode, status=status, path=self.path, samples=samples, problem=problem,
                  stored=samples if status == 200 and not problem and word != "partial" else 0,
                  authorization=self.headers["Authorization"], tenant=self.headers["X-Scope-OrgID"], **found)
        if problem:
            self.answer(400, json.dumps({"code": "invalid_argument", "message": problem}).encode())
        else:
            self.speak(word, value, status)

    def speak(self, word, value, status):
        if word in ("slow", "hold"):
            time.sleep(float(value or 1000))
        if word == "cut-answer":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"0123456789")
            self.wfile.flush()
            self.cut()
        elif word == "huge":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 30))
            self.end_headers()
            try:
                for _ in range(1 << 10):
                    self.wfile.write(b"\x1b[31mhostile" + b"x" * ((1 << 20) - 12))
            except OSError:
                self.close_connection = True
        elif word == "partial":
            self.answer(200, field(1, field(1, 1) + field(2, "no room")))
        elif status == 429 and value.startswith("date"):
            self.server.not_before = time.monotonic() + 0.9
            self.answer(429, Retry_After=email.utils.formatdate(int(time.time()) + 2, usegmt=True))
        elif status == 429 and word == "429" and value:
            self.server.not_before = time.monotonic() + float(value)
            self.answer(429, b"too much", Retry_After=value)
        elif 300 <= status < 400:
            self.answer(status, Location=f"http://127.0.0.1:{self.server.server_port}/elsewhere")
        else:
            self.answer(status, b"" if status == 200 else b"as told \x1b[31m")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    not_before = 0

    def next_mode(self):
        with self.lock:
            try:
                with open(self.directory + "/modes", encoding="utf-8") as file:
                    self.modes = self.modes or file.read().split()
            except FileNotFoundError:
                return "ok"
            if not self.modes:
                return "ok"
            return self.modes.pop(0) if len(self.modes) > 1 else self.modes[0]


def serve(directory, certificate=None):
    port = 0
    if os.path.exists(directory + "/port"):  # again, where it was
        port = int(open(directory + "/port", encoding="utf-8").read())
    server = Server(("127.0.0.1", port), Handler)
    server.lock, server.directory, server.modes = threading.Lock(), directory, []
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(directory + "/port.new", "w", encoding="utf-8") as file:
        file.write(str(server.server_port))
    os.rename(directory + "/port.new", directory + "/port")
    print("ready", flush=True)
    server.serve_forever()


# ---- files of samples ----

def make_profile(dice, start_s, nr_stacks, comms):
    """A recording as topstacks writes it, with what must not leave in labels and comments."""
    strings = ["", "samples", "count", "cpu", "nanoseconds", "comm", "pid", "command_line", "cgroup_path",
               f"--password={SECRET}", f"/user.slice/{SECRET}.slice", f"topstacks.run=event=cpu-clock\ttarget={SECRET}",
               "thread_name", f"{SECRET} thread"]

    def text(string):
        if string not in strings:
            strings.append(string)
        return strings.index(string)

    def label(key, value, number=False):
        return field(3, field(1, text(key)) + (field(3, value) if number else field(2, text(value))))

    out = field(1, field(1, 1) + field(2, 2)) + field(1, field(1, 3) + field(2, 4))
    names = [f"function_{i}" for i in range(50)]
    for i, name in enumerate(names, 1):
        out += field(5, field(1, i) + field(2, text(name)))
        out += field(4, field(1, i) + field(3, 4096 + i) + field(4, field(1, i)))
    total = 0
    for _ in range(nr_stacks):
        count = dice.randrange(1, 9)
        total += count
        stack = b"".join(field(1, dice.randrange(1, 51)) for _ in range(dice.randrange(1, 20)))
        out += field(2, stack + field(2, count) + field(2, count * 10000000) + label("comm", dice.choice(comms)) +
                     label("pid", dice.randrange(1, 4000), True) + label("command_line", strings[9]) +
                     label("cgroup_path", strings[10]) + label("thread_name", strings[13]))
    out += field(9, int(start_s * 1e9)) + field(10, 10**9) + field(11, field(1, 3) + field(2, 4))
    out += field(12, 10000000) + field(13, 11)
    return b"".join(field(6, one) for one in strings) + out, total


def write_file(spool, number, start_s, data):
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(start_s)) + f".{int(start_s * 1000) % 1000:03}Z"
    path = f"{spool}/topstacks-{stamp}-{number:08}.pb.gz"
    with open(path + ".part", "wb") as file:
        file.write(gzip.compress(data, 1))
    os.rename(path + ".part", path)
    return path


def make(spool, first, count, seed=1, *ages_s):
    dice = random.Random(int(seed))
    comms = [f"comm{i}" for i in range(int(os.environ.get("COMMS", "8")))]
    nr_stacks = int(os.environ.get("STACKS", "200"))
    ages = [float(age) for age in ages_s] or [60.0]
    total = 0
    for i in range(int(count)):
        start_s = time.time() - ages[i % len(ages)]
        data, samples = make_profile(dice, start_s, nr_stacks, comms)
        write_file(spool, int(first) + i, start_s, data)
        total += samples
    print(total)


# ---- the account ----

def read_log(directory):
    try:
        with open(directory + "/log", encoding="utf-8") as log:
            return [json.loads(line) for line in log]
    except FileNotFoundError:
        return []


def read_ledger(path):
    """The last one that was printed there."""
    text = open(path, encoding="utf-8").read()
    rows = {}
    for line in text[text.rindex("recorded, samples"):].split("\n"):
        match = re.fullmatch(r" *(.*?) +([0-9,]+)", line)
        if match:
            rows[match[1]] = int(match[2].replace(",", ""))
    return rows


def balance(ledger, directory, recorded=None):
    rows, log = read_ledger(ledger), read_log(directory)
    parts = [rows[name] for name in ("sent", "rejected", "expired", "deleted unsent", "waiting")]
    assert rows["recorded, samples"] == sum(parts), rows
    assert recorded is None or rows["recorded, samples"] == int(recorded), (recorded, rows)
    problems = [entry["problem"] for entry in log if entry.get("problem")]
    assert not problems, problems[:5]
    stored = sum(entry["stored"] for entry in log)
    assert rows["sent"] <= stored <= rows["sent"] + rows["resent, unconfirmed"], (stored, rows)
    once = {}
    for entry in log:
        if entry["stored"]:
            for identity, samples in entry["parts"]:
                assert once.setdefault(identity, samples) == samples, f"{identity} is of two parts"


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "sum":
        print(sum(entry["stored"] for entry in read_log(arguments[0])))
    else:
        {"serve": serve, "make": make, "balance": balance}[command](*arguments)
