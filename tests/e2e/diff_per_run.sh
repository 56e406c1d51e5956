#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that takes four times as long everywhere has the same shares of samples: runs that are whole are
# compared by what they take, and a comparison by shares says what it does not show.
. "$(dirname "$0")/lib.sh"

make_program() {
	mkdir -p "$tmp/$1"
	gcc -O1 -x c -o "$tmp/$1/prog" - <<-C
		static volatile unsigned long sum;
		static void __attribute__((noinline)) large(void)
		{
			for (long i = 0; i < 225000000L * $2; i++)
				sum += i;
		}
		static void __attribute__((noinline)) small(void)
		{
			for (long i = 0; i < 75000000L * $2; i++)
				sum ^= i;
		}
		int main(void)
		{
			large();
			small();
		}
	C
}
# record_runs NAME: five whole runs of it.
record_runs() {
	top record -q -F 999 --repeat 5 -o "$tmp/runs-$1" -- "$tmp/$1/prog"
	expect_status 0
}
for side in once:1 longer:4; do
	make_program "${side%:*}" "${side#*:}"
	record_runs "${side%:*}"
done

top diff "$tmp/runs-once" --against "$tmp/runs-longer"
expect_status 1
# Where runs differ too much for means, it is the run that regressed, not its functions.
regressed() {
	grep -q "^regressed .* $1 (prog)\|^FAILED: a run as a whole regressed" "$out"
}
regressed large || fail "large is not slower"
grep -q '^CPU time a run: ' "$out" || fail "not a word of what a run takes"

top diff --per share "$tmp/runs-once" --against "$tmp/runs-longer"
expect_status 0
grep -q 'do not show this; --per run judges it' "$out" || fail "shares do not say what they do not show"

# Nor does it matter that one function is all of the program.
for side in once:1 longer:4; do
	mkdir -p "$tmp/whole-${side%:*}"
	gcc -O1 -x c -o "$tmp/whole-${side%:*}/prog" - <<-C
		static volatile unsigned long sum;
		int main(void)
		{
			for (long i = 0; i < 400000000L * ${side#*:}; i++)
				sum += i;
		}
	C
	record_runs "whole-${side%:*}"
done
top diff "$tmp/runs-whole-once" --against "$tmp/runs-whole-longer"
expect_status 1
regressed main || fail "a program of one function became four times as slow unseen"

# Five runs of which some were disturbed: their order tells that all became twice as slow, their means do not.
disturbed() {
	i=0
	for samples in $2; do
		printf 'main;large %d\nmain;small %d\n' $((samples * 3)) "$samples" >"$tmp/$1-$i.folded"
		i=$((i + 1))
	done
}
disturbed before "830 1600 900 1200 870"
disturbed after "1500 840 860 910 1550"
disturbed slower "1700 3100 1720 2400 1800"
top diff --per run "$tmp"/before-* --against "$tmp"/after-*
expect_status 0
grep -q 'a run as a whole by its rank: no change found' "$out" || fail "nothing is said of the runs"
top diff --per run "$tmp"/before-* --against "$tmp"/slower-*
expect_status 1
grep -q '^FAILED: a run as a whole regressed; ' "$out" || fail "twice as slow everywhere is not found by order"
top diff --per run "$tmp"/before-* --against "$tmp"/slower-* --fail-on regressed:self
expect_status 0
top diff --per run "$tmp"/before-* --against "$tmp"/slower-* --format junit
grep -q '<failure type="regressed" message="a run as a whole takes 2.' "$out" || fail "no failure for CI servers"

# What was ended before its time says nothing of a run.
top record -q -F 999 -d 0.2 -o "$tmp/cut" -- "$tmp/once/prog"
expect_status 0
top diff "$tmp/runs-once" --against "$tmp/cut"
! grep -q '^regressed\|^improved' "$out" || fail "a part of a run was compared with runs"
pass
