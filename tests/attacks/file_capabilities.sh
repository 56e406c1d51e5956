#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program file with capabilities, as docs/permissions.md has it, lends its user no file of root's:
# what he names is opened with his own rights.
. "$(dirname "$0")/lib.sh"

secret=$tmp/secret
echo 'root:x7Qk2secret;y 1' >"$secret"
chmod 600 "$secret"
mkdir -m 700 "$tmp/private"
printf 'main;hidden_name 1\n' >"$tmp/private/profile"
printf 'main;open_name 1\n' >"$den/profile"
capable=$tmp/bin/topstacks
cp "$topstacks" "$capable"
setcap cap_bpf,cap_perfmon,cap_syslog,cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep "$capable"
attacker cat "$secret" >/dev/null 2>&1 && fail "the secret is none"

# try WORDS...: is refused, and shows nothing.
try() {
	local status=0
	attacker timeout --signal=KILL 30 "$capable" "$@" >"$out" 2>"$err" </dev/null || status=$?
	! cat "$out" "$err" | grep -E 'x7Qk2secret|hidden_name' || fail "shows the secret: $*"
	[ "$status" -ne 0 ] || fail "succeeds: $*"
	[ "$status" -lt 126 ] || fail "exit status $status: $*"
}

try report "$secret"
try report --format folded "$secret"
try report "$tmp/private/profile"
try diff "$secret" --against profile
try diff profile --against "$secret"
try diff --config "$secret" profile --against profile
try diff --base "$tmp/private/*" --new profile
try baseline --dir store save "$secret"
try baseline --dir store save "$tmp/private/profile"
! grep -rqE 'x7Qk2secret|hidden_name' "$den" || fail "a copy of the secret"
try record -q -a -d 0.2 -o "$tmp/private/new"
[ ! -e "$tmp/private/new" ] || fail "wrote where the user may not"

# It is what it is for: other users' processes have names.
start shares 60
cp "$capable" "$tmp/bin/other" # without capabilities
status=0
attacker "$capable" record -q -a -d 1 -F 499 -o taken >"$out" 2>"$err" </dev/null || status=$?
expect_status 0
read_profile "$den/taken"
check "$pid" <<'PYTHON'
ours = [s for s in run.samples if s.pid == int(args[0]) and s.user]
expect_at_least("samples of another user's process", sum(s.count for s in ours), 10)
expect_at_least("with a name", sum(s.count for s in ours if s.user[0]["function"]), 10)
PYTHON
pass
