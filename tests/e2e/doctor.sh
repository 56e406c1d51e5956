#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor: as root, here, all that is needed is there.
. "$(dirname "$0")/lib.sh"

top doctor
expect_status 0
for word in BTF perf_event_max_stack perf_event_max_sample_rate cap_perfmon; do
	grep -qi "$word" "$out" || fail "nothing about $word"
done

# What a mechanism is for, what takes its place and what is lost is told by the page as by the program.
top doctor --json
python3 - "$out" "$root/docs/permissions.md" <<'EOF_' || fail 'the page and the program, above'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["can_run"] and report["why_not"] is None and report["why_no_target"] is None, report
text = open(sys.argv[2]).read().split("| mechanism |")[1].split("\n\n")[0]
told = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in text.splitlines()[2:]]
names = [row["name"] for row in report["features"]]
rows = report["features"][names.index("perf_event programs"):names.index("CAP_BPF")]
known = [(row["name"], row["ability"] or "all of them", row["instead"] or "nothing", row["without"]) for row in rows]
assert told == known, set(told) ^ set(known)
EOF_

# So are the kernels that are known to be bad.
python3 - "$out" "$root/docs/compatibility.md" <<'EOF_' || fail 'the page and the program, above'
import json, sys
text = open(sys.argv[2]).read().split("| defect |")[1].split("\n\n")[0]
told = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in text.splitlines()[2:]]
rows = json.load(open(sys.argv[1]))["known_defects"]
known = [(row["name"], row["kernels"], row["happens"], f'{row["deed"]}: {row["we"]}', row["mended"], row["source"]) for row in rows]
assert told == known, set(told) ^ set(known)
EOF_

# A run that is concerned says so as it begins; the release is made up.
echo 6.6.58 >"$tmp/release"
as_of_release() {
	unshare --mount sh -c 'mount --bind "$0" /proc/sys/kernel/osrelease && exec "$@"' \
		"$tmp/release" "$topstacks" -a -d 0.2 -e page-faults "$@" >"$out" 2>"$err"
}
as_of_release
grep -q '^topstacks: kernels like this one have a known defect: the kernel may panic .* (mended by b583ef82b671)$' "$err" ||
	fail 'a defect is not told'
as_of_release --kernel-only
! grep -q 'known defect' "$err" || fail 'a run without user stacks is not concerned'

# A program of the name that the launcher of JVMs has is told what to do.
cp "$(command -v sleep)" "$tmp/java"
"$tmp/java" 100 &
started+=($!)
named() { [ "$(cat "/proc/$1/comm")" = java ]; }
wait_for named $!
top doctor
grep -qE "of the name java:.* $!(,|$)" "$out" || fail "nothing about the Java program $!"
grep -q -- --java-names "$out" || fail 'nothing about --java-names'
top doctor --json
python3 -c 'import json, sys; assert int(sys.argv[2]) in json.load(open(sys.argv[1]))["java"]' "$out" $! || fail "not in JSON"
pass
