// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drains a set, and keeps tables of the records read from it.
 *
 * Slots and log are ours until the next flip. The stack trace map is not mapped: each stack that is
 * new in this set costs one lookup by system call, during which the CPU takes no samples. The
 * ledger counts these lookups and their time.
 */
#include "capture/kernel/sets.h"

#include <bpf/bpf.h>
#include <libiberty/objalloc.h>

#include "base/system/rights.h"
#include "capture/events/sample.h"
#include "capture/kernel/code_objects.h"
#include "capture/kernel/raw_stacks.h"
#include "processes/process.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"
#include "topstacks/hash.h"
#include "topstacks/interpreter_abi.h"
#include "topstacks/store_abi.h"

/* ---- tables of records ---- */

/* A spilled stack that was interned. */
struct spilled {
	struct map_number key;
	struct raw_stack *stack;
};

struct known_process {
	struct map_number instance;
	uint64_t told_ns;	/* when its record was made; CLOCK_MONOTONIC */
	struct process process; /* or a thread, with its own id and name */
};

struct known_code {
	struct map_number word;
	const struct code *code;
};

static bool put_code(void *item, void *codes)
{
	code_objects__put(codes, ((struct known_code *)item)->code);
	return false;
}

static bool put_spilled(void *item, void *raw_stacks)
{
	raw_stacks__put(raw_stacks, ((struct spilled *)item)->stack);
	return false;
}

void set__open_keys(struct set *set)
{
	map__init_numbers(&set->by_key, NULL);
	map__init_numbers(&set->by_instance, free);
	map__init_numbers(&set->by_code, free);
}

void set__close_keys(struct set *set)
{
	map__visit(&set->by_key, put_spilled, set->tables.raw_stacks);
	map__fini(&set->by_key);
	if (set->of_keys)
		objalloc_free(set->of_keys);
	set->of_keys = NULL;
	map__fini(&set->by_instance);
	map__visit(&set->by_code, put_code, set->tables.codes);
	map__fini(&set->by_code);
}

int set__open_tables(struct set *set)
{
	/* number of buckets: capacity rounded up to a power of two */
	set->nr_ids = 2 * set->shape.capacity;
	set->by_id = calloc(set->nr_ids, sizeof(*set->by_id));
	set__open_keys(set);
	return set->by_id ? 0 : -ENOMEM;
}

void set__close_tables(struct set *set)
{
	uint32_t i;

	for (i = 0; set->by_id && i < set->nr_ids; i++)
		raw_stacks__put(set->tables.raw_stacks, set->by_id[i]);
	free(set->by_id);
	set->by_id = NULL;
	set__close_keys(set);
}

/* ---- reading ---- */

struct drain {
	struct set *set;
	const struct capture_sink *sink;
	struct ledger *ledgers; /* one for each event */
	size_t nr_events;
	struct ledger *ledger; /* of the current sample's event */
};

/*
 * Takes a process or thread. A process that changes its owner has a record for each owner, all of
 * one image.
 */
static void take_process(struct drain *drain, const struct process_record *from)
{
	struct map *known_processes = &drain->set->by_instance;
	struct known_process *known = map__find_number(known_processes, from->instance);
	const uint32_t global_pid = from->tid ? from->tid : from->tgid;
	struct process *process;

	if (known && from->seen_ns < known->told_ns) /* another CPU has logged a newer name */
		return;
	if (!known)
		known = map__add_number(known_processes, from->instance, sizeof(*known));
	known->told_ns = from->seen_ns;
	process = &known->process;
	*process = (struct process){
		.instance = hash_process(from->tgid, from->start_ns, from->exec_id),
		.start_ns = from->start_ns,
		.exec_id = from->exec_id,
		.seen_ns = from->seen_ns,
		.cgroup = from->cgroup,
		.pid = (int32_t)(from->ns_tgid ? from->ns_tgid : global_pid),
		.global_pid = (int32_t)global_pid,
		.own_pid = (int32_t)from->own_tgid,
		.kernel_thread = from->kernel_thread,
		.owner = OWNER_UNKNOWN,
	};
	if (from->owner == ABI_OWNER_NOBODY)
		process->owner = OWNER_NOBODY;
	else if (from->owner != ABI_OWNER_UNKNOWN)
		process->owner = from->is_gone ? OWNER_GONE : OWNER_USER;
	process->uid = process->owner >= OWNER_USER ? from->owner : 0;
	memcpy(process->comm, from->comm, sizeof(process->comm));
	process->comm[sizeof(process->comm) - 1] = '\0';
}

