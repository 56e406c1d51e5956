#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Under limits that are too small a run does what it can, or ends with a sentence; never by a signal,
# and never with half a file.
. "$(dirname "$0")/lib.sh"

start shares 300
quiet=-q
# within LIMIT VALUE
within() {
	local status=0
	rm -f "$tmp/recorded"
	(
		ulimit "$1" "$2"
		exec timeout --signal=KILL 60 "$topstacks" record $quiet -p "$pid" -d 0.5 -F 499 -o "$tmp/recorded"
	) </dev/null 2>&1 | cat >"$err" || status=$? # which the limit would bound, too
	echo $status >"$tmp/status"
	[ "$status" -lt 124 ] || fail "ulimit $1 $2: exit status $status"
	if [ "$status" -eq 0 ]; then
		top report "$tmp/recorded"
		expect_status 0
	else
		grep -q '^topstacks: ' "$err" || fail "ulimit $1 $2: exit status $status without a sentence"
		[ ! -e "$tmp/recorded" ] || top report "$tmp/recorded"
	fi
}
# refused LIMIT VALUE WORDS: the run does not begin, and says so.
refused() {
	within "$1" "$2"
	[ "$(cat "$tmp/status")" -eq 3 ] || fail "ulimit $1 $2: exit status $(cat "$tmp/status"), expected 3"
	[ "$(grep -c . "$err")" -eq 1 ] || fail "ulimit $1 $2: not one sentence"
	grep -q "$3" "$err" || fail "ulimit $1 $2: not a word of: $3"
	[ ! -e "$tmp/recorded" ] || fail "ulimit $1 $2: a file of a run that did not begin"
}
top doctor
needed=$(sed -n 's/.*open files (ulimit -Hn).* of which \([0-9]*\) are needed.*/\1/p' "$out")
[ "$needed" -gt 50 ] || fail "doctor does not say how many descriptors are needed"
for value in 8 16 32 64 $((needed - 1)); do
	refused -n $value "cannot sample with $value open files, as $needed are needed; .*ulimit -Hn"
done
for value in 0 1 4 $((32 * 1024 - 1)); do
	refused -f $value "no file may have more than $value KiB, as 32768 are needed; .*ulimit -Hf"
done
for value in 24 63; do # with 16 the dynamic loader itself is short of it, now and then
	refused -s $value "with $value KiB of stack, as 64 are needed; .*ulimit -s"
done
refused -v 98303 "with 98303 KiB of address space, as 98304 are needed; .*ulimit -v"
for value in 2000 20000; do
	refused -d $value "with $value KiB of data, as 65536 are needed; .*ulimit -d"
done
# complete LIMIT VALUE: the run lacks nothing.
complete() {
	within "$1" "$2"
	[ "$(cat "$tmp/status")" -eq 0 ] || fail "ulimit $1 $2: exit status $(cat "$tmp/status")"
	read_profile "$tmp/recorded"
	check <<-'PYTHON'
		ledger = run.intervals[0]["ledger"]
		expect_eq("samples without names", ledger["unread_descriptors"], 0)
		expect_at_least("samples", run.counted, 20)
	PYTHON
}
complete -n "$needed"
complete -Sn 16 # the hard limit counts
complete -f $((32 * 1024))
for value in 98304 200000 400000; do within -v $value; done
for value in 65536 200000; do within -d $value; done

# What is lacking is what is said, in a sentence and in the ledger, and with what helps.
# lacks KEY REMEDY: where the last run lacks names, or failed.
lacks() {
	if [ "$status" -ne 0 ]; then
		grep -q "$2" "$err" || fail "$what: exit status $status, and not a word of $2"
		return
	fi
	cp "$err" "$tmp/said"
	read_profile "$tmp/recorded"
	check "$1" "$tmp/unread" <<-'PYTHON'
		ledger = run.intervals[0]["ledger"]
		unread = {key: ledger[key] for key in ledger if key.startswith("unread")}
		others = {key: nr for key, nr in unread.items() if nr and key not in (args[0], "unread")} # of a busy machine
		expect_eq("samples that lack names for another reason", others, {})
		print(unread[args[0]], file=open(args[1], "w"))
	PYTHON
	[ "$(<"$tmp/unread")" -eq 0 ] || {
		nr_lacking=$((nr_lacking + 1))
		grep -q "$2" "$tmp/said" || fail "$what: names are missing, and not a word of $2"
	}
}

# recorded COMMAND...: after COMMAND, which sets a limit.
recorded() {
	what=$* status=0
	rm -f "$tmp/recorded"
	(
		"$@"
		exec timeout --foreground --signal=KILL 60 "$topstacks" record -p "$pid" -d 0.5 -F 499 -o "$tmp/recorded"
	) </dev/null >/dev/null 2>"$err" || status=$?
}

# Enough to begin with, and a process with more files than there are descriptors.
make_elf plain plain
files=()
for each in $(seq 100); do
	cp -p "$den/plain" "$den/plain$each"
	files+=("$den/plain$each")
done
shares=$pid
start_attacker bearer "${files[@]}"
nr_lacking=0
for each in 0 8 16; do
	recorded ulimit -n $((needed + each))
	lacks unread_descriptors "ulimit -n"
done
[ "$nr_lacking" -gt 0 ] || fail "no number of descriptors was too small for names alone"
end "$pid"
pid=$shares

mounted=$(findmnt -n -t cgroup -O pids -o TARGET | head -n 1)
[ -n "$mounted" ] || mounted=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
group=$(mktemp -d "$mounted/topstacks-attack.XXXXXX")
groups+=("$group")
enter() {
	echo "$1" >"$group/pids.max" && echo "$BASHPID" >"$group/cgroup.procs"
}
used_ticks() {
	awk '{ print $14 + $15 }' "/proc/$pid/stat"
}
has_run() {
	[ "$(used_ticks)" -ge "$1" ]
}
if [ -e "$group/pids.max" ]; then
	for value in $(seq 2 12); do
		recorded enter "$value"
		lacks unread_processes "pids.max"
	done

	# Between too few to start and enough, how many are at work at once is a matter of chance. But once
	# there may be none more, there is no reader for names that nobody has asked for yet.
	what="no more processes" nr_lacking=0
	kill -STOP "$pid"
	rm -f "$tmp/recorded" "$err"
	(
		enter 100
		exec "$topstacks" record -p "$pid" -F 499 -o "$tmp/recorded"
	) </dev/null >/dev/null 2>"$err" &
	top_pid=$!
	started+=("$top_pid")
	wait_sampling
	echo 1 >"$group/pids.max"
	kill -CONT "$pid"
	wait_for has_run $(($(used_ticks) + 30))
	top_end
	lacks unread_processes "pids.max"
	[ "$nr_lacking" -gt 0 ] || fail "names that nobody could read were not missing"
fi

for value in 64 128 256; do
	quiet='' within -s $value
	! grep 'debug information' "$err" || fail "ulimit -s $value: a reader had too little stack"
	(ulimit -s $value; exec timeout --signal=KILL 30 "$topstacks" -p "$pid" --once -i 0.5 --lines) >"$out" 2>"$err" </dev/null ||
		fail "ulimit -s $value: exit status $?"
	grep -q "^samples " "$out" || fail "ulimit -s $value: no header"
done
for value in 1 64; do within -l $value; done
pass
