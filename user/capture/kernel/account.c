// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/account.h"

#include <sys/mman.h>

#include <bpf/libbpf.h>

#include "capture/host/skeleton.h"
#include "capture/kernel/sets.h"
#include "profile/ledger.h"

int account__open(struct account *account, const struct topstacks_bpf *skeleton, struct error *err)
{
	const struct bpf_map *map = skeleton->maps.ledger;
	void *rows;

	account->session = &skeleton->bss->session;
	account->nr_events = skeleton->rodata->cfg_nr_events;
	account->nr_cpus = skeleton->rodata->cfg_nr_cpus;
	rows = mmap(NULL, bpf_map__max_entries(map) * sizeof(struct ledger_cpu),
		    PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (rows == MAP_FAILED)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot map the ledger");
	account->rows = rows;
	return 0;
}

void account__close(struct account *account)
{
	if (account->rows)
		munmap(account->rows,
		       LEDGER_ROWS(account->nr_events, account->nr_cpus) * sizeof(*account->rows));
}

static struct ledger_cpu *rows_of(const struct account *account, uint32_t generation, size_t event)
{
	return account->rows + ledger_row(generation, (uint32_t)event, (uint32_t)account->nr_events,
					  (uint32_t)account->nr_cpus, 0);
}

static uint64_t sum_slot(const struct account *account, uint32_t generation, size_t event,
			 enum ledger_slot slot)
{
	const struct ledger_cpu *rows = rows_of(account, generation, event);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < account->nr_cpus; i++)
		sum += __atomic_load_n(&rows[i].slots[slot], __ATOMIC_RELAXED);
	return sum;
}

/* Sums a slot over all events, which share the maps. */
static uint64_t sum_all(const struct account *account, uint32_t generation, enum ledger_slot slot)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < account->nr_events; i++)
		sum += sum_slot(account, generation, i, slot);
	return sum;
}

static void sum_keys(const struct account *account, uint32_t generation, uint64_t *nr_keys)
{
	nr_keys[SET_COUNTS] = sum_all(account, generation, SLOT_NEW_KEYS);
	nr_keys[SET_KNOWN] = sum_all(account, generation, SLOT_NEW_SPILLS) +
			     sum_all(account, generation, SLOT_NEW_PROCESSES) +
			     sum_all(account, generation, SLOT_NEW_CODES);
}

bool account__is_full(const struct account *account, const struct set *set, uint32_t generation)
{
	uint64_t fresh[SET_KEY_MAPS];

	sum_keys(account, generation, fresh);
	return set__is_full(set, fresh, DRAIN_AT);
}

/* Converts hits to samples; the remainder is carried over to the next call. */
static uint64_t in_samples(const struct account *account, size_t event, uint64_t nr_hits,
			   uint64_t *rest)
{
	const uint64_t said = account->session->one_in[event], one_in = said ? said : 1;

	*rest += nr_hits;
	nr_hits = *rest / one_in;
	*rest %= one_in;
	return nr_hits;
}

/*
 * Moves an event's counters. Hits that one-in-N sampling skipped are no events of the ledger; the
 * sample that stands for them is one.
 */
static void take_event(struct account *account, uint32_t owned, size_t event, struct ledger *ledger)
{
	const uint64_t nr_runs = sum_slot(account, owned, event, SLOT_RUNS);
	const uint64_t nr_excluded = sum_slot(account, owned, event, SLOT_EXCLUDED);

	const uint64_t nr_passed = sum_slot(account, owned, event, SLOT_PASSED);
	const uint64_t nr_filtered = sum_slot(account, owned, event, SLOT_FILTERED);
	const uint64_t filtered =
		in_samples(account, event, nr_filtered, &account->events[event].rest_filtered);

	account->events[event].nr_runs += nr_runs;
	ledger->events += nr_runs - nr_passed - nr_filtered + filtered + nr_excluded;
	ledger->counted += sum_slot(account, owned, event, SLOT_COUNTED);
	ledger->filtered += filtered;
	ledger->lost[LOSS_COUNTS_FULL] += sum_slot(account, owned, event, SLOT_COUNTS_FULL);
	ledger->lost[LOSS_COUNTS_BUSY] += sum_slot(account, owned, event, SLOT_COUNTS_BUSY);
	ledger->lost[LOSS_COUNTS_ERROR] += sum_slot(account, owned, event, SLOT_COUNTS_ERROR);
	ledger->lost[LOSS_NO_SET] += sum_slot(account, owned, event, SLOT_NO_SET);
	ledger->lost[LOSS_PROGRAM_BUSY] += nr_excluded;
	ledger->allocated = sum_of(ledger->allocated, sum_slot(account, owned, event, SLOT_TOLD));
	ledger->sampled_ns =
		sum_of(ledger->sampled_ns, sum_slot(account, owned, event, SLOT_WEIGHT));

	ledger->stateless += sum_slot(account, owned, event, SLOT_NO_STATE);
	ledger->out_of_step += sum_slot(account, owned, event, SLOT_OUT_OF_STEP);
	ledger->codes_full += sum_slot(account, owned, event, SLOT_CODES_FULL);
	ledger->codes_bad += sum_slot(account, owned, event, SLOT_BAD_CODE);
}