static void take_code(struct set *set, const struct code_record *from)
{
	struct known_code *known;

	if (map__find_number(&set->by_code, from->code))
		return;
	known = map__add_number(&set->by_code, from->code, sizeof(*known));
	known->code = code_objects__add(set->tables.codes, from);
}

/*
 * Converts a stack that the kernel walked along frame pointers, which contains addresses only.
 * Where tables are used, only user stacks of processes without tables are walked so.
 */
static enum stack_end take_addresses(const struct set *set, uint64_t *words, uint32_t nr_frames)
{
	const bool is_user = nr_frames && !(words[0] >> 63);
	uint32_t i;

	for (i = 0; i < nr_frames; i++)
		words[i] = word_of_address(words[i]);
	return is_user && set->shape.unwinds ? END_EARLY : END_OPEN;
}

/* Takes a stack from the log, which is ours until the next flip, so words are read in place. */
static int take_spilled(struct drain *drain, const struct spilled_stack *stack, size_t nr_words)
{
	struct set *set = drain->set;
	const uint64_t *words = (const void *)stack->words;
	uint64_t walked[ABI_MAX_DEPTH];
	struct spilled *spilled;
	enum stack_end end = stack_end__of_walk(stack);

	if (stack->nr_frames > set->shape.max_depth ||
	    SPILLED_STACK_BYTES((size_t)stack->nr_frames) > 8 * nr_words)
		return -EPROTO;
	if (map__find_number(&set->by_key, stack->key))
		return 0;
	if (!stack->end) {
		words = memcpy(walked, words, stack->nr_frames * sizeof(*words));
		end = take_addresses(set, walked, stack->nr_frames);
	}
	spilled = xobjalloc(&set->of_keys, sizeof(*spilled));
	spilled->key = map__number(&set->by_key, stack->key);
	spilled->stack = raw_stacks__get(set->tables.raw_stacks, words, stack->nr_frames, end);
	map__add(&set->by_key, &spilled->key.item);
	return 0;
}

static const struct raw_stack *read_stack(struct drain *drain, uint32_t id)
{
	uint64_t words[ABI_MAX_DEPTH] = {0};
	struct set *set = drain->set;
	enum stack_end end;
	uint32_t nr_frames;
	uint64_t start_ns;
	int err;

	if (id >= set->nr_ids)
		return NULL;
	if (set->by_id[id])
		return set->by_id[id];
	start_ns = monotonic_ns();
	err = bpf_map_lookup_elem(set->maps[SET_STACKS], &id, words);
	drain->ledger->stacks_read++;
	drain->ledger->stacks_read_ns += monotonic_ns() - start_ns;
	/* the kernel pads the value with zeros; a frame at address zero also ends a stack */
	nr_frames = set->shape.max_depth;
	while (nr_frames && !words[nr_frames - 1])
		nr_frames--;
	end = take_addresses(set, words, nr_frames);
	if (!err)
		set->by_id[id] = raw_stacks__get(set->tables.raw_stacks, words, nr_frames, end);
	return set->by_id[id];
}

/*
 * Returns a spilled stack. A wait can outlive the set that stored its stack, so stacks found now
 * are remembered for the next drain, of the other set. A stack that was walked just before a
 * generation ended may be used in the next one only, so the other set is searched, too.
 */
static const struct raw_stack *find_spilled(struct set *set, uint64_t key)
{
	const struct spilled *spilled = map__find_number(&set->by_key, key);

	if (!set->tables.carried)
		return spilled ? spilled->stack : NULL;
	if (!spilled && set->other)
		spilled = map__find_number(&set->other->by_key, key);
	return wait_stacks__name(set->tables.carried, key, spilled ? spilled->stack : NULL);
}

/* Returns the reason in a reference with STACK_MISSING. */
static enum missing reason_of(uint64_t reference)
{
	static const enum missing reasons[] = {
		[STACK_MISSING_SPILL_FULL] = MISSING_SPILL_FULL,
		[STACK_MISSING_COLLISION] = MISSING_COLLISION,
		[STACK_MISSING_BUSY] = MISSING_BUSY,
		[STACK_MISSING_UNREADABLE] = MISSING_UNREADABLE,
	};
	const uint64_t rest = STACK_REST(reference);

	return rest <= STACK_MISSING_UNREADABLE ? reasons[rest] : MISSING_UNREADABLE;
}

/*
 * Returns the stack of a reference. NULL: there is none; *missing is the reason, unless none was
 * asked for.
 */
