#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Probes: each hit is counted and weighed, by what the program says that it did; none of the program's data is
# hurt; and no other process that runs the same file has the breakpoint in its code.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'probes were tested on x86-64 only'
program=$workloads/probed

is_done() {
	grep -q "done" "$output"
}

is_ready_again() {
	[ "$(grep -c ready "$output")" = 2 ]
}

# truth KEY: of the workload that was started last.
truth() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$output"
}

# probe_command EVENT: 1000 calls, by a shell that executes the program.
probe_command() {
	output=$tmp/said
	json -e "$1" -- sh -c 'exec "$0" 1000 now >"$1"' "$program" "$output"
}

# byte_of FILE OFFSET: as a number.
byte_of() {
	dd if="$1" bs=1 skip="$2" count=1 status=none | od -An -tu1 | tr -d ' '
}

offset=$((16#$(nm "$program" | awk '$3 == "take_bytes" { print $1 }')))

# is_probed PID: there is a breakpoint in its take_bytes.
is_probed() {
	local base
	base=$((16#$(awk -v file="$program" '$6 == file { print substr($1, 1, index($1, "-") - 1); exit }' "/proc/$1/maps")))
	[ "$(byte_of "/proc/$1/mem" $((base + offset)))" = 204 ]
}

# Perf events that the profiler has open.
nr_probes() {
	find "/proc/$top_pid/fd" -lname '*perf_event*' 2>/dev/null | grep -c .
}

# probes_more_than N: it has heard of another process.
probes_more_than() {
	[ "$(nr_probes)" -gt "$1" ]
}

# ---- of a command, from its first instruction on; numbers and conditions; returns ----

probe_command "uprobe:$program:take_bytes/weight=arg1,unit=bytes/"
expect_hits 1000 500500
probe_command "uprobe:$program:take_bytes/weight=arg1,unit=bytes,arg1>990/"
expect_hits 10 9955
probe_command "uretprobe:$program:take_bytes/weight=ret,unit=bytes/"
expect_hits 1000 500500

# ---- of a process; another one has the file's own code; a child is followed, and a thread that executes ----

start probed 2000 fork
target=$pid
target_output=$output
start probed 2000
other=$pid
other_output=$output
top_start --json -p "$target" -i 60 -e "uprobe:$program:take_bytes/weight=arg1,unit=bytes/"
wait_sampling
wait_for is_probed "$target"
kill -USR1 "$other"
wait_for is_done
nr=$(nr_probes)
kill -USR1 "$target"
wait_for probes_more_than "$nr"
pkill -USR1 -P "$target"
output=$target_output
wait_for is_done
top_end
expect_hits 4000 $((2 * 2001000)) # with those of the child
check <<'PYTHON'
ledgers = [interval["ledger"] for interval in run.intervals]
expect_eq("children not probed at once", sum(one["processes_unprobed"] for one in ledgers), 1)
expect_at_least("seconds until it was", sum(one["unprobed_s"] for one in ledgers), 1e-6)
functions = {frame["function"] for sample in run.intervals[-1]["samples"] for frame in sample["frames"]}
expect({"take_bytes", "call_all", "main"} <= functions, f"stacks have only {functions}")
PYTHON
code=$(byte_of "$program" "$offset")
[ "$(truth code)" = 204 ] || fail "the target's code begins with $(truth code), which is no breakpoint"
output=$other_output
[ "$(truth code)" = "$code" ] || fail "another process's code begins with $(truth code), not $code"

# The breakpoint alone is there from the exec on, also if nobody counts yet.
is_followed() {
	grep -q '"processes_unprobed":1' "$out"
}

start probed 2000 exec
top_start --json -p "$pid" -i 0.2 -e "uprobe:$program:take_bytes"
wait_sampling
wait_for is_probed "$pid"
kill -USR1 "$pid"
wait_for is_ready_again
wait_for is_followed
wait_for is_probed "$pid"
kill -USR1 "$pid"
wait_for is_done
top_end
expect_hits 2000 2000

# ---- data below the stack pointer ----

probe_command "uprobe:$program:below_stack"
expect_hits 1000 1000
[ "$(truth hurt)" = 0 ] || fail "of 1000 calls $(truth hurt) found their data changed"

# ---- where it goes ----

top doctor -e "uprobe:$program:take_bytes/weight=arg1/"
expect_status 0
grep -qE '^ +instruction +([0-9a-f]{2} )+ +[a-z]' "$out" || fail 'doctor does not say which instruction it is'

# ---- a library by its name ----

start probed 10
json -d 0.3 -p "$pid" -e uprobe:libc:malloc
top -d 0.3 -p "$pid" -e uretprobe:libc:malloc # exceptions may pass through functions of the C library
expect_status 3
expect_err 'a uretprobe in "libc" could end the program'
top -d 0.3 -p "$pid" -e uprobe:libc:mallok
expect_status 2
expect_err 'has no function "mallok"; near: malloc'
top -d 0.3 -p "$pid" -e uprobe:libnone:malloc
expect_status 2
expect_err "process $pid has no \"libnone\" mapped"
top -d 0.3 -e uprobe:libc:malloc -- true
expect_status 125
expect_err 'give its path'
top -d 0.3 -p "$pid" -e "uprobe:$program:take_bytes+1"
expect_status 2
expect_err 'no instruction of "take_bytes" begins at \+1'

pass
