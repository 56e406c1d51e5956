#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Code that a program makes and tells of, in a perf map and in a jitdump, has its names and its
# shares; new code in the place of old has the new name. A map that somebody else may have written is
# not believed.
. "$(dirname "$0")/lib.sh"

start_jit() {
	start jit "$@"
	leftovers+=("/tmp/perf-$pid.map")
}

# Names of what it ran until it was told to go on with other code, and of that.
named() {
	top_start --json -p "$pid" -F 1999 -i 1
	wait_intervals 1
	kill -USR1 "$pid"
	wait_for grep -q functions_ns "$output"
	wait_intervals 3 # the one in which it happened, and two more
	top_end
	check <<'PYTHON'
first, last = Run(run.intervals[:1]), Run(run.intervals[-3:])
jit = lambda run: [f for s in run.samples for f in s.frames if f["kind"] == "jit"]
names = lambda run: {f.get("function") for f in jit(run)}
expect_eq("names at first", names(first), {"jit_20", "jit_30", "jit_50"})
expect_eq("names at last", names(last), {"jit_20", "jit_30", "jit_second_50"})
expect_eq("modules", {f["module"] for f in jit(run)}, {"[anon]"})
PYTHON
}
start_jit map 60
named
stop "$pid"
start_jit dump 60 "$tmp"
named
stop "$pid"

# Started and ended by us: also what it did in its last moments.
json -F 4999 -i 60 -- sh -c 'exec "$1" map 3 >"$2"' sh "$workloads/jit" "$tmp/truth"
note_map "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = {name: ns for name, ns in truths(args[0])["functions_ns"].items() if ns}
expect_shares({name: run.with_function(name) for name in truth}, truth)
PYTHON

# Gone before anybody asked.
json -F 1999 -i 60 -- sh -c 'exec "$1" map 0.5 >"$2"' sh "$workloads/jit" "$tmp/short"
note_map "$tmp/short"
check <<'PYTHON'
expect_at_least("samples in jit_50", run.with_function("jit_50"), 10)
PYTHON

# In a container the map has another pid and lies in another /tmp.
if unshare --pid --mount --fork --kill-child true 2>/dev/null; then
	unshare --pid --mount --fork --kill-child --mount-proc sh -c \
		'mount -t tmpfs none /tmp && exec /proc/self/fd/9 map 30' \
		9<"$workloads/jit" >"$tmp/inside" &
	started+=("$!")
	wait_for grep -q ready "$tmp/inside"
	[ "$(sed -n 's/.*"pid": \([0-9]*\).*/\1/p' "$tmp/inside")" -eq 1 ] || fail 'not a pid of its own'
	inside=$(pgrep -P "$!")
	echo "0 ffffffffffffff planted" >"/tmp/perf-$inside.map"
	echo "0 ffffffffffffff planted" >/tmp/perf-1.map
	leftovers+=("/tmp/perf-$inside.map" /tmp/perf-1.map)
	json -p "$inside" -F 999 -i 1 -d 2
	check <<'PYTHON'
expect_at_least("samples in jit_50", run.with_function("jit_50"), 10)
expect_eq("samples with a planted name", run.with_function("planted"), 0)
PYTHON
else
	skip 'no new namespaces'
fi

# Nobody told of this code, and another user would like to.
start_jit silent 30
echo "0 ffffffffffffff planted" >"/tmp/perf-$pid.map"
chown nobody "/tmp/perf-$pid.map"
json -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
expect_eq("samples with a planted name", run.with_function("planted"), 0)
jit = [f for s in run.samples for f in s.frames if f["kind"] == "jit"]
expect(jit and not any(f.get("function") for f in jit), f"frames {jit}")
PYTHON
top --once -i 1 -p "$pid"
expect_status 0
[ "$(grep -c '^ .*\[anon\] \[j\]$' <(sed -n '/FUNCTION/,$p' "$out"))" -eq 1 ] || fail 'not one row'
pass
