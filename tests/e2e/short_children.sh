#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Children that live 3 ms and 30 ms get their share of samples, also at a rate whose period is longer
# than their life, and are named though they are gone.
. "$(dirname "$0")/lib.sh"

for life in 3 30; do
	start short_children "$life" 20
	json -p "$pid" -F 499 -i 0.5 -d 3
	stop "$pid"
	check "$pid" "$life" "$output" <<'PYTHON'
work = run.with_function("short_life")
expect_at_least("samples", run.counted, run.enough(100))
expect_eq("samples of short_life in the parent",
          run.count(lambda s: s.has("short_life") and s.pid == int(args[0])), 0)
# What is not in it is fork, exit and the copying of pages, which machines take differently long for.
truth = truths(args[2])
share = truth["children"] * float(args[1]) * 1e6 / (truth["children_ns"] + truth["self_ns"])
expect_at_least("share of short_life", work / run.counted, share - binomial_tolerance(run.counted, share, 2) - 0.05)
expect_eq("lost", run.lost, 0)
PYTHON
done

# The children's CPU time as the kernel accounts it to their parent, against what was sampled.
json -F 4999 -i 60 -- sh -c 'exec "$1" 3 3 >"$2"' sh "$workloads/short_children" "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])
seconds = (truth["children_ns"] + truth["self_ns"]) / 1e9
# The ledger's own clock is the scheduler's, too, but goes on until a task's last instruction.
ending_s = ENDING_S * truth["children"]
expect_near("CPU time in the ledger, s", run.ran_s, seconds + ending_s / 2, ending_s / 2 + 2 * TICK_S + STOLEN * seconds)
expect_coverage(run)
PYTHON
pass
