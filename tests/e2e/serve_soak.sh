#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# serve samples a machine on which programs, threads and stacks come and go, for SECONDS_LONG, two minutes unless given (3600,
# by hand): its memory does not rise, no descriptor is left open, and the ledger of each answer balances.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

seconds=${SECONDS_LONG:-120}
keep_s=20

(while "$workloads/stacks" 12 10 50 && "$workloads/short_children" 5 1; do :; done) >"$tmp/truths" 2>&1 &
started+=("$!")
(while :; do /bin/true; done) & # a shell's children, which execute a program
started+=("$!")
serve -a -F 99 --slice 1 --keep "$keep_s" --max-memory 64M --max-overhead 100

# One look a second: memory of its own and descriptors of all processes of serve, which are one session's.
cat >"$tmp/watch.py" <<'PYTHON'
import math, os, sys, time
root, seconds = int(sys.argv[1]), float(sys.argv[2])

def family():
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found

def look():
    kbytes = descriptors = 0
    for pid in family():
        try:
            kbytes += sum(int(line.split()[1]) for line in open(f"/proc/{pid}/status")
                          if line.startswith(("RssAnon:", "RssShmem:")))
            descriptors += len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            pass  # a helper has ended
    return kbytes, descriptors

looks, end = [], time.monotonic() + seconds
while time.monotonic() < end:
    looks.append((time.monotonic(), *look()))
    time.sleep(1)

# Looks that follow each other are alike: stacks gather until they fill their bound, and most are forgotten, again and
# again. So a line goes through the highest of each eighth of the time, whose errors are taken as independent: six
# degrees of freedom, of which Student's t is 2.45 at 95 %.
eighth = len(looks) // 8
blocks = [[max(one[i] for one in looks[n * eighth:(n + 1) * eighth]) for i in range(3)] for n in range(8)]
times, values = [block[0] / 60 for block in blocks], [block[1] for block in blocks]
middle, mean = sum(times) / 8, sum(values) / 8
spread = sum((x - middle) ** 2 for x in times)
rise = sum((x - middle) * (y - mean) for x, y in zip(times, values)) / spread
half = 2.45 * math.sqrt(sum((y - mean - rise * (x - middle)) ** 2 for x, y in zip(times, values)) / 6 / spread)
most = [max(one[2] for one in part) for part in (looks[:len(looks) // 2], looks[len(looks) // 2:])]
print(f"{mean:.0f} kB, {rise:+.1f} ± {half:.1f} kB a minute; at most {most[0]} and {most[1]} descriptors")
assert rise - half <= 0 or rise + half < 500, "memory rises"
assert most[1] <= most[0] + 32, "descriptors stay open"  # those of programs that came meanwhile are fewer
PYTHON
sleep "$((keep_s + seconds / 4))" # the past is as long as it may be, and all files are read
python3 "$tmp/watch.py" "$serve_pid" "$((seconds * 3 / 4 - keep_s))" >"$tmp/watched" 2>&1 &
watcher=$!
started+=("$watcher")
while kill -0 "$watcher" 2>/dev/null; do
	asked "/debug/pprof/delta_profile?client=soak" "$tmp/delta"
	"$topstacks" report --format json "$tmp/delta" | jq -e \
		'.ledger.balanced and .ledger.counted == ([.samples[].count] | add // 0)' >"$tmp/answer" || fail "the ledger does not balance"
	sleep 5
done
wait "$watcher" || fail "$(cat "$tmp/watched")"
cat "$tmp/watched"
end_serve
pass
