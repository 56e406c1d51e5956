#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without UTF-8 (LC_ALL=C) whatever is for people is ASCII: each of our signs has one of its own, and characters of names
# are numbers. What is for programs stays as it is, and so does all of it in UTF-8.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

cd "$tmp" || exit
name=$'na\u00efve_\u51fd\u6570'
for run in 1 2 3; do
	printf 'prog;main;outer;%s 3%d0\nprog;main;outer;leaf 1%d0\nprog;main;other 3\nprog;main;rest 2\n' \
		"$name" $run $run >base-$run.folded
	printf 'prog;main;outer;%s 9%d0\nprog;main;outer;leaf 1%d0\nprog;main;other 3\nprog;main;rest 2\n' \
		"$name" $run $run >new-$run.folded
done

# in_ascii WORDS...: standard output and standard error.
in_ascii() {
	status=0
	LC_ALL=C "$topstacks" "$@" >"$out" 2>"$err" || status=$?
	[ "$status" -lt 2 ] || fail "topstacks $*: exit status $status"
	! LC_ALL=C grep -q '[^ -~]' <(tr '\t' ' ' <"$out") "$err" || fail "topstacks $*: $(LC_ALL=C grep -h '[^ -~]' "$out" "$err" | head -1)"
}

for words in '' '--by function' '--by module --percent-limit 10' '--tree callees --width 60 --percent-limit 2' '--tree callers' \
	'--format markdown'; do
	# shellcheck disable=SC2086
	in_ascii report $words base-1.folded
done
in_ascii report --by function base-1.folded
grep -qF 'na\u{ef}ve_\u{51fd}\u{6570}' "$out" || fail 'the name is not told by numbers'
grep -qE ' ~[0-9]+\.[0-9]' "$out" || fail 'no error bars'
in_ascii report --tree callees --width 40 base-1.folded
grep -qF '$' "$out" || fail 'no sign where names were cut off'
! grep -qE '[a-z0-9]~|~ [0-9]+ more' "$out" || fail 'what is left out and what is about so much have the same sign'
for format in text markdown github; do
	in_ascii diff --format $format --unchanged base-*.folded --against new-*.folded
done
in_ascii list
in_ascii record -F 499 -o "$tmp/own.pb.gz" -- true
in_ascii report own.pb.gz
start shares 20
in_ascii -p "$pid" -d 0.5 -i 0.2
in_ascii record -F 499 --slices=0.2 -o own.pb.gz -- "$workloads/spent" 500 500
in_ascii report --by time own.pb.gz
in_ascii report --annotate first own.pb.gz
! LC_ALL=C "$topstacks" report --by $'\u2026' base-1.folded 2>"$err" || fail 'no such table'
! LC_ALL=C grep -q '[^ -~]' "$err" || fail "not ASCII: $(cat "$err")"

# What stays of the live view.
terminal 100x30 LC_ALL=C
run_there -p "$pid" -i 0.3
see ' ~[0-9.]+.*share_'
press q
expect_end
see '^coverage'
! screen | LC_ALL=C grep -q '[^ -~]' || fail 'what stays of the live view is not ASCII'

# For programs, and where nothing is said, or UTF-8.
LC_ALL=C "$topstacks" report --format json base-1.folded | grep -qF "$name" || fail 'JSON lost the name'
for setting in LC_ALL=C.UTF-8 LC_ALL=xx_YY.UTF-8 LC_ALL=; do
	env -u LANG -u LC_CTYPE $setting "$topstacks" report --by function base-1.folded >"$out"
	grep -q "±.*$name" "$out" || fail "no UTF-8 with $setting"
done
pass
