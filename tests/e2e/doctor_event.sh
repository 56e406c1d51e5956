#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor -e: what it says of events is what a run does, and what tracefs has.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

# A tracepoint's number and its fields, from a mount of the test's own.
unshare --mount bash -c "mount -t tracefs none '$tmp' && cat '$tmp/events/sched/sched_switch/'{id,format}" >"$tmp.truth" ||
	fail 'no tracefs'
leftovers+=("$tmp.truth")
top doctor -e 'sched:sched_switch/weight=prev_prio,prev_prio>100/,page-faults:u,cpu' -F 250 --json
expect_status 0
python3 - "$out" "$tmp.truth" <<'EOF_' || fail 'the JSON, above'
import json, re, sys
report = json.loads(open(sys.argv[1]).read())
truth = open(sys.argv[2]).read()
assert report["schema"] == "topstacks.doctor-events/1"
switch, faults, cpu = report["events"]
assert all(one["can_be_had"] and one["why_not"] is None for one in report["events"])
facts = {one["name"]: one["text"] for one in switch["facts"]}
assert facts["tracepoint"] == "number " + truth.split()[0], facts
fields = [name for name in re.findall(r"field:[^;]*?(\w+)(?:\[\d+\])?;", truth) if not name.startswith("common_")]
assert [one.split()[0] for one in facts["fields"].split(", ")] == fields, (facts, fields)
assert facts["a sample"] == "each hit of those that meet 1 condition", facts
assert facts["weight"] == "prev_prio, in prev_prio", facts
facts = {one["name"]: one["text"] for one in faults["facts"]}
assert facts["perf event"] == "type 1, config 0x2", facts  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS
assert facts["a sample"] == "each one, in user mode", facts
facts = {one["name"]: one["text"] for one in cpu["facts"]}
assert facts["a sample"] == "250 times a second on each CPU (-F)", facts
EOF_

# Why it cannot be had is what a run says, too; and that an old kernel is the reason only where that is known.
as_nobody() {
	status=0
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		"$topstacks" "$@" >"$out" 2>"$err" </dev/null || status=$?
}
as_nobody doctor -e page-faults
expect_status 3
expect_silent
grep -q '^  here  *cannot .*CAP_PERFMON' "$out" || fail 'not why'
as_nobody -a -d 1 -e cpu,page-faults
expect_status 3
grep -q 'CAP_BPF and CAP_PERFMON are missing' "$err" || fail 'not why several events cannot be had'

top doctor -e page-falts
expect_status 2
grep -q 'near: page-faults' "$err" || fail 'nothing near'
pass
