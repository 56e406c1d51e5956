#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What a user mounts in the place of a perf map, in a mount namespace of his own: a file of procfs,
# which may be one that only root may read, or one that reading consumes, such as the kernel's log. It
# is not read.
. "$(dirname "$0")/lib.sh"

cp "$build/attacks/bearer" "$tmp/bin/"

# bearer_with FILE: its perf map is a bind mount of that file, "self" of what it is called itself.
bearer_with() {
	local map
	output=$tmp/attacker${#started[@]}
	exec_as_attacker unshare --user --map-root-user --mount bash -c '
		map=/tmp/perf-$$.map source=$1
		[ "$source" != self ] || source=/proc/$$/cmdline
		touch "$map" && mount --bind "$source" "$map" &&
			exec -a $'"'200000000 1000 stolen_name\n'"' "$2" -' bash "$1" "$tmp/bin/bearer" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	undo+=("rm -f /tmp/perf-$pid.map")
	wait_ready "$pid" "$output"
}

attacker unshare --user --map-root-user --mount true 2>"$err" || skip "users may not make namespaces"

bearer_with self
limited 512 60 record -q -a -d 1 -F 499 -o "$tmp/profile"
expect_status 0
read_profile "$tmp/profile"
check "$pid" <<'PYTHON'
ours = [s for s in run.samples if s.pid == int(args[0])]
expect_at_least("samples", sum(s.count for s in ours), 10)
expect_eq("names out of procfs", {n for s in ours for n in s.functions if n and "stolen" in n}, set())
PYTHON
end "$pid"

# Only where nobody else reads the log can be told whether it was read.
said() {
	timeout 1 dd if=/proc/kmsg iflag=nonblock bs=64k status=none 2>/dev/null | grep -q "$1"
}
echo "attack: control" >/dev/kmsg
sleep 0.3
if said "attack: control"; then
	bearer_with /proc/kmsg
	echo "attack: kept" >/dev/kmsg
	limited 512 60 record -q -a -d 1 -F 499 -o "$tmp/profile"
	expect_status 0
	said "attack: kept" || fail "the kernel's log was consumed"
fi
pass
