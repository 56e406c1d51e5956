#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Allocations of a command: with a sample for each byte all is told exactly, who allocated it and what is left of it, in
# threads, children and programs that are executed; and the command is none the wiser.
. "$(dirname "$0")/lib.sh"

program=$workloads/allocs

# by_place EVENT: what is told of each place of the process that said the truth, and of all others.
cat >"$tmp/places.py" <<'PYTHON'
places = ("by_malloc", "by_calloc", "by_realloc", "by_posix_memalign", "by_aligned_alloc", "by_large_malloc")


def told(event, pid):
    sums = {name: [0, 0] for name in places}
    for one in event["samples"]:
        sample = Sample(one)
        for name in places:
            if sample.pid == pid and sample.has(name):
                sums[name][0] += one["weight"]
                sums[name][1] += one["count"]
    return sums


def find(interval, name):
    return next(dict(interval, **event) for event in interval.get("events", [interval]) if event["event"] == name)
PYTHON

# run_places ARGUMENT...: and sets truth.
run_places() {
	truth=$tmp/truth
	json -e alloc --live --alloc-every 1 --max-memory 256M -- sh -c '"$0" "$@" >"$OUT"; true' "$program" "$@"
}

export OUT=$tmp/truth
for how in "" threads children; do
	# shellcheck disable=SC2086 # no word, or one
	run_places 5 300 7 $how
	check "$truth" "$how" <<-PYTHON
		$(cat "$tmp/places.py")
		truth = truths(args[0])
		alloc, live = find(run.intervals[0], "alloc"), find(run.intervals[0], "live")
		for event in (alloc, live):
		    check_interval(event)
		expected = {name: truth[name] for name in places}
		expect_eq("allocated", told(alloc, truth["pid"]), {name: one[:2] for name, one in expected.items()})
		expect_eq("left", told(live, truth["pid"]), {name: one[2:] for name, one in expected.items()})
		if args[1] != "threads": # others do not exit, and what they allocate last is not told
		    least = alloc["values"]["weight"]["total"] - (sum(one[0] for one in expected.values()) if args[1] else 0)
		    expect_at_least("bytes that the library counts", alloc["ledger"]["allocated_bytes"], least)
		expect_at_most("bytes that the library counts", alloc["ledger"]["allocated_bytes"], alloc["values"]["weight"]["total"])
		# Until a program's tables are loaded, callers may lack, and who was called with them.
		alone = sum(one["count"] for one in alloc["samples"] if len(one["frames"]) == 1)
		expect_at_most("blocks without callers", alone, 0.05 * alloc["values"]["count"]["total"])
		leaves = {one["frames"][0]["function"] for one in alloc["samples"] if len(one["frames"]) > 1}
		expect(leaves <= {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "reallocarray"}, f"leaves {leaves}")
		others = {one["pid"] for one in alloc["samples"]} - {truth["pid"]}
		expect_at_least("other processes", len(others), 2 if args[1] == "children" else 1)
	PYTHON
done

# Who frees all has nothing left; a child does not free what is its parent's.
run_places 5 100 0
check "$truth" <<-PYTHON
	$(cat "$tmp/places.py")
	expect_eq("left", told(find(run.intervals[0], "live"), truths(args[0])["pid"]), {name: [0, 0] for name in places})
PYTHON

# What cannot be resized stays, and what is resized is another block, whoever gets the old one's address.
json -e alloc --live --alloc-every 1 --max-memory 256M -- "$workloads/resized"
check <<-PYTHON
	$(cat "$tmp/places.py")
	left = {}
	for one in find(run.intervals[0], "live")["samples"]:
	    name = next((f["function"] for f in one["frames"] if f.get("function", "").startswith("by_")), None)
	    left[name] = left.get(name, 0) + one["weight"]
	expect_eq("left", {name: nr for name, nr in left.items() if name}, {"by_failed": 700000, "by_thread": 400 * 3000})
PYTHON

# What the child of a vfork allocates is its parent's, whose memory it has.
json -e alloc --live --alloc-every 1 -- "$workloads/lent_memory"
check <<-PYTHON
	$(cat "$tmp/places.py")
	left = {}
	for one in find(run.intervals[0], "live")["samples"]:
	    name = next((f["function"] for f in one["frames"] if f.get("function") in ("by_parent", "by_child")), None)
	    left[name] = left.get(name, 0) + one["count"]
	expect_eq("left", {name: nr for name, nr in left.items() if name}, {"by_parent": 5})
PYTHON

# The command alone: what it executes allocates as if nobody looked.
json -e alloc --alloc-every 1 --no-children -- sh -c 'env; exec "$0" 5 10 0' "$program"
! grep -q LD_PRELOAD "$out" || fail "the environment of what is executed has the library"

# Of one that is linked statically each call of its malloc is hit, and the user told what that costs.
gcc -O1 -fno-omit-frame-pointer -fno-builtin -static -o "$tmp/static" "$root/tests/workloads/allocs.c" -lpthread || fail "cannot compile"
json -e alloc --alloc-every 1 --max-memory 256M -- "$tmp/static" 5 30 0 alone "$tmp/truth"
expect_err '"[^"]*/static" cannot have the allocation library: each call of its malloc is hit by a probe instead, which takes it [0-9.]+ us$'
check "$tmp/truth" <<-PYTHON
	$(cat "$tmp/places.py")
	truth = truths(args[0])
	# Its tables are not loaded yet, so that callers may lack.
	inside = [one for one in run.intervals[0]["samples"] if any(f.get("function") == "use_place" for f in one["frames"])]
	expect_eq("allocated", [sum(one["weight"] for one in inside), sum(one["count"] for one in inside)],
	          [sum(truth[name][0] for name in places), sum(truth[name][1] for name in places)])
PYTHON
# One whose malloc nobody finds is told so, before it runs.
strip -o "$tmp/stripped" "$tmp/static"
top -e alloc -- "$tmp/stripped" 5 1 0
expect_status 125
tail -n 1 "$err" | grep -q 'no malloc is found in it by its name' || fail "no sentence: $(cat "$err")"
# And one that is executed later is counted.
json -e alloc -- sh -c '"$0" 5 1 0 alone /dev/null; "$0" 5 1 0 alone /dev/null; true' "$tmp/static"
check <<-'PYTHON'
	expect_eq("programs without the library", run.intervals[0]["ledger"]["programs_unsampled"], 2)
PYTHON
# Unless nobody asked for it.
json -e alloc --no-children -- sh -c '"$0"; "$0"; true' "$tmp/static"
check <<-'PYTHON'
	expect_eq("programs nobody asked for", run.intervals[0]["ledger"]["programs_unsampled"], 0)
PYTHON

for words in "--live" "--alloc-every 4096" "-e live" "-e alloc/weight=3/" "-e alloc,alloc"; do
	# shellcheck disable=SC2086 # several words
	top $words -d 0.1 -- true
	expect_status 125
	[ "$(wc -l <"$err")" = 1 ] || fail "$words: no sentence"
done
# Of those that cannot get the library nothing is sampled, and what to do is said.
for words in "-a" "--comm none" "--uid root"; do
	# shellcheck disable=SC2086 # several words
	top -e alloc $words -d 0.1
	expect_status 2
	grep -q 'add -- COMMAND or -p PID' "$err" || fail "$words: no sentence"
done
pass
