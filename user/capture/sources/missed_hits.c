// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/missed_hits.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "profile/ledger.h"

void missed_hits__init(struct missed_hits *missed, const struct source_options *options)
{
	missed->is_shared = options->shares_programs;
	missed->is_counted = features__has(FEATURE_MISSED_HITS);
}

uint64_t missed_hits__read(const struct bpf_program *program)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);
	const int failed = bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size);

	rights__restore(before);
	return failed ? 0 : info.recursion_misses;
}

void missed_hits__take(struct missed_hits *missed, uint64_t nr, struct ledger *ledger)
{
	const uint64_t more = growth_of(&missed->nr, nr);

	ledger->lost_unmeasured = !missed->is_counted || (missed->is_shared && more);
	if (missed->is_shared) {
		ledger->kept_out += more;
		return;
	}
	ledger->events += more;
	ledger->lost[LOSS_PROGRAM_BUSY] += more;
}
