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
written=$((200 * 65536 + 300 * 4096))
[ "$moved" -ge "$written" ] || fail 'the device did less than dd'
check "$moved" "$written" "$device" <<'PYTHON'
values = [interval["values"] for interval in run.intervals]
expect_eq("unit", values[0]["weight"]["unit"], "bytes")
expect_eq("shown", values[0]["shown"], "weight")
expect_eq("name", run.intervals[0]["event"], f"block:block_rq_issue/weight=bytes,dev=={int(args[2], 16)}/")
moved = sum(value["weight"]["total"] for value in values)
if run.lost: # a bpf() call was interrupted, on a busy machine: nobody tells whose hits these were
    expect_at_most("bytes", moved, int(args[0]))
else:
    expect_eq("bytes", moved, int(args[0]))
    expect_eq("bytes of dd", sum(sample.raw["weight"] for sample in run.samples if sample.comm == "dd"), int(args[1]))
expect_at_least("requests", sum(value["count"]["total"] for value in values) + run.lost, 500)
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
	[ -n "$(find "/proc/$1/fd" -lname '*perf_event*' -print -quit 2>/dev/null)" ]
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

# ---- conditions, and weights below zero: 60 reads of 500 bytes, 30 of 7, 20 of none, 10 that fail ----

cat >"$tmp/reads.py" <<'PYTHON'
import os, sys
bytes_of = os.open("/dev/zero", os.O_RDONLY)
nothing = os.open("/dev/null", os.O_RDONLY)
for order in sys.stdin:
    if order == "up\n":
        for number in range(3000):
            os.read(bytes_of, 1001 if number % 10 == 9 else 1)
        print("done", flush=True)
        continue
    for number in range(60):
        os.read(bytes_of, 500)
    for number in range(30):
        os.read(bytes_of, 7)
    for number in range(20):
        os.read(nothing, 7)
    for number in range(10):
        try:
            os.read(99, 7)
        except OSError:
            pass
    print("done", flush=True)
PYTHON
mkfifo "$tmp/in" "$tmp/outcome"
python3 "$tmp/reads.py" <"$tmp/in" >"$tmp/outcome" &
reader=$!
started+=("$reader")
exec 5>"$tmp/in" 6<"$tmp/outcome"

# reads CONDITIONS COUNT WEIGHT [ORDER]: of the reads, but for that of the order, which is of 3 bytes, and still waits.
reads() {
	local answer
	top_start --json -p "$reader" -i 60 -e "syscalls:sys_exit_read/weight=ret,unit=bytes,$1/"
	wait_sampling
	echo "${4-go}" >&5
	read -r answer <&6
	[ "$answer" = "done" ] || fail 'no answer'
	top_end
	check "$1" "$2" "$3" <<-'PYTHON'
		counted = sum(interval["values"]["count"]["total"] for interval in run.intervals)
		weight = sum(interval["values"]["weight"]["total"] for interval in run.intervals)
		expect_at_most("reads with " + args[0], counted, int(args[1]))
		expect_at_least("reads, or lost, with " + args[0], counted + run.lost, int(args[1]))
		if not run.lost: # nobody tells whose hits those were
		    expect_eq("bytes with " + args[0], weight, int(args[2]))
	PYTHON
}

echo go >&5
read -r _ <&6
reads 'ret==500' 60 30000
reads 'ret!=500,ret!=3' 60 210
reads 'ret<0' 10 0
reads 'ret<=0' 30 0
reads 'ret>3' 90 30210
reads 'ret>=500' 60 30000
reads 'ret>0,ret&1,ret!=3' 30 210
# One in seven: on a CPU alone there is one rest, of four.
taskset -cp 0 "$reader" >"$tmp/cpu"
reads 'ret==500,period=7' 8 28000
# In step with the period, nine reads of 1 byte and one of 1001: a sample weighs all ten.
reads 'ret!=3,period=10' 300 303000 up

# ---- what is refused ----

refused() {
	top -a -d 1 -e "$1"
	expect_status 2
	expect_err "$2"
}

refused sched:sched_swich 'no tracepoint "sched:sched_swich"; near: sched:sched_switch'
refused block:block_rq_issue/weight=byte/ 'has no field "byte"; near: bytes'
refused block:block_rq_issue/weight=comm/ 'is no number'
refused sched:sched_switch/freq=7/ 'takes no freq='
refused 'sched:sched_switch,sched:sched_switch/prev_prio>100/' 'the tracepoint "sched:sched_switch" twice'

# ---- what weighs has a name of its own, and other conditions make another event ----

record() {
	top record -q -e "$1" -o "$tmp/$2.pb.gz" -- true
	expect_status 0
}
record 'kmem:kmalloc/weight=bytes_alloc,bytes_alloc>=0x10/' large
record 'kmem:kmalloc/bytes_alloc>=16,weight=bytes_alloc/' same
record 'kmem:kmalloc/weight=bytes_alloc,bytes_alloc>=17/' other
top report "$tmp/large.pb.gz"
expect_status 0
grep -qE '^values +kmem:kmalloc/weight=.* in bytes .also there: kmem:kmalloc/bytes_alloc>=16/ in count' "$out" ||
	fail "count and weight are called alike"
top diff "$tmp/large.pb.gz" --against "$tmp/same.pb.gz" --fail-on none
expect_status 0
grep -q '^passed as to counts, not weights: ' "$out" || fail "the verdict looks as if weights were judged"
grep -q 'counts of kmem:kmalloc/bytes_alloc>=16/; their weight is not judged, .* chance: .*B → .*B a run' "$out" ||
	fail "what was weighed is not told"
top diff --sample-type 'kmem:kmalloc/weight=bytes_alloc,bytes_alloc>=16/' "$tmp/large.pb.gz" --against "$tmp/same.pb.gz"
expect_status 2
expect_err 'are weights, and .* chance.* by --sample-type "kmem:kmalloc/bytes_alloc>=16/"'
top diff "$tmp/large.pb.gz" --against "$tmp/other.pb.gz" --fail-on none
expect_status 2
expect_err 'event differs: "kmem:kmalloc/weight=bytes_alloc,bytes_alloc>=16/" in .*, "[^"]*>=17/" in '
top report --sample-type 'kmem:kmalloc/weight=bytes_alloc,bytes_alloc>=16/' "$tmp/large.pb.gz"
expect_status 0
pass
