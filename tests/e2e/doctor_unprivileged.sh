#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor without rights: says what is missing and what would help, as text and as JSON.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

cp "$topstacks" "$tmp/topstacks"
as_nobody() {
	status=0
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		"$tmp/topstacks" "$@" >"$out" 2>"$err" </dev/null || status=$?
}

as_nobody doctor
expect_status 3
expect_silent
grep -q 'missing  CAP_BPF' "$out" || fail 'CAP_BPF is not missing'
grep -q 'missing  perf_event programs' "$out" || fail 'bpf() is not refused'
grep -q 'cannot run here' "$out" || fail 'no verdict'
# What nobody may ask is neither there nor missing.
grep -q '^  unknown  tp_btf programs ' "$out" || fail 'waits are promised'
as_nobody -a -d 1
why=$(sed 's/^topstacks: //' "$err")
as_nobody doctor
grep -qxF "a run ends with: $why" "$out" || fail 'it does not say what a run says'
[ "$(grep -c "^  .*sudo setcap .*+ep $tmp/topstacks\$" "$out")" -eq 1 ] || fail 'the remedy is not said once, with the path of the program'

as_nobody doctor --json
expect_status 3
python3 - "$out" <<'EOF_' || fail 'the JSON, above'
import json, sys
report = json.loads(open(sys.argv[1]).read())
assert report["schema"] == "topstacks.doctor/1" and report["can_run"] is False
rows = {row["name"]: row for row in report["features"]}
assert len(rows) == len(report["features"]), "names are not unique"
assert rows["CAP_BPF"]["state"] == "missing" and rows["CAP_BPF"]["need"] == "required"
assert "cap_bpf" in rows["CAP_BPF"]["remedy"] and rows["kernel BTF"]["remedy"] is None
assert all(row["state"] in ("ok", "limited", "missing", "unknown") for row in rows.values())
EOF_

# The report does not lie: what it calls missing is what a run misses.
as_nobody -a -d 1
expect_status 3
pass
