# SPDX-License-Identifier: GPL-2.0-only
"""The few bpf() commands that tell what programs cost, without any tool's help.

None of them is a map call, so none of them holds up a program that samples.
"""

import contextlib
import ctypes
import os
import platform
import struct

_SYSCALL = {"x86_64": 321, "aarch64": 280}[platform.machine()]
_PROG_GET_NEXT_ID = 11
_PROG_GET_FD_BY_ID = 13
_OBJ_GET_INFO_BY_FD = 15
_ENABLE_STATS = 32
_STATS_RUN_TIME = 0
_TYPE_PERF_EVENT = 7
# struct bpf_prog_info: type and id first, name at 64, run_time_ns and run_cnt at 192.
_INFO_SIZE = 208

_libc = ctypes.CDLL(None, use_errno=True)


def _bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, max(len(attributes), 64))
    result = _libc.syscall(_SYSCALL, command, buffer, len(buffer))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result, buffer.raw


@contextlib.contextmanager
def statistics():
    """Run times are kept while this is entered (and cost each run some 20 ns)."""
    fd, _ = _bpf(_ENABLE_STATS, struct.pack("=I", _STATS_RUN_TIME))
    try:
        yield
    finally:
        os.close(fd)


def _program_info(program_id):
    fd, _ = _bpf(_PROG_GET_FD_BY_ID, struct.pack("=III", program_id, 0, 0))
    try:
        info = ctypes.create_string_buffer(_INFO_SIZE)
        _bpf(_OBJ_GET_INFO_BY_FD, struct.pack("=IIQ", fd, _INFO_SIZE, ctypes.addressof(info)))
        return info.raw
    finally:
        os.close(fd)


def perf_event_programs():
    """{id: (name, run_time_ns, run_cnt)} of all loaded programs on perf events."""
    programs, last = {}, 0
    while True:
        try:
            _, raw = _bpf(_PROG_GET_NEXT_ID, struct.pack("=III", last, 0, 0))
            last = struct.unpack_from("=I", raw, 4)[0]
            info = _program_info(last)
        except FileNotFoundError:
            if not _exists_after(last):
                return programs
            continue  # this one went away between the two calls
        if struct.unpack_from("=I", info, 0)[0] == _TYPE_PERF_EVENT:
            name = info[64:80].split(b"\0")[0].decode()
            programs[last] = (name, *struct.unpack_from("=QQ", info, 192))


def _exists_after(program_id):
    try:
        _bpf(_PROG_GET_NEXT_ID, struct.pack("=III", program_id, 0, 0))
        return True
    except FileNotFoundError:
        return False
