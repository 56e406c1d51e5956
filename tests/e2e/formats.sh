#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every format says the same: speedscope's by its own schema, Firefox's by its documentation.
. "$(dirname "$0")/lib.sh"

python3 -c 'import jsonschema' || skip "python3-jsonschema is not installed"
modules=$build/npm
schema=$modules/node_modules/speedscope/dist/release/file-format-schema.json
[ -e "$schema" ] || npm install --prefix "$modules" --silent --no-audit --no-fund --ignore-scripts \
	speedscope@1.25.0 >"$err" 2>&1 || skip "speedscope is not to be had from npm"

start stacks 5 60
top record -q -a -F 999 --threads -d 1 -o "$tmp/all.pb.gz"
expect_status 0
python3 "$root/tests/formats/check.py" "$topstacks" "$tmp/all.pb.gz" "$schema" >"$out" 2>"$err" ||
	fail "formats differ"

for format in html svg; do
	top report --format="$format" -o "$tmp/graph.$format" "$tmp/all.pb.gz"
	expect_status 0
	[ -s "$tmp/graph.$format" ] || fail "$format is empty"
done
grep -q spin "$tmp/graph.svg" || fail "the picture lacks a function" # the page compresses its data
pass
