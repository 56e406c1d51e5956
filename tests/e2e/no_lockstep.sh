#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program that is periodic at exactly the rate asked for gets its true shares at every start: no
# CPU's period is the one asked for.
. "$(dirname "$0")/lib.sh"

for _ in 1 2 3 4; do
	json -F 999 -i 60 -- sh -c 'exec "$1" 999 30 1 >"$2"' sh "$workloads/periodic" "$tmp/truth"
	check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])["functions_ns"]
counts = {name: run.with_function(name) for name in truth}
samples = sum(counts.values())
share = truth["busy_on"] / sum(truth.values())
expect_near("duty cycle of the workload", share, 0.3, 0.05)
# The period differs by 1 % or more, so the phase goes round at least once in 100 samples. Whole
# rounds are exact; of the last one as much as share * (1 - share) may be too much. Beside it
# there is chance, since a task that is switched out loses its phase.
rounds = samples / 100
expect_at_least("rounds", rounds, 1)
tolerance = share * (1 - share) / rounds + binomial_tolerance(samples, share)
expect_near(f"share of busy_on in {samples} samples", counts["busy_on"] / samples, share, tolerance)
PYTHON
done
pass
