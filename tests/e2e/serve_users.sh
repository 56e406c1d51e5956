#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who sees what of "topstacks serve": on the unix socket each user his own processes and nothing of others,
# neither of a setuid program, nor of one that he may not read, nor of one that changed hands; functions of
# the kernel only where everybody may know them; with the token all of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

[ "$(cat /proc/sys/fs/suid_dumpable)" != 1 ] || skip 'fs.suid_dumpable lets everybody look into everything'
user=64341 other=64342

as() {
	setpriv --reuid="$1" --regid="$1" --clear-groups -- "${@:2}"
}
program mine 755
program others 755
program setuid 4755
program unreadable 711
for name in mine setuid unreadable; do
	start_as_user "$user" "$tmp/$name" 1000
done
start_as_user "$other" "$tmp/others" 1000
grep -q "^Uid:.$other" "/proc/$pid/status" || fail "not another user"

# seen USER PATH: names of processes with samples, and whether a function of the kernel is named.
seen() {
	as "$1" curl -s -m 100 -o "$tmp/by-$1" --unix-socket "$socket" "http://localhost$2"
	"$topstacks" report --format json "$tmp/by-$1" >"$tmp/json" 2>"$err" || fail "no profile: $(head -c 200 "$tmp/by-$1")"
	jq -r '[.samples[].comm] | unique - ["curl", "setpriv", "sh"] | join(" ")' "$tmp/json"
}
kernel_functions() {
	jq -r '[.frames[] | select(.kind == "kernel") | .function] | unique | join(" ")' "$tmp/json"
}
mkdir -m 777 "$tmp/answers"
serve -a --slice 0.5 -F 499 --max-overhead 100
touch "$tmp/by-$user" "$tmp/by-$other"
chown "$user" "$tmp/by-$user"
chown "$other" "$tmp/by-$other"
has_all() {
	asked "/debug/pprof/profile?ago=20s" "$tmp/everything"
	"$topstacks" report --format json "$tmp/everything" |
		jq -e '[.samples[].comm] | unique | contains(["mine", "others", "setuid", "unreadable"])'
}
wait_for has_all

settings=$(cat /proc/sys/kernel/perf_event_paranoid /proc/sys/kernel/kptr_restrict | tr '\n' ' ')
found=$(seen "$user" "/debug/pprof/profile?ago=20s")
[ "$found" = mine ] || fail "the user sees: $found"
kernel=$(kernel_functions)
read -r paranoid restricted <<<"$settings"
if [ "$paranoid" -gt 1 ] || [ "$restricted" -ne 0 ]; then
	[ -z "${kernel/\[kernel\]/}" ] || fail "the user sees functions of the kernel: $kernel"
fi
# Nothing of others is in what was sent, whatever a reader would show of it.
zcat "$tmp/by-$user" | grep -aEq 'others|setuid|unreadable' && fail "names of others' processes were sent"
grep -q . <<<"$(jq -r '.ledger.counted // empty' "$tmp/json")" && [ "$(jq -r '.ledger.events // 0' "$tmp/json")" != 0 ] &&
	fail "the ledger of all was sent"

found=$(seen "$other" "/debug/pprof/profile?ago=20s")
[ "$found" = others ] || fail "the other user sees: $found"
found=$(seen "$other" "/debug/pprof/profile?ago=20s&comm=mine")
[ -z "$found" ] || fail "the other user sees, by name: $found"
found=$(seen "$other" "/debug/pprof/delta_profile?client=mine")
[ "$found" = others ] || fail "the other user's first visit: $found"
as "$other" curl -s -o "$tmp/by-$other" --unix-socket "$socket" "http://localhost/?ago=20s"
grep -aEq '"(mine|setuid|unreadable)"|comm=mine' "$tmp/by-$other" && fail "the page names processes of others"

# Of a process that changes hands nobody sees what it did in others'.
start owners "$user" "$other" 20
changes=$pid
kill -USR1 "$changes"
sleep 1.5
kill -USR1 "$changes"
wait_for grep -qx "done" "$output"
for one in "$user" "$other"; do
	seen "$one" "/debug/pprof/profile?ago=30s" >"$tmp/found"
	python3 - "$tmp/json" "$output" "$one" <<-'PYTHON' || fail "the above"
		import json, sys
		functions = {frame["function"] for frame in json.load(open(sys.argv[1]))["frames"]}
		truth = [json.loads(line) for line in open(sys.argv[2]) if line.startswith("{")]
		assert len(truth) > 5, truth
		seen = [row for row in truth if row["function"] in functions and row["owner"] != int(sys.argv[3])]
		assert not seen, seen
	PYTHON
done
end_serve
pass
