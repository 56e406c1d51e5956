#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record --owners tells whose each process was, sample by sample: of two users, of programs that have more rights than
# who runs them, of one that he may not read, in a user namespace, and of a process that changes hands. Without it
# nobody is told.
. "$(dirname "$0")/lib.sh"

[ "$(cat /proc/sys/fs/suid_dumpable)" != 1 ] || skip 'fs.suid_dumpable lets everybody look into everything'
user=64331 other=64332

program plain 755
program others 755
program setuid 4755
program setgid 2755
program unreadable 711
program capable 755
setcap cap_net_raw+ep "$tmp/capable"
program inside 755
start_as_user "$user" "$tmp/plain" 60
start_as_user "$other" "$tmp/others" 60
start_as_user "$user" "$tmp/setuid" 60
grep -q "^Uid:.$user.0.0" "/proc/$pid/status" || skip 'no setuid programs here'
start_as_user "$user" "$tmp/setgid" 60
start_as_user "$user" "$tmp/unreadable" 60
start_as_user "$user" "$tmp/capable" 60
start_as_user "$user" unshare --user --map-root-user "$tmp/inside" 60
start owners "$user" "$other" 100
changes=$pid

# A function of it is named: so those that follow will be.
is_known() {
	"$topstacks" report --format=folded "$tmp"/files/*.pb.gz 2>/dev/null | grep ';warm_up;' >/dev/null
}
top_start record -q -a -F 499 -e cpu,off-cpu --rotate 1 -o "$tmp/files" --owners
kill -USR1 "$changes"
wait_for is_known
kill -USR1 "$changes"
wait_for grep -qx "done" "$output"
top_end
top report --format=pprof -o "$tmp/owners.pb.gz" "$tmp"/files/*.pb.gz
expect_status 0
top report --format=json "$tmp/owners.pb.gz"
python3 "$root/tests/e2e/owners.py" "$out" "$output" "plain=$user" "others=$other" setuid=-1 setgid=-1 \
	unreadable=-1 capable=-1 "inside=$user" ||
	fail 'see above'

# What ends gives up its memory, which takes its time here, and is told apart from what can be looked into.
top record -q -F 1999 --owners -o "$tmp/ends.pb.gz" -- python3 -c '
import os
for i in range(10):
    if os.fork() == 0:
        memory = bytearray(64 << 20)
        os._exit(0)
    os.wait()'
expect_status 0
top report --format=json "$tmp/ends.pb.gz"
python3 - "$out" <<'PYTHON' || fail 'see above'
import json, sys
samples = json.load(open(sys.argv[1]))["samples"]
assert {sample.get("uid", 0) for sample in samples} == {0}, "owned by others"
gone = {sample["gone_uid"] for sample in samples if "gone_uid" in sample}
assert gone == {0}, gone
PYTHON

# A profile that is written again tells the same; without the option nothing is told.
top report --format=pprof -o "$tmp/again.pb.gz" "$tmp/owners.pb.gz"
expect_status 0
for file in owners again; do
	top report --format=json "$tmp/$file.pb.gz"
	python3 -c 'import json, sys
for line in sorted(str([sample.get(key) for key in ("comm", "pid", "uid", "gone_uid", "count")])
                   for sample in json.load(open(sys.argv[1]))["samples"]):
    print(line)' "$out" >"$tmp/$file.samples"
done
cmp "$tmp/owners.samples" "$tmp/again.samples" || fail 'it tells something else when it is written again'
top record -q -a -F 499 -d 0.5 -o "$tmp/without.pb.gz"
top report --format=json "$tmp/without.pb.gz"
! grep -q '"\(gone_\)\?uid"' "$out" || fail 'told, and nobody asked'
pass
