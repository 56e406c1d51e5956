#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A target that is stopped, by a signal or by a tracer, holds nobody up, neither as the target nor
# beside others.
. "$(dirname "$0")/lib.sh"

start shares 100
beside=$pid
start shares 100
stopped=$pid
kill -STOP "$stopped"
start shares 100
traced=$pid
# Attached and never resumed; ends with this test, and the target goes on.
python3 - "$traced" >"$tmp/tracer" <<'PYTHON' &
import ctypes, os, sys, time
libc, PTRACE_ATTACH, PR_SET_PDEATHSIG = ctypes.CDLL(None, use_errno=True), 16, 1
libc.prctl(PR_SET_PDEATHSIG, 9)
pid = int(sys.argv[1])
assert libc.ptrace(PTRACE_ATTACH, pid, None, None) == 0
os.waitpid(pid, 0x40000000)
print("ready", flush=True)
time.sleep(100)
PYTHON
started+=("$!")
wait_ready "$!" "$tmp/tracer"

for target in "$stopped" "$traced"; do
	limited 512 20 record -q -p "$target" -d 1 -o "$tmp/profile"
	expect_status 0
	expect_on_time 1
done
limited 512 20 record -q -a -d 1 -F 499 -o "$tmp/profile"
expect_status 0
expect_on_time 1
read_profile "$tmp/profile"
check "$beside" <<'PYTHON'
ours = [s for s in run.samples if s.pid == int(args[0]) and s.user]
expect_at_least("samples beside", sum(s.count for s in ours), 10)
expect_eq("without a name", [s.user[0] for s in ours if not s.user[0]["function"]], [])
PYTHON

# A run that is stopped itself in the middle balances.
top_start -a --json -d 3 -i 0.5
wait_sampling
kill -STOP "$top_pid"
sleep 1
kill -CONT "$top_pid"
top_wait
expect_status 0
check <<<'expect_at_least("samples", run.counted, 1)'
pass
