#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""hammer.py SECONDS: reads a nearly empty BPF hash map by batch calls, one after the other.

While such a call walks the buckets, no perf event's program runs on that CPU. Prints "ready", and
at the end the CPU time it used: {"hammer_s": 1.234}
"""

import ctypes
import json
import struct
import sys
import time

SYS_BPF = {"x86_64": 321, "aarch64": 280}
MAP_CREATE, MAP_LOOKUP_BATCH, MAP_TYPE_HASH = 0, 24, 1
BUCKETS, ROOM = 65536, 64

libc = ctypes.CDLL(None, use_errno=True)


def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    number = SYS_BPF[__import__("os").uname().machine]
    return libc.syscall(number, command, buffer, len(attributes))


def main():
    end = time.monotonic() + float(sys.argv[1])
    fd = bpf(MAP_CREATE, struct.pack("IIII", MAP_TYPE_HASH, 8, 8, BUCKETS))
    if fd < 0:
        sys.exit("cannot create a map")
    cursor, keys, values = (ctypes.create_string_buffer(8 * ROOM) for _ in range(3))
    # union bpf_attr: in_batch, out_batch, keys, values, count, map_fd, two words of flags
    addresses = [ctypes.addressof(buffer) for buffer in (cursor, keys, values)]
    batch = struct.pack("QQQQIIQQ", 0, *addresses, ROOM, fd, 0, 0)
    print("ready", flush=True)
    while time.monotonic() < end:
        bpf(MAP_LOOKUP_BATCH, batch)
    print(json.dumps({"hammer_s": time.process_time()}))


main()
