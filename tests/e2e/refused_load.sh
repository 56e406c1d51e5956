#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A BPF program or map that the kernel refuses at the start: the run goes on without what it was for, or ends in a
# sentence. It neither crashes nor loses a sample in silence.
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || skip 'no strace'
start shares 60

run=(--json -p "$pid" -d 0.5 --once)
strace -f -qq -o "$tmp/calls" -e trace=bpf "$topstacks" "${run[@]}" >/dev/null 2>&1 || fail "strace"

# refuse PATTERN ERRNO: the first call of the main thread that matches, which is the one that is traced; sets status.
refuse() {
	local number
	number=$(awk -v main="$(awk '{ print $1; exit }' "$tmp/calls")" -v pattern="$1" \
		'$1 == main && / bpf\(/ { number++; if ($0 ~ pattern) { print number; exit } }' "$tmp/calls")
	[ -n "$number" ] || fail "no such call: $1"
	status=0
	timeout --signal=KILL 60 strace -qq -o "$tmp/refused" -e trace=bpf -e "inject=bpf:error=$2:when=$number" \
		"$topstacks" "${run[@]}" >"$out" 2>"$err" </dev/null || status=$?
	grep INJECTED "$tmp/refused" >"$tmp/injected" || true
	[ "$(grep -cE "$1" "$tmp/injected")-$(wc -l <"$tmp/injected")" = 1-1 ] || fail "refused: $(cat "$tmp/injected")"
}

# What samples is loaded a second time.
for errno in EPERM EINVAL E2BIG; do
	refuse 'PROG_LOAD.*PERF_EVENT.*prog_name="on_cpu' "$errno"
	expect_status 0
	check <<-'PYTHON'
		expect_at_least("samples", run.counted, 1)
		expect_eq("lost", run.lost, 0)
	PYTHON
done

# libbpf asks whether maps can be mapped: without, the programs' variables are out of reach.
for errno in EPERM ENOMEM; do
	refuse 'MAP_CREATE.*map_name="libbpf_mmap' "$errno"
	expect_status 3
	expect_err 'cannot map the variables of the BPF programs'
	[ "$(wc -l <"$err")" = 1 ] || fail "more than a sentence"
done
pass
