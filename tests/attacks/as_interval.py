#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A report as JSON in the form of an interval, for check.py of the end-to-end tests: as_interval.py FILE"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
for frame in profile["frames"]:
    if frame["function"] is None:
        frame["identified"] = frame["start"] is not None
for sample in profile["samples"]:
    sample["frames"] = [profile["frames"][index] for index in sample["frames"]]
    if "state" in sample:
        sample["weight_ns"] = sample.pop("weight")
        sample["state"] = {sample["state"]: sample["weight_ns"]}
profile.update(profile["provenance"], schema="topstacks.interval/1")
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(profile, file)
