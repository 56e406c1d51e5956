#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --max-overhead lowers a rate that costs too much, or samples fewer of what is counted, and says so. It loses nothing
# when it does.
. "$(dirname "$0")/lib.sh"

start stacks 10 40
json -p "$pid" -F 9999 -i 1 -d 9.5 --max-overhead 0.3
expect_err 'sampling at [0-9.]+ Hz from here on, to stay within --max-overhead 0.3'
check <<'PYTHON'
# No rate is lowered in the first 4 s, and in 9 s it surely is.
expect_near("delivered at first, Hz", run.intervals[1]["delivered_hz"], 9999, 500)
expect_at_most("delivered at last, Hz", run.intervals[-1]["delivered_hz"], 6000)
expect_eq("lost", run.lost, 0)
# Two or three times the events were opened anew: a period or so each.
expect_coverage(run)
PYTHON

# Nothing to lower: nothing is said of it, beside what follows.
"$topstacks" --json -p "$pid" -i 1 -d 6 --max-overhead 50 >/dev/null 2>"$tmp/unlowered" </dev/null &
unlowered=$!
started+=("$unlowered")

# What is counted: fewer and fewer are sampled. Their weights are those of all, but for what each CPU has seen since
# its last sample. CPU time, which costs little beside them, keeps its rate.
cat >"$tmp/hog.py" <<'PYTHON'
import mmap, os, sys
pages = mmap.mmap(-1, 256 * 4096)
calls = 0
for order in sys.stdin:
    while not os.path.exists(order.strip()):
        pages.madvise(mmap.MADV_DONTNEED)
        for page in range(0, len(pages), 4096):
            pages[page] = 1
        os.getppid()
        calls += 1
    print(calls, flush=True)
PYTHON
mkfifo "$tmp/orders" "$tmp/calls"
python3 "$tmp/hog.py" <"$tmp/orders" >"$tmp/calls" &
hog=$!
started+=("$hog")
exec 7>"$tmp/orders" 8<"$tmp/calls"
echo "$tmp" >&7 # which is there already: it answers once it is Python, and no shell any more
read -r calls <&8

faults() {
	awk '{ print $10 + $12 }' "/proc/$hog/stat"
}

is_asleep() {
	local before=${seen-}
	seen=$(awk '/^State:/ { print $2 }' "/proc/$hog/status")$(faults)
	[[ $seen == S* && $seen == "$before" ]]
}

events=page-faults,cpu
"$topstacks" list sys_enter_getppid 2>/dev/null | grep -q . && events+=,syscalls:sys_enter_getppid
wait_for is_asleep
top_start --json -p "$hog" -i 0.5 -e "$events" --max-overhead 1
wait_sampling
before=$(faults)
echo "$tmp/enough" >&7
wait_for grep -q '"one_in":[0-9]*[0-9][0-9],' "$out" # twice
touch "$tmp/enough"
read -r calls <&8
wait_for is_asleep
after=$(faults)
top_end
expect_err 'sampling one in [0-9]+ of what is counted from here on, to stay within --max-overhead 1'
! grep -q 'sampling at' "$err" || fail 'CPU time gave way to what costs more'
check "$((after - before))" "$calls" <<'PYTHON'
truths = {"page-faults": int(args[0]), "syscalls:sys_enter_getppid": int(args[1])}
events = [dict(one, **event) for one in run.intervals for event in one.get("events", [one])]
for name, truth in truths.items():
    own = [event for event in events if event["event"] == name]
    if not own:
        continue
    one_in = max(event.get("one_in", 1) for event in own)
    weight = sum(event["values"]["weight"]["total"] for event in own)
    lost = sum(event["ledger"]["lost"] for event in own)
    rest = run.intervals[0]["cpus"] * (one_in - 1) + lost * one_in + (one_in - 1 if lost else 0)
    expect_at_least("one in", one_in, 16)
    expect_at_most("weight of " + name, weight, truth)
    expect_at_least("weight, and what is no sample yet, of " + name, weight + rest, truth)
    expect_at_most("samples of " + name, sum(event["ledger"]["counted"] for event in own), truth - 1)
    expect_eq("the one of the two that is shown", own[0]["values"]["shown"], "weight")
PYTHON
wait "$unlowered" || fail 'the run with nothing to lower failed'
[ ! -s "$tmp/unlowered" ] || fail "with nothing to lower: $(cat "$tmp/unlowered")"
pass
