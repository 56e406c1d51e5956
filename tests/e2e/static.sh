#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The program that needs no library: it starts where there is nothing, samples and reports as the other one
# does, and knows users and their groups by the machine's files.
. "$(dirname "$0")/lib.sh"

shared=$topstacks
topstacks=$build/static/topstacks
[ -e "$topstacks" ] || skip 'there is no static program here: make static'
[ "${in_namespace-}" ] || { rm -rf "$tmp" && in_namespace=1 exec unshare --mount bash "$0"; }

[ "$(readelf -lWd "$topstacks" | grep -cE 'INTERP|NEEDED')" = 0 ] || fail 'it needs a library'
top --version
expect_status 0
grep -qE '^features (.* )?static( |$)' "$out" || fail 'does not say what it is'
has_decoder=$(grep -cE '^features .*instruction-decoder' "$out" || true)

start shares 20
json -p "$pid" -F 499 -i 2 --once
check <<'PYTHON'
expect_at_least("samples", run.counted, 100)
expect_eq("samples with main", run.with_function("main"), run.counted)
expect_at_least("share to the root", run.whole / run.counted, 0.9)
PYTHON
top record -p "$pid" -d 0.5 -o "$tmp/run.pb.gz"
expect_status 0
"$shared" report "$tmp/run.pb.gz" >"$tmp/by_shared"
mkdir "$tmp/root"
cp "$topstacks" "$tmp/run.pb.gz" "$tmp/root/"
chroot "$tmp/root" /topstacks report /run.pb.gz >"$tmp/by_static"
cmp "$tmp/by_shared" "$tmp/by_static" || fail 'reports differ'

# It can load no library, and says so before it makes anything.
mkdir "$tmp/home"
HOME=$tmp/home top report --debuginfod=http://127.0.0.1:1 "$tmp/run.pb.gz"
expect_status 3
expect_err '^topstacks: --debuginfod is not compiled into this program$'
[ -z "$(ls -A "$tmp/home")" ] || fail 'it made a cache that it cannot use'

# Somebody whom only these files know, in more groups than most. A group's line is as long as the group is large.
more=$(seq -s ' ' 47200 47299)
many=$(seq -f member%g -s , 3000)
{ cat /etc/passwd && printf 'somebody:x:47110:47111::%s:/bin/sh\n' "$tmp"; } >"$tmp/passwd"
{ cat /etc/group && printf 'large:x:47112:%s,somebody\nother:x:47113:root\nlast:x:47114:root,somebody\n' "$many" &&
	tr ' ' '\n' <<<"$more" | sed 's/.*/more&:x:&:somebody/'; } >"$tmp/group"
mount --bind "$tmp/passwd" /etc/passwd
mount --bind "$tmp/group" /etc/group
for topstacks in "$shared" "$topstacks"; do
	top --json --user somebody -- sh -c 'id -u >&2; id -g >&2; id -G >&2; echo "$HOME $USER" >&2'
	expect_status 0
	[ "$(cat "$err")" = "47110
47111
47111 47112 47114 $more
$tmp somebody" ] || fail 'not that user'
done
top --user no-such-user -- true
expect_status 125
expect_err '^topstacks: no such user in /etc/passwd: "no-such-user"$'
top --json --uid somebody -d 0.3 -- setpriv --reuid=47110 --clear-groups "$workloads/shares" 0.2
[ "$status" -eq 0 ] || fail 'does not find a user for --uid'

# Where an instruction ends is a matter of a library that not everybody has as an archive.
top -p "$pid" -e "uprobe:$workloads/shares:main" -d 0.1
if [ "$has_decoder" -eq 0 ]; then
	expect_status 3
	expect_err 'was built without Zydis.*instruction-decoder'
else
	expect_status 0
fi
top report --annotate shares:main "$tmp/run.pb.gz"
expect_status 0
if [ "$has_decoder" -eq 0 ]; then
	grep -q 'built without Zydis.*instruction-decoder' "$out" || fail 'no word on why there are no instructions'
else
	grep -q INSTRUCTION "$out" || fail 'no instructions'
fi
pass
