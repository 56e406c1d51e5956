#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""otlp.py TOPSTACKS FILE: does --format otlp say what --format json does, as OpenTelemetry's protocol wants it?

A decoder of its own, written from the protocol's messages (v1development, 1.10), which takes no field that it
does not know, no wire type but the one that a field has, and no index that is outside of its table.
"""

import collections
import datetime
import json
import re
import struct
import subprocess
import sys

VARINT, I64, LEN = 0, 1, 2

# Field number: name, kind. A kind in brackets is repeated; of numbers that is packed.
MESSAGES = {
    "Request": {1: ("resource_profiles", ["ResourceProfiles"]), 2: ("dictionary", "Dictionary")},
    "Dictionary": {1: ("mapping", ["Mapping"]), 2: ("location", ["Location"]), 3: ("function", ["Function"]),
                   4: ("link", ["Link"]), 5: ("string", ["text"]), 6: ("attribute", ["KeyValueAndUnit"]),
                   7: ("stack", ["Stack"])},
    "ResourceProfiles": {1: ("resource", "Resource"), 2: ("scope_profiles", ["ScopeProfiles"]),
                         3: ("schema_url", "text")},
    "Resource": {1: ("attributes", ["KeyValue"])},
    "KeyValue": {1: ("key", "text"), 2: ("value", "AnyValue")},
    "AnyValue": {1: ("text", "text"), 2: ("flag", "number"), 3: ("number", "number")},
    "ScopeProfiles": {1: ("scope", "Scope"), 2: ("profiles", ["Profile"]), 3: ("schema_url", "text")},
    "Scope": {1: ("name", "text"), 2: ("version", "text")},
    "Profile": {1: ("sample_type", "ValueType"), 2: ("samples", ["Sample"]), 3: ("time", "fixed"),
                4: ("duration", "number"), 5: ("period_type", "ValueType"), 6: ("period", "number"),
                7: ("id", "bytes"), 11: ("attributes", ["number"])},
    "ValueType": {1: ("type", "number"), 2: ("unit", "number")},
    "Sample": {1: ("stack", "number"), 2: ("attributes", ["number"]), 3: ("link", "number"),
               4: ("values", ["number"]), 5: ("times", ["fixed"])},
    "Mapping": {1: ("start", "number"), 2: ("limit", "number"), 3: ("offset", "number"), 4: ("file", "number"),
                5: ("attributes", ["number"])},
    "Location": {1: ("mapping", "number"), 2: ("address", "number"), 3: ("lines", ["Line"]),
                 4: ("attributes", ["number"])},
    "Line": {1: ("function", "number"), 2: ("line", "number"), 3: ("column", "number")},
    "Function": {1: ("name", "number"), 2: ("system_name", "number"), 3: ("file", "number"),
                 4: ("start_line", "number")},
    "Link": {1: ("trace", "bytes"), 2: ("span", "bytes")},
    "Stack": {1: ("locations", ["number"])},
    "KeyValueAndUnit": {1: ("key", "number"), 2: ("value", "AnyValue"), 3: ("unit", "number")},
}
DEFAULTS = {"number": 0, "fixed": 0, "text": "", "bytes": b""}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def decode_one(kind, wire, data, at):
    if kind == "number":
        assert wire == VARINT, (kind, wire)
        return varint(data, at)
    if kind == "fixed":
        assert wire == I64, (kind, wire)
        return struct.unpack_from("<Q", data, at)[0], at + 8
    assert wire == LEN, (kind, wire)
    length, at = varint(data, at)
    part, at = data[at:at + length], at + length
    assert len(part) == length
    if kind == "text":
        return part.decode("utf-8"), at  # strictly
    return (part if kind == "bytes" else decode(kind, part)), at


def decode_packed(data, at):
    length, at = varint(data, at)
    end, values = at + length, []
    while at < end:
        value, at = varint(data, at)
        values.append(value)
    assert at == end
    return values, at


def decode(message, data):
    fields = MESSAGES[message]
    found = {name: [] if isinstance(kind, list) else DEFAULTS.get(kind) for name, kind in fields.values()}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key >> 3 in fields, f"{message} has no field {key >> 3}"
        name, kind = fields[key >> 3]
        if kind == ["number"]:
            assert key & 7 == LEN, f"{message}.{name} is not packed"
            values, at = decode_packed(data, at)
            found[name] += values
        elif isinstance(kind, list):
            value, at = decode_one(kind[0], key & 7, data, at)
            found[name].append(value)
        else:
            found[name], at = decode_one(kind, key & 7, data, at)
    assert at == len(data)
    return found


def check_tables(tables):
    """Element 0 of each is the zero value, nothing is there twice, all indexes are in range."""
    for name, table in tables.items():
        assert table, f"{name}_table has no element 0"
        zero = table[0]
        assert zero == "" or not any(zero.values()), f"{name}_table[0] is {zero}"
        assert len({repr(row) for row in table}) == len(table), f"{name}_table has something twice"
    reach = {name: range(len(table)) for name, table in tables.items()}
    for row in tables["mapping"]:
        assert row["file"] in reach["string"] and all(one in reach["attribute"] for one in row["attributes"])
    for row in tables["location"]:
        assert row["mapping"] in reach["mapping"] and all(one in reach["attribute"] for one in row["attributes"])
        assert all(line["function"] in reach["function"] and line["function"] for line in row["lines"])
    for row in tables["function"]:
        assert all(row[one] in reach["string"] for one in ("name", "system_name", "file"))
    for row in tables["attribute"]:
        assert row["key"] in reach["string"] and row["unit"] in reach["string"]
    for row in tables["stack"]:
        assert all(one in reach["location"] and one for one in row["locations"])


def value_of(value):
    return value["text"] if value["text"] != "" else value["number"]


class Request:
    def __init__(self, data):
        self.message = decode("Request", data)
        self.tables = self.message["dictionary"]
        check_tables(self.tables)
        self.used = {name: set() for name in self.tables}

    def attributes(self, indexes):
        found = {}
        for index in indexes:
            row = self.tables["attribute"][index]
            self.used["attribute"].add(index)
            key = self.tables["string"][row["key"]]
            assert index and key not in found, key
            found[key] = value_of(row["value"])
        return found

    def location(self, index):
        """What it says: kind, file, build ID, address; and lines innermost first: name, file, line, start."""
        row = self.tables["location"][index]
        self.used["location"].add(index)
        mapping = self.tables["mapping"][row["mapping"]]
        self.used["mapping"].add(row["mapping"])
        file = self.tables["string"][mapping["file"]]
        build_id = self.attributes(mapping["attributes"]).get("process.executable.build_id.gnu")
        lines = []
        for line in row["lines"]:
            function = self.tables["function"][line["function"]]
            self.used["function"].add(line["function"])
            lines.append((self.tables["string"][function["name"]], self.tables["string"][function["file"]],
                          line["line"], function["start_line"]))
        kind = self.attributes(row["attributes"]).get("profile.frame.type")
        return kind, file, build_id, row["address"], tuple(lines)

    def samples(self):
        """{(type, unit): {(resource, attributes, locations): value}}, and facts of the profiles."""
        found, ids, facts = collections.defaultdict(dict), [], []
        for owner in self.message["resource_profiles"]:
            resource = {one["key"]: value_of(one["value"]) for one in owner["resource"]["attributes"]}
            assert len(resource) == len(owner["resource"]["attributes"]) and resource["service.name"]
            for scope in owner["scope_profiles"]:
                assert scope["scope"]["name"] == "topstacks" and scope["profiles"]
                for profile in scope["profiles"]:
                    kind = tuple(self.tables["string"][profile["sample_type"][one]] for one in ("type", "unit"))
                    assert len(profile["id"]) == 16 and any(profile["id"]) and profile["samples"]
                    ids.append(profile["id"])
                    facts.append((kind, profile["time"], profile["duration"], profile["period"]))
                    self.take(profile, resource, found[kind])
        assert len(set(ids)) == len(ids), "two profiles have the same id"
        self.check_use()
        return found, facts

    def take(self, profile, resource, into):
        for sample in profile["samples"]:
            assert sample["link"] == 0 and not sample["times"] and len(sample["values"]) == 1
            assert sample["values"][0] > 0 and sample["stack"] in range(len(self.tables["stack"]))
            self.used["stack"].add(sample["stack"])
            stack = tuple(self.location(one) for one in self.tables["stack"][sample["stack"]]["locations"])
            key = (tuple(sorted(resource.items())),
                   tuple(sorted(self.attributes(sample["attributes"]).items())), stack)
            assert key not in into, "a sample is there twice"
            into[key] = sample["values"][0]

    def check_use(self):
        for name, used in self.used.items():
            if name not in ("string", "link"):
                assert used | {0} == set(range(len(self.tables[name]))), f"{name}_table has more than is used"


def valid(text):
    return text if text is None else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


FRAME_TYPES = {"kernel": "kernel", "user": "native"}


def type_of(frame):
    """Of what an interpreter runs its language, as far as the file tells it."""
    if frame["kind"] != "interpreted":
        return FRAME_TYPES.get(frame["kind"])
    names = (frame["module"] or "", frame["file"] or "")
    if any(re.search(r"\.py$|^<|^\[python\]$", name) for name in names):
        return "cpython"
    return "php" if any(re.search(r"\.php$|^\[php\]$", name) for name in names) else None



def name_of(frame):
    if frame["function"] is not None:
        return frame["function"]
    return f"{frame['module']}@0x{frame['start']:x}" if frame["start"] is not None else None


def truth(profile):
    """The same from JSON: {(pid, tid, thread, comm, locations): [count, weight]}, added up."""
    found = collections.defaultdict(lambda: [0, 0])
    for sample in profile["samples"]:
        stack, lines = [], []
        for index in sample["frames"]:
            frame = profile["frames"][index]
            if name_of(frame) is not None:
                lines.append((valid(name_of(frame)), valid(frame["file"] or ""), frame["line"] or 0))
            if frame["inlined"] and index != sample["frames"][-1]:
                continue
            stack.append((type_of(frame), frame["build_id"], frame["address"], tuple(lines)))
            lines = []
        key = (sample["pid"], sample["tid"] or 0, valid(sample["thread"]), valid(sample["comm"]) or None,
               sample.get("state") or None, sample.get("wait") or None, tuple(stack))
        found[key][0] += sample["count"]
        found[key][1] += sample["weight"]
    return found


def compare(found, profile, event):
    want = truth(profile if event is None else {"frames": profile["frames"], "samples": event["samples"]})
    values = (profile if event is None else event)["values"]
    for number, name in enumerate(("count", "weight")):
        kind = values[name] and (values[name]["type"], values[name]["unit"])
        if not kind:
            continue
        got = collections.Counter()
        for (_, attributes, stack), value in found.get(kind, {}).items():
            of = dict(attributes)
            stack = tuple((one[0], one[2], one[3], tuple(line[:3] for line in one[4])) for one in stack)
            got[of.get("process.pid", 0), of.get("thread.id", 0), of.get("thread.name"),
                of.get("process.executable.name"), of.get("topstacks.state"), of.get("topstacks.wait"),
                stack] += value
        expected = {key: both[number] for key, both in want.items() if both[number]}
        assert got == expected, f"{kind}: {len(got)} samples, {len(expected)} expected: " \
            f"{list(set(got.items()) ^ set(expected.items()))[:2]}"
        assert sum(got.values()) == values[name]["total"], (kind, sum(got.values()), values[name]["total"])
        print(f"{kind[0]}/{kind[1]}: {len(got)} samples, {sum(got.values())}")


def main():
    topstacks, file = sys.argv[1:]
    runs = [subprocess.run([topstacks, "report", "--format", "otlp", file], check=True,
                           capture_output=True).stdout for _ in range(2)]
    assert runs[0] == runs[1], "the same file is not written the same"
    profile = json.loads(subprocess.run([topstacks, "report", "--format", "json", file], check=True,
                                        capture_output=True).stdout.decode("utf-8", "surrogateescape"))
    found, facts = Request(runs[0]).samples()
    events = [one for one in profile.get("events", []) if not one["shown"]]
    for event in [None, *events]:
        compare(found, profile, event)
    nr_types = sum(bool((profile if one is None else one)["values"][name])
                   for one in [None, *events] for name in ("count", "weight"))
    assert len(found) <= nr_types
    assert all(abs(duration / 1e9 - profile["provenance"]["duration_s"]) < 1e-3 for _, _, duration, _ in facts)
    if profile["provenance"]["start"]:
        start = datetime.datetime.fromisoformat(profile["provenance"]["start"]).timestamp()
        assert all(abs(time / 1e9 - start) < 0.01 for _, time, _, _ in facts), (start, facts)
    for resource in sorted({resource for samples in found.values() for resource, _, _ in samples}):
        print("resource", *(f"{key}={value}" for key, value in resource))
    types = {location[0] for samples in found.values() for _, _, stack in samples for location in stack}
    print("frame types:", *sorted(filter(None, types)))


main()
