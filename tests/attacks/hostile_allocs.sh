#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that passes the probes of allocations with numbers of its own: it can say no more than that it allocated. What
# is told of others stays right, the ledgers balance, and what finds no room is counted.
. "$(dirname "$0")/lib.sh"

library=$build/libtopstacks-alloc.so
place() {
	readelf -nW "$library" | awk -v name="$1" '/Name:/ { found = $NF == name } found && /Location:/ { sub(/,/, "", $2); print $2; exit }'
}
export chosen freed ends
chosen=$(place alloc) freed=$(place free) ends=$(place ends)
[ -n "$chosen" ] && [ -n "$freed" ] && [ -n "$ends" ] || fail "no probes in $library"

json -e alloc --live --alloc-every 1 -i 90 --max-memory 256M -- sh -c \
	'"$0" 5 100 7 >"$2"; "$1" "$chosen" "$freed" "$ends"; true' "$workloads/allocs" "$workloads/hostile_allocs" "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])
live, alloc = (dict(run.intervals[0], **event) for event in run.intervals[0]["events"])
for event in (live, alloc):
    check_interval(event)
for place, (nr_bytes, blocks, kept_bytes, kept_blocks) in ((name, one) for name, one in truth.items() if name != "pid"):
    for event, expected in ((alloc, [nr_bytes, blocks]), (live, [kept_bytes, kept_blocks])):
        mine = [one for one in event["samples"] if one["pid"] == truth["pid"] and any(f.get("function") == place for f in one["frames"])]
        expect_eq(f"{place} of another process", [sum(one["weight"] for one in mine), sum(one["count"] for one in mine)], expected)
expect_at_least("blocks that found no room", live["ledger"]["lost_by"]["counts_full"], 300000 - 262144)
hostile = [one for one in alloc["samples"] if one["comm"] == "hostile_allocs"]
expect_at_least("its samples", sum(one["count"] for one in hostile), 300000)
PYTHON
top record -q -e alloc --live --alloc-every 1 -o "$tmp/profile.pb.gz" -- sh -c '"$0" "$chosen" "$freed" "$ends"; true' "$workloads/hostile_allocs"
expect_status 0
for format in text folded json markdown; do
	top report --format "$format" "$tmp/profile.pb.gz"
	expect_status 0
done
pass
