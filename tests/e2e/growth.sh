#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -e growth: pages that were touched and memory that was asked for, exactly, against what a program knows that
# it did, and against strace's account of all its calls. What is lost may have been of any hit.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/of.py" <<'PYTHON'
MAPS = "syscalls:sys_enter_mmap/weight=len,flags&32,prot&2/"
BREAKS = "syscalls:sys_enter_brk/brk>0/"


def of(name):
    intervals = [dict(one, **event) for one in run.intervals for event in one["events"] if event["event"] == name]
    for one in intervals:
        check_interval(one)
    return Run(intervals)


def expect_exact(event, what, counted, truth):
    expect_at_most(what, counted, truth)
    expect_at_least(f"{what}, with what was lost", counted + event.lost, truth)


def bytes_in(event, function):
    return sum(sample.raw["weight"] for sample in event.samples if sample.has(function))


faults, maps, breaks = of("page-faults"), of(MAPS), of(BREAKS)
PYTHON

# ---- what a program knows ----

json -e growth -i 60 -- "$workloads/growth" 200
expect_err 'growth tells where memory was asked from the kernel or touched for the first time: not which'
grep -v '^{"schema"' "$out" >"$tmp/truth"
grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
check "$tmp/of.py" "$tmp/truth" <<'PYTHON'
exec(open(args[0]).read())
truth = truths(args[1])
expect_eq("events", [one["event"] for one in run.intervals[0]["events"]], ["page-faults", MAPS, BREAKS])
expect_exact(faults, "pages touched", faults.with_function("touch_memory"), 2 * truth["maps"])
expect_exact(maps, "mappings", maps.with_function("map_memory"), truth["maps"])
if not maps.lost:
    expect_eq("bytes mapped", bytes_in(maps, "map_memory"), truth["bytes"])
expect_exact(breaks, "moves of the heap's end", breaks.with_function("move_break"), truth["maps"])
expect_eq("bytes are shown", maps.intervals[0]["values"]["shown"], "weight")
expect_eq("unit", maps.intervals[0]["values"]["weight"]["unit"], "bytes")
for name in ("reserve", "map_file", "ask_break"):
    expect_eq(f"of {name}", maps.with_function(name) + breaks.with_function(name), 0)
PYTHON

# ---- what the kernel was asked, from the first instruction to the last ----

cat >"$tmp/list.py" <<'PYTHON'
numbers = [str(number) for number in range(200000)]
blocks = [bytearray(300000) for _ in range(50)]
PYTHON
python3=$(python3 -c 'import sys; print(sys.executable)')
export PYTHONHASHSEED=0
strace -o "$tmp/calls" -e trace=mmap,brk "$python3" -S "$tmp/list.py"
json -e growth -i 60 -- "$python3" -S "$tmp/list.py"
check "$tmp/of.py" "$tmp/calls" <<'PYTHON'
exec(open(args[0]).read())
calls = open(args[1]).read()
asked = [int(size) for size, rest in re.findall(r"^mmap\([^,]*, (\d+), ([^)]*)", calls, re.M)
         if "MAP_ANONYMOUS" in rest and "PROT_WRITE" in rest]
moved = [end for end in re.findall(r"^brk\((\w+)\)", calls, re.M) if end != "NULL"]
expect_at_least("calls of mmap", len(asked), 50)
expect_at_least("calls of brk", len(moved), 2)
expect_exact(maps, "calls of mmap by strace", maps.counted, len(asked))
expect_exact(breaks, "calls of brk by strace", breaks.counted, len(moved))
if not maps.lost:
    expect_eq("bytes of mmap by strace", sum(sample.raw["weight"] for sample in maps.samples), sum(asked))
PYTHON

# ---- a file has all three, and each is shown by its name ----

top record -q -e growth -o "$tmp/growth.pb.gz" -- "$workloads/growth" 50
expect_status 0
expect_silent
grep -q '^{"maps"' "$out" || fail 'the command said nothing'
top report "$tmp/growth.pb.gz"
expect_status 0
grep -q ' page-faults  COMMAND' "$out" || fail 'no table of page faults'
top report --sample-type 'syscalls:sys_enter_mmap/weight=len,flags&32,prot&2/' "$tmp/growth.pb.gz"
expect_status 0
grep -q map_memory "$out" || fail 'no table of mappings'
top report --sample-type 'syscalls:sys_enter_brk/brk>0/' "$tmp/growth.pb.gz"
expect_status 0
grep -q move_break "$out" || fail 'no table of brk'

# ---- it is several events, wherever events are said ----

top -a -d 1 -e growth:u
expect_status 2
expect_err 'growth has neither terms nor modes, as it is several events: say -e page-faults,'
top -a -d 1 -e page-faults,growth
expect_status 2
expect_err '"page-faults" twice; growth is -e page-faults,'
top -a -d 1 -e growt
expect_status 2
expect_err 'no such event: "growt"; near: growth'
top list growth
expect_status 0
grep -q '^  growth  .*memory' "$out" || fail 'list does not tell of it'
top doctor -e growth
expect_status 0
[ "$(grep -c '^  here  *it can be had$' "$out")" -eq 3 ] || fail 'doctor does not tell of three events'
pass
