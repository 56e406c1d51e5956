#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# topstacks-record.service as it is installed: systemd understands it, calls it well confined, and its filter has
# every system call that recording makes, with the capabilities and the options that the service has. Whether
# systemd runs it tests/kernels/service sees.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/units.sh"

install_units install
expect_confined topstacks-record 20

mkdir "$tmp/state"
chown nobody "$tmp/state"
[ "$(capabilities_of topstacks-record | tr -cd + | wc -c)" -eq 6 ] || fail 'not six capabilities'
options=$(value topstacks-record Environment | sed 's/"//g; s/RECORD_OPTIONS=//; s/--rotate [0-9]*/--rotate 1/')
start shares 30
# shellcheck disable=SC2086 # options are several words, for systemd too
(as_unit topstacks-record "$topstacks" record -q $options -d 2.5 -o "$tmp/state/") >"$out" 2>"$err"
[ "$(find "$tmp/state" -name '*.pb.gz' | wc -l)" -ge 2 ] || fail 'nothing was recorded'
expect_allowed topstacks-record topstacks socket
pass
