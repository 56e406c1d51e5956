#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# serve --when: the seconds before are saved once a rule has held, not again within ten minutes; what is no
# rule is refused. serve --spool: files for another program, which hold every sample.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

for rule in "cpu over 9000" "cpu > 5%" "rm -rf / > 5% for 1s" "pressure.io of comm=x > 5% for 1s"; do
	top serve --listen "unix:$socket" --when "$rule" --save-to "$tmp/saved"
	expect_status 2
done
top serve --listen "unix:$socket" --when "cpu > 5% for 1s"
expect_status 2
expect_err 'save-to'

saved() {
	find "$tmp/saved" -name 'topstacks-when-*.pb.gz'
}
is_saved() {
	[ -n "$(saved)" ]
}
metric() {
	ask /metrics "$tmp/metrics"
	awk -v name="topstacks_$1" '$1 == name { print $2 }' "$tmp/metrics"
}
is_suppressed() {
	[ "$(metric 'rule_files_total{outcome="suppressed"}')" -gt 0 ]
}
start shares 1000
serve -p "$pid" --slice 0.5 --keep 60 -F 499 --max-overhead 100 --spool "$tmp/spool" --spool-period 1 \
	--when "cpu of comm=sha* > 1% for 1s" --when "cpu of comm=nobody > 1% for 1s" --save-to "$tmp/saved"
wait_for is_saved
wait_for is_suppressed
mapfile -t files < <(saved)
[ "${#files[@]}" -eq 1 ] || fail "${#files[@]} files: ${files[*]}"
[[ ${files[0]##*/} == topstacks-when-cpu-of-comm-sha* ]] || fail "called ${files[0]}"
[ "$(stat -c %a "${files[0]}")" = 600 ] || fail "others may read it"
top report --format json "${files[0]}"
expect_status 0
# It is what was before: at least as long as the rule had to hold, in slices.
jq -e '.provenance.duration_s >= 1 and (.samples | length) > 0' "$out" >"$tmp/jq" || fail "not the seconds before"
[ "$(metric 'rule_files_total{outcome="saved"}')" = 1 ] || fail "$(cat "$tmp/metrics")"

kill -STOP "$pid"
wait_for grep -q '^State:.*T' "/proc/$pid/status"
asked "/debug/pprof/delta_profile?client=one" "$tmp/delta" # all until now, and what is counted is that
counted=$(metric 'samples_total{event="cpu-clock",fate="counted"}')
end_serve
spooled=0
for file in "$tmp"/spool/topstacks-*.pb.gz; do
	spooled=$((spooled + $(count_in "$file")))
done
[ "$spooled" -eq "$counted" ] || fail "$spooled samples in the spool, $counted counted"
find "$tmp/spool" -name '*-00000001.pb.gz' | grep -q . || fail "the first file has no number"
pass
