#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# BPF programs are profiled as the rest of the kernel: an XDP program and its functions have their names, in
# the stacks of their callers, whether all is sampled or the process that sends. Then doctor lists it, with
# the kernel's own time of a run if asked to measure, and leaves nothing switched on. The workload's network
# namespaces have no names, and go with it.
. "$(dirname "$0")/lib.sh"

unshare --net true 2>/dev/null || skip 'no network namespaces'
unshare --net ip link add near type veth peer name far 2>/dev/null || skip 'no veth pairs'

statistics=/proc/sys/kernel/bpf_stats_enabled
before=$(cat "$statistics")

# expect_program: doctor --json of $1 lists the program, and says of its runs what follows, in Python.
expect_program() {
	python3 - "$out" "$1" <<'PYTHON' || fail 'the list of BPF programs, above'
import json, sys
listed = json.load(open(sys.argv[1]))["bpf_programs"]
found = [program for program in listed["programs"] if program["name"] == "drop_packet"]
assert len(found) == 1, f"drop_packet is listed {len(found)} times"
program = found[0]
assert program["kind"] == "xdp" and program["sampled"] is True, program
times = [one["run_time_ns"] for one in listed["programs"]]
assert times == sorted(times, reverse=True), "not the worst first"
assert eval(sys.argv[2]), (program, listed)
PYTHON
}

# expect_stacks FILE: of a run that was recorded as JSON; $tmp/truth has what the program is called.
expect_stacks() {
	out=$1 check "$tmp/truth" <<'PYTHON'
functions = truths(args[0])["functions"]
def place(sample, names):
	here = [i for i, frame in enumerate(sample.kernel) if frame["function"] in names]
	return here[0] if here else None
entered = [sample for sample in run.samples if place(sample, functions[0]) is not None]
counted = sum(sample.count for sample in entered)
expect_at_least("samples in the program", counted, 100)
complete = 0
for sample in entered:
	at = place(sample, functions[0])
	complete += sample.count * any(frame["function"] == "net_rx_action" for frame in sample.kernel[at + 1:])
	expect(all(frame["module"] == "[bpf]" for frame in sample.kernel[:at + 1]
		if frame["function"] and frame["function"].startswith("bpf_prog_")), f"their module: {sample.kernel}")
# The kernel walks them along frame pointers, and loses the callers at their first and last instructions.
expect_at_least("share of samples with their callers", complete / counted, 0.98)
# It does little but mix: that function is the leaf, called by the second, called by the first.
mixing = sum(s.count for s in entered if [place(s, names) for names in reversed(functions)] == [0, 1, 2])
expect_at_least("share of samples that mix", mixing / counted, 0.5)
PYTHON
}

start xdp 60
top --json -a -d 3 -F 999
expect_status 0
cp "$out" "$tmp/all"
top --json -p "$pid" -d 3 -F 999
expect_status 0
cp "$out" "$tmp/one"

top doctor --json
expect_status 0
expect_program 'program["sampled"]'
top doctor --bpf-stats 1 --json
expect_status 0
expect_program 'program["runs"] > 100 and 100 < program["run_time_ns"] / program["runs"] < 1e6 and listed["measured_s"] >= 1'
[ "$(cat "$statistics")" = "$before" ] || fail 'statistics were left switched on'
top doctor --bpf-stats 1
expect_status 0
grep -qE 'xdp +drop_packet' "$out" || fail 'the table has not the program'
grep -q 'drop_packet' "$tmp/one" || fail 'nothing of the program'

stop "$pid"
is_gone() {
	! "$topstacks" doctor --json | grep -q '"drop_packet"'
}
wait_for is_gone
tail -n 1 "$output" >"$tmp/truth"
expect_stacks "$tmp/all"
expect_stacks "$tmp/one"
pass
