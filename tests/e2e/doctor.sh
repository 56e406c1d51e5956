#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor: as root, here, all that is needed is there.
. "$(dirname "$0")/lib.sh"

top doctor
expect_status 0
for word in BTF perf_event_max_stack perf_event_max_sample_rate cap_perfmon; do
	grep -qi "$word" "$out" || fail "nothing about $word"
done
pass
