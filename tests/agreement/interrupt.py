#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Of each process whose id it reads, interrupts a thread, whichever, at a moment, whichever, after so many
seconds as the line says.

gdb cannot do this itself: its Python stands still while the program runs.
"""

import ctypes
import os
import random
import signal
import sys
import time

SYS_TGKILL = 234
LONGEST_S = 0.004

libc = ctypes.CDLL(None)
for line in sys.stdin:
    pid, seconds = line.split()
    time.sleep(float(seconds) + random.uniform(0, LONGEST_S))
    pid = int(pid)
    libc.syscall(SYS_TGKILL, pid, int(random.choice(os.listdir(f"/proc/{pid}/task"))), signal.SIGINT)
