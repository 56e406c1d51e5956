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

# results COUNTED SAMPLES BALANCED: an interval, in which these are what a ledger says.
results() {
	echo "{\"schema\": 1, \"ledger\": {\"events\": $1, \"counted\": $1, \"idle\": 0, \"filtered\": 0, \"lost\": 0," \
		"\"balanced\": $3}, \"samples\": [{\"count\": $2}]}"
}
