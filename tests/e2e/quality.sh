#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The quality line: a program without symbols is told of, with what would help, and the gate closes;
# one with symbols passes it in silence.
. "$(dirname "$0")/lib.sh"

cp "$workloads/shares" "$tmp/stripped"
strip --strip-all "$tmp/stripped"
"$tmp/stripped" 30 >"$tmp/stripped.out" &
pid=$!
started+=("$pid")
wait_for grep -q ready "$tmp/stripped.out"

json -U -p "$pid" -F 499 --once -i 1
check <<'PYTHON'
quality = run.intervals[0]["quality"]
samples = run.samples
frames = [(sample.count, frame) for sample in samples for frame in sample.frames]
expect_eq("frames", quality["frames"], sum(count for count, _ in frames))
nameless = sum(sample.count for sample in samples for inner, frame in zip([None] + sample.frames, sample.frames)
               if not frame["function"] and not (inner and inner["function"] == "main"))
expect_eq("unresolved", quality["unresolved"], nameless)
expect_eq("samples", quality["samples"], run.counted)
expect_at_least("frames without a name", nameless, run.counted)
worst = quality["causes"][0]
expect_eq("the worst module", worst["module"], "stripped")
expect("debug file (build ID " in worst["advice"], worst["advice"])
PYTHON

top -U -p "$pid" -F 499 --once -i 0.5 --require-quality 90
expect_status 1
expect_err '^topstacks: the quality of names and stacks is [0-9.]+ %, and --require-quality 90 was'
grep -qE '^names +[0-9.]+ % of frames named' "$out" || fail "no quality line"
grep -qE '^ +stripped: [0-9.]+ % of frames have no name; .*debug file' "$out" || fail "no advice"

top record -U -p "$pid" -F 499 -d 0.5 --require-quality 90 -o "$tmp/stripped.pb.gz"
expect_status 1
expect_err '^topstacks: [0-9.]+ % of frames named'
expect_err '^topstacks: stripped: [0-9.]+ % of frames have no name'
top report --require-quality 90 "$tmp/stripped.pb.gz"
expect_status 1
grep -qE '^ +stripped: [0-9.]+ % of frames have no name; .*debug file' "$out" || fail "no advice in the report"

start shares 30
top record -U -p "$pid" -F 499 -d 0.5 --require-quality 99 -o "$tmp/good.pb.gz"
expect_status 0
[ "$(wc -l <"$err")" -eq 1 ] || fail "more than one line although all is well"
top report --require-quality 99 "$tmp/good.pb.gz"
expect_status 0
! grep -q '^names' "$out" || fail "a quality line although all is well"

# record looks for lines and inlined functions before it writes, report reads them: both say one share.
cat >"$tmp/half.c" <<'CODE'
__attribute__((noinline)) static void nameless(void) { for (volatile int i = 0; i < 10000; i++) ; }
__attribute__((visibility("default"))) void half(void) { for (int i = 0; i < 9; i++) nameless(); }
CODE
cat >"$tmp/inlining.c" <<'CODE'
#include <time.h>
void half(void);
static inline __attribute__((always_inline)) void inner(void) { for (volatile int i = 0; i < 10000; i++) ; half(); }
static inline __attribute__((always_inline)) void outer(void) { inner(); }
int main(void) { while (clock() < CLOCKS_PER_SEC) outer(); }
CODE
gcc -O1 -fno-optimize-sibling-calls -fPIC -shared -s -o "$tmp/libhalf.so" "$tmp/half.c"
gcc -O1 -g -o "$tmp/inlining" "$tmp/inlining.c" "$tmp/libhalf.so" -Wl,-rpath,"$tmp"
top record -U -F 499 -o "$tmp/inlined.pb.gz" -- "$tmp/inlining"
expect_status 0
said=$(grep -oE '[0-9.]+ % of frames named' "$err")
top report "$tmp/inlined.pb.gz"
read_again=$(grep -oE '[0-9.]+ % of frames named' "$out")
[ -n "$said" ] && [ "$said" = "$read_again" ] || fail "record: $said; report: $read_again"
top report --format=folded "$tmp/inlined.pb.gz"
grep -q 'outer_\[i\];inner_\[i\]' "$out" || fail "nothing was inlined, the test shows nothing"
pass
