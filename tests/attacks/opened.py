#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Says "ready", and then "opened FILE" whenever somebody opens it, were it to look at it alone: opened.py FILE..."""

import ctypes
import os
import struct
import sys

IN_OPEN = 0x20
EVENT = struct.Struct("iIII")

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
events = libc.inotify_init1(0)
watched = {libc.inotify_add_watch(events, path.encode(), IN_OPEN): path for path in sys.argv[1:]}
if min(watched) < 0:
    sys.exit("cannot watch")
print("ready", flush=True)
while True:
    bytes_ = os.read(events, 4096)
    while bytes_:
        watch, _, _, length = EVENT.unpack_from(bytes_)
        print("opened", watched[watch], flush=True)
        bytes_ = bytes_[EVENT.size + length:]
