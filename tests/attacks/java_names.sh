#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --java-names and programs that look like a JVM: whatever lies in /tmp in the place of its files, and whatever it
# answers or does to who tells it, the run ends 2 s later at most, nothing is written elsewhere, nothing stays, and
# nobody gets a SIGQUIT who would end of it or who is no JVM.
. "$(dirname "$0")/lib.sh"

mkdir "$tmp/lib" "$tmp/lib/other" "$tmp/lib/engine"
chmod -R a+rX "$tmp/lib"
echo 'void JNI_CreateJavaVM(void) {} void JVM_handle_linux_signal(void) {}' >"$tmp/jvm.c"
echo 'void JNI_CreateJavaVM(void) {}' >"$tmp/engine.c"
gcc -shared -fPIC -o "$tmp/lib/libjvm.so" "$tmp/jvm.c"
cp "$tmp/lib/libjvm.so" "$tmp/lib/other/libother.so"
gcc -shared -fPIC -o "$tmp/lib/engine/libjvm.so" "$tmp/engine.c"
victim=$den/victim

files_of() {
	echo "/tmp/.attach_pid$1" "/tmp/.java_pid$1" "/tmp/perf-$1.map"
}

start_fake() {
	rm -rf "$victim"
	start_attacker fake_jvm "$1" "$2" "$victim"
	undo+=("rm -rf $(files_of "$pid")")
}

end_fake() {
	end "$pid"
	# shellcheck disable=SC2046 # three files
	rm -rf $(files_of "$pid")
}

# A killed one has a process that cleans up after it.
no_attacher() {
	! pgrep -u "$attacker_uid" -x ts-attacher
}

times() {
	grep -c "^$1\$" "$output" || true
}

# tell_fake LIBRARY MODE: two seconds more than without, and the process lives.
tell_fake() {
	start_fake "$@"
	run_it "$2"
}

run_it() {
	limited 512 60 record -p "$pid" -d 1 -F 199 --java-names -o "$tmp/profile"
	expect_status 0
	expect_on_time 3
	kill -0 "$pid" || fail "$1: the process has ended"
	wait_for no_attacher
	! grep -q "something else" "$output" || fail "$1: another command"
	[[ $1 != *_* ]] || [ "$(times asked)" -eq 0 ] || fail "$1: it was asked"
}

# expect MODE SENTENCE LEAST_QUITS MOST_QUITS
expect() {
	tell_fake "$tmp/lib/libjvm.so" "$1"
	expect_err "java-names: PID $pid: .*$2"
	[ "$(grep -c java-names "$err")" -eq 1 ] || fail "$1: said twice"
	[ "$(times quit)" -ge "$3" ] && [ "$(times quit)" -le "$4" ] || fail "$1: $(times quit) times SIGQUIT"
	case $1 in
	attach_*) ;;
	*) wait_for test ! -e "/tmp/.attach_pid$pid" ;; # a process removes it that ends after the one that made it
	esac
	[ ! -e "$victim" ] || [ "$1" = socket_link ] || fail "$1: something was written elsewhere"
	end_fake
}

# One that does what it is told, so that the others fail for what they do.
tell_fake "$tmp/lib/libjvm.so" honest
! grep -q java-names "$err" || fail 'an honest one has failed'
[ "$(times quit)" -eq 1 ] || fail "$(times quit) times SIGQUIT"
[ "$(times asked)" -ge 1 ] || fail 'it was not asked'
[ ! -e "/tmp/.attach_pid$pid" ] || fail 'the file is still there'
read_profile "$tmp/profile"
check <<<'expect_at_least("named", run.with_function("made_up_name"), 0.9 * run.counted)'
end_fake

# Who is no JVM is told nothing.
for library in other/libother.so engine/libjvm.so; do
	tell_fake "$tmp/lib/$library" honest
	grep -q 'java-names: no JVM was sampled' "$err" || fail "$library: nothing was said"
	! grep -q 'java-names: PID' "$err" || fail "$library: it was taken for one"
	[ "$(times quit)" -eq 0 ] || fail "$library: SIGQUIT"
	end_fake
done

expect uncaught 'does not catch SIGQUIT' 0 0
expect silent 'not do so within 2 s' 1 2
expect attach_link 'in the way' 0 0
expect attach_fifo 'in the way' 0 0
expect attach_directory 'in the way' 0 0
expect socket_link 'none of its own' 0 0
expect socket_fifo 'none of its own' 0 0
expect socket_directory 'none of its own' 0 0
expect socket_of_child 'none of its own' 0 0
expect map_link 'none of its own' 0 0
expect map_fifo 'none of its own' 0 0
expect mute 'not do so within 2 s' 1 1
expect trickle 'not do so within 2 s' 1 1
expect full 'not do so within 2 s' 1 1
expect endless 'as no JVM does' 1 1
expect refused 'does not know' 1 1
expect stop 'not do so within 2 s' 1 2

# The socket of another user, who would learn nothing, but could keep us waiting.
start_fake "$tmp/lib/libjvm.so" silent
python3 - "/tmp/.java_pid$pid" >"$tmp/stranger" 2>&1 <<'PYTHON' &
import os, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listening.listen()
print("ready", flush=True)
listening.accept()
print("asked", flush=True)
PYTHON
stranger=$!
started+=("$stranger")
wait_ready "$stranger" "$tmp/stranger"
run_it 'of another user'
expect_err "java-names: PID $pid: .*none of its own"
! grep -q asked "$tmp/stranger" || fail "another user's socket was asked"
[ "$(times quit)" -eq 0 ] || fail "another user's socket: SIGQUIT"
end "$stranger"
end_fake

# A /tmp whose file system does not answer any more: who waits for it is left behind.
if [ -x "$build/attacks/silent" ] && [ -c /dev/fuse ]; then
	cp -u "$build/attacks/fake_jvm" "$tmp/bin/"
	start_silent lookup
	output=$tmp/attacker-silent
	(cd "$tmp/bin" && exec unshare --mount --propagation private bash -c 'mount --bind "$1" /tmp &&
		exec setpriv --reuid="$2" --regid="$2" --clear-groups --inh-caps=-all ./fake_jvm ../lib/libjvm.so silent' \
		bash "$tmp/mount" "$attacker_uid") >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
	fall_silent
	# Until an opener has given up the map of its code, nobody looks at its library.
	limited 512 60 record -p "$pid" -d 5 -F 199 --java-names -o "$tmp/profile"
	expect_status 0
	expect_on_time 7
	expect_err "java-names: PID $pid: .*not do so within 2 s"
	[ "$(times quit)" -eq 0 ] || fail "a silent /tmp: SIGQUIT"
	end_silent
	end "$pid"
fi

# Many of them at once take no longer than one.
for ((each = 0; each < 20; each++)); do
	start_fake "$tmp/lib/libjvm.so" silent
	fakes+=("$pid")
done
limited 512 60 record -q -a -d 1 -F 199 --java-names -o "$tmp/profile"
expect_status 0
expect_on_time 3
for pid in "${fakes[@]}"; do
	[ ! -e "/tmp/.attach_pid$pid" ] || fail "the file of one of many is still there"
	end_fake
done

# The file goes when all of ours are killed, too.
start_fake "$tmp/lib/libjvm.so" silent
top_start record -q -p "$pid" -d 60 -F 199 --java-names -o "$tmp/profile"
wait_for test -e "/tmp/.attach_pid$pid"
kill -KILL "$top_pid"
wait_for test ! -e "/tmp/.attach_pid$pid"
end_fake
pass
