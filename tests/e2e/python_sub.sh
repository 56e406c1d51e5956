#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An interpreter within the interpreter, of 3.12 and later: its functions have their names.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/pythons.sh"

[ "$(printf '%s\n' "${pythons[@]}" | grep -cE '^3\.(1[2-9])\|')" -gt 0 ] || skip 'no Python from 3.12 on'

sub() {
	start_python sub.py 100
	json -p "$pid" -F 499 -i 1 -d 1
	check <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(50))
# Those who called it have frames of another state, and may be missing.
right = run.count(lambda s: [name for name, _ in s.chain][:3] == ["sub_inner", "sub_outer", "<module>"])
expect_at_least("share with the chain", right / run.counted, 0.97)
modules = {sample.chain[0][1] for sample in run.samples if sample.chain}
expect(modules in ({"<string>"}, {"<script>"}), f"modules {modules}")
PYTHON
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null || true
}
each_python sub 12
pass
