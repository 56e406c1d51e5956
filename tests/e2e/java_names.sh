#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --java-names: a JVM that nobody prepared for it has names, at the end and while it is sampled, also as another user
# in namespaces of its own. Without the option nothing is written. One that takes no signals is let alone.
. "$(dirname "$0")/lib.sh"

command -v javac >/dev/null || skip 'no JDK: apt-get install openjdk-17-jdk-headless'
mkdir "$tmp/classes"
javac -d "$tmp/classes" "$root/tests/workloads/runtimes/Shares.java"
chmod -R a+rX "$tmp"
java=(java -XX:+PreserveFramePointer -XX:CompileCommand=quiet '-XX:CompileCommand=dontinline,Shares.share*')

# start_java ARGUMENTS...: sets pid.
start_java() {
	output=$tmp/java${#started[@]}
	"${java[@]}" "$@" -cp "$tmp/classes" Shares 1000 >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	leftovers+=("/tmp/perf-$pid.map" "/tmp/.java_pid$pid")
	wait_for grep -q ready "$output"
}

end() {
	kill -KILL "$1"
	wait "$1" 2>/dev/null || true
}

expect_nothing() {
	local file
	for file in "/tmp/perf-$pid.map" "/tmp/.attach_pid$pid"; do
		[ ! -e "$file" ] || fail "$1: $file is there"
	done
	! grep -q 'thread dump' "$output" || fail "$1: it got a signal"
}

expect_named() {
	check <<-'PYTHON'
		named = run.with_function("int Shares.share25(int)") + run.with_function("int Shares.share75(int)")
		expect_at_least("samples of the methods", named, 0.9 * run.counted)
	PYTHON
}

# Names of what was sampled before it was told.
start_java
json -p "$pid" -F 999 -i 60 -d 2
expect_nothing 'without the option'
[ ! -e "/tmp/.java_pid$pid" ] || fail 'without the option: it has opened its socket'
json -p "$pid" -F 999 -i 60 -d 2 --java-names
expect_named
! grep -q java-names "$err" || fail 'something failed'
[ ! -e "/tmp/.attach_pid$pid" ] || fail 'the file is still there'
! grep -q 'thread dump' "$output" || fail 'it has printed its threads'
rm "/tmp/perf-$pid.map"

# While it goes on; its socket is there already.
top_start --json -p "$pid" -F 999 -i 1 --java-names
wait_intervals 4
[ -s "/tmp/perf-$pid.map" ] || fail 'it was not told while it was sampled'
top_end
check <<-'PYTHON'
	last = Run(run.intervals[2:])
	named = last.with_function("int Shares.share25(int)") + last.with_function("int Shares.share75(int)")
	expect_at_least("samples of the methods, later", named, 0.9 * last.counted)
PYTHON
end "$pid"

# In a recording, which gets the names late.
start_java
top record -p "$pid" -F 999 -d 2 --java-names -o "$tmp/profile"
expect_status 0
top report --format folded "$tmp/profile"
awk '{ all += $NF } /int_Shares.share|int Shares.share/ { named += $NF } END { exit !(all > 500 && named >= 0.9 * all) }' "$out" ||
	fail 'fewer than 90 % of samples in the file have names'
end "$pid"

# It catches no signals: SIGQUIT would end it.
start_java -Xrs
json -p "$pid" -F 999 -i 60 -d 1 --java-names
expect_err "java-names: PID $pid: it does not catch SIGQUIT"
expect_nothing 'with -Xrs'
kill -0 "$pid" || fail 'it has ended'
end "$pid"

# Another user's, who has a pid and a /tmp of his own.
unshare --mount --pid --fork true 2>/dev/null || { echo 'no namespaces' >&2 && pass; }
mkdir "$tmp/private"
chmod 1777 "$tmp/private"
cp -r "$tmp/classes" "$tmp/private/"
# shellcheck disable=SC2016 # for another shell
unshare --mount --propagation private --pid --fork --kill-child bash -c '
	mount --bind "$0/private" /tmp && mount -t proc proc /proc &&
		exec setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all "$@" -cp /tmp/classes Shares 1000' \
	"$tmp" "${java[@]}" >"$tmp/inside" 2>&1 &
started+=("$!")
wait_for grep -q ready "$tmp/inside"
pid=$(pgrep -P "$!" java)
started+=("$pid") # a change of the user takes back that it ends with its parent
json -p "$pid" -F 999 -i 60 -d 2 --java-names
expect_named
[ -s "$tmp/private/perf-1.map" ] || fail 'no map where it should be'
[ "$(stat -c %U "$tmp/private/perf-1.map")" = nobody ] || fail 'the map is not its own'
[ ! -e "$tmp/private/.attach_pid1" ] || fail 'the file is still there'
expect_nothing 'outside'
pass
