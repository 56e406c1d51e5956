#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What topstacks did in one boot of a kernel: compatibility_judge.py KERNEL DIRECTORY CELLS

DIRECTORY has what the guest sent: its release, and of each setting what each ability printed. An ability runs (its ledger
balances, its numbers are those of the workload), or is refused by the sentence that is true there, or it is wrong. Adds a
line of JSON for each to the file CELLS, and says what it found.
"""

import json
import pathlib
import subprocess
import sys

from compatibility_table import ABILITIES, LOSSES, REASONS, Place

CHECK = pathlib.Path(__file__).parents[1] / "e2e" / "check.py"

# How many samples there are depends on the timers, which an emulator lets be late; counts are exact all the same.
ASSERTIONS = {
    "cpu": """
expect_at_least("samples", run.counted, 30)
expect_eq("lost", run.lost, 0)
expect_eq("samples with main", run.with_function("main"), run.counted)
expect_at_most("coverage in percent", run.coverage, 125)
for share in (10, 20, 30, 40):
    expect_near(f"share_{share}", run.with_function(f"share_{share}") / run.counted, share / 100,
                0.05 + binomial_tolerance(run.counted, share / 100, 4))
""",
    "wall": """
expect_at_least("time that is accounted for, ns", run.wall_ns, 1)
expect_eq("running, in samples, ns", sum(sample.states.get("running", 0) for sample in run.samples), run.running_ns)
expect_at_most("unknown, of all time", run.unknown_ns / run.wall_ns, 0.001)
expect_at_most("time of its one thread, s", run.wall_ns / 1e9, run.duration + 0.01)
expect_near("running, of what the scheduler says", run.running_ns / run.scheduled_ns, 1, 0.05)
running = {share: sum(sample.states.get("running", 0) for sample in run.samples if sample.has(f"share_{share}"))
           for share in (10, 20, 30, 40)}
for share, ns in running.items():
    expect_near(f"share_{share}", ns / run.running_ns, share / 100, 0.05 + binomial_tolerance(run.counted, share / 100, 4))
""",
    # Seven threads sleep all the time, two in each place and one elsewhere: to the nanosecond the same, place by place, which
    # the kernel's part of their stacks tells even while symbols are not read yet.
    "off-cpu": """
expect_at_least("time that is accounted for, ns", run.wall_ns, 1)
slept, places = {}, {}
for sample in run.samples:
    calls = tuple(frame["function"] for frame in sample.kernel)
    slept[calls] = slept.get(calls, 0) + sample.ns
    for place in {"block_in_pause", "block_in_futex", "block_in_read"} & set(sample.functions):
        places.setdefault(place, set()).add(calls)
        expect_eq("callers", (sample.functions.count("descend"), sample.has("run_blocking")), (5, True))
seventh = run.wall_ns // 7
expect_eq("times by what is called in the kernel, ns", (run.wall_ns % 7, sorted(slept.values())), (0, [seventh] + 3 * [2 * seventh]))
expect_eq("places, and what each calls", (len(places), {len(calls) for calls in places.values()}), (3, {1}))
expect_at_most("their length, s", seventh / 1e9, run.duration + 0.01)
""",
    # Stacks of the first blocks may lack callers, while the program's mappings are not known yet; the ledger tells how many.
    # In a slow guest so short a program may end before its symbols are read.
    "alloc": """
truth = truths(args[0] + "/alloc.truth")
pid = truth.pop("pid")
live, alloc = (dict(run.intervals[0], **event) for event in run.intervals[0]["events"])
for event, part in ((alloc, slice(2)), (live, slice(2, 4))):
    check_interval(event)
    ours = [Sample(one) for one in event["samples"] if one["pid"] == pid]
    sums = lambda samples: [sum(one.raw["weight"] for one in samples), sum(one.count for one in samples)]
    for place, numbers in truth.items():
        told = sums([one for one in ours if one.has(place)])
        expect_at_most(f"{event['event']} {place}", told[0], numbers[part][0])
        expect_at_most(f"{event['event']} {place}, blocks", told[1], numbers[part][1])
    lost = [one for one in ours if not set(truth) & set(one.functions) and None not in one.functions]
    expect_at_most(f"{event['event']}, blocks without a place", sums(lost)[1], event["ledger"]["stacks"]["truncated"])
    expect_eq(f"{event['event']}, bytes and blocks", sums(ours), [sum(numbers[part][i] for numbers in truth.values()) for i in (0, 1)])
""",
    # What a tracepoint's program could not see is counted since 6.7.
    "tracepoint": """