static const struct raw_stack *find_stack(struct drain *drain, uint64_t reference, int *missing)
{
	const struct raw_stack *stack = NULL;
	uint64_t rest = STACK_REST(reference);

	switch (STACK_TAG(reference)) {
	case STACK_ID:
		stack = read_stack(drain, (uint32_t)rest);
		break;
	case STACK_SPILLED:
		stack = find_spilled(drain->set, rest);
		break;
	case STACK_MISSING:
		*missing = reason_of(reference);
		return NULL;
	default:
		return NULL;
	}
	if (!stack)
		*missing = MISSING_UNREADABLE;
	return stack;
}

/*
 * The record of a process is of the first sample in this set, perhaps many drains ago. seen_ns is
 * raised to the begin of the interval, which is not later than any sample of this drain.
 */
const struct process *set__find_process(struct set *set, uint64_t instance)
{
	struct known_process *known = map__find_number(&set->by_instance, instance);

	if (known && known->process.seen_ns < set->since_ns)
		known->process.seen_ns = set->since_ns;
	return known ? &known->process : NULL;
}

/*
 * Returns the address of the object waited for. The tag's bits replace address bits that are ones
 * in all kernel addresses.
 */
static uint64_t find_object(uint64_t reference)
{
	const uint64_t rest = STACK_REST(reference);

	if (STACK_TAG(reference) != STACK_OBJECT)
		return 0;
	return rest >> (STACK_TAG_SHIFT - 1) ? reference | 3ULL << STACK_TAG_SHIFT : rest;
}

/*
 * Takes the waker out of the words behind key->kernel. Returns the reference of the kernel stack
 * that slept.
 */
static uint64_t take_waker(struct drain *drain, const struct sample_key *key,
			   struct raw_sample *sample)
{
	/* reasons for missing waker stacks are dropped: they are no stacks of samples */
	int missing = -1;
	const struct raw_stack *words;

	if (!(key->what & WHAT_HAS_WAKER))
		return key->kernel;
	words = find_stack(drain, key->kernel, &sample->missing);
	if (!words || words->nr_frames != WAKER_WORDS)
		return STACK_NONE;
	sample->waker = (struct raw_waker){
		.is_known = true,
		.process = set__find_process(drain->set, words->words[WAKER_PROCESS]),
		.user = find_stack(drain, words->words[WAKER_USER], &missing),
		.kernel = find_stack(drain, words->words[WAKER_KERNEL], &missing),
	};
	return words->words[WAKER_SLEPT];
}

static int take_count(struct drain *drain, const struct count_slot *drained)
{
	const unsigned int event = WHAT_EVENT(drained->key.what);
	struct raw_sample sample = {
		.event = event,
		.process = set__find_process(drain->set, drained->key.process),
		.tid = (int32_t)drained->key.tid,
		.wait = WHAT_WAIT(drained->key.what),
		.slice = WHAT_SLICE(drained->key.what),
		.missing = -1,
		.count = drained->value.count,
		.weight = drained->value.weight,
	};
	const struct sample_key *key = &drained->key;
	const struct known_process *thread = NULL;
	struct set *set = drain->set;
	uint64_t kernel;

	if (event >= drain->nr_events)
		return -EPROTO;
	drain->ledger = &drain->ledgers[event];
	set->nr_live++;
	/* without a record of the thread its name, and its id in our namespace, stay empty */
	if (key->tid)
		thread = map__find_number(&set->by_instance, hash_thread(key->process, key->tid));
	if (thread) {
		sample.tid = thread->process.pid;
		sample.thread = thread->process.comm;
	}
	sample.user = find_stack(drain, key->user, &sample.missing);
	kernel = take_waker(drain, key, &sample);
	sample.kernel = find_stack(drain, kernel, &sample.missing);
	sample.object = find_object(kernel);
	if (sample.missing >= 0)
		drain->ledger->missing[sample.missing] += sample.count;
	if (!sample.process)
		drain->ledger->processes_unnamed += sample.count;
	drain->sink->on_sample(drain->sink->context, &sample);
	return 0;
}

/* Takes a record of the log. -EPROTO: the record is shorter than records of its kind. */
static int take_record(struct drain *drain, enum log_kind kind, const void *record, size_t nr_words)
{
	const size_t nr_bytes = 8 * nr_words;

	switch (kind) {
	case LOG_PROCESS:
		if (nr_bytes < sizeof(struct process_record))
			return -EPROTO;
		take_process(drain, record);
		return 0;
	case LOG_CODE:
		if (nr_bytes < CODE_RECORD_BYTES(drain->set->shape.with_lines))
			return -EPROTO;
		take_code(drain->set, record);
		return 0;
	case LOG_STACK:
		if (nr_bytes < SPILLED_STACK_BYTES(0))
			return -EPROTO;
		/* A run that ends for want of memory keeps its samples, without new stacks. */
		return memory__is_short() ? 0 : take_spilled(drain, record, nr_words);
	}
	return -EPROTO;
}

