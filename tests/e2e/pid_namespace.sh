#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Process ids are those of our own pid namespace: there are samples there, not silence.
. "$(dirname "$0")/lib.sh"

unshare --pid --mount --fork --mount-proc --kill-child true 2>/dev/null || skip 'no new pid namespace'
status=0
timeout --signal=KILL 60 unshare --pid --mount --fork --mount-proc --kill-child \
	bash -c '"$1/shares" 20 >"$3/inside" & inside=$!
		until grep -q ready "$3/inside"; do sleep 0.02; done
		echo "$inside" >"$3/pid"
		"$2" --json -p "$inside" -F 999 -i 0.5 -d 1.5; status=$?
		kill "$inside"; exit "$status"' bash "$workloads" "$topstacks" "$tmp" \
	>"$out" 2>"$err" || status=$?
expect_status 0
check "$(cat "$tmp/pid")" <<'PYTHON'
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("pids", run.pids, {int(args[0])})
expect_at_least("share of named samples", run.with_function("main") / run.counted, 0.98)
PYTHON

status=0
timeout --signal=KILL 60 unshare --pid --mount --fork --mount-proc --kill-child \
	"$topstacks" --json -F 999 -- sh -c 'exec "$0" 1 >/dev/null' "$workloads/shares" \
	>"$out" 2>"$err" || status=$?
expect_status 0
check <<'PYTHON'
expect_at_least("samples in main", run.with_function("main"), run.enough(100))
PYTHON

# Another namespace, as deep as ours, gives the same numbers to others: those are not ours.
in_namespace=(unshare --pid --mount --fork --mount-proc --kill-child)
# shellcheck disable=SC2016 # for another shell
both='"$1/shares" 20 >"$3/$4" & until grep -q ready "$3/$4"; do sleep 0.02; done; '
"${in_namespace[@]}" bash -c "$both wait" bash "$workloads" "$topstacks" "$tmp" sibling &
started+=("$!")
wait_for grep -q ready "$tmp/sibling"
status=0
timeout --signal=KILL 60 "${in_namespace[@]}" bash -c "$both"'"$2" --json -a -F 999 -i 1 -d 1' \
	bash "$workloads" "$topstacks" "$tmp" ours >"$out" 2>"$err" || status=$?
expect_status 0
check <<'PYTHON'
expect_eq("processes of that name", len({s.pid for s in run.samples if s.comm == "shares"}), 2)
PYTHON

# A name is that of our processes: not of those that begin elsewhere meanwhile.
while :; do "$workloads/shares" 0.1 >/dev/null; done &
elsewhere=$!
started+=("$elsewhere")
status=0
timeout --signal=KILL 60 "${in_namespace[@]}" bash -c "$both"'"$2" --json --comm shares -F 999 -i 0.5 -d 1.5' \
	bash "$workloads" "$topstacks" "$tmp" named >"$out" 2>"$err" || status=$?
expect_status 0
check <<<'expect_eq("processes", {(s.comm, s.pid) for s in run.samples}, {("shares", run.samples[0].pid)})'
kill "$elsewhere"

# What runs outside of it is sampled by -a, without names: that is said once. On the host nothing is.
outside=': processes outside of this pid namespace have neither names nor unwind tables here; '
status=0
timeout --signal=KILL 60 unshare --pid --mount --fork --mount-proc --kill-child \
	"$topstacks" -a --once -d 0.2 >"$out" 2>"$err" || status=$?
expect_status 0
expect_err "$outside"
timeout --signal=KILL 60 unshare --pid --mount --fork --mount-proc --kill-child \
	"$topstacks" -a -e wall --once -d 0.2 >"$out" 2>"$err" || status=$?
expect_status 0
expect_err ': wall leaves out threads outside of this pid namespace; '
timeout --signal=KILL 60 unshare --pid --mount --fork --mount-proc --kill-child \
	"$topstacks" --once -- true >"$out" 2>"$err" || status=$?
expect_status 0
expect_silent
if [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; then
	top -a --once -d 0.2
	expect_status 0
	expect_silent
fi

# Without /proc there is nothing to look at, and that is said.
for words in '--once -a' doctor 'doctor --json'; do
	status=0
	# shellcheck disable=SC2016 # for another shell
	unshare --mount sh -c 'umount --lazy /proc && exec "$0" $1' "$topstacks" "$words" >"$out" 2>"$err" || status=$?
	expect_status 3
	expect_err '^topstacks: /proc is not mounted; to mend it: mount -t proc proc /proc$'
	[ ! -s "$out" ] || fail "$words tells more"
done
pass
