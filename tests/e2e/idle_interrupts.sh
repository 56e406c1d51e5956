#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An idle CPU that works off network packets: that work is sampled, kept and labelled as the idle
# task's interrupts, and true idling is counted as idle. Above the rate at which idle CPUs can be
# sampled the header says that such work is not seen.
. "$(dirname "$0")/lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'one CPU only'

# CPU 1 sends packets over a loopback device of its own; CPU 0 is told to receive them.
cat >"$tmp/flood" <<'SH'
mount -t sysfs none /sys && (ip link set lo up || ifconfig lo up) 2>/dev/null || exit 1
echo 1 >/sys/class/net/lo/queues/rx-0/rps_cpus || exit 1
exec taskset -c 1 python3 -c '
import socket, time
end = time.monotonic() + 20
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print("ready", flush=True)
while time.monotonic() < end:
    for _ in range(200):
        try:
            out.sendto(b"x" * 64, ("127.0.0.1", 9))
        except ConnectionRefusedError:
            pass
'
SH
unshare --net --mount sh "$tmp/flood" >"$tmp/flooding" 2>&1 &
started+=("$!")
wait_for grep -qE 'ready|[a-z]: ' "$tmp/flooding"
grep -q ready "$tmp/flooding" || skip "no packets: $(head -n 1 "$tmp/flooding")"

json -a -C 0 -F 199 -i 1 -d 4
check <<'PYTHON'
def is_softirq(sample):
    return any((name or "").startswith(("handle_softirqs", "__do_softirq")) for name in sample.functions)
expect(not run.intervals[0]["ledger"]["idle_excluded"], "idle is excluded at this rate")
idle_task = [sample for sample in run.samples if sample.pid == 0]
work = sum(sample.count for sample in idle_task)
expect_eq("samples of the idle task that are no interrupts", sum(s.count for s in idle_task if not is_softirq(s) and not any("irq" in (f or "") or "sysvec" in (f or "") for f in s.functions)), 0)
expect_eq("users' frames in the idle task", sum(s.count for s in idle_task if s.user), 0)
expect({s.comm for s in idle_task} <= {"swapper/0"}, "the idle task has another name")
# On a machine with other work CPU 0 is never idle: then packets interrupt others.
everywhere = run.count(is_softirq)
expect_at_least("samples of softirqs", everywhere, 5)
if run.idle > 0.2 * run.events:
    expect_at_least("samples of interrupt work on an idle CPU", work, 1)
PYTHON

top -a -F 4999 -i 0.5 --once
expect_status 0
grep -q 'interrupts on idle CPUs are not seen' "$out" || fail 'the header does not say what is not seen'
pass