/* Takes the records of a chunk: only stacks if of_stacks, else all other kinds. */
static int read_chunk(struct drain *drain, const struct log_chunk *chunk, bool of_stacks)
{
	const size_t room = set_shape__chunk_bytes(&drain->set->shape) - sizeof(*chunk);
	size_t at = 0, nr_words;
	int code = 0;

	if (8 * chunk->nr_words > room)
		return -EPROTO;
	for (; at < chunk->nr_words && !code; at += 1 + nr_words) {
		const uint64_t header = chunk->words[at];

		nr_words = LOG_WORDS(header);
		if (nr_words >= chunk->nr_words - at)
			return -EPROTO;
		if ((LOG_KIND(header) == LOG_STACK) == of_stacks)
			code = take_record(drain, LOG_KIND(header), &chunk->words[at + 1],
					   nr_words);
	}
	return code;
}

static uint32_t places_of(const struct set *set, enum set_map map, const uint32_t *nr_taken)
{
	const uint32_t most = set_shape__entries(&set->shape, map);

	return *nr_taken < most ? *nr_taken : most;
}

uint32_t set__nr_blocks(const struct set *set)
{
	return places_of(set, SET_SLOTS, &set->state->nr_blocks);
}

/*
 * Returns true if a place is lost: several CPUs claimed it at once, or none claimed it. A free home
 * place is not lost; it waits for its CPU.
 */
static bool is_lost(const struct set *set, const struct claimed_place *place, uint32_t number)
{
	return !place->is_taken && (place->claim || number >= set->shape.nr_homes);
}

/* Reads processes and code first, which stacks refer to, then stacks. Empties the log. */
static int read_log(struct drain *drain)
{
	struct set *set = drain->set;
	const uint32_t nr = places_of(set, SET_LOG, &set->state->nr_chunks);
	const size_t chunk_bytes = set_shape__chunk_bytes(&set->shape);
	struct log_chunk *chunk;
	int of_stacks, code = 0;
	uint32_t i;

	for (of_stacks = 0; of_stacks < 2; of_stacks++)
		for (i = 0; i < nr && !code; i++) {
			chunk = (void *)(set->log + i * chunk_bytes);
			code = read_chunk(drain, chunk, of_stacks);
		}
	for (i = 0; i < nr; i++) {
		chunk = (void *)(set->log + i * chunk_bytes);
		drain->ledgers[0].places_lost += is_lost(set, &chunk->place, i);
		*chunk = (struct log_chunk){0};
	}
	set->state->nr_chunks = set->shape.nr_homes;
	set->state->log_turn++;
	return code;
}

/* Reads the counts. Blocks, lost ones too, stay in use until the set is emptied. */
static int read_slots(struct drain *drain)
{
	struct set *set = drain->set;
	const uint32_t nr = set__nr_blocks(set);
	uint64_t nr_lost = 0;
	uint32_t block, i;
	int code = 0;

	for (block = 0; block < nr; block++) {
		nr_lost += is_lost(set, &set->blocks[block].place, block);
		for (i = 0; i < SLOTS_A_BLOCK && !code; i++) {
			struct count_slot *slot = &set->blocks[block].slots[i];

			if (!(slot->value.count | slot->value.weight))
				continue;
			code = take_count(drain, slot);
			slot->value = (struct sample_value){0};
		}
	}
	drain->ledgers[0].places_lost += nr_lost - set->nr_lost;
	set->nr_lost = nr_lost;
	return code;
}

int set__drain(struct set *set, const struct capture_sink *sink, struct ledger *ledgers,
	       size_t nr_events)
{
	struct drain drain = {.set = set, .sink = sink, .ledgers = ledgers, .nr_events = nr_events};
	uint64_t before;
	int code;

	set->nr_live = 0;
	if (!set__is_open(set))
		return 0;
	before = rights__raise(RIGHTS_TO_SAMPLE); /* raised once, not for each stack */
	code = read_log(&drain);
	if (!code)
		code = read_slots(&drain);
	rights__restore(before);
	if (set->tables.carried)
		wait_stacks__forget(set->tables.carried);
	return code;
}

const struct raw_stack *set__find_stack(struct set *set, uint64_t reference, int *missing)
{
	const struct raw_stack *stack = NULL;

	if (STACK_TAG(reference) == STACK_SPILLED)
		stack = find_spilled(set, STACK_REST(reference));
	else if (STACK_TAG(reference) == STACK_MISSING)
		*missing = reason_of(reference);
	else
		return NULL;
	if (!stack && *missing < 0)
		*missing = MISSING_UNREADABLE;
	return stack;
}