reads = run.with_function("read_pages")
expect_at_most("reads of a byte each, in read_pages", reads, 500)
expect_at_least("with what was lost", reads + run.lost, 500 if args[1] >= "6.07" else 450)
expect_eq("bytes", run.intervals[0]["values"]["weight"]["total"], run.intervals[0]["values"]["count"]["total"])
""",
    "uprobe": """
values = run.intervals[0]["values"]
expect_eq("hits", (values["count"]["total"], run.lost), (500, 0))
expect_eq("bytes", values["weight"]["total"], 500 * 501 // 2)
expect_eq("in main", run.with_function("main"), 500)
""",
}


def read(path):
    return path.read_text(errors="replace") if path.exists() else ""


def check_numbers(directory, place):
    """What is wrong with them, or nothing."""
    version = "%d.%02d" % place.version
    done = subprocess.run([CHECK, directory / f"{place.ability}.out", directory, version],
                          input=ASSERTIONS[place.ability], capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


def told_losses(interval):
    """(name, why) of what this run lacks, as it tells: an ability that it lost, or the names of the kernel's functions."""
    told = [(lost["name"], lost["why"]) for lost in interval["lost_abilities"]]
    causes = [cause for cause in interval["quality"]["causes"] if cause["module"] == "[kernel]"]
    return told + [("names of kernel functions", cause["advice"].split("; ")[-1]) for cause in causes]


def losses_of(interval, place):
    """(labels of what this run lacks, what is wrong with that)"""
    told = told_losses(interval)
    found = [(name, why, [one.label for one in LOSSES if (one.name, one.why) == (name, why) and one.holds(place)]) for name, why in told]
    wrong = [f"lost: {name}: {why}" for name, why, labels in found if not labels]
    if interval["unwinding"] == "frame pointers" and "unwind tables" not in [name for name, _ in told]:
        wrong.append("user stacks are walked by frame pointers, and no ability is lost")
    frames = [frame for sample in interval["samples"] for frame in sample["frames"] if frame["kind"] == "kernel"]
    if any(frame["function"] is None for frame in frames) and "names of kernel functions" not in [name for name, _ in told]:
        wrong.append("kernel functions have no names, and nothing is said of that")
    return [label for _, _, labels in found for label in labels], "; ".join(wrong)


def judge(directory, place):
    """(verdict, labels, what is wrong)"""
    status, said = read(directory / f"{place.ability}.status").strip(), read(directory / f"{place.ability}.err")
    if status == "0":
        wrong = check_numbers(directory, place)
        if wrong:
            return "wrong", [], wrong
        interval = json.loads(read(directory / f"{place.ability}.out").splitlines()[0])
        labels, wrong = losses_of(interval, place)
        return ("wrong", [], wrong) if wrong else ("ok", labels, "")
    if status not in ("3", "125") or said.count("\n") != 1 or read(directory / f"{place.ability}.out"):
        return "wrong", [], f"exit status {status}: {said}"
    sentence = said.removeprefix("topstacks: ").rstrip("\n")
    for reason in REASONS:
        if reason.matches(sentence):
            if reason.holds(place):
                return "refused", [reason.label], ""
            return "wrong", [], f"not true here: {said}"
    return "wrong", [], f"no sentence that is known to be true: {said}"


def judge_doctor(directory):
    """It says that topstacks can run where CPU time is sampled, and nowhere else."""
    expected = "0" if read(directory / "cpu.status").strip() == "0" else "3"
    status = read(directory / "doctor.status").strip()
    if status == expected:
        return "ok", [], ""
    return "wrong", [], f"exit status {status}, expected {expected}: {read(directory / 'doctor.out')[-800:]}"


def main():
    kernel, directory, cells_path = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    version = tuple(int(part) for part in read(directory / "release").split("-")[0].split(".")[:2])
    with open(cells_path, "a", encoding="utf-8") as cells:
        for path in sorted(path for path in directory.iterdir() if path.is_dir()):
            tell_setting(kernel, path, version, cells)


def tell_setting(kernel, directory, version, cells):
    setting = directory.name
    if (directory / "not").exists():
        print(f"     {kernel} {setting}: not to be had there")
        cells.write(json.dumps({"kernel": kernel, "setting": setting, "ability": None, "verdict": "none"}) + "\n")
        return
    for ability in [*ABILITIES, "doctor"]:
        verdict, labels, why = judge_doctor(directory) if ability == "doctor" else judge(directory, Place(kernel, version, setting, ability))
        cell = {"kernel": kernel, "setting": setting, "ability": ability, "verdict": verdict, "labels": labels}
        cells.write(json.dumps(cell) + "\n")
        print(f"{'FAIL' if verdict == 'wrong' else 'ok  '} {kernel} {setting} {ability}{', refused' * (verdict == 'refused')}")
        for line in why.splitlines():
            print(f"     {line[:600]}")


main()
