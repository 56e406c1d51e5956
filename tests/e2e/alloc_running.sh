#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Allocations of a process that runs already. At each call of malloc and its like: with a sample for each byte all is told
# exactly, and what one of these functions asks of another is told once. At an allocator's own probes, if it has any. And
# nobody is slowed down much who did not ask for it.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'probes were tested on x86-64 only'
library=$build/libtopstacks-alloc.so
[ -f "$library" ] || make -s -C "$root" "${library#"$root/"}"

is_done() {
	grep -q "done" "$output"
}

# sample PID ARGUMENTS...: a workload that waits for SIGUSR1, until it is done.
sample() {
	top_start --json -i 60 -e alloc -p "$@"
	wait_sampling
	kill -USR1 "$1"
	wait_for is_done
	top_end
}

# expect_truth LEAF...: all is told, and with these functions as leaves.
expect_truth() {
	check "$output" "$@" <<-'PYTHON'
		truth, leaves = truths(args[0]), set(args[1:])
		pid = truth.pop("pid")
		told = {name: [0, 0] for name in truth}
		others = 0
		for one in (one for interval in run.intervals for one in interval["samples"]):
		    names = [name for name in truth if Sample(one).has(name)]
		    for name in names:
		        told[name][0] += one["weight"]
		        told[name][1] += one["count"]
		        expect(one["pid"] == pid, f"pid {one['pid']}")
		        expect(Sample(one).has("call_all"), "a stack without its root")
		        leaf = one["frames"][0]["function"]
		        expect(not leaves or leaf in leaves, f"a leaf {leaf}")
		expect_eq("bytes and blocks", told, truth)
		expect_eq("lost", run.lost, 0)
		allocated = sum(interval["ledger"]["allocated_bytes"] for interval in run.intervals)
		expect_eq("bytes counted beside", allocated, sum(i["values"]["weight"]["total"] for i in run.intervals))
	PYTHON
}

# ---- at each call ----

start mallocs 1000
wait_for all_sleep "$pid"
sample "$pid" --alloc-every 1
expect_truth malloc __libc_malloc calloc __libc_calloc realloc __libc_realloc __libc_reallocarray reallocarray \
	__libc_memalign memalign aligned_alloc posix_memalign valloc __libc_valloc
stop "$pid"

# Other allocators come before the C library's.
for other in "/usr/lib/$(uname -m)-linux-gnu"/{libjemalloc.so.2,libtcmalloc_minimal.so.4}; do
	[ -e "$other" ] || fail "no $other"
	LD_PRELOAD=$other start mallocs 300
	wait_for all_sleep "$pid"
	sample "$pid" --alloc-every 1
	expect_truth
	top doctor -e alloc -p "$pid"
	grep -q "its like, of .*/$(basename "$other")" "$out" || fail 'doctor does not say which one'
	stop "$pid"
done

# By frame pointers, which the C library has none of, callers are missing, but nothing of the sum; the workload's thread is
# a block, too.
start mallocs 1000
wait_for all_sleep "$pid"
sample "$pid" --alloc-every 1 --unwind fp
check <<'PYTHON'
blocks = sum(interval["values"]["count"]["total"] for interval in run.intervals)
expect_at_least("blocks", blocks, 22000)
expect_at_most("blocks", blocks, 22005)
PYTHON
stop "$pid"

# By chance: as many as there should be, within what chance does.
start mallocs 3000
wait_for all_sleep "$pid"
sample "$pid" --alloc-every 16K
check "$output" <<'PYTHON'
truth = truths(args[0])
for name in ("by_malloc", "by_calloc", "by_realloc_again", "by_strdup"):
    bytes = sum(one["weight"] for i in run.intervals for one in i["samples"] if Sample(one).has(name))
    expect_near(name, bytes / truth[name][0], 1, 5 / (truth[name][0] / 16384) ** .5)
PYTHON
stop "$pid"

# ---- at probes of its allocator ----

export LD_PRELOAD=$library TOPSTACKS_ALLOC_EVERY=1
start mallocs 1000
unset LD_PRELOAD
sample "$pid"
expect_truth
top -d 0.2 -p "$pid" -e alloc --live
expect_status 0
stop "$pid"

# ---- whom it would cost much ----

start mallocs 0 busy
top doctor -e alloc -p "$pid"
expect_status 3
grep -q 'probes  *at [0-9]* functions, malloc and its like, of .*/libc' "$out" || fail 'doctor does not say where'
grep -q 'here  *malloc is called' "$out" || fail 'doctor does not say that it costs too much'
top -d 0.2 -p "$pid" -e alloc
expect_status 3
expect_err 'malloc is called [0-9,]+ times a second by "mallocs" \(process [0-9]+\), and a probe costs [0-9.]+ us a call: [0-9.]+ % of a CPU'
[ "$(wc -l <"$err")" = 1 ] || fail "more than a sentence"
json -d 0.5 -p "$pid" -e alloc --max-overhead 10000
check <<'PYTHON'
expect(run.samples and all(sample.has("by_malloc") for sample in run.samples), "no samples of it")
PYTHON
stop "$pid"

# ---- who has none ----

printf '%s\n' 'void _start(void) { __asm__ volatile("mov $34, %eax\n1: syscall\njmp 1b"); }' >"$tmp/none.c"
gcc -nostdlib -static -o "$tmp/none" "$tmp/none.c" || fail "cannot compile"
"$tmp/none" &
started+=("$!")
wait_for all_sleep "$!"
top -d 0.2 -p "$!" -e alloc
expect_status 3
expect_err 'no malloc in process'
start mallocs 0
top -d 0.2 -p "$pid" -e alloc --live
expect_status 3
expect_err 'let topstacks start it'
pass
