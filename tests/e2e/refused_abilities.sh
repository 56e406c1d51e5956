#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel refuses costs an ability, which is named with the true reason: in the header, in JSON, in the file, and
# by doctor, which neither promises runs that end nor calls what is refused the lack of a version.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || skip 'no strace'
start shares 60

# refuse PATTERN ERRNO ARGUMENTS...: the first bpf() call of the main thread that matches; sets status. How many come
# before it may depend on programs that others load meanwhile.
refuse() {
	local pattern=$1 errno=$2 number try
	shift 2
	for try in 1 2 3 4 5 6 7 8; do
		strace -qq -o "$tmp/calls" -e trace=bpf "$topstacks" "$@" >/dev/null 2>&1 || true
		number=$(awk -v pattern="$pattern" '/^bpf\(/ { number++; if ($0 ~ pattern) { print number; exit } }' "$tmp/calls")
		[ -n "$number" ] || fail "no such call: $pattern"
		status=0
		timeout --signal=KILL 60 strace -qq -o "$tmp/refused" -e trace=bpf -e "inject=bpf:error=$errno:when=$number" \
			"$topstacks" "$@" >"$out" 2>"$err" </dev/null || status=$?
		! grep INJECTED "$tmp/refused" | grep -qE "$pattern" || return 0
	done
	fail "$pattern was not refused: $(grep INJECTED "$tmp/refused")"
}

# ---- a run ----

for errno in EPERM ENOMEM EINVAL; do
	case $errno in
	EPERM) words='operation not permitted' ;;
	ENOMEM) words='cannot allocate memory' ;;
	EINVAL) words='invalid argument' ;;
	esac
	refuse 'PROG_LOAD.*prog_name="try_loop"' "$errno" --json -p "$pid" -d 0.5 --once
	expect_status 0
	check "$words" <<-'PYTHON'
		expect_at_least("samples", run.counted, 10)
		expect_eq("unwinding", run.intervals[0]["unwinding"], "frame pointers")
		expect_eq("lost", run.intervals[0]["lost_abilities"], [
		    {"name": "unwind tables", "instead": "frame pointers",
		     "why": "the kernel refused a program with bpf_loop(): " + args[0]}])
	PYTHON
done

refuse 'PROG_LOAD.*prog_name="try_loop"' EPERM record -q -p "$pid" -d 0.5 -o "$tmp/lost.pb.gz"
expect_status 0
top report "$tmp/lost.pb.gz"
expect_status 0
grep -q ' unwind tables are not used: the kernel refused a program with bpf_loop(): operation not permitted$' "$out" ||
	fail 'the header does not say why'

refuse 'PROG_LOAD.*prog_name="try_loop"' EPERM -p "$pid" -d 0.5 --once --unwind dwarf
expect_status 3
expect_err 'unwind dwarf cannot be had: the kernel refused a program with bpf_loop\(\): operation not permitted'
! grep -q '5\.17' "$err" || fail 'a version is blamed'

json -p "$pid" -d 0.5 --once
check <<-'PYTHON'
	expect_eq("lost", run.intervals[0]["lost_abilities"], [])
PYTHON

# ---- doctor ----

# Of each mechanism: its row, how its call is known, what was asked for, and whether a run needs it.
while IFS='|' read -r name pattern asked required; do
	refuse "$pattern" EPERM doctor --json
	expect_status "$([ "$required" ] && echo 3 || echo 0)"
	python3 - "$out" "$name" "$asked" "$required" <<-'PYTHON' || fail "$name: the JSON, above"
		import json, sys
		report = json.load(open(sys.argv[1]))
		rows = {row["name"]: row for row in report["features"]}
		row = rows[sys.argv[2]]
		assert row["state"] == "missing", row
		assert row["detail"] == f"the kernel refused {sys.argv[3]}: operation not permitted", row
		assert (row["need"] == "required") == bool(sys.argv[4]) and report["can_run"] != bool(sys.argv[4]), row
		assert bool(row["ability"]) != bool(sys.argv[4]), row
		others = [row["name"] for row in rows.values() if row["state"] == "missing" and row["need"] != "none"]
		assert set(others) <= {sys.argv[2]}, others
	PYTHON
done <<'ROWS'
perf_event programs|PROG_LOAD.*prog_name="try_perf_event"|a perf_event program|yes
bpf_probe_read_kernel()|PROG_LOAD.*prog_name="try_read_kernel"|a program with bpf_probe_read_kernel()|yes
hash maps|MAP_CREATE.*map_name="try_hash"|a hash map of 1 MB|yes
arrays that can be mapped|MAP_CREATE.*map_name="try_mapped"|an array with BPF_F_MMAPABLE|yes
bpf_loop()|PROG_LOAD.*prog_name="try_loop"|a program with bpf_loop()|
raw_tp programs|PROG_LOAD.*prog_name="try_raw_tp"|a program at sched_process_free|
iter/task programs|PROG_LOAD.*prog_name="try_task_iter"|an iterator over tasks|
BPF perf links|LINK_CREATE.*bpf_cookie=1|a link from an event to a program|
tracepoint programs|PROG_LOAD.*prog_name="try_tracepoint"|a program at a tracepoint|
tp_btf programs|PROG_LOAD.*prog_name="try_tp_btf"|a program at sched_switch|
storage of tasks|MAP_CREATE.*map_name="try_storage"|a map of the type task_storage|
iter.s/task programs|PROG_LOAD.*prog_name="try_task_iter_s"|an iterator over tasks that may sleep|
BPF statistics|ENABLE_STATS|statistics of BPF programs|
ROWS

# What no row tells is told by the run that doctor begins. Nor is a single event promised where nothing can be loaded.
refuse 'PROG_LOAD.*prog_name="on_cpu' EPERM doctor -e cpu
pass
