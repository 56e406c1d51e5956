#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs at probes may be preempted, and must have no private stack: by their machine code, in which one is a load
# from a place of the CPU into r9. Programs of perf events, which may have it, show that the test would see it.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the machine code is known of x86-64 only'

start probed 1 thread
"$topstacks" --json -i 60 -p "$pid" -e "cpu,uprobe:$workloads/probed:take_bytes" >"$tmp/probes" 2>&1 &
started+=($!)
"$topstacks" --json -i 60 -e alloc --live -- "$workloads/allocs" 5 50 1000 alone "$tmp/truth" >"$tmp/alloc" 2>&1 &
started+=($!)

python3 - <<'EOF_' || fail 'the machine code, above'
import ctypes, os, struct, time

BPF, NEXT_ID, BY_ID, INFO = 321, 11, 13, 15
PRIVATE = b"\x65\x4c\x03\x0c\x25"  # add r9, gs:[place]
libc = ctypes.CDLL(None, use_errno=True)

def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, 128)
    return libc.syscall(BPF, command, buffer, 128), buffer.raw

def ids():
    number = 0
    while True:
        code, raw = bpf(NEXT_ID, struct.pack("<II", number, 0))
        if code < 0:
            return
        number = struct.unpack_from("<I", raw, 4)[0]
        yield number

def info(program, machine_code):
    raw = ctypes.create_string_buffer(256)
    if machine_code:
        struct.pack_into("<I", raw, 16, len(machine_code))
        struct.pack_into("<Q", raw, 24, ctypes.addressof(machine_code))
    code, _ = bpf(INFO, struct.pack("<IIQ", program, 256, ctypes.addressof(raw)))
    assert code == 0, os.strerror(ctypes.get_errno())
    return raw.raw

def programs():
    for number in ids():
        program, _ = bpf(BY_ID, struct.pack("<I", number))
        if program < 0:
            continue
        size = struct.unpack_from("<I", info(program, None), 16)[0]
        code = ctypes.create_string_buffer(size or 1)
        name = info(program, code)[64:80].split(b"\0")[0].decode()
        os.close(program)
        yield name, code.raw

wanted = {"on_probe_unwind", "on_alloc_unwind", "on_freed"}
end = time.monotonic() + 240 # a busy machine loads them late
while True:
    loaded = {name: code for name, code in programs() if name.startswith("on_")}
    if wanted | {"on_cpu_follow"} <= loaded.keys() or time.monotonic() > end:
        break
    time.sleep(0.1)
assert wanted <= loaded.keys(), sorted(loaded)
print({name: code.count(PRIVATE) for name, code in loaded.items()})
release = tuple(int(part) for part in os.uname().release.split(".")[:2])
assert any(loaded["on_cpu_follow"]), "machine code is hidden, as addresses of the kernel are: lower kernel.kptr_restrict"
assert release < (6, 13) or PRIVATE in loaded["on_cpu_follow"], "a program of a perf event has none either"
for name in loaded:
    if name.startswith(("on_probe", "on_alloc", "on_freed", "on_malloc")):
        assert PRIVATE not in loaded[name], f"{name} has a private stack"
EOF_
pass
