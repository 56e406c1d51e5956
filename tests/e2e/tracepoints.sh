#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints count exactly: bytes that a device was given, switches of a thread; and others who look at the
# same tracepoint see as much as without us.
. "$(dirname "$0")/lib.sh"

# ---- bytes of a loop device, by the device's own statistics ----

truncate -s 64M "$tmp/disk"
disk=$(losetup --find --show "$tmp/disk") || skip 'no loop devices'
detach() {
	losetup --detach "$disk" || true
	finish
}
trap detach EXIT
number=$(lsblk -dno MAJ:MIN "$disk" | tr -d ' ')
device=$(printf '0x%x' $((${number%:*} << 20 | ${number#*:})))

# Bytes read and written so far.
bytes_of_disk() {
	awk '{ printf "%d\n", ($3 + $7) * 512 }' "/sys/block/${disk##*/}/stat"
}

before=$(bytes_of_disk)
top_start --json -a -i 60 -e "block:block_rq_issue/weight=bytes,unit=bytes,dev==$device/"
wait_sampling
dd if=/dev/zero of="$disk" bs=64k count=200 oflag=direct status=none
dd if=/dev/zero of="$disk" bs=4k count=300 seek=4000 oflag=direct status=none
top_end
moved=$(($(bytes_of_disk) - before))
[ "$moved" -ge $((200 * 65536 + 300 * 4096)) ] || fail 'the device did less than dd'
check "$moved" <<'PYTHON'
values = [interval["values"] for interval in run.intervals]
expect_eq("unit", values[0]["weight"]["unit"], "bytes")
expect_eq("shown", values[0]["shown"], "weight")
expect_eq("name", run.intervals[0]["event"], "block:block_rq_issue")
expect_eq("bytes", sum(value["weight"]["total"] for value in values), int(args[0]))
expect_at_least("requests", sum(value["count"]["total"] for value in values), 500)
expect_eq("lost", run.lost, 0)
functions = {frame["function"] for sample in run.intervals[-1]["samples"] for frame in sample["frames"]}
expect("ksys_write" in functions or "vfs_write" in functions, f"no write among {functions}")
PYTHON
losetup --detach "$disk"
trap finish EXIT

# ---- switches of a thread that sleeps at both ends ----

mkfifo "$tmp/orders" "$tmp/answers"
python3 -c 'import sys, time
for order in sys.stdin:
    for i in range(int(order)):
        time.sleep(0.0002)
    print("done", flush=True)' <"$tmp/orders" >"$tmp/answers" &
sleeper=$!
started+=("$sleeper")
exec 7>"$tmp/orders" 8<"$tmp/answers"

# sleep_often N: so often, and is asleep when this returns.
sleep_often() {
	local line
	echo "$1" >&7
	read -r line <&8
	wait_for is_asleep
}

# Its last switch is counted a moment after it looks asleep.
is_asleep() {
	local before=${seen-}
	seen=$(awk '/^State:/ { print $2 }' "/proc/$sleeper/status")$(switches)
	[[ $seen == S* && $seen == "$before" ]]
}

switches() {
	awk '/ctxt_switches:/ { sum += $2 } END { print sum }' "/proc/$sleeper/status"
}

# watches PID: it has opened its perf events.
watches() {
	ls -l "/proc/$1/fd" | grep -q perf_event
}

sleep_often 10
# Somebody else's look at the same tracepoint, where perf finds it: in a mount namespace of its own.
if command -v perf >/dev/null; then
	unshare --mount bash -c 'mountpoint -q /sys/kernel/tracing ||
			mount -t tracefs none /sys/kernel/tracing
		exec perf stat -x, -e sched:sched_switch -p "$1" -o "$2"' - "$sleeper" "$tmp/perf" &
	watcher=$!
	started+=("$watcher")
	wait_for watches "$watcher"
fi
top_start --json -p "$sleeper" -i 60 -e sched:sched_switch
wait_sampling
before=$(switches)
sleep_often 2000
after=$(switches)
top_end
expect_silent
check "$((after - before))" <<'PYTHON'
expect_at_least("switches", int(args[0]), 2000)
counted = sum(interval["values"]["count"]["total"] for interval in run.intervals)
expect_at_least("switches counted or lost", counted + run.lost, int(args[0]))
expect_at_most("switches counted", counted, int(args[0]))
expect_eq("shown", run.intervals[0]["values"]["shown"], "count")
for sample in run.samples:
    expect_eq("process", sample.pid, run.samples[0].pid)
PYTHON
if command -v perf >/dev/null; then
	kill -INT "$watcher"
	wait "$watcher" || true
	lost=$(sed -n 's/.*"lost":\([0-9]*\),.*/\1/p' "$out" | awk '{ sum += $1 } END { print sum }')
	seen=$(awk -F, '/sched_switch/ { print $1 }' "$tmp/perf")
	[ $((seen + lost)) -ge $((after - before)) ] || fail "perf saw $seen of $((after - before)) beside us"
fi

# ---- what is refused ----

refused() {
	top -a -d 1 -e "$1"
	expect_status 2
	expect_err "$2"
}

refused sched:sched_swich 'no tracepoint "sched:sched_swich"; near: sched:sched_switch'
refused block:block_rq_issue/weight=byte/ 'has no field "byte"; near: bytes'
refused block:block_rq_issue/weight=comm/ 'is no number'
refused sched:sched_switch/period=7/ 'takes neither period='
pass
