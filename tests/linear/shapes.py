# SPDX-License-Identifier: GPL-2.0-only
"""Profiles of any size, each shape made to cost much: {name: function of n that returns bytes}.

They are built so that twice the n is twice the file. What is long, such as a name that everything
shares, grows with n as well: a program that looks at all of it for each of n things is quadratic.
"""

import functools
import gzip

DEEPEST = 4096


# ---- protobuf ----


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


class Profile:
    """One pprof profile under construction."""

    def __init__(self):
        self.strings = {}
        self.parts = [part(1, number(1, self.string("samples")) + number(2, self.string("count")))]

    def string(self, text):
        if not self.strings:
            self.strings[""] = 0
        return self.strings.setdefault(text, len(self.strings))

    def mapping(self, ident, name, start=0, limit=1 << 40):
        self.parts.append(part(3, number(1, ident) + number(2, start) + number(3, limit) + number(5, self.string(name))))

    def function(self, ident, name, file=""):
        self.parts.append(part(5, number(1, ident) + number(2, self.string(name)) + number(4, self.string(file))))

    def location(self, ident, functions=(), mapping=0, address=0):
        lines = b"".join(part(4, number(1, function) + number(2, line)) for line, function in enumerate(functions, 1))
        self.parts.append(part(4, number(1, ident) + number(2, mapping) + number(3, address) + lines))

    def sample(self, locations, labels=b""):
        self.parts.append(part(2, part(1, b"".join(map(varint, locations))) + part(2, varint(1)) + labels))

    def text_label(self, key, text):
        return part(3, number(1, self.string(key)) + number(2, self.string(text)))

    def number_label(self, key, value):
        return part(3, number(1, self.string(key)) + number(3, value))

    def comment(self, text):
        self.parts.append(number(13, self.string(text)))

    def bytes(self):
        table = b"".join(part(6, text.encode()) for text in self.strings)
        return b"".join(self.parts) + table


def pprof(build):
    """A shape from a function that fills a profile."""

    @functools.wraps(build)
    def shape(n):
        profile = Profile()
        build(profile, n)
        return profile.bytes()

    return shape


def one_place(profile, depth=1):
    for i in range(1, depth + 1):
        profile.function(i, f"f{i}")
        profile.location(i, [i])
    return list(range(1, depth + 1))


@pprof
def comms(profile, n):
    place = one_place(profile)
    for i in range(n):
        profile.sample(place, profile.text_label("comm", f"c{i}"))


