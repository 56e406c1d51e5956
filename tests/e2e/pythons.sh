# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by tests of Python, after lib.sh: they run with each Python that is had here.
#
#	names() {                        # with $version (3.11), $minor (11), and python, the command
#		start_python nested.py 60    # a workload of tests/workloads/python/; sets pid and output
#		...
#	}
#	each_python names                # or some_pythons
#
# Those are the machine's, those of tests/interpreters/fetch, and those that the variable PYTHONS names, separated
# by spaces: programs, or directories that have bin/python3 or below which there are such. A version that is not had
# is told, and no reason to skip a test.

python_workloads=$root/tests/workloads/python
wanted_minors="8 9 10 11 12 13 14"
pythons=() # "version|root, or nothing|program"

# note_python ROOT PROGRAM: of these versions, and the one that everybody has.
note_python() {
	local command=("$2") version
	[ -z "$1" ] || command=(chroot "$1" "$2")
	version=$("${command[@]}" -E -s -c 'import sys
print(*(sys.version_info[:2] if sys.implementation.name == "cpython" else (0, 0)), sep=".")' 2>/dev/null </dev/null) ||
		return 0
	case " $wanted_minors " in
	*" ${version#3.} "*) pythons+=("$version|$1|$2") ;;
	esac
}

find_pythons() {
	local name directory one each
	note_python '' "$(command -v /usr/bin/python3 || command -v python3)"
	for name in $("$root/tests/interpreters/fetch" | grep '^python'); do
		directory=$("$root/tests/interpreters/fetch" "$name" 2>/dev/null) || continue
		note_python "$directory" "/usr/bin/$name"
	done
	for one in ${PYTHONS-}; do
		if [ -f "$one" ]; then
			note_python '' "$one"
			continue
		fi
		for each in "$one"/bin/python3 "$one"/*/bin/python3; do
			[ ! -x "$each" ] || note_python '' "$each"
		done
	done
	for one in $wanted_minors; do
		printf '%s\n' "${pythons[@]}" | grep -q "^3\.$one|" || echo "not had here: 3.$one"
	done
}

# each_python FUNCTION [LEAST]: calls it for each, or for those whose minor version is that at least.
each_python() {
	local one python_root program scripts
	for one in "${pythons[@]}"; do
		IFS='|' read -r version python_root program <<<"$one"
		minor=${version#3.}
		[ "$minor" -ge "${2-0}" ] || continue
		echo "with Python $version, ${python_root:-.} $program" # the last one is that of a failure
		scripts=$python_workloads
		python=("$program" -E -s -B)
		if [ -n "$python_root" ]; then
			scripts=$(mktemp -d "$python_root/tmp/topstacks-e2e.XXXXXX")
			leftovers+=("$scripts")
			cp "$python_workloads"/*.py "$scripts"
			scripts=${scripts#"$python_root"}
			python=(chroot "$python_root" "${python[@]}")
		fi
		"$1"
	done
}

# some_pythons FUNCTION: for what hardly depends on the version, the oldest and the newest; all of them where PYTHONS
# names more, or ALL is set.
some_pythons() {
	local all=("${pythons[@]}") sorted
	if [ -z "${PYTHONS-}${ALL-}" ]; then
		mapfile -t sorted < <(printf '%s\n' "${all[@]}" | sort -V)
		pythons=("${sorted[0]}")
		[ "${#sorted[@]}" -lt 2 ] || pythons+=("${sorted[-1]}")
	fi
	each_python "$1"
	pythons=("${all[@]}")
}

# start_python SCRIPT ARGUMENTS...: in the background, until it says "ready".
start_python() {
	output=$tmp/workload${#started[@]}
	: >"$output"
	"${python[@]}" "$scripts/$1" "${@:2}" >"$output" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_ready "$pid" "$output"
}

find_pythons
