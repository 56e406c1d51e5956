#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""owners.py REPORT TRUTH [COMM=UID...]: whether a recording's owners are right: in each function of the workload
"owners", whose output TRUTH is, and of each process called so. REPORT is of report --format=json."""
import collections
import json
import sys


def check_event(recording, event, truths, comms):
    names = [frame["function"] for frame in recording["frames"]]
    processes, functions = collections.defaultdict(set), collections.defaultdict(set)
    for sample in event.get("samples", recording["samples"]):
        assert ("uid" in sample) != ("gone_uid" in sample), f"no owner: {sample}"
        if "uid" not in sample:
            continue
        processes[sample["comm"]].add(sample["uid"])
        for frame in sample["frames"]:
            functions[names[frame]].add((sample["comm"], sample["uid"]))
    for truth in truths:
        told = functions[truth["function"]]
        assert told == {("owners", truth["owner"])}, f"{event['event']}: {truth}: {told}"
    for comm, uid in comms:
        told = processes[comm]
        assert told == {int(uid)} or (event["event"] == "off-cpu" and not told), f"{event['event']}: {comm}: {told}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        recording = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        truths = [json.loads(line) for line in file if line.startswith("{")]
    comms = [argument.split("=") for argument in sys.argv[3:]]
    assert len(truths) == 11, f"it did not change hands: {truths}"
    for event in recording.get("events", [{"event": recording["provenance"]["event"]}]):
        check_event(recording, event, truths, comms)


main()