@pprof
def threads_of_a_deep_stack(profile, n):
    place = one_place(profile, 256)
    for i in range(n // 16):
        profile.sample(place, profile.number_label("pid", 1 + i % 7) + profile.number_label("thread", 1 + i))


@pprof
def long_cgroup(profile, n):
    place = one_place(profile)
    path = "/" + "g" * (32 * n)
    for i in range(n):
        profile.sample(place, profile.text_label("cgroup_path", path) + profile.number_label("pid", i + 1))


@pprof
def labels(profile, n):
    place = one_place(profile)
    profile.sample(place, b"".join(profile.text_label(f"k{i}", f"v{i}") for i in range(n)))


@pprof
def mappings_of_a_long_name(profile, n):
    name = "/" + "m" * (32 * n)
    for i in range(1, n // 2 + 1):
        profile.mapping(i, name, i << 33, (i << 33) + 4096)
        profile.location(i, (), i, (i << 33) + 7)
        profile.sample([i])


@pprof
def mappings_without_end(profile, n):
    for i in range(1, n + 1):
        profile.mapping(i, f"/m{i}", i << 12, (1 << 64) - 1)
        profile.location(i, (), 0, (i << 12) + 7)
        profile.sample([i])


@pprof
def locations_of_long_numbers(profile, n):
    one_place(profile)
    one = b"\x81" + b"\x80" * 8 + b"\0"  # in ten bytes
    for _ in range(n // 100):  # a stack has 4,096 frames at most
        profile.parts.append(part(2, part(1, one * 800) + part(2, varint(1))))


@pprof
def locations_of_a_long_function(profile, n):
    profile.function(1, "f." + "x" * (32 * n), "/" + "s" * (32 * n))
    for i in range(1, n + 1):
        profile.location(i, [1], 0, i)
        profile.sample([i])


@pprof
def functions_of_one_address(profile, n):
    for i in range(1, n + 1):
        profile.function(i, f"function{i}")
        profile.location(i, [i], 0, i)
        profile.sample([i])


@pprof
def frames_to_drop(profile, n):
    """All alternatives stay alive to the end of each name."""
    profile.parts.append(number(7, profile.string("|".join(f"(.*a)*.*b{i}" for i in range(9)))))
    profile.parts.append(number(8, profile.string("(a|aa)+b7")))
    for i in range(1, n + 1):
        profile.function(i, "a" * 20 + f"b{i % 10}")
        profile.location(i, [i])
        profile.sample([i, 1 + i // 2, 9])


@pprof
def ids_far_apart(profile, n):
    for i in range(1, n + 1):
        profile.function(i << 32, f"f{i}")
        profile.location(i << 40, [i << 32])
        profile.sample([i << 40])


@pprof
def inlined(profile, n):
    for i in range(1, n // 2048 + 2):
        profile.function(i, f"f{i}")
        profile.location(i, [i] * 2048)
        profile.sample([i])


@pprof
def many_lines_each(profile, n):
    for i in range(1, 65):
        profile.function(i, f"f{i}", "a.c")
    for i in range(1, n // 16 + 1):
        profile.location(i, [1 + (i + k) % 64 for k in range(16)], 0, i)
        profile.sample([i])


@pprof
def empty_strings(profile, n):
    one_place(profile)
    profile.sample([1])
    profile.parts.append(b"\x32\x00" * (20 * n))


@pprof
def comments(profile, n):
    one_place(profile)
    profile.sample([1])
    text = "topstacks.host=" + "h" * (32 * n)
    for _ in range(n):
        profile.comment(text)


@pprof
def slices(profile, n):
    place = one_place(profile)
    profile.comment("topstacks.slice_ns=1000000000")
    for i in range(n):
        profile.sample(place, profile.number_label("slice", i * 7 % 997))


# ---- folded ----


def folded(build):
    @functools.wraps(build)
    def shape(n):
        return "".join(f"{stack} 1\n" for stack in build(n)).encode()

    return shape


@folded
def different_stacks(n):
    for i in range(n):
        yield ";".join(f"f{(i * 2654435761 >> k) % 4001}" for k in range(0, 24, 3))


@folded
def deep_stacks(n):
    for i in range(n // 512 + 1):
        yield ";".join(f"f{k % 97}" for k in range(DEEPEST - 1)) + f";leaf{i}"


@folded
def one_line(n):
    yield ";".join(f"f{i}" * (n // 25) for i in range(200))  # a stack has 4,096 frames at most


@folded
def templates_within_each_other(n):
    yield "main;" + "a<" * (16 * n) + ">" * (16 * n)
    yield "main;" + "<([{" * (16 * n)


@folded
def recursion(n):
    for i in range(n // 64 + 1):
        yield ";".join(["r"] * (1 + i % 256) + [f"l{i}"])


@folded
def names_that_differ_late(n):
    prefix = "p" * 500
    for i in range(n // 16 + 1):
        yield f"{prefix}{i};{prefix}{i + 1}"


@folded
def one_long_name(n):
    yield "x" * (50 * n)


@folded
def suffixes(n):
    yield "f" + ".isra.0.cold" * (3 * n)
    yield "g" + "{lambda#1}" * (3 * n)


@folded
def a_chain_of_trees(n):
    for i in range(n // 2):
        yield f"a;b{i % 2};c{i % 4};d{i % 8};e{i // 2};f{i}"


def numbers(n):
    return b"".join(b"f;g%d %d.%se0\n" % (i % 7, i, b"0" * (i % 97)) for i in range(n))


def members_of_gzip(n):
    return gzip.compress(b"main;f 1\n") * n + gzip.compress(b"") * n


SHAPES = {shape.__name__: shape for shape in (
    comms, threads_of_a_deep_stack, long_cgroup, labels, mappings_of_a_long_name, mappings_without_end,
    locations_of_long_numbers, locations_of_a_long_function,
    functions_of_one_address, frames_to_drop, ids_far_apart, inlined, many_lines_each, empty_strings, comments, slices,
    different_stacks, deep_stacks, one_line, templates_within_each_other, recursion, names_that_differ_late,
    one_long_name, suffixes, a_chain_of_trees, numbers, members_of_gzip)}
