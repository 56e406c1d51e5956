#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Cgroups are known by their paths, containers by the names that engines give to cgroups, and a
# process in a pid namespace by both its numbers: live, in a file, and in a report of the file.
. "$(dirname "$0")/lib.sh"

id=3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
make_cgroups test "docker-$id.scope" web.service

# In a container: a cgroup and a pid namespace.
unshare --pid --fork --kill-child "$workloads/shares" 40 >"$tmp/inside" &
started+=("$!")
wait_for grep -q ready "$tmp/inside"
inside=$(pgrep -P "$!")
echo "$inside" >"$slice/docker-$id.scope/cgroup.procs"
start shares 40
outside=$pid
echo "$outside" >"$slice/web.service/cgroup.procs"

cat >"$tmp/assertions" <<'PYTHON'
slice, inside, outside = args
for sample in run.samples:
    raw = sample.raw
    container = f"/{slice}/docker-3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708.scope"
    expected = (container, "docker:3f2a1b4c5d6e", 1) if sample.pid == int(inside) else (f"/{slice}/web.service", None, int(outside))
    expect_eq("cgroup, container, own pid", (raw["cgroup_path"], raw["container"], raw["own_pid"]), expected)
expect_eq("processes", run.pids, {int(inside), int(outside)})
PYTHON
json -p "$inside,$outside" -F 499 -i 1 --once
check "${slice##*/}" "$inside" "$outside" <"$tmp/assertions"

top record -q -p "$inside,$outside" -F 499 -d 1 -o "$tmp/a.pb.gz"
expect_status 0
top report --by container "$tmp/a.pb.gz"
expect_status 0
grep -q 'docker:3f2a1b4c5d6e$' "$out" || fail "no container in the report"
grep -q '\[no container\]$' "$out" || fail "nothing without a container"
top report --by cgroup "$tmp/a.pb.gz"
grep -q "/${slice##*/}/docker-$id.scope\$" "$out" || fail "no path in the report"
grep -q "/${slice##*/}/web.service\$" "$out" || fail "no path of a service in the report"
top report --format=json "$tmp/a.pb.gz"
python3 - "$out" "$inside" <<'PYTHON' || fail "the file has other labels"
import json, sys
samples = json.load(open(sys.argv[1]))["samples"]
inside = [s for s in samples if s["pid"] == int(sys.argv[2])]
assert inside and all(s["own_pid"] == 1 and s["container"] == "docker:3f2a1b4c5d6e" for s in inside), inside[:1]
PYTHON
pass
