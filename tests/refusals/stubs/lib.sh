# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Sourced by the stubs, whose only argument is the run's directory: refused is "yes" if the directory that is
# asked for was.
mkdir "$1/wanted"
refused=no
cd "$1/wanted" 2>/dev/null || refused=yes
rmdir "$1/wanted"

say() {
	echo "topstacks: $*" >&2
}

# results COUNTED SAMPLES BALANCED [WALK [WHY]]: an interval, in which the first three are what a ledger says; WHY: unwind
# tables are lost.
results() {
	walk="\"unwinding\": \"${4-unwind tables}\", \"lost_abilities\": [${5:+{\"why\": \"$5\"\}}]"
	echo "{\"schema\": 1, \"ledger\": {\"events\": $1, \"counted\": $1, \"idle\": 0, \"filtered\": 0, \"lost\": 0," \
		"\"balanced\": $3}, \"samples\": [{\"count\": $2}], $walk}"
}
