#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A BPF program of a tracepoint keeps out those of perf events while it runs: by the kernel's own measure it
# took time that hundreds of samples stand for, and none fell into it. doctor says that none can.
. "$(dirname "$0")/lib.sh"

start syscalls 60
"$topstacks" -e raw_syscalls:sys_enter -p "$pid" --json >"$tmp/hits" 2>"$tmp/refused" &
started+=("$!")
wait_for test -s "$tmp/hits"

top doctor --bpf-stats 2 --json
expect_status 0
cp "$out" "$tmp/measured"
top --json -a -d 4 -F 1999
expect_status 0
check "$tmp/measured" <<'PYTHON'
listed = json.load(open(args[0]))["bpf_programs"]
hidden = [one for one in listed["programs"] if one["kind"] == "tracepoint" and one["runs"] > 1000]
expect_at_least("programs of tracepoints that run", len(hidden), 1)
expect(not any(one["sampled"] for one in hidden), f"doctor says that they can be sampled: {hidden}")
took = sum(one["run_time_ns"] for one in hidden) / 1e9 / listed["measured_s"]
expect_at_least("samples that their time stands for", took * run.duration * 1999, 20)
names = "|".join(re.escape(one["name"]) for one in hidden)
within = re.compile(f"bpf_prog_[0-9a-f]{{16}}_({names})$")
inside = run.count(lambda sample: any(within.match(name or "") for name in sample.functions))
expect_eq("samples inside of them", inside, 0)
PYTHON
pass
