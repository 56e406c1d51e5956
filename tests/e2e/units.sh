# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Sourced after lib.sh by tests of units as they are installed: what systemd makes of them, and which system calls
# they allow.
#
#	install_units install              # the make target; then unit_file NAME
#	expect_confined topstacks-record 20     # tenths of exposure at most
#	as_unit NAME COMMAND...            # traced, with the unit's capabilities, as nobody
#	expect_allowed NAME PROGRAM [CALL...]    # what was called since PROGRAM was executed; it can do without CALL

command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
prefix=$tmp/prefix

install_units() {
	MAKEFLAGS="" make -s -C "$root" BUILD="${build#"$root"/}" DESTDIR= PREFIX="$prefix" "$@" >"$out" 2>&1
}

unit_file() {
	echo "$prefix/lib/systemd/system/$1.service"
}

# value UNIT DIRECTIVE
value() {
	sed -n "s/^$2=//p" "$(unit_file "$1")"
}

expect_confined() {
	systemd-analyze verify --man=no "$(unit_file "$1")" >"$err" 2>&1
	! grep -F "$1" "$err" || fail 'systemd complains'
	systemd-analyze security --offline=yes --no-pager --threshold="$2" "$(unit_file "$1")" >"$out" 2>&1 ||
		fail "$1 is exposed by more than $2 tenths"
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
list_allowed() {
	local line words
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
	done < <(value "$1" SystemCallFilter)
	[ "$(wc -l <"$tmp/allowed")" -gt 100 ] || fail 'hardly a system call is allowed: the test sees nothing'
}

# As setpriv has them; empty: none.
capabilities_of() {
	local set
	set=$(value "$1" AmbientCapabilities | tr '[:upper:]' '[:lower:]' | sed 's/cap_/+/g; s/ /,/g')
	[ "$(value "$1" CapabilityBoundingSet)" = "$(value "$1" AmbientCapabilities)" ] || fail 'two sets of capabilities'
	echo "-all${set:+,$set}"
}

# as_unit NAME COMMAND...: whoever is killed takes with him what he has started.
as_unit() {
	local set
	set=$(capabilities_of "$1")
	exec timeout --signal=KILL 60 setpriv --pdeathsig=KILL strace -f -o "$tmp/calls" setpriv --pdeathsig=KILL --reuid=nobody --regid=nogroup --clear-groups \
		--inh-caps="$set" --ambient-caps="$set" --bounding-set="$set" --no-new-privs "${@:2}"
}

# What comes before the program is executed is not its own. It confines readers as far as it may: not with chroot.
# The C library looks for a cache of users and groups, and can do without it.
expect_allowed() {
	list_allowed "$1"
	sed -n '/execve("[^"]*'"$2"'"/,$s/^[0-9]\+ \+\([a-z_0-9]\+\)(.*/\1/p' "$tmp/calls" | sort -u >"$tmp/made"
	[ "$(wc -l <"$tmp/made")" -gt 30 ] || fail 'hardly a system call was made: the test sees nothing'
	grep -vxF -f <(printf '%s\n' chroot "${@:3}") "$tmp/made" | comm -23 - "$tmp/allowed" >"$out"
	[ ! -s "$out" ] || fail "calls that $1 does not allow"
}
