#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list: what the kernel's own lists have, no more and no less; and what who has no rights gets to see.
. "$(dirname "$0")/lib.sh"

names() {
	sed -n 's/^  \([^ ]*\) .*/\1/p; s/^  \([^ ]*:[^ ]*\)$/\1/p' "$out"
}

top list
expect_status 0
expect_silent
for title in 'CPU time' Waits 'Software events' 'Hardware events' 'Probes' 'Tracepoints'; do
	grep -q "^$title" "$out" || fail "no group \"$title\""
done
names | grep -v 'probe:FILE:' | grep '[^:]:[^:]' | sort -u >"$tmp/listed"

# The truth, from tracefs: a mount of its own, in a mount namespace of its own.
unshare --mount bash -c "mount -t tracefs none '$tmp' && cat '$tmp/available_events'" >"$tmp.truth" ||
	fail 'no tracefs'
leftovers+=("$tmp.truth")
sort -u "$tmp.truth" >"$tmp/truth"
[ "$(wc -l <"$tmp/truth")" -gt 100 ] || fail 'the kernel has hardly any tracepoints: the test sees nothing'
diff "$tmp/truth" "$tmp/listed" >"$tmp/difference" || fail "$(head -5 "$tmp/difference")"

top list 'sched:sched_sw*'
expect_status 0
[ "$(names | grep -cvx 'sched:sched_sw.*')" -eq 0 ] || fail 'a pattern lists what does not match'
names | grep -qx 'sched:sched_switch' || fail 'no sched:sched_switch'
top list page-f
expect_status 0
names | grep -qx page-faults || fail 'no page-faults by a part of the name'
top list cs
expect_status 0
names | grep -qx context-switches || fail 'no context-switches by their other name'

top list off
expect_status 0
names | grep -qx off-cpu || fail 'no off-cpu'
top list off-cup
expect_status 2
expect_err 'matches "off-cup"; near: off-cpu'

top list page-fualts
expect_status 2
expect_err 'matches "page-fualts"; near: page-faults'
top list one two
expect_status 2
expect_err 'one pattern'

# Without rights: the same but tracepoints, of which one sentence says why.
setpriv --reuid 65534 --regid 65534 --clear-groups "$topstacks" list >"$out" 2>"$err" || fail 'as nobody'
expect_silent
names | grep -qx page-faults || fail 'nobody sees no page-faults'
grep -q "cannot read the kernel's tracepoints" "$out" || fail 'nobody is not told why there are no tracepoints'
! names | grep -v 'probe:FILE:' | grep -q '[^:]:[^:]' || fail 'nobody sees tracepoints'
pass
