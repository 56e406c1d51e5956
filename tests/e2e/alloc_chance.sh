#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What samples of allocations stand for is what was allocated, and what is left, on average: programs with seeds of their
# own say what they did at each place. And what is off is off by as much as is said. RUNS: how many, 40 unless given.
. "$(dirname "$0")/lib.sh"

mean=16384
json -e alloc --live --alloc-every $mean --max-memory 512M -i 90 -- sh -c \
	'for seed in $(seq "$1"); do "$0" "$seed" 4000 3; done >"$2"' "$workloads/allocs" "${RUNS:-40}" "$tmp/truth"
check "$tmp/truth" $mean <<'PYTHON'
mean = float(args[1])
runs = {one["pid"]: one for one in map(json.loads, open(args[0], encoding="utf-8"))}
places = [name for name in next(iter(runs.values())) if name != "pid"]
z = statistics.NormalDist().inv_cdf(1 - ERROR_PROBABILITY / 2 / (4 * len(places)))
for number, name in enumerate(("live", "alloc")):
    event = dict(run.intervals[0], **run.intervals[0]["events"][number])
    expect_eq("event", event["event"], name)
    check_interval(event)
    told = {(pid, place): [0, 0] for pid in runs for place in places}
    for one in event["samples"]:
        for place in places:
            if one["pid"] in runs and any(frame.get("function") == place for frame in one["frames"]):
                told[one["pid"], place][0] += one["weight"]
                told[one["pid"], place][1] += one["count"]
    inside = 0
    for place in places:
        for value, unit in enumerate(("bytes", "blocks")):
            true = [runs[pid][place][value + (2 if name == "live" else 0)] for pid in runs]
            off = [told[pid, place][value] - one for pid, one in zip(runs, true)]
            error = statistics.stdev(off) / math.sqrt(len(off)) + 0.5 # a part of a byte or block is rounded
            expect_near(f"{unit} of {place}, {name}: mean off, in standard errors", statistics.mean(off) / error, 0, z)
            if unit == "bytes":
                inside += sum(abs(one) <= 1.96 * math.sqrt(mean * amount) for one, amount in zip(off, true))
    expect_at_least(f"share within the 95 % that are stated, {name}", inside / len(runs) / len(places), 0.91)
    for sample in event["samples"]:
        expect(sample["share_low"] is None or sample["share_low"] <= sample["share"] <= sample["share_high"], f"bounds of {sample}")
PYTHON
pass
