# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by what runs tests that are scripts, in the directory of the scripts, with
#
#	alone="NAME ..."   # those that have the machine to themselves; others run two at a time, since most of them wait
#	limit_s=300        # that a test may take
#	chances=2          # a test that failed runs once more; 1: it does not
#
# A line each; what a failed one printed follows it. At the end: "N passed, N failed, N skipped", and ", N retried".

# The lock of a machine, for tests of any tree: one that is alone holds it, and others share it.
lock=/sys/kernel/btf/vmlinux
# What holds in every run has no second chance: a ledger that balances (check.py says "interval N"), memory errors.
never_by_chance='^check: interval|Sanitizer|runtime error'

is_in() {
	[[ " $2 " == *" $1 "* ]]
}

run_once() {
	text=$(timeout --kill-after=15 "$limit_s" bash "./$1.sh" 2>&1 </dev/null 8<&-)
	status=$?
}

# run_test NAME: prints all of it at once, so that those that run beside it are told apart.
run_test() {
	local name=$1 begin seconds word told=
	exec 8<"$lock"
	if is_in "$name" "$alone"; then flock 8; else flock --shared 8; fi
	begin=$(date +%s%N)
	run_once "$name"
	if [ "$chances" -gt 1 ] && [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && ! grep -qE "$never_by_chance" <<<"$text"; then
		told="once more: $name"$'\n'"$text"$'\n'
		run_once "$name"
	fi
	exec 8<&-
	seconds=$(awk -v from="$begin" -v to="$(date +%s%N)" 'BEGIN { printf "%.1f", (to - from) / 1e9 }')
	case $status in
	0) word=ok text=${SHOW_COST:+$text} ;;
	77) word=SKIP ;;
	*) word=FAIL ;;
	esac
	printf '%s%-4s %s (%s s)\n%s' "$told" "$word" "$name" "$seconds" "${text:+$(sed 's/^/     /' <<<"$text")$'\n'}"
}

# run_beside NAME...: two at a time, in this order: with more, those that count samples get too few.
run_beside() {
	printf '%s\n' "$@" | xargs -r -P 2 -I NAME bash -c 'text=$(./run --one NAME) && printf "%s\n" "$text"'
}

# run_all NAME...: those that are alone last. run_in_turn NAME...: one after the other. Both end with the sum; the status says
# whether some passed and none failed, or was skipped, where CI is set.
run_all() {
	local name others=() singles=()
	for name; do
		if is_in "$name" "$alone"; then singles+=("$name"); else others+=("$name"); fi
	done
	{
		[ "${#others[@]}" -eq 0 ] || run_beside "${others[@]}"
		for name in "${singles[@]}"; do
			run_test "$name"
		done
	} | sum_up $#
}

run_in_turn() {
	local name
	for name; do
		run_test "$name"
	done | sum_up $#
}

# sum_up NUMBER: of so many tests. One that was killed has no line.
sum_up() {
	local log passed skipped retried sum
	log=$(mktemp)
	tee "$log"
	passed=$(grep -cE '^ok +[^ ]+ \([0-9.]+ s\)$' "$log")
	skipped=$(grep -cE '^SKIP +[^ ]+ \([0-9.]+ s\)$' "$log")
	retried=$(grep -c '^once more: ' "$log")
	rm -f "$log"
	sum="$passed passed, $(($1 - passed - skipped)) failed, $skipped skipped"
	[ "$retried" -eq 0 ] || sum+=", $retried retried"
	echo "$sum"
	[ "$((passed + skipped))" -eq "$1" ] && [ "$passed" -gt 0 ] && { [ -z "${CI:-}" ] || [ "$skipped" -eq 0 ]; }
}
