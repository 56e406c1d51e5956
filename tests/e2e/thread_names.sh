#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Threads are called as they call themselves, processes as they do by now; also in a pid namespace, where
# both have the ids that are theirs there.
. "$(dirname "$0")/lib.sh"

# Every sample that was taken after the naming has the thread's own name and id.
judge() {
	top report --format=json "$tmp/names.pb.gz"
	expect_status 0
	python3 - "$out" "$tmp/truth" "$1" <<'PYTHON' || fail 'see above'
import json, re, sys
profile, least = json.load(open(sys.argv[1])), int(sys.argv[3])
truth = json.loads(open(sys.argv[2]).read().split("ready")[-1])["names"]
frames = profile["frames"]
seen = {}
for sample in profile["samples"]:
    if "after_naming" not in [frames[i]["function"] for i in sample["frames"]]:
        continue
    name = truth[str(sample["tid"])]
    if name == "hostile":
        assert re.fullmatch("\x1b]0;evil\x07 \\(1\\)", sample["thread"]), sample["thread"]
    else:
        assert sample["thread"] == name, (sample["thread"], name)
    assert str(sample["pid"]) in truth, sample["pid"]
    if sample["tid"] == sample["pid"]:
        assert sample["comm"] == "main, renamed", sample["comm"]
    seen[sample["tid"]] = seen.get(sample["tid"], 0) + sample["count"]
assert len(seen) >= least, seen
PYTHON
}

top record --threads -F 999 -o "$tmp/names.pb.gz" -- sh -c 'exec "$0" 4 2 >"$1"' "$workloads/names" "$tmp/truth"
expect_status 0
judge 5
top report --by thread "$tmp/names.pb.gz"
expect_status 0
grep -qE ' worker 3 \([0-9]+\) of main, renamed \([0-9]+\)$' "$out" || fail 'no name of a thread'
grep -qE ' main, renamed \(([0-9]+)/\1\)$' "$out" || fail 'the main thread is of another name'
grep -qF '\x1b]0;evil\x07 (1) (' "$out" || fail 'a hostile name is not escaped'
! grep -q $'\033' "$out" || fail 'an escape sequence in a report'
top report --threads --errors never "$tmp/names.pb.gz"
grep -qE '^ +[0-9.]+ +[0-9,]+ +[0-9]+ +[0-9]+  worker 3$' "$out" || fail 'no name of a thread above its stack'
top report --by thread --format=pprof -o "$tmp/again.pb.gz" "$tmp/names.pb.gz"
top report --format=json "$tmp/names.pb.gz"
mv "$out" "$tmp/once"
top report --format=json "$tmp/again.pb.gz"
cmp "$out" "$tmp/once" || fail 'another file when it was written and read again'

# Hundreds: all of them.
top record --threads -F 999 -o "$tmp/names.pb.gz" -- sh -c 'exec "$0" 500 3 >"$1"' "$workloads/names" "$tmp/truth"
expect_status 0
judge 100

unshare --pid --mount --fork --mount-proc --kill-child true 2>/dev/null || pass
# shellcheck disable=SC2016 # for another shell
unshare --pid --mount --fork --mount-proc --kill-child "$topstacks" record --threads -F 999 -o "$tmp/names.pb.gz" -- \
	sh -c 'exec "$0" 4 2 >"$1"' "$workloads/names" "$tmp/truth" 2>"$err"
judge 5
pass
