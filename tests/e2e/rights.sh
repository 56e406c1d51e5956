#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program file with capabilities lends them to nobody: what its caller names is opened with the
# caller's rights, while other users' processes have names. What is in effect, and what is kept.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

grants=bpf,perfmon,syslog,sys_ptrace,dac_read_search,checkpoint_restore
lent=$tmp/topstacks
cp "$topstacks" "$lent"
setcap "cap_${grants//,/,cap_}+ep" "$lent"
mkdir "$tmp/theirs"
chown nobody "$tmp/theirs"

# as_nobody ARGUMENTS...: with the capabilities of the file, and no others.
as_nobody() {
	status=0
	(cd "$tmp/theirs" && exec timeout --signal=KILL 60 setpriv --reuid=nobody --clear-groups --inh-caps=-all \
		"$lent" "$@") >"$out" 2>"$err" </dev/null || status=$?
}

# Whatever reads it with root's rights shows it: it is configuration, folded stacks, and a directory.
mkdir -m 700 "$tmp/private"
printf 'alpha = 0.01\n# kept_from_them;main 7\n' >"$tmp/private/settings"
printf 'kept_from_them;main 7\n' >"$tmp/private/stacks"
chmod 600 "$tmp/private"/*
cp "$tmp/private/stacks" "$tmp/secret"
chmod 600 "$tmp/secret"

expect_refused() {
	[ "$status" -ne 0 ] || fail "not refused: $*"
	expect_err 'permission denied|cannot look below|no files match'
	! grep -q kept_from_them "$out" "$err" || fail "shown: $*"
}

while read -r -a words; do
	as_nobody "${words[@]}"
	expect_refused "${words[@]}"
done <<-EOF_
	diff --config $tmp/private/settings --show-config
	diff --config $tmp/secret --show-config
	diff $tmp/secret --against $tmp/secret
	diff --base $tmp/private/s* --new $tmp/private/s*
	report --format folded $tmp/secret
	report $tmp/private/stacks
	baseline --dir copies save $tmp/secret
	top -a -d 1 --symfs $tmp/private/lib
	record -a -d 1 -o $tmp/private/profile
	record -a -d 1 -o $tmp/profile
	record -a -d 1 --rotate 1 -o $tmp/private/
	record --repeat 1 -o $tmp/private -- true
	top -a -d 1 --save $tmp/profile
	top -a -d 1 -o $tmp/secret
	report -o $tmp/secret $tmp/secret
EOF_
[ ! -e "$tmp/theirs/copies" ] || ! grep -rq kept_from_them "$tmp/theirs/copies" || fail 'copied'
grep -q kept_from_them "$tmp/secret" || fail 'overwritten'
[ "$(ls "$tmp/private")" = $'settings\nstacks' ] || fail 'written into a private directory'

# The same files are root's to read, and to write.
top diff --config "$tmp/private/settings" --show-config
expect_status 0
top report --format folded "$tmp/secret"
expect_status 0

# Names of a program that its caller can neither read nor reach, of another user.
cp "$workloads/shares" "$tmp/private/"
"$tmp/private/shares" 120 >"$tmp/running" &
pid=$!
started+=("$pid")
wait_ready "$pid" "$tmp/running"
as_nobody --json -p "$pid" -d 2
expect_status 0
check <<'EOF_'
expect_at_least("named samples", run.count(lambda s: s.has("share_40")), run.counted // 4)
EOF_
as_nobody record -a -d 1 -o mine
expect_status 0
[ "$(stat -c '%U %a' "$tmp/theirs/mine")" = 'nobody 600' ] || fail 'a recording is not its owner'\''s alone'
as_nobody --json -d 1 -- grep -E 'CapPrm|CapEff' /proc/self/status
! grep '^Cap' "$out" | grep -qv '0000000000000000$' || fail 'the command has capabilities'

# ---- what is kept, thread by thread ----

value_of() {
	awk -v name="$2:" '$1 == name { print $2 }' "$1"
}

mask_of() {
	printf '%016x\n' "$((1 << 39 | 1 << 38 | 1 << 34 | 1 << 19 | 1 << 2 | 1 << 40))"
}

has_value() {
	[ "$(value_of "$@")" = "$3" ]
}

# Capabilities are in effect for moments: between them there is a moment without.
expect_settled() {
	local status_file nr=0
	for status_file in /proc/"$1"/task/*/status; do
		nr=$((nr + 1))
		wait_for has_value "$status_file" CapEff "$2"
		has_value "$status_file" Seccomp 2 || fail 'there is no filter'
		has_value "$status_file" NoNewPrivs 1 || fail 'an exec might bring rights'
		[ -z "$3" ] || has_value "$status_file" CapPrm "$3" || fail "$(value_of "$status_file" CapPrm) is permitted"
		[ "$((0x$(value_of "$status_file" CapPrm) & 1 << 21))" -eq 0 ] || fail 'CAP_SYS_ADMIN is kept'
	done
	[ "$nr" -gt 1 ] || fail 'there is one thread only'
}

