#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Places of the kernel's types are kept for the next start, which finds the same. A start that does not use the file writes
# it anew: so a file that stays the same one was used, and one that was damaged was noticed. A process with more rights
# than its caller's leaves the cache alone, as root leaves one of another user.
. "$(dirname "$0")/lib.sh"

export HOME=$tmp/home XDG_CACHE_HOME=
cache=$HOME/.cache/topstacks
mkdir "$HOME"
start shares 60

# once: a run, which has samples, whatever lies in the cache.
once() {
	json -p "$pid" -d 0.3
	check <<-'PYTHON'
		expect_at_least("samples", run.counted, 1)
	PYTHON
}
identity() { stat -c '%i %Y %Z' "$cache"/types-*; }

once
[ "$(stat -c '%a %u' "$cache" "$cache"/types-* | tr '\n' ' ')" = "700 0 600 0 " ] || fail "owner or mode"
file=$(echo "$cache"/types-*)
id=${file##*/types-}
od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | grep -qE "474e5500${id%-*}" || fail "not named by the build ID: $file"
cp "$file" "$tmp/first"
before=$(identity)
once
[ "$(identity)" = "$before" ] || fail "the cache was not used"
json -p "$pid" -d 0.3 -e off-cpu
[ "$(identity)" = "$before" ] || fail "the cache was not used for another event"

# spoil COMMAND...: a run notices it, and makes the file whole again.
spoil() {
	"$@"
	once
	[ "$(ls "$cache")" = "${file##*/}" ] || fail "files are left after $*: $(ls "$cache")"
	[ -f "$file" ] && [ ! -L "$file" ] && cmp "$file" "$tmp/first" || fail "not whole again after $*"
}
overwrite() { printf '\377' | dd of="$file" bs=1 seek="$1" conv=notrunc status=none; }
for at in 12 22 1003; do
	spoil overwrite "$at"
done
spoil truncate -s 1000 "$file"
spoil ln -sf "$tmp/first" "$file"
spoil chmod 666 "$file"
spoil chown nobody "$file"
pipe() { rm "$file" && mkfifo "$file" && touch "$cache/types.new"; } # as if killed while it was written
spoil pipe

# No place: no cache, and no word of it.
chown nobody "$cache"
before=$(identity)
overwrite 30
once
expect_silent
! cmp -s "$file" "$tmp/first" || fail "wrote to the cache of another user"
rm -r "$HOME"
once
expect_silent
[ ! -e "$HOME" ] || fail "made a home"

# Rights that the caller does not have: neither read nor written.
theirs=$tmp/theirs
mkdir -p "$theirs/.cache"
chown -R nobody "$theirs"
lent=$tmp/lent
cp "$topstacks" "$lent"
setcap cap_bpf,cap_perfmon,cap_syslog,cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep "$lent"
status=0
HOME=$theirs setpriv --reuid=nobody --clear-groups --inh-caps=-all timeout --signal=KILL 60 \
	"$lent" -a -d 0.3 --once >"$out" 2>"$err" </dev/null || status=$?
expect_status 0
[ -z "$(ls "$theirs/.cache")" ] || fail "a process with more rights than its caller's made a cache"
pass