/* Moves the account of how threads spent their time. */
static void take_wall(const struct account *account, uint32_t owned, size_t event,
		      struct ledger *ledger)
{
	const struct {
		uint64_t *sum;
		enum ledger_slot slot;
	} parts[] = {
		{&ledger->wall_ns, SLOT_LIVED_NS},
		{&ledger->running_ns, SLOT_RUNNING_NS},
		{&ledger->runnable_ns, SLOT_RUNNABLE_NS},
		{&ledger->blocked_ns, SLOT_BLOCKED_NS},
		{&ledger->unknown_ns, SLOT_UNKNOWN_NS},
		{&ledger->scheduled_ns, SLOT_SCHEDULED_NS},
		{&ledger->delayed_ns, SLOT_DELAYED_NS},
		{&ledger->uncredited_ns, SLOT_UNCREDITED_NS},
		{&ledger->overcredited_ns, SLOT_OVERCREDITED_NS},
		{&ledger->switches, SLOT_SWITCHES},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		*parts[i].sum += sum_slot(account, owned, event, parts[i].slot);
	if (ledger__has_wall(ledger))
		ledger->unplaced_ns += sum_slot(account, owned, event, SLOT_UNPLACED);
}

void account__take_runs(struct account *account, uint32_t owned, struct set *set,
			struct ledger *ledgers)
{
	uint64_t fresh[SET_KEY_MAPS];
	size_t i;

	for (i = 0; i < account->nr_events; i++) {
		take_event(account, owned, i, &ledgers[i]);
		take_wall(account, owned, i, &ledgers[i]);
	}
	sum_keys(account, owned, fresh);
	for (i = 0; i < SET_KEY_MAPS; i++)
		set->nr_used[i] += fresh[i];
	memset(rows_of(account, owned, 0), 0,
	       account->nr_events * account->nr_cpus * sizeof(*account->rows));
}

void account__in_samples(struct account *account, size_t event, struct ledger *told)
{
	const uint64_t nr_hits = told->lost[LOSS_PROGRAM_BUSY];
	const uint64_t nr_samples =
		in_samples(account, event, nr_hits, &account->events[event].rest_lost);

	told->lost[LOSS_PROGRAM_BUSY] = nr_samples;
	told->events -= nr_hits - nr_samples;
}

uint64_t account__nr_runs(const struct account *account, size_t event)
{
	uint64_t sum = account->events[event].nr_runs;
	uint32_t generation;

	for (generation = 0; generation < ABI_GENERATIONS; generation++)
		sum += sum_slot(account, generation, event, SLOT_RUNS);
	return sum;
}

void account__take_followers(struct account *account, struct ledger *ledger)
{
	const struct program_session *session = account->session;

	ledger->children_not_followed +=
		growth_of(&account->children_not_followed, session->children_not_followed);
	ledger->runtime_untracked +=
		growth_of(&account->runtime_untracked, session->runtime_untracked);
	ledger->map_calls += __atomic_exchange_n(&account->map_calls.nr, 0, __ATOMIC_RELAXED);
	ledger->map_calls_ns +=
		__atomic_exchange_n(&account->map_calls.cpu_ns, 0, __ATOMIC_RELAXED);
}

/*
 * Computes the delay over the whole session: a timer may be due before a change of generations and
 * fire after it, so at most one timer a CPU is miscounted, however many intervals there are. If
 * idle time is part of due, lateness cannot be told.
 */
void account__late(struct account *account, size_t event, struct ledger *ledger, uint64_t due,
		   uint64_t events)
{
	struct event_account *of = &account->events[event];

	of->nr_due += due;
	of->nr_events += events;
	if (!ledger->idle_excluded && of->nr_due > of->nr_events)
		ledger->late += growth_of(&of->nr_late, of->nr_due - of->nr_events);
}