cd "$tmp/theirs" || exit 1
setpriv --reuid=nobody --clear-groups --inh-caps=-all "$lent" --json -a -i 0.2 >"$out" 2>"$err" </dev/null &
top_pid=$!
started+=("$top_pid")
wait_intervals 1
expect_settled "$top_pid" 0000000000000000 "$(mask_of)"
kill -INT "$top_pid"
top_wait
expect_status 0

# With a service's ambient capabilities its memory is not for its user either.
with=${grants//,/,+}
setpriv --reuid=nobody --clear-groups --inh-caps="-all,+$with" --ambient-caps="+$with" \
	"$topstacks" --json -a -i 0.2 >"$out" 2>"$err" </dev/null &
top_pid=$!
started+=("$top_pid")
wait_intervals 1
expect_settled "$top_pid" 0000000000000000 "$(mask_of)"
[ "$(stat -c %U "/proc/$top_pid/environ")" = root ] || fail 'its user may look into its memory'
kill -INT "$top_pid"
top_wait
expect_status 0
cd "$root" || exit 1

# Root at rest has its rights on files, and nothing else.
top_start --json -a -i 0.2
wait_intervals 1
expect_settled "$top_pid" 000000000000003f ''
top_end

# Each run of a series is sampled by a process like these, which is the parent of its command. The command
# has its caller's rights, and no filter.
# shellcheck disable=SC2016 # the command's shell knows its parent
look='echo sampler; cat /proc/$PPID/task/*/status; echo command; cat /proc/self/status'
expect_series() {
	expect_status 0
	[ "$(grep -c '^sampler$' "$out")" -eq 2 ] || fail 'not two runs'
	sed -n '/^sampler$/,/^command$/p' "$out" >"$tmp/samplers"
	sed -n '/^command$/,/^sampler$/p' "$out" >"$tmp/commands"
	[ "$(grep -c '^Pid:' "$tmp/samplers")" -gt 2 ] || fail 'samplers have one thread only'
	[ "$(values_in "$tmp/samplers" Seccomp)" = 2 ] || fail 'there is no filter'
	[ "$(values_in "$tmp/samplers" NoNewPrivs)" = 1 ] || fail 'an exec might bring rights'
	[ "$((0x$(values_in "$tmp/samplers" CapPrm) & ~0x$1))" -eq 0 ] || fail 'too much is permitted'
	[ "$(values_in "$tmp/commands" Seccomp)" = 0 ] || fail 'a command is filtered'
	[ "$(values_in "$tmp/commands" NoNewPrivs)" = 0 ] || fail 'a command can get no rights'
	[ "$(values_in "$tmp/commands" CapEff)" = "$2" ] || fail 'a command does not have its caller'\''s rights'
}

values_in() {
	awk -v name="$2:" '$1 == name { print $2 }' "$1" | sort -u
}

top record --repeat 2 -o "$tmp/runs/" -- sh -c "$look"
# Root's rights on files, what hurries and locks memory, and what is lent to others.
expect_series "$(printf '%x' "$((0x3f | 1 << 23 | 1 << 14 | 0x$(mask_of)))")" "$(value_of /proc/self/status CapEff)"
as_nobody record --repeat 2 -o series/ -- sh -c "$look"
expect_series "$(mask_of)" 0000000000000000
[ "$(stat -c %a "$tmp/runs/run-001.pb.gz")" = 600 ] || fail 'a recording is everybody'\''s'

# ---- the environment ----

# terminal_opens USER: what a live view opens for a terminal that its caller describes.
terminal_opens() {
	mkdir -p "$tmp/trap/x" "$tmp/home/.terminfo/x"
	cp "$(find /lib/terminfo /usr/share/terminfo -name xterm -path '*/x/*' 2>/dev/null | head -1)" "$tmp/trap/x/"
	cp "$tmp/trap/x/xterm" "$tmp/home/.terminfo/x/"
	chmod -R a+rX "$tmp/trap" "$tmp/home"
	rm -f "$tmp/opens"
	timeout --signal=KILL 100 script -qec "env TERM=xterm HOME='$tmp/home' TERMINFO='$tmp/trap' \
		strace -f -qq -u $1 -e trace=open,openat,access,stat,newfstatat -o '$tmp/opens' \
		'$lent' -a -d 1 -i 0.5" /dev/null >"$out" 2>"$err" </dev/null || true
	grep -q /xterm\" "$tmp/opens" || fail 'no description of a terminal was opened'
}
terminal_opens root
grep -q "$tmp/trap/x/xterm" "$tmp/opens" || fail 'root'\''s own description is not read'
terminal_opens nobody
! grep -qE "$tmp/(trap|home)" "$tmp/opens" || fail 'the description of a terminal is its caller'\''s'
pass
