#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 300 functions deep: the innermost are there, one after the other, as deep as is asked for, and the stack is truncated; or
# all of them, where the kernel allows such depth.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

sysctl=/proc/sys/kernel/perf_event_max_stack
exec 9<"$sysctl"
flock 9
before=$(cat "$sysctl")
# It is busy while anybody on the machine records call chains.
set_sysctl() { echo "$1" 2>/dev/null >"$sysctl"; }
restore() {
	local tries=0
	until set_sysctl "$before" || [ "$tries" -ge 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	finish
}
trap restore EXIT

judge() {
	check "$1" <<'PYTHON'
depth = int(args[0])
expected = ["spin_deep"] + [f"level_{level}" for level in range(299, -1, -1)] + ["<module>"]
number = run.counted
expect_at_least("samples", number, run.enough(50))
expect_at_most("deepest user stack", max(len(sample.user) for sample in run.samples), depth)
right = run.count(lambda s: [name for name, _ in s.chain] == expected[:len(s.chain)] and {m for _, m in s.chain} == {"deep.py"})
expect_at_least("share in order", right / number, 0.97)
# C code takes some.
least = min(len(expected), depth - 8)
deep = run.count(lambda s: len(s.chain) >= least)
expect_at_least(f"share with {least} functions", deep / number, 0.97)
if depth < 300:
    expect_eq("truncated", run.truncated, number)
else:
    whole = run.count(lambda s: len(s.chain) == len(expected))
    expect_at_least("share with all functions", whole / number, 0.97)
    expect_at_most("truncated", run.truncated / number, 0.01)
PYTHON
}

deep() {
	start_python deep.py 100
	json -p "$pid" -F 499 -i 1 -d 1
	judge 127
	json -p "$pid" -F 499 -i 1 -d 1 --max-depth 20
	judge 20
	if [ -n "$is_set" ]; then
		json -p "$pid" -F 499 -i 1 -d 1 --max-depth 1024
		judge 1024
	fi
	stop "$pid"
}

is_set='' deadline=$((SECONDS + 20))
until [ -n "$is_set" ] || [ "$SECONDS" -ge "$deadline" ]; do
	if set_sysctl 1024; then is_set=1; else sleep 0.02; fi
done
[ -n "$is_set" ] || echo 'somebody records call chains all the time: no more than 127 frames'
some_pythons deep
pass
