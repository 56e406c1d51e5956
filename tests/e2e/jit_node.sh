#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# JavaScript functions of Node.js have their names and shares from the perf map that it writes;
# without one their code is one row.
. "$(dirname "$0")/lib.sh"
trap 'rm -f "/tmp/perf-${pid:-}.map"; finish' EXIT

command -v node >/dev/null || skip 'no node: apt-get install nodejs'
script=$root/tests/workloads/runtimes/shares.js
cd "$tmp" || exit # node writes a log of its own where it is

start_node() {
	: >"$tmp/node"
	node --no-turbo-inlining "$@" "$script" 4 >"$tmp/node" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_for grep -q ready "$tmp/node"
}

start_node --perf-basic-prof
top_start --json -p "$pid" -F 4999 -i 0.5
wait_samples 5000
top_end
wait "$pid"
rm -f "/tmp/perf-$pid.map"
check "$tmp/node" "$script" <<'PYTHON'
# "JS:*share_25 /path/shares.js:9:18": the compiler's mark, the function, where it is
pattern = re.compile(r"JS:.(share_\d+) " + re.escape(args[1]) + r":\d+:\d+")
counts = {}
for sample in run.samples:
    names = [f["function"] for f in sample.frames if f["kind"] == "jit" and f.get("function")]
    matches = filter(None, map(pattern.fullmatch, names))
    for name in {match[1] for match in matches}:
        counts[name] = counts.get(name, 0) + sample.count
expect_shares(counts, truths(args[0])["functions_ns"])
PYTHON

start_node
json -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
jit = [f for s in run.samples for f in s.frames if f["kind"] == "jit"]
expect(jit, "no frames of kind jit")
expect_eq("names", {f.get("function") for f in jit}, {None})
PYTHON
pass
