# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by every test of an attack: what lib.sh of the end-to-end tests has, and
#
#	attacker COMMAND...           # runs it as a user without rights, whose directory is $den
#	start_attacker PROGRAM ...    # in the background, until it says "ready"; sets pid
#	limited 512 30 record -a ...  # topstacks within 512 MiB and 30 s; sets status and what it cost
#	expect_on_time 2; expect_cpu 1500
#
# Memory is limited by a control group. What is asserted of time is CPU time where it can be; where a
# run has to end on time, the time in which threads waited for a CPU is not counted.

. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

attacks=$root/tests/attacks
attacker_uid=64321
den=$tmp/den
undo=() # commands, the last one first
groups=()

mkdir -m 755 "$tmp/bin" "$den"
chown "$attacker_uid:$attacker_uid" "$den"

# end PID...: of what was started, without a word of the shell.
end() {
	kill -KILL "$@" 2>/dev/null || true
	wait "$@" 2>/dev/null || true
}

clean_up() {
	local i one
	end "${started[@]}"
	for ((i = ${#undo[@]} - 1; i >= 0; i--)); do
		eval "${undo[i]}" || true
	done
	for one in "${groups[@]}"; do
		remove_group "$one" || true
	done
	finish
}
trap clean_up EXIT

# exec_as_attacker COMMAND...: in a process that is there for it.
exec_as_attacker() {
	cd "$den" || exit
	exec setpriv --reuid="$attacker_uid" --regid="$attacker_uid" --clear-groups --inh-caps=-all -- "$@"
}

attacker() {
	(exec_as_attacker "$@")
}

# start_attacker PROGRAM ARGUMENTS...: a program of the tests, which others may not be able to reach.
start_attacker() {
	cp -u "$build/attacks/$1" "$tmp/bin/"
	start_as_attacker "$tmp/bin/$1" "${@:2}"
}

start_as_attacker() {
	output=$tmp/attacker${#started[@]}
	exec_as_attacker "$@" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
}

# make KIND FILE...: a hostile ELF file, which is the attacker's.
make_elf() {
	python3 "$attacks/elf.py" "$1" "$den/$2" "${@:3}"
	chmod 755 "$den/$2"
	chown -R "$attacker_uid:$attacker_uid" "$den"
}

# A program whose debug information is in a file beside it, which is the attacker's; sets dwo.
make_split() {
	cat >"$den/split.c" <<-'C'
		#include <stdio.h>
		static volatile unsigned long turns;
		static void __attribute__((noinline)) burn(void)
		{
			for (int i = 0; i < 100000; i++)
				turns++;
		}
		int main(void)
		{
			puts("ready");
			fflush(stdout);
			for (;;)
				burn();
		}
	C
	(cd "$den" && gcc -O1 -g -gsplit-dwarf -o split split.c)
	dwo=$(find "$den" -name '*.dwo')
	[ -n "$dwo" ] || fail "no .dwo"
	chown -R "$attacker_uid:$attacker_uid" "$den"
}

# ---- control groups ----

# Sets mounted and kind of where the controller of memory is: version 1, or version 2.
find_memory() {
	mounted=$(findmnt -n -t cgroup -O memory -o TARGET | head -n 1) kind=1
	[ -z "$mounted" ] || return 0
	mounted=$(findmnt -n -t cgroup2 -o TARGET | head -n 1) kind=2
	[ -n "$mounted" ] && echo +memory >"$mounted/cgroup.subtree_control"
}

# Sets group.
make_group() {
	local mounted kind
	find_memory 2>/dev/null || skip "no control group limits memory"
	group=$(mktemp -d "$mounted/topstacks-attack.XXXXXX")
	groups+=("$group")
	case $kind in
	1) echo $(($1 << 20)) >"$group/memory.limit_in_bytes" ;;
	2)
		echo $(($1 << 20)) >"$group/memory.max"
		echo 0 >"$group/memory.swap.max" 2>/dev/null || true
		;;
	esac
}

remove_group() {
	local one deadline=$((SECONDS + 5))
	until rmdir "$1" 2>/dev/null || [ "$SECONDS" -gt "$deadline" ]; do
		while read -r one; do
			kill -KILL "$one" 2>/dev/null || true
		done <"$1/cgroup.procs"
		sleep 0.02
	done
}

# The most memory that the processes of the group had at any time, together with what they had open.
peak_mib() {
	local file
	for file in memory.peak memory.max_usage_in_bytes; do
		[ ! -e "$group/$file" ] || { echo $(($(<"$group/$file") >> 20)); return; }
	done
}

# limited MEGABYTES SECONDS[,MS] ARGUMENTS...: sets what measure.c says. With under, which is a command
# to run the program.
limited() {
	local megabytes=$1 seconds=$2 in_time
	make_group "$megabytes"
	(
		echo "$BASHPID" >"$group/cgroup.procs"
		exec "$build/attacks/measure" "$tmp/cost" "$seconds" "${under[@]}" "$topstacks" "${@:3}"
	) >"$out" 2>"$err" </dev/null || fail "measure failed"
	. "$tmp/cost"
	[ -z "${SHOW_COST:-}" ] || echo "${*:3}: $(cat "$tmp/cost")" >&2
	[ "$in_time" -eq 1 ] || fail "has not ended in $seconds s: $*"
	if [ "$status" -eq 137 ]; then
		fail "killed: it took more than $megabytes MiB: $*"
	fi
}

# The profile FILE for check, which sees it as an interval.
read_profile() {
	top report --format json "$1"
	expect_status 0
	python3 "$attacks/as_interval.py" "$out"
}

# record_all SECONDS: the whole system with all that is hostile; the run ends on time.
record_all() {
	limited 512 60 record -q -a -d "$1" -F 199 -o "$tmp/profile"
	expect_status 0
	expect_on_time "$1"
	read_profile "$tmp/profile"
	expect_soon "$1"
}

# record_beside SECONDS: the same, beside a process that is not hostile, which is started with
# start_beside. The names of that process are there.
start_beside() {
	start shares 1000
}

record_beside() {
	record_all "$1"
	check <<-'PYTHON'
		ours = [s for s in run.samples if s.comm == "shares" and s.user]
		named = sum(s.count for s in ours if s.user[0]["function"])
		# Without a module its mappings were not known, with one its symbols were not.
		for pid, module in sorted({(s.pid, s.user[0]["module"] or "no module") for s in ours if not s.user[0]["function"]}):
		    print(f"process {pid}: leaves without a name in {module}")
		expect_at_least("samples beside", sum(s.count for s in ours), 20)
		expect_at_least("named leaves beside", named, 0.95 * sum(s.count for s in ours))
	PYTHON
}

# bear KIND COPIES: a process runs code of so many such files; sets pid.
bear() {
	local each files=()
	make_elf "$1" "$1"
	for ((each = 0; each < $2; each++)); do
		cp -p --sparse=always "$den/$1" "$den/$1$each"
		files+=("$den/$1$each")
	done
	start_attacker bearer "${files[@]}"
}

# suffer KIND COPIES: beside that process.
suffer() {
	bear "$@"
	record_beside 2
	end "$pid"
	rm -f "$den/$1"*
}

# start_silent OPERATION: an ELF file is served as $tmp/mount/file, until it has fallen silent.
start_silent() {
	[ -x "$build/attacks/silent" ] || skip "libfuse3-dev was not there when this was built"
	[ -c /dev/fuse ] || skip "no /dev/fuse"
	cp -u "$build/attacks/"{bearer,silent} "$tmp/bin/"
	make_elf plain plain
	mkdir "$tmp/mount"
	output=$tmp/silent-$1
	"$tmp/bin/silent" "$1" "$den/plain" "$tmp/mount" >"$output" 2>&1 &
	silent=$!
	started+=("$silent")
	undo+=("umount -l '$tmp/mount' 2>/dev/null")
	wait_ready "$silent" "$output"
}

fall_silent() {
	kill -USR1 "$silent"
}

# What waits for it is let go.
end_silent() {
	end "$silent"
	umount -l "$tmp/mount" 2>/dev/null || true
	rmdir "$tmp/mount"
}

# Starting takes a second at most, and so does ending. What waited for a CPU would have run beside the rest, so the rest
# takes as much longer again.
expect_on_time() {
	local most=$(($1 * 1000 + 2000 + 2 * delayed_ms))
	[ "$wall_ms" -le "$most" ] || fail "took $wall_ms ms instead of $most ms, $delayed_ms ms of them waiting for a CPU"
}

# A signal ends a run within a second.
expect_ending() {
	local most=$((1000 + delayed_ms))
	[ "$ending_ms" -gt 0 ] || fail "ended before the signal"
	[ "$ending_ms" -le "$most" ] || fail "took $ending_ms ms to end instead of $most ms, $delayed_ms ms of them waiting for a CPU"
}

# expect_soon SECONDS: after read_profile. It says itself that it was sampled for so long, and from then on
# names take half a second, lines one, and the file what it takes.
expect_soon() {
	check "$1" "$ended_ms" "$delayed_ms" <<-'PYTHON'
		from datetime import datetime
		seconds, ended, delayed = int(args[0]), int(args[1]) / 1000, int(args[2]) / 1000
		start = datetime.fromisoformat(run.intervals[0]["start"].replace("Z", "+00:00")).timestamp()
		expect_at_most("time sampled, s", run.duration, seconds + 1)
		expect_at_most("then until its end, s", ended - start - run.duration - delayed, 2)
	PYTHON
}

expect_cpu() {
	[ "$cpu_ms" -le "$1" ] || fail "took $cpu_ms ms of CPU time, expected at most $1 ms"
}
