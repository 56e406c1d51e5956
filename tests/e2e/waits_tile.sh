#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each nanosecond of each thread's life is in one part of the account, in intervals of any length: of threads that
# only wait; of those that are born, execute, switch all the time, are stopped, die and are killed; and the lives of
# threads are as long as they say themselves. What check.py finds in every interval is the greater part of this test.
. "$(dirname "$0")/lib.sh"

pids=()

# also WORKLOAD ARGUMENTS...: starts it, which then stands still, and adds it to pids.
also() {
	start "$@"
	kill -STOP "$pid"
	pids+=("$pid")
}

# ---- a constant number of threads ----

start blocked 5 3
wait_for all_sleep "$pid"
for interval in 0.05 0.1 0.5; do
	begin=$(date +%s%N)
	json -p "$pid" -e off-cpu -i "$interval" -d 1
	took=$(($(date +%s%N) - begin))
	check "$took" <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 2)
expect_eq("unknown, ns", run.unknown_ns, 0)
for number, interval in enumerate(run.intervals):
    expect_eq("threads have the same time, ns", interval["ledger"]["wall_ns"] % 16, 0)
lengths = run.wall_ns / 16
expect_at_most("time of each thread, ns", lengths, int(args[0]))
expect_near("time of each thread, s", lengths / 1e9, run.duration, 0.02 + READING_S)
PYTHON
	if [ "$interval" = 0.1 ]; then # one thread of them
		json -t "$pid" -e off-cpu -i "$interval" -d 0.5
		check <<<'expect_near("time of one thread, s", run.wall_ns / 1e9, run.duration, 0.02 + READING_S)'
	fi
done
stop "$pid"

# ---- births and deaths: between the clocks of the threads and of who bears them ----

for life_us in 300 20000; do
	start births 8 "$life_us" 1000
	from_rest_to_rest "$pid" -e off-cpu -i 0.1
	check "$output" <<'PYTHON'
expect_known(run)
truth = truths(args[0])
lives_s = run.wall_ns / 1e9 - run.duration # main is there all the time
expect_at_least("births", truth["ended"], 100)
expect_at_least("lives, s", lives_s, truth["least_ns"] / 1e9 - READING_S)
allowed_s = 50e-6 * truth["ended"] + READING_S # from the word that it is joined to its end
expect_at_most("lives, s", lives_s, 1.01 * truth["most_ns"] / 1e9 + allowed_s)
PYTHON
	stop "$pid"
done

# ---- all of it at once ----

storm() {
	local one
	pids=()
	also mixed 60000 2
	kill -USR1 "$pid"
	also births 4 300 60000
	kill -USR1 "$pid"
	also thread_storm 8 2
	also exec_a 60
	also short_children 1 60
	also blocked 3 3
	stopped=$pid
	also blocked 3 3
	killed=$pid
	top_start --json -p "$(IFS=,; echo "${pids[*]}")" -e off-cpu -i "$1"
	wait_sampling
	kill -CONT "${pids[@]}"
	for _ in 1 2 3 4 5; do
		kill -STOP "$stopped"
		sleep 0.1
		kill -CONT "$stopped"
		sleep 0.03
	done
	kill -KILL "$killed"
	wait_intervals 2
	top_end
	check <<'PYTHON'
expect_known(run)
expect_at_least("switches", run.switches, 1000)

def expect_scheduled(what, ours, theirs):
    expect_near(what, ours, theirs, scheduler_tolerance_ns(theirs, run.switches) + run.unknown_ns)

expect_scheduled("running, ns", run.running_ns, run.scheduled_ns)
expect_scheduled("runnable, ns", run.runnable_ns, run.delayed_ns)
PYTHON
	for one in "${pids[@]}"; do
		kill -KILL "$one" 2>"$tmp/gone" || true
		wait "$one" 2>"$tmp/gone" || true
	done
}

for interval in 0.05 0.5; do
	storm "$interval"
done
pass
