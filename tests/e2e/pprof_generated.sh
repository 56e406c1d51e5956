#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Profiles of other tools, made by chance by pprof's own packages: types, units, labels, mappings, inlined lines, names of
# any bytes, drop_frames and keep_frames. Each function has what pprof's report has of it. PROFILES: how many.
. "$(dirname "$0")/lib.sh"

command -v go >/dev/null || skip "go is not installed"
export GOCACHE=$tmp/cache GOPATH=$tmp/go GO111MODULE=off GOFLAGS='' HOME=$tmp

# Go's own copy of pprof, so that its internal packages can be used.
tree=$tmp/go/src/github.com/google
mkdir -p "$tree/pprof" "$tmp/profiles"
cp -r "$(go env GOROOT)/src/cmd/vendor/github.com/google/pprof/." "$tree/pprof" || fail "Go comes without pprof's source"
mkdir "$tree/pprof/generated"
cp "$root/tests/pprof/generated.go" "$tree/pprof/generated/main.go"
go build -o "$tmp/generated" "$tree/pprof/generated/main.go" >"$out" 2>"$err" || fail "go build"

"$tmp/generated" "$topstacks" "$tmp/profiles" "${PROFILES:-500}" "${SEED:-1}" >"$out" 2>"$err" || fail "they differ"
grep -q "^${PROFILES:-500} profiles: equal$" "$out" || fail "not all were compared"
pass
