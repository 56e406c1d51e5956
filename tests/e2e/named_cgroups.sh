#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --cgroup and --container sample who is in the cgroup, or in one below it, as long as it is: also who is
# moved there and away during the run, and who is in it when a service has been started again.
. "$(dirname "$0")/lib.sh"

id=3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
make_cgroups named "docker-$id.scope/inner" "docker-$id.scope" web.service other.service
path=/${slice##*/}

# start_in CGROUP: a program that computes there.
start_in() {
	start shares 100
	echo "$pid" >"$slice/$1/cgroup.procs"
}

start_in web.service
web=$pid
start_in "docker-$id.scope/inner"
inside=$pid
start_in other.service
mover=$pid

expect_pids() {
	check "$@" <<<'expect_eq("pids", run.pids, {int(one) for one in args})'
}

json --cgroup "$path/web.service" -F 999 -i 0.5 --once
expect_pids "$web"
json --cgroup "$slice" -F 999 -i 0.5 -d 1 # as a shell completes it, and all below
expect_pids "$web" "$inside" "$mover"
json --cgroup "$path/web.service,$path/other.service" -F 999 -i 0.5 -d 1
expect_pids "$web" "$mover"
json --container "${id:0:6}" -F 999 -i 0.5 --once
expect_pids "$inside"
json --container "docker:${id:0:12}" --cgroup "$path" -F 999 -i 0.5 --once
expect_pids "$inside"
json --container "$id" -p "$web,$inside" -F 999 -i 0.5 --once
expect_pids "$inside"

# is_last IN-OR-OUT PID: whether the last interval has it.
is_last() {
	tail -n 1 "$out" | grep -q "\"pid\":$2," && [ "$1" = in ] || { [ "$1" = out ] && ! tail -n 1 "$out" | grep -q "\"pid\":$2,"; }
}

# Moved in, after all that it ran elsewhere; moved away; and the service started again, in a new cgroup.
top_start --json --cgroup "$path/web.service" -F 999 -i 0.5
wait_samples 30
is_last out "$mover" || fail "it is in other.service"
echo "$mover" >"$slice/web.service/cgroup.procs"
wait_for is_last in "$mover"
wait_samples 30
echo "$mover" >"$slice/other.service/cgroup.procs"
wait_for is_last out "$mover"
kill -KILL "$web"
wait "$web" || true
wait_for rmdir "$slice/web.service"
mkdir "$slice/web.service"
start_in web.service
wait_for is_last in "$pid"
wait_samples 30
top_end
check "$web" "$mover" "$pid" <<'PYTHON'
expect_eq("pids", run.pids, {int(one) for one in args})
expect_coverage(run)
PYTHON

# refused TEXT ARGUMENTS...: one sentence, which has the text, and exit status 2.
refused() {
	top "${@:2}" -d 1
	expect_status 2
	expect_err "$1"
	[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
}
refused "no cgroup \"/wep.service\"; near: .*$path/web.service" --cgroup /wep.service
# Where hierarchies of version 1 are mounted, too, they are told apart.
old=$(awk '$3 == "cgroup" { print $2; exit }' /proc/mounts)
if [ "$old" ]; then
	mkdir "$old/of-version-1-$$"
	refused "no cgroup \"/of-version-1-$$\".*of version 2, .*is of version 1, at \"$old\"" --cgroup "/of-version-1-$$"
	refused 'cgroups count of version 2, .*, not those of version 1' --cgroup /none-of-them
	rmdir "$old/of-version-1-$$"
fi
refused "no cgroup \"$path/../../etc\"" --cgroup "$path/../../etc"
refused 'no container "abcdef"; there are: docker:3f2a1b4c5d6e' --container abcdef
refused 'needs 6 characters' --container "${id:0:5}"
pass
