#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --folded: "comm;root;...;leaf count", the most frequent first, and nothing else.
. "$(dirname "$0")/lib.sh"

start stacks 3 20
top --folded -p "$pid" -F 999 -i 1 --once
expect_status 0
python3 - "$out" <<'PYTHON' || fail 'see above'
import re, sys
lines = open(sys.argv[1]).read().splitlines()
counts = [int(re.fullmatch(r"stacks;.* (\d+)", line)[1]) for line in lines]
assert sum(counts) >= 50, sum(counts)
assert counts == sorted(counts, reverse=True), counts
stacks = [line.rsplit(" ", 1)[0].split(";") for line in lines]
assert len(set(map(tuple, stacks))) == len(stacks), "a stack twice"
assert all("main" in stack for stack in stacks), stacks
user = [stack[stack.index("main") :] for stack in stacks]
whole = {tuple(stack[:8]) for stack in user if stack[2:3] == ["root"] and "spin" in stack[7:8]}
assert len(whole) == 8, whole
PYTHON
pass
