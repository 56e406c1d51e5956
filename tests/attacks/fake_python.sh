#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that looks like an interpreter, and whose frames, code objects and strings are none: runs end on time, each
# event is accounted for, C code keeps its callers, no name is one that is nowhere, and others keep theirs.
. "$(dirname "$0")/lib.sh"

# record_mode MODE: beside a process that is not hostile, and a real interpreter.
record_mode() {
	start_attacker fake_python "$1"
	limited 512 60 record -q -p "$pid,$beside,$python" -d 2 -F 499 --frames all -o "$tmp/profile"
	expect_status 0
	expect_on_time 2
	read_profile "$tmp/profile"
	expect_soon 2
	check "$1" "$pid" "$python" <<'PYTHON'
mode, pid, python = args[0], int(args[1]), int(args[2])
fakes = [sample for sample in run.samples if sample.pid == pid and sample.user and not sample.has("change_always")]
inside = [sample for sample in fakes if sample.has("fake_inner")]
number = sum(sample.count for sample in inside)
expect_at_least("samples", sum(sample.count for sample in fakes), 50)
expect_at_most("deepest user stack", max(len(sample.user) for sample in fakes), 127)

# Its names are what it has in memory, or the beginning of that, and no more than is kept of them.
for sample in fakes:
    for name, file in sample.chain:
        name = name and re.sub("(?<=.)…$", "", name) # of which there is more
        expect(name is None or name.startswith("fake_"), f"a name that it has not: {name!r}")
        expect_at_most(f"characters of {name!r}", len(name or ""), 400)
        expect_at_most(f"characters of {file!r}", len(file or ""), 800)
        if mode == "changing":
            expect(name is None or any(one.startswith(name) for one in ("fake_one", "fake_two", "fake_root")), f"a name of no time: {name!r}")
        if mode == "lengths":
            expect(name is None or any(one.startswith(name) for one in ("fake_length", "fake_lines", "fake_state")) or "fake_lines" in name,
                   f"more than there is: {name!r}")

# Who calls the loop, unless there is no room left for it.
if mode not in ("cycle", "many"):
    expect_at_least("share with the callers of the loop",
                    sum(s.count for s in inside if s.has("fake_outer") and s.has("main")) / sum(s.count for s in fakes), 0.95)
right = [["fake_leaf", "fake.py"], ["fake_root", "fake.py"]]
honest = sum(sample.count for sample in inside if sample.chain == right)
if mode == "honest":
    expect_at_least("share of those believed", honest / number, 0.95)
elif mode == "many":
    expect_at_least("frames at once", max(len(sample.chain) for sample in fakes), 90)
elif mode == "cycle":
    expect_eq("names in a circle", {name for s in fakes for name, _ in s.chain} - {None}, {"fake_leaf", "fake_root"})

# Those beside it.
ours = [sample for sample in run.samples if sample.comm == "shares" and sample.user]
named = sum(sample.count for sample in ours if sample.user[0]["function"])
expect_at_least("samples beside", sum(sample.count for sample in ours), 1) # others may have the CPUs
expect_at_least("named leaves beside", named / sum(sample.count for sample in ours), 0.95)
pythons = [sample for sample in run.samples if sample.pid == python and sample.user]
number = sum(sample.count for sample in pythons)
expect_at_least("samples of Python", number, 1)
if mode != "many": # whose names have all the room that there is
    names = ["leaf", "middle", "outer", "main", "<module>"]
    right = sum(sample.count for sample in pythons if [name for name, _ in sample.chain] == names)
    expect_at_least("share of Python with its names", right / number, 0.95)
PYTHON
	top report "$tmp/profile"
	expect_status 0
	! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$out" || fail "what a terminal should not see"
	top report --format folded "$tmp/profile"
	expect_status 0
	! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$out" || fail "what a terminal should not see, folded"
	# And all that runs here.
	record_beside 1
	end "$pid"
}

start_beside
beside=$pid
/usr/bin/python3 -E -s -B "$root/tests/workloads/python/nested.py" 120 >"$tmp/python" &
python=$!
started+=("$python")
wait_ready "$python" "$tmp/python"

for mode in honest cycle wild lengths changing many control keys; do
	record_mode "$mode"
done
# Faster, and with short sets of maps.
start_attacker fake_python many
limited 512 60 record -q -p "$pid" -d 2 -F 2999 --frames plain --max-memory 16M -o "$tmp/profile"
expect_status 0
expect_on_time 2
read_profile "$tmp/profile"
expect_soon 2
check <<<'expect_at_least("samples", run.counted, run.enough(500))'
pass
