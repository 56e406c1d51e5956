#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every command of the documents and of --help runs as it stands, but for times and numbers of runs, which
# are made short, and for the programs that are sampled. document_commands.py has what is not run, and why.
# The size that they tell is the true one.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip "no jq"

# The page is as large as is said, to a twentieth.
told=$(sed -n 's/^The page takes \([0-9]*\) kB.*/\1/p' "$root/docs/flamegraph.md")
bytes=$(echo 'a;b 1' | "$topstacks" report --format html - | wc -c)
[ "$((20 * bytes))" -ge "$((19 * 1000 * told))" ] && [ "$((20 * bytes))" -le "$((21 * 1000 * told))" ] ||
	fail "the page takes $bytes bytes, not $told kB"

# What the documents call by name: shims in the place of the machine's.
mkdir -p "$tmp/bin" "$tmp/lib" "$tmp/here/symbols"
shim() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"
	chmod 755 "$tmp/bin/$1"
}
ln -s "$topstacks" "$tmp/bin/topstacks"
ln -s "$topstacks" "$tmp/here/topstacks"
start shares 300
shim pidof "echo $pid"
# shellcheck disable=SC2016 # for the shims
{
	shim sudo 'exec "$@"'
	shim ssh 'exec sh -c "$2"'
	shim make "exec '$workloads/slowed' 0 5"
	shim benchmark "exec '$workloads/slowed' 0 5"
}
mv "$tmp/bin/benchmark" "$tmp/here"

in_work() {
	status=0
	(cd "$tmp/here" && PATH=$tmp/bin:$PATH USER=$(id -un) timeout --signal=KILL 60 bash -o pipefail -c "$1" \
		>"$out" 2>"$err" </dev/null) || status=$?
}

# The files that the documents compare and report.
in_work 'topstacks record -q -F 999 --repeat 2 -o base -- ./benchmark && cp -r base new &&
	topstacks baseline save base && for i in 1 2; do for side in base old new; do
	cp base/run-00$i.pb.gz $side-$i.pb.gz; done; done; cp base-1.pb.gz redis.pb.gz; cp base-1.pb.gz all.pb.gz; cp base-1.pb.gz work.pb.gz;
	for i in 1 2; do cp base-$i.pb.gz ../lib/topstacks-20260131T00000$i.000Z.pb.gz; done'
expect_status 0

# short COMMAND: what does not end by itself ends soon, and directories of runs are new.
short() {
	sed -E "s/ -d [0-9]+m?/ -d 0.1/; s/ --repeat [0-9]+/ --repeat 2/; s/ -p (4711|PID)/ -p $pid/; s/-C 0,1/-C 0/; s/--comm nginx/--comm shares/; s/--from [0-9]+s --to [0-9.]+s/--from 0s --to 0.1s/
		s|/var/lib/topstacks|$tmp/lib|g; s/topstacks-20260131T/topstacks-/
		s/^(.* --repeat .* -o ([a-z]+)\\/? .*)/rm -rf \\2; \\1/
		/ (record|report|diff|baseline|doctor|list|help|--once|--version|-d|--)( |$)/! s/topstacks\$|topstacks /topstacks -d 0.1 /
		/ --rotate /s/record/record -d 0.1/; /--once/s/--once/--once -i 0.2/" <<<"$1"
}

# diff has an answer; --annotate is of a function of the reader's; nothing else fails.
expect_done() {
	case $1 in
	*" diff "*) grep -qE '^(passed|FAILED|BLIND): ' "$out" || fail "no answer: $1" ;;
	*" --annotate "*) [ "$status" -eq 0 ] || grep -q 'no sample is in a function called' "$err" || fail "$2: $1" ;;
	*) [ "$status" -eq 0 ] || fail "$2: status $status: $1" ;;
	esac
}

for command in top record report last diff baseline doctor list help; do
	"$topstacks" "$command" --help >"$tmp/help-$command"
	sed -n '/^Examples:/,/^$/p' "$tmp/help-$command" | grep -q topstacks || fail "$command --help has no example"
	sed -n '/^Exit codes:/,/^$/p' "$tmp/help-$command" | grep -q '^  0  ' || fail "$command --help has no exit codes"
done
python3 -B "$root/tests/e2e/document_commands.py" "$root/README.md" "$root"/docs/*.md "$tmp"/help-* >"$tmp/commands"
nr=0
declare -A ran
while IFS=$'\t' read -r why place command; do
	command=$(short "$command")
	[ "$why" = run ] && [ -z "${ran[$command]:-}" ] || continue
	ran[$command]=1
	in_work "$command"
	expect_done "$command" "$place"
	nr=$((nr + 1))
done <"$tmp/commands"
[ "$nr" -ge 30 ] || fail "only $nr commands: the test sees nothing"
pass
