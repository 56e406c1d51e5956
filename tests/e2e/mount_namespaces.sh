#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs in mount namespaces of their own are named from their own files: short-lived ones whose
# parent lives, on tmpfs, on overlayfs, below a pivoted root and a chroot, and never from the file
# that somebody else has at the same path. exec_a and exec_b have other names for the same addresses.
. "$(dirname "$0")/lib.sh"

unshare --mount true 2>/dev/null || skip 'no new mount namespace'
far_end=18000000000000000000 # as argument of exec_a: run for 5 ms and end
place=$tmp/place
mkdir "$place"

# copy_with_libraries ROOT FILE...: to the same paths below it.
copy_with_libraries() {
	local to=$1 file
	shift
	for file in "$@"; do
		ldd "$file" | grep -oE '/[^ ]+' | xargs -I{} cp -L --parents {} "$to"
		cp -L --parents "$file" "$to"
	done
}

# Each is run in a mount namespace of its own, fills $place, and ends with an endless loop of short
# children; $1: the workload.
# shellcheck disable=SC2016,SC2089 # for another shell
loop='while :; do "$0" '$far_end'; done'

on_tmpfs() {
	mount -t tmpfs none "$place"
	cp "$workloads/$1" "$place/program"
	exec bash -c "$loop" "$place/program"
}

on_overlay() {
	mount -t tmpfs none "$place"
	mkdir "$place/lower" "$place/upper" "$place/work" "$place/merged"
	cp "$workloads/$1" "$place/lower/program"
	mount -t overlay none "$place/merged" \
		-o "lowerdir=$place/lower,upperdir=$place/upper,workdir=$place/work"
	# One from the lower layer, one that was copied up.
	cp "$place/merged/program" "$place/merged/copied"
	exec bash -c "while :; do \"\$0/program\" $far_end; \"\$0/copied\" $far_end; done" "$place/merged"
}

fill_root() {
	mount -t tmpfs none "$place"
	mkdir "$place/old"
	copy_with_libraries "$place" "$BASH" "$workloads/$1"
	cp "$workloads/$1" "$place/program"
}

in_chroot() {
	fill_root "$1"
	exec chroot "$place" "$BASH" -c "$loop" /program
}

in_pivoted_root() {
	fill_root "$1"
	cd "$place" || exit
	pivot_root . old
	exec "$BASH" -c "$loop" /program
}

# enter FUNCTION WORKLOAD: starts it, appends its pid to pids.
pids=
export -f on_tmpfs on_overlay fill_root copy_with_libraries in_chroot in_pivoted_root
# shellcheck disable=SC2090
export place workloads loop far_end
enter() {
	unshare --mount --propagation private bash -ec "$1 $2" >"$tmp/inside" 2>&1 &
	started+=("$!")
	pids=$pids${pids:+,}$!
	running=$!
	wait_for child_of "$running"
}

# Its loop has begun: a child of the program's name.
child_of() {
	pgrep -P "$1" 'program|copied' || { kill -0 "$1" && false; }
}

expect_named() {
	check "$@" <<'PYTHON'
for name in args:
    expect_at_least(f"samples in {name}", run.with_function(name), run.enough(20))
ours = [(s, f) for s in run.samples for f in s.user if f["module"] in ("program", "copied")]
nameless = [f for _, f in ours if not f["function"]]
expect_eq("frames of the programs without a name", nameless, [])
mixed = [s.frames for s in run.samples if s.has("a_inner") and s.has("b_outer") or s.has("b_inner") and s.has("a_outer")]
expect_eq("stacks of both", mixed, [])
PYTHON
}

# Sampled from before they start their children, and from after it.
for way in on_tmpfs on_overlay in_chroot in_pivoted_root; do
	pids=
	enter "$way" exec_a
	enter "$way" exec_b
	json -p "$pids" -F 999 -i 0.4 -d 0.9
	expect_named a_inner b_inner
	[ "$way" != on_overlay ] || check <<'PYTHON'
copied = run.count(lambda s: s.has("a_inner") and any(f["module"] == "copied" for f in s.user))
expect_at_least("samples in a file that was copied up", copied, run.enough(10))
PYTHON
	for pid in ${pids//,/ }; do
		kill "$pid"
		wait "$pid" || true
	done
done

# The same by a system-wide run that sees everything from the start of the namespace on.
top_start --json -F 999 -i 0.5
wait_for test -s "$out"
enter on_tmpfs exec_a
enter on_tmpfs exec_b
wait_intervals 4
top_end
expect_named a_inner b_inner
pass
