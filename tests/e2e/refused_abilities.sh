#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel refuses costs an ability, which is named with the true reason: in the header, in JSON, in the file, and
# by doctor, which neither promises runs that end nor calls what is refused the lack of a version.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

start shares 100

# refuse NAME ERRNO ARGUMENTS...: bpf() calls of that name, as tests/workloads/refuse.c has them; sets status.
refuse() {
	status=0
	timeout --signal=KILL 100 "$workloads/refuse" "$2" "$1" "$topstacks" "${@:3}" >"$out" 2>"$err" </dev/null || status=$?
	[ "$status" -lt 98 ] || fail "$1 was not refused"
}

# ---- a run ----

for errno in EPERM ENOMEM EINVAL; do
	case $errno in
	EPERM) words='operation not permitted' ;;
	ENOMEM) words='cannot allocate memory' ;;
	EINVAL) words='invalid argument' ;;
	esac
	refuse try_loop "$errno" --json -p "$pid" -d 0.5 --once
	expect_status 0
	check "$words" <<-'PYTHON'
		expect_at_least("samples", run.counted, 1)
		expect_eq("unwinding", run.intervals[0]["unwinding"], "frame pointers")
		expect_eq("lost", run.intervals[0]["lost_abilities"], [
		    {"name": "unwind tables", "instead": "frame pointers",
		     "why": "the kernel refused a program with bpf_loop(): " + args[0]}])
	PYTHON
done

refuse try_loop EPERM record -q -p "$pid" -d 0.5 -o "$tmp/lost.pb.gz"
expect_status 0
top report "$tmp/lost.pb.gz"
expect_status 0
grep -q ' unwind tables are not used: the kernel refused a program with bpf_loop(): operation not permitted$' "$out" ||
	fail 'the header does not say why'

refuse try_loop EPERM -p "$pid" -d 0.5 --once --unwind dwarf
expect_status 3
expect_err 'unwind dwarf cannot be had: the kernel refused a program with bpf_loop\(\): operation not permitted'
! grep -q '5\.17' "$err" || fail 'a version is blamed'

python3 -c 'print("ready", flush=True)
while True: sum(one * one for one in range(1000))' >"$tmp/python" &
started+=("$!")
wait_ready "$!" "$tmp/python"
refuse try_loop EPERM -p "${started[-1]}" -d 1 --once
expect_status 0
expect_err '^topstacks: functions of Python are not shown: they need unwind tables: the kernel refused a program with bpf_loop\(\): operation not permitted$'
kill "${started[-1]}"

# Memory of the kernel without a type is not read then: stacks are whole all the same, and waits are told but for what
# read and write wait for. Where lockdown is "confidentiality", the verifier knows no such function.
start frameless 100
frameless=$pid
refuse try_read_kernel EINVAL --json -p "$frameless" -d 1 --once
expect_status 0
check <<-'PYTHON'
	expect_at_least("whole", run.whole, 0.95 * run.counted)
	expect_at_least("from their roots", run.count(lambda s: s.has("main") or s.has("in_thread")), 0.95 * run.counted)
	expect_eq("lost", run.intervals[0]["lost_abilities"], [
	    {"name": "mappings in the kernel", "instead": "lists of mappings", "why": "the kernel's lockdown is confidentiality"}])
PYTHON
start waits 300 /tmp
waits=$pid
: >"$out"
(wait_for grep -q schema "$out" && kill -USR1 "$waits") &
refuse try_read_kernel EPERM --json -p "$waits" -e off-cpu -i 0.5 -d 8
expect_status 0
check <<-'PYTHON'
	kinds = {name: {sample.wait for sample in run.samples if sample.has("wait_" + name) and sample.is_blocked}
	         for name in ("pipe", "sleep", "futex")}
	expect_eq("what they wait for", kinds, {"pipe": {"other"}, "sleep": {"sleep"}, "futex": {"lock"}})
PYTHON
pid=${started[0]}
for event in 'syscalls:sys_exit_write/weight=ret,unit=bytes/' 'syscalls:sys_exit_write/ret>0/' growth; do
	refuse try_read_kernel EPERM -a -e "$event" -d 0.5 --once
	expect_status 3
	expect_err '^topstacks: cannot read the fields of tracepoint [a-z_:]+: the kernel refused a program with bpf_probe_read_kernel\(\): operation not permitted$'
done

json -p "$pid" -d 0.5 --once
check <<-'PYTHON'
	expect_eq("lost", run.intervals[0]["lost_abilities"], [])
PYTHON

# ---- doctor ----

# Of each mechanism: its row, how its call is known, what was asked for, and whether a run needs it.
while IFS='|' read -r name call asked required; do
	refuse "$call" EPERM doctor --json
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
perf_event programs|try_perf_event|a perf_event program|yes
bpf_probe_read_kernel()|try_read_kernel|a program with bpf_probe_read_kernel()|
hash maps|try_hash|a hash map of 1 MB|yes
arrays that can be mapped|try_mapped|an array with BPF_F_MMAPABLE and BPF_F_INNER_MAP|yes
arrays of maps|try_inner|an array of maps|yes
bpf_loop()|try_loop|a program with bpf_loop()|
tp_btf programs|try_tp_btf|a program at sched_process_free|
iter/task programs|try_task_iter|an iterator over tasks|yes
BPF perf links|links|a link from an event to a program|
tracepoint programs|try_tracepoint|a program at a tracepoint|
storage of tasks|try_storage|a map of the type task_storage|
iter.s/task programs|try_task_iter_s|an iterator over tasks that may sleep|
BPF statistics|statistics|statistics of BPF programs|
ROWS

# What no row tells, the run that doctor begins tells; and what cannot be loaded is not called to be had.
refuse on_cpu_unwind EINVAL doctor -e cpu
expect_status 0 # it is done without
refuse on_free EPERM doctor
expect_status 0
grep -q '^topstacks can run here, with limits$' "$out" || fail 'targets are promised'
grep -q '^a run with a target ends with: cannot .*: operation not permitted; ' "$out" || fail 'it does not say why'
refuse topstack.rodata EPERM doctor
expect_status 3
grep -q '^topstacks cannot run here$' "$out" || fail 'a run is promised'
grep -q '^a run ends with: cannot ' "$out" || fail 'it does not say why'
refuse topstack.rodata EPERM doctor -e cpu
expect_status 3
grep -q '^  here  *cannot ' "$out" || fail 'an event is promised'

# A link that was refused is not the lack of a version.
refuse links EPERM -p "$pid" -d 0.5 --once -e cpu,page-faults
expect_status 3
! grep -q '5\.15' "$err" || fail 'a version is blamed'
pass
