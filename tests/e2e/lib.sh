# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Sourced by every end-to-end test. A test fails until it calls pass; whatever it started is ended
# and its files are removed, however it ends. Exit status: 0 passed, 77 skipped, else failed.
#
#	. "$(dirname "$0")/lib.sh"
#	start shares 10                      # $pid, $output
#	json -p "$pid" -d 2                  # $out, $err, $status; exit status 0 expected
#	check <<-'EOF_'
#		expect_at_least("samples", run.counted, 100)
#	EOF_
#	pass

set -eu -o pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$root" && realpath "${BUILD:-build/release}")
workloads=$build/workloads
topstacks=$build/topstacks
tmp=$(mktemp -d "${TMPDIR:-/tmp}/topstacks-e2e.XXXXXX")
chmod 755 "$tmp" # tests with another user look in
out=$tmp/out
err=$tmp/err
verdict=1
started=()
cgroups=()
leftovers=() # files elsewhere

finish() {
	trap - EXIT
	local one
	for one in "${started[@]}"; do
		kill -KILL "$one" 2>/dev/null || true
		wait "$one" 2>/dev/null || true
	done
	[ "${#cgroups[@]}" -eq 0 ] || wait_for rmdir "${cgroups[@]}"
	rm -rf "$tmp" "${leftovers[@]}"
	exit "$verdict"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

pass() {
	verdict=0
	exit
}

skip() {
	echo "skipped: $*"
	verdict=77
	exit
}

show() {
	[ -s "$1" ] || return 0
	echo "--- ${1##*/}:"
	tail -n 6 "$1" | cut -c 1-300
}

# Says where and why, and what the program printed.
fail() {
	local frame=0
	while [[ ${BASH_SOURCE[frame]} == */lib.sh ]]; do
		frame=$((frame + 1))
	done
	echo "${BASH_SOURCE[frame]##*/}:${BASH_LINENO[frame - 1]}: $*"
	show "$err"
	show "$out"
	exit 1
}
trap 'fail "a command failed: $BASH_COMMAND"' ERR
set -E

# What takes longer hangs, and measures nothing: half of what a test may take.
patience_s=150

# wait_for COMMAND...: until it succeeds.
wait_for() {
	local deadline=$((SECONDS + patience_s))
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -le "$deadline" ] || fail "not in time: $*"
		sleep 0.02
	done
}

# wait_ready PID FILE: until that program, which prints into FILE, says "ready"; one that ended will not.
wait_ready() {
	wait_for is_ready_or_gone "$@"
	grep -q ready "$2" || fail "not ready: $(cat "$2")"
}

is_ready_or_gone() {
	grep -q ready "$2" || ! kill -0 "$1"
}

