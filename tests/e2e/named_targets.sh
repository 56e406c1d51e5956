#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --comm and --uid sample whom they mean and no one else: who is there at the start, children, and who
# becomes one later, of whose CPU time only what comes after counts. A name that is nobody's is an error
# that says what is near.
. "$(dirname "$0")/lib.sh"

for name in topst_alpha topst_beta; do
	cp "$workloads/shares" "$tmp/$name"
done
cp "$(command -v bash)" "$tmp/topst_shell"

# start_as NAME: that program, as start does.
start_as() {
	workloads=$tmp start "$@"
}

# One of two that are the same but for the name, and one that gets it after a second of CPU time.
start_as topst_beta 60
beta=$pid
start_as topst_alpha 60
alpha=$pid
mkfifo "$tmp/go"
bash -c 'until [ "$(ps -o cputimes= -p $$)" -ge 1 ]; do for ((i = 0; i < 50000; i++)); do :; done; done
	echo burned >"$1"; read -r _ <"$2"; exec "$3" 60' sh "$tmp/burned" "$tmp/go" "$tmp/topst_alpha" >"$tmp/late" 2>&1 &
late=$!
started+=("$late")
wait_for test -s "$tmp/burned"
top_start --json --comm topst_alpha -F 999 -i 0.5
wait_samples 30
echo >"$tmp/go"
wait_ready "$late" "$tmp/late"
wait_samples 30
wait_for grep -q "\"pid\":$late," "$out"
top_end
check "$alpha" "$late" <<'PYTHON'
expect_eq("pids", run.pids, {int(args[0]), int(args[1])})
expect_coverage(run)
PYTHON

# Several names widen, patterns are the shell's, and -p narrows.
json --comm 'topst_a[l]*,topst_bet?' -F 999 -i 0.5 --once
check "$alpha" "$beta" "$late" <<<'expect_eq("pids", run.pids, {int(one) for one in args})'
json --comm topst_alpha -p "$alpha,$beta" -F 999 -i 0.5 --once
check "$alpha" <<<'expect_eq("pids", run.pids, {int(args[0])})'
kill -KILL "$late" "$beta"

# Children, whatever they are called; --no-children; a command of which one program is wanted.
family='into=$2; later() { "$0" 60 >"$into" & }; trap later USR1; "$0" 60 >"$1" & while :; do :; done'
"$tmp/topst_shell" -c "$family" "$workloads/shares" "$tmp/child" "$tmp/later" &
shell=$!
started+=("$shell")
wait_ready "$shell" "$tmp/child"
child=$(pgrep -P "$shell")
started+=("$child")
top_start --json --comm topst_shell -F 999 -i 0.5
wait_samples 30
kill -USR1 "$shell"
wait_for grep -q ready "$tmp/later"
later=$(pgrep -n -P "$shell")
started+=("$later")
wait_for grep -q "\"pid\":$later," "$out"
top_end
check "$shell" "$child" "$later" <<<'expect_eq("pids", run.pids, {int(one) for one in args})'
json --comm topst_shell --no-children -F 999 -i 0.5 --once
check "$shell" <<<'expect_eq("pids", run.pids, {int(args[0])})'
kill -KILL "$shell" "$child" "$later"
json --comm topst_beta -F 999 -o "$tmp/command" -- "$tmp/topst_shell" -c '"$0" 0.5; for ((i = 0; i < 100000; i++)); do :; done' "$tmp/topst_beta"
out=$tmp/command check <<'PYTHON'
expect_eq("programs", {sample.comm for sample in run.samples}, {"topst_beta"})
expect_coverage(run)
PYTHON

# A user's: one from the start, and one who becomes it, which nothing tells, after a second of CPU time.
setpriv --reuid 54321 --clear-groups "$tmp/topst_beta" 60 >"$tmp/theirs" 2>&1 &
theirs=$!
started+=("$theirs")
wait_ready "$theirs" "$tmp/theirs"
python3 -c '
import os, signal, sys, time
go = []
signal.signal(signal.SIGUSR1, lambda *_: go.append(1))
while time.process_time() < 1:
    pass
print("ready", flush=True)
while True:
    if go and os.geteuid() == 0:
        os.setuid(54321)
' >"$tmp/joiner" 2>&1 &
joiner=$!
started+=("$joiner")
wait_ready "$joiner" "$tmp/joiner"
top_start --json --uid 54321 -F 999 -i 0.5
wait_samples 30
kill -USR1 "$joiner"
wait_for grep -q "\"pid\":$joiner," "$out"
wait_samples 30
top_end
check "$theirs" "$joiner" <<'PYTHON'
expect_eq("pids", run.pids, {int(one) for one in args})
expect_coverage(run)
PYTHON
json --uid 54321 --comm topst_beta -F 999 -i 0.5 --once
check "$theirs" <<<'expect_eq("pids", run.pids, {int(args[0])})'

# refused TEXT ARGUMENTS...: one sentence, which has the text, and exit status 2.
refused() {
	top "${@:2}" -d 1
	expect_status 2
	expect_err "$1"
	[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
	[ ! -s "$out" ] || fail 'text on standard output'
}
refused 'no process is called "topst_aplha"; near: topst_alpha \(1 process\)' --comm topst_aplha
refused 'to wait for some, sample all by -a, and select by report --comm' --comm topst_later
refused 'no process belongs to user "54322"; users who have some: .*root' --uid 54322
refused 'no such user: "topst-nobody"; users who have some: .*root' --uid topst-nobody
refused 'none is of all' --uid 54321 --comm topst_alpha
refused 'comm.* for processes' --comm topst_alpha -t "$alpha"
pass
