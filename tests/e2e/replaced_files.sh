#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that was replaced (an upgrade) or removed since it was started, or that never was in a
# directory (a memfd), is named from what it runs, not from what is at its path now.
. "$(dirname "$0")/lib.sh"

run_copy() {
	"$1" 30 >"$tmp/out.$2" 2>&1 &
	started+=("$!")
	eval "$2=$!"
	wait_for grep -q ready "$tmp/out.$2"
}

cp "$workloads/shares" "$tmp/upgraded"
run_copy "$tmp/upgraded" upgraded
cp "$workloads/sleeper" "$tmp/new"
mv "$tmp/new" "$tmp/upgraded"

cp "$workloads/shares" "$tmp/removed"
run_copy "$tmp/removed" removed
rm "$tmp/removed"

cat >"$tmp/in_memory" <<'PYTHON'
import os, sys
fd = os.memfd_create("in_memory", 0)
os.write(fd, open(sys.argv[1], "rb").read())
os.execve(fd, ["in_memory", "30"], {})
PYTHON
python3 "$tmp/in_memory" "$workloads/shares" >"$tmp/out.memory" 2>&1 &
memory=$!
started+=("$memory")
wait_for grep -q ready "$tmp/out.memory"

# shellcheck disable=SC2154 # set by run_copy
json -U -p "$upgraded,$removed,$memory" -F 999 -i 1.5 --once
check "$upgraded" "$removed" "$memory" <<'PYTHON'
for pid, module in zip(args, ("upgraded", "removed", "memfd:in_memory")):
    ours = [s for s in run.samples if s.pid == int(pid)]
    expect_at_least(f"samples of {module}", sum(s.count for s in ours), run.enough(50))
    frames = [f for s in ours for f in s.user if f["module"] == module]
    expect_at_least(f"frames in {module}", len(frames), 2)
    expect_eq(f"frames in {module} without a name", [f for f in frames if not f["function"]], [])
    expect(any(s.has("share_40") for s in ours), f"no share_40 in {module}")
PYTHON
pass
