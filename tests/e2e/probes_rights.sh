#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An ordinary user with six capabilities has probes where the kernel wants CAP_SYS_ADMIN for their events: by links, to
# the hit, of calls and returns, in children and in programs that a thread executes, and to the block of allocations.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'probes were tested on x86-64 only'
uname -r | awk -F. '{ exit !($1 > 6 || ($1 == 6 && $2 >= 8)) }' || skip 'the kernel has no such links, or tells nothing of them'
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip 'perf_event_paranoid forbids all events'

program=$tmp/probed
install -m 755 "$workloads/probed" "$workloads/allocs" "$workloads/mallocs" "$topstacks" "$build/libtopstacks-alloc.so" "$tmp"
mkdir -m 777 "$tmp/open"
six=+bpf,+perfmon,+syslog,+sys_ptrace,+dac_read_search,+checkpoint_restore
cat >"$tmp/as_user" <<EOF_
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$six --ambient-caps=$six --bounding-set=-all,$six "$tmp/topstacks" "\$@"
EOF_
chmod 755 "$tmp/as_user"
topstacks=$tmp/as_user workloads=$tmp

json -e "uprobe:$program:take_bytes/weight=arg1,unit=bytes/" -- sh -c 'exec "$0" 1000 now >"$1"' "$program" "$tmp/open/said"
expect_hits 1000 500500
json -e "uretprobe:$program:take_bytes/weight=ret/" -- sh -c 'exec "$0" 700 now >"$1"' "$program" "$tmp/open/said"
expect_hits 700 245350

is_done() {
	[ "$(grep -cx "done" "$output")" -ge 1 ]
}

nr_ready() {
	[ "$(grep -c ready "$output")" -ge "$1" ]
}

is_followed() {
	grep -q '"processes_unprobed":1' "$out"
}

# A thread executes the program, whose first thread is another one then.
start probed 2000 exec
top_start --json -p "$pid" -i 0.2 -e "uprobe:$program:take_bytes"
wait_sampling
kill -USR1 "$pid"
wait_for nr_ready 2
wait_for is_followed
sleep 0.5 # the kernel takes 50 ms to put a probe in
kill -USR1 "$pid"
wait_for is_done
top_end
expect_hits 2000 2000

json -e alloc --live --alloc-every 1 --max-memory 128M -- sh -c '"$0" 5 300 7 >"$1"; true' "$tmp/allocs" "$tmp/open/truth"
check "$tmp/open/truth" <<'PYTHON'
truth = truths(args[0])
places = [name for name in truth if name.startswith("by_")]
for interval in run.intervals:
    for name, columns in (("alloc", slice(0, 2)), ("live", slice(2, 4))):
        event = next(dict(interval, **one) for one in interval["events"] if one["event"] == name)
        told = {place: [0, 0] for place in places}
        for one in event["samples"]:
            for place in places:
                if one["pid"] == truth["pid"] and Sample(one).has(place):
                    told[place][0] += one["weight"]
                    told[place][1] += one["count"]
        expect_eq(name, told, {place: truth[place][columns] for place in places})
PYTHON

# Of a process that runs already calls of malloc are counted first, by links, too: more of them than it may have are refused.
start mallocs 300
wait_for all_sleep "$pid"
top_start --json -i 60 -p "$pid" -e alloc --alloc-every 1
wait_sampling
kill -USR1 "$pid"
wait_for is_done
top_end
check "$output" <<'PYTHON'
truth = truths(args[0])
pid = truth.pop("pid")
told = {place: [0, 0] for place in truth}
for one in (one for interval in run.intervals for one in interval["samples"]):
    for place in told:
        if one["pid"] == pid and Sample(one).has(place):
            told[place][0] += one["weight"]
            told[place][1] += one["count"]
expect_eq("bytes and blocks", told, truth)
expect_eq("lost", run.lost, 0)
PYTHON
stop "$pid"
start mallocs 0 busy
top -d 0.2 -p "$pid" -e alloc
expect_status 3
expect_err 'malloc is called [0-9,]+ times a second by "mallocs"'
pass