# start WORKLOAD ARGUMENTS...: in the background, until it says "ready"; sets pid and output.
start() {
	output=$tmp/workload${#started[@]}
	: >"$output" # it may be of one that was ended, and say "ready"
	"$workloads/$1" "${@:2}" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
}

# program NAME MODE: the workload "shares" under a name, and with a mode, of its own.
program() {
	cp "$workloads/shares" "$tmp/$1"
	chmod "$2" "$tmp/$1"
}

# start_as_user USER COMMAND...: the same as start, of another user. setpriv may still read all files when it executes what
# follows, and a shell not. What only has to be there leaves the CPUs to the process that has something to do.
start_as_user() {
	output=$tmp/workload${#started[@]}
	setpriv --reuid="$1" --regid="$1" --clear-groups -- \
		sh -c 'exec nice -n 19 "$0" "$@"' "${@:2}" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
}

# all_sleep PID: all its threads do.
all_sleep() {
	! grep -qvE '^[0-9]+ \(.*\) S ' "/proc/$1"/task/*/stat
}

# from_rest_to_rest PID ARGUMENTS...: samples a workload that waits for SIGUSR1, from before it until all is done.
from_rest_to_rest() {
	wait_for all_sleep "$1"
	top_start --json -p "$@"
	wait_sampling
	kill -USR1 "$1"
	wait_for is_done_or_gone "$1"
	wait_for all_sleep "$1"
	top_end
}

# expect_hits COUNT WEIGHT: of a run that counts hits, all accounted for; the second event, if any, is not looked at.
expect_hits() {
	check "$1" "$2" <<-'PYTHON'
		values = [interval["values"] for interval in run.intervals]
		expect_eq("hits", sum(value["count"]["total"] for value in values), int(args[0]))
		expect_eq("weight", sum(value["weight"]["total"] for value in values), int(args[1]))
		expect_eq("lost", run.lost, 0)
	PYTHON
}

is_done_or_gone() {
	grep -qx "done" "$output" || ! kill -0 "$1"
}

# make_rows NAME NUMBER: a program for which a table of so many rows is made, of 8 bytes each.
# note_map FILE: the perf map of the program that printed this truth is to be removed.
note_map() {
	leftovers+=("/tmp/perf-$(sed -n 's/.*"pid": \([0-9]*\).*/\1/p' "$1").map")
}

# make_cgroups NAME CHILD...: $slice, with cgroups below it, each named before those that it is in. Where
# no hierarchy is mounted, the test goes on in a mount namespace of its own.
make_cgroups() {
	local mounted one
	mounted=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	if [ -z "$mounted" ]; then
		[ "${in_namespace-}" ] || { rm -rf "$tmp" && in_namespace=1 exec unshare --mount "$0"; }
		mounted=$tmp/cgroup
		mkdir "$mounted"
		mount -t cgroup2 none "$mounted"
	fi
	slice=$mounted/topstacks-$1-$$.slice
	for one in "${@:2}"; do
		cgroups+=("$slice/$one")
	done
	cgroups+=("$slice")
	mkdir -p "${cgroups[@]}"
}

make_rows() {
	gcc -o "$tmp/$1" -x assembler - <<-ASSEMBLER
			.globl main
		main:	jmp main
			.fill $2, 1, 0x90
		.Lend:	.section .eh_frame, "a", @progbits
		.Lcie:	.long .Lrules - . - 4, 0
			.byte 1
			.asciz "zR"
			.byte 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1
			.balign 8
		.Lrules: .long .Lrows - . - 4, . - .Lcie, main - ., .Lend - main
			.byte 0
			.rept $2 / 2
			.byte 0x41, 0x0e, 16, 0x41, 0x0e, 8
			.endr
			.balign 8
		.Lrows:	.section .note.GNU-stack, "", @progbits
	ASSEMBLER
}

# Ends a workload by SIGTERM, upon which it prints its truth.
stop() {
	kill -TERM "$1"
	wait "$1" || true
}

# top ARGUMENTS...: runs the program; sets status, and out and err name what it printed.
top() {
	status=0
	timeout --signal=KILL 250 "$topstacks" "$@" >"$out" 2>"$err" </dev/null || status=$?
}

# The same, with machine-readable output and success expected.
json() {
	top --json "$@"
	expect_status 0
}

# top_start ARGUMENTS...: in the background, sets top_pid; top_wait sets status.
top_start() {
	rm -f "$out" "$err" # what is there afterwards is new
	"$topstacks" "$@" >"$out" 2>"$err" </dev/null &
	top_pid=$!
	started+=("$top_pid")
}

# hold_thread TID SECONDS: stops one thread, and no other of its process, for that time; says "ready" once it stands.
hold_thread() {
	python3 - "$@" <<-'PYTHON'
		import ctypes, os, sys, time
		libc, PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = ctypes.CDLL(None, use_errno=True), 0x4206, 0x4207, 17
		thread = int(sys.argv[1])
		for request in PTRACE_SEIZE, PTRACE_INTERRUPT:
		    if libc.ptrace(request, thread, None, None):
		        raise OSError(ctypes.get_errno(), "ptrace")
		os.waitpid(thread, 0x40000000)
		print("ready", flush=True)
		time.sleep(float(sys.argv[2]))
		assert libc.ptrace(PTRACE_DETACH, thread, None, None) == 0
	PYTHON
}

# wait_intervals N: until so many more were printed as JSON.
wait_intervals() {
	wait_for has_intervals $(($(grep -c ^ "$out" 2>/dev/null || true) + $1))
}

# wait_samples N: until so many more were printed as JSON, however little of a busy machine the target
# gets.
wait_samples() {
	wait_for has_samples $(($(printed_samples) + $1))
}

has_samples() {
	[ "$(printed_samples)" -ge "$1" ]
}

printed_samples() {
	grep -soE '"events":[0-9]+,"counted":[0-9]+' "$out" | awk -F : '{ sum += $3 } END { print sum + 0 }' || true
}

# Until the program samples, and a signal ends the run: before, SIGINT is ignored in the background.
wait_sampling() {
	wait_for is_sampling
}

is_sampling() {
	awk '/^SigCgt:/ { ends = $2 ~ /[2367abef]$/ } END { exit !ends }' "/proc/$top_pid/status" &&
		cat "/proc/$top_pid"/task/*/comm | grep -qx collector
}

has_intervals() {
	[ "$(grep -c ^ "$out")" -ge "$1" ]
}

top_wait() {
	status=0
	wait "$top_pid" || status=$?
}

# Sets peak, the most resident memory that the program has had, in bytes; fails if it has ended.
note_peak() {
	local kbytes
	kbytes=$(awk '/^VmHWM:/ { print $2 }' "/proc/$top_pid/status" 2>/dev/null) && [ -n "$kbytes" ] &&
		peak=$((kbytes * 1024))
}

# As top_wait and success, with peak of all the run; with a signal to send.
top_wait_peak() {
	note_peak
	[ $# -eq 0 ] || kill "$1" "$top_pid"
	while note_peak; do
		sleep 0.02
	done
	top_wait
	expect_status 0
}

# As Ctrl-C does, which is success.
top_end() {
	kill -INT "$top_pid"
	top_wait
	expect_status 0
}

expect_status() {
	[ "$status" -eq "$1" ] || fail "exit status $status, expected $1"
}

# A sentence on standard error, by a part of it.
expect_err() {
	grep -qiE -- "$1" "$err" || fail "standard error does not say: $1"
}

expect_silent() {
	[ ! -s "$err" ] || fail "unexpected text on standard error"
}

# oracle RATE ARGUMENTS...: one run on CPU 0, as json; sets top_pid. A program of its own counts the
# timer's fires into $tmp/fires meanwhile, and what kept the kernel from making samples of them. The
# rate should be unlike anybody else's: it tells the event apart. under: a command to run the program.
under=()
oracle() {
	local rate=$1 oracle_pid
	shift
	rm -f "$tmp/fires" # of an oracle before, which is not ready
	mkfifo "$tmp/end"
	"$build/oracle/timer_fires" "$rate" 0 <"$tmp/end" >"$tmp/fires" 2>&1 &
	oracle_pid=$!
	started+=("$oracle_pid")
	exec 9>"$tmp/end"
	wait_ready "$oracle_pid" "$tmp/fires"
	taskset -c 0 "${under[@]}" "$topstacks" --json -C 0 -F "$rate" "$@" >"$out" 2>"$err" </dev/null 9>&- &
	top_pid=$!
	started+=("$top_pid")
	top_wait
	expect_status 0
	exec 9>&-
	wait "$oracle_pid"
	rm "$tmp/end"
}

# check [ARGUMENTS...] < assertions: see check.py.
check() {
	python3 "$root/tests/e2e/check.py" "$out" "$@" || fail "the assertions above"
}

# record_program FILE: "program" of the test's directory, which tells when it is ready, for a second of its own.
record_program() {
	"$tmp/program" 30 >"$tmp/printed" 2>&1 &
	started+=("$!")
	wait_ready "$!" "$tmp/printed"
	top record -q -p "$!" -F 999 -d 1 -o "$1"
	expect_status 0
	kill "${started[-1]}"
	wait "${started[-1]}" || true # its file may be written anew
}
