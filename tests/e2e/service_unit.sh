#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks-record.service as it is installed: systemd understands it, calls it well confined, and its filter has
# every system call that recording makes, with the capabilities and the options that the service has. Whether
# systemd runs it tests/kernels/service sees.
. "$(dirname "$0")/lib.sh"
command -v systemd-analyze >/dev/null || skip "no systemd-analyze"

prefix=$tmp/prefix
MAKEFLAGS="" make -s -C "$root" BUILD="${build#"$root"/}" DESTDIR= PREFIX="$prefix" install >"$out" 2>&1
unit=$prefix/lib/systemd/system/topstacks-record.service
systemd-analyze verify --man=no "$unit" >"$err" 2>&1
! grep -F topstacks-record "$err" || fail 'systemd complains'
systemd-analyze security --offline=yes --no-pager --threshold=20 "$unit" >"$out" 2>&1 || fail 'exposed by more than 2.0'

value() {
	sed -n "s/^$1=//p" "$unit"
}

# names WORD...: system calls, with those that a group has.
names() {
	local word group
	for word; do
		case $word in
		@*)
			mapfile -t group < <(systemd-analyze syscall-filter --no-pager "$word" | sed -n 's/^ \+\([^# ]\)/\1/p')
			names "${group[@]}"
			;;
		*) echo "$word" ;;
		esac
	done
}

# As systemd does: a line adds, or takes away, what it names.
value SystemCallFilter >"$tmp/filters"
: >"$tmp/allowed"
while read -r line; do
	read -r -a words <<<"${line#\~}"
	names "${words[@]}" | sort -u >"$tmp/named"
	if [ "${line#\~}" = "$line" ]; then
		sort -u -o "$tmp/allowed" "$tmp/allowed" "$tmp/named"
	else
		comm -23 "$tmp/allowed" "$tmp/named" >"$tmp/left"
		mv "$tmp/left" "$tmp/allowed"
	fi
done <"$tmp/filters"
[ "$(wc -l <"$tmp/allowed")" -gt 100 ] || fail 'hardly a system call is allowed: the test sees nothing'

mkdir "$tmp/state"
chown nobody "$tmp/state"
capabilities=$(value AmbientCapabilities | tr '[:upper:]' '[:lower:]' | sed 's/cap_/+/g; s/ /,/g')
[ "$(tr -cd + <<<"$capabilities" | wc -c)" -eq 6 ] || fail "not six capabilities: $capabilities"
[ "$(value CapabilityBoundingSet)" = "$(value AmbientCapabilities)" ] || fail 'two sets of capabilities'
options=$(value Environment | sed 's/"//g; s/RECORD_OPTIONS=//; s/--rotate [0-9]*/--rotate 1/')
start shares 30
# shellcheck disable=SC2086 # options are several words, for systemd too
timeout --signal=KILL 60 strace -f -o "$tmp/calls" setpriv --reuid=nobody --regid=nogroup --clear-groups \
	--inh-caps=-all,"$capabilities" --ambient-caps=-all,"$capabilities" --bounding-set=-all,"$capabilities" \
	--no-new-privs "$topstacks" record -q $options -d 2.5 -o "$tmp/state/" >"$out" 2>"$err"
[ "$(find "$tmp/state" -name '*.pb.gz' | wc -l)" -ge 2 ] || fail 'nothing was recorded'
# What comes before the program is executed is not its own. It confines readers as far as it may: not with chroot.
sed -n '/execve("[^"]*topstacks"/,$s/^[0-9]\+ \+\([a-z_0-9]\+\)(.*/\1/p' "$tmp/calls" | sort -u >"$tmp/made"
[ "$(wc -l <"$tmp/made")" -gt 30 ] || fail 'hardly a system call was made: the test sees nothing'
grep -vx chroot "$tmp/made" | comm -23 - "$tmp/allowed" >"$out"
[ ! -s "$out" ] || fail 'calls that the unit does not allow'
pass
