/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charges the time of threads, piece by piece, so that each nanosecond is counted exactly once.
 *
 * Each thread of a target has a record (struct waiting_thread) with its state, and the time up to
 * which that is charged. Only two programs charge: the scheduler's switches of the thread, which
 * come one after the other, and the cut at the end of a generation. The program that moves until_ns
 * forward owns the piece in between.
 *
 * Time alone decides to which generation a piece belongs: user space announces the begin of a
 * generation in advance. After the begin, a program may still charge a piece to the generation
 * before, until user space closes that.
 *
 * The lifetime of threads is accounted for apart (lived_ns), once at the end of each generation and
 * of each thread. So the ledger has two accounts of the same time, and shows if a piece is missing.
 */
#ifndef TOPSTACKS_KERN_WAITS_WAITS_BPF_H
#define TOPSTACKS_KERN_WAITS_WAITS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"
#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "sample/sample.bpf.h"
#include "topstacks/waits.h"
#include "waits/throttled.bpf.h"
#include "waits/waits_maps.bpf.h"

#define LATEST(field) (*(volatile __typeof__(field) *)&(field))

/*
 * Tries to take a piece. The only competitor is one other program, which takes one piece in a
 * generation.
 */
#define TAKE_TRIES 3

/* ---- time ---- */

struct moment {
	__u64 now_ns;
	__u64 flip_ns; /* begin of the generation */
	__u32 generation;
	__u32 cpu; /* the CPU whose ledger rows are written */
};

/*
 * Returns the generation of a time. The clock must have been read before: a generation that begins
 * before now_ns was announced before.
 */
static __always_inline struct moment moment_at(__u64 now_ns, __u32 cpu)
{
	struct moment moment = {.now_ns = now_ns, .cpu = cpu};
	const __u64 first = LATEST(session.flip_ns[0]), second = LATEST(session.flip_ns[1]);
	const __u64 latest = second > first ? second : first;

	moment.generation = second > first;
	moment.flip_ns = latest;
	if (moment.now_ns < latest) {
		moment.generation ^= 1;
		moment.flip_ns = second > first ? first : second;
	}
	return moment;
}

static __always_inline struct moment this_moment(void)
{
	return moment_at(bpf_ktime_get_ns(), bpf_get_smp_processor_id());
}

static __always_inline struct ledger_cpu *waits_row(__u32 generation, __u32 cpu)
{
	const __u32 row = ledger_row(generation, cfg_wait_event, cfg_nr_events, cfg_nr_cpus, cpu);

	return bpf_map_lookup_elem(&ledger, &row);
}

/*
 * Moves *until forward to to_ns. Returns false if it is there already; else the piece begins at
 * *from_ns. Time before sampling began is left out.
 */
static __always_inline bool take_piece(__u64 *until, __u64 to_ns, __u64 *from_ns)
{
	const __u64 begin_ns = LATEST(session.begin_ns);
	__u64 at_ns = LATEST(*until), seen_ns;
	__u32 i;

	for (i = 0; i < TAKE_TRIES; i++) {
		if (at_ns >= to_ns)
			return false;
		seen_ns = __sync_val_compare_and_swap(until, at_ns, to_ns);
		if (seen_ns == at_ns)
			break;
		at_ns = seen_ns;
	}
	if (i == TAKE_TRIES || !begin_ns)
		return false;
	*from_ns = at_ns < begin_ns ? begin_ns : at_ns;
	return *from_ns < to_ns;
}

static __always_inline void add_to_slot(__u32 generation, __u32 cpu, enum ledger_slot slot,
					__u64 more)
{
	struct ledger_cpu *row = waits_row(generation, cpu);

	if (row)
		row->slots[slot] += more;
}

/*
 * Returns true if the generation before the moment's is still open, so that earlier pieces can be
 * charged to it.
 */
static __always_inline bool is_open(const struct moment *moment)
{
	return LATEST(session.open_generation) == (moment->generation ^ 1);
}

/*
 * Charges a piece that ends now to a slot of the ledger; it may be divided between two generations.
 */
static __always_inline void charge_time(const struct moment *moment, enum ledger_slot slot,
					__u64 from_ns)
{
	if (from_ns < moment->flip_ns) {
		if (is_open(moment))
			add_to_slot(moment->generation ^ 1, moment->cpu, slot,
				    moment->flip_ns - from_ns);
		from_ns = moment->flip_ns;
	}
	if (moment->now_ns > from_ns)
		add_to_slot(moment->generation, moment->cpu, slot, moment->now_ns - from_ns);
}

/* ---- the kind of a wait ---- */

/*
 * Returns the mode of the file of a task's descriptor; 0: it belongs to no file system, or is
 * closed.
 */
static __always_inline __u32 mode_of_file(struct task_struct *task, __u64 descriptor)
{
	struct fdtable *table = task->files->fdt;
	struct file **files = table->fd, *file = NULL;

	if (descriptor >= table->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), files + descriptor) || !file)
		return 0;
	return BPF_CORE_READ(file, f_inode, i_mode);
}

/* include/uapi/linux/stat.h */
#define MODE_TYPE      0170000
#define MODE_SOCKET    0140000
#define MODE_REGULAR   0100000
#define MODE_BLOCK     0060000
#define MODE_DIRECTORY 0040000
#define MODE_CHARACTER 0020000
#define MODE_FIFO      0010000

static __always_inline enum wait_kind kind_by_mode(__u32 mode)
{
	switch (mode & MODE_TYPE) {
	case MODE_SOCKET:
		return WAIT_FOR_NET;
	case MODE_REGULAR:
	case MODE_BLOCK:
	case MODE_DIRECTORY:
		return WAIT_FOR_DISK;
	case MODE_CHARACTER: /* mostly terminals */
	case MODE_FIFO:
		return WAIT_FOR_PIPE;
	case 0: /* descriptors of events, timers, signals */
		return WAIT_FOR_POLL;
	default:
		return WAIT_FOR_OTHER;
	}
}

static __always_inline enum wait_kind kind_by_syscall(struct task_struct *task,
						      const struct arch_syscall *call)
{
	__u64 number = call->number;
	enum wait_kind kind;

	asm volatile("" : "+r"(number)); /* keeps the bounds check below visible to the verifier */
	if (number >= SYSCALL_WAITS)
		return WAIT_FOR_OTHER;
	kind = cfg_syscall_waits[number];
	if (kind != (enum wait_kind)WAIT_BY_FILE)
		return kind;
	if (!cfg_reads_kernel)
		return WAIT_FOR_OTHER;
	return kind_by_mode(mode_of_file(task, call->first));
}

#define PF_WORKERS (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER | PF_EXITING)

/*
 * Returns the kind of a blocked task's wait. Outside system calls, an access to memory made it
 * wait. Has a stack frame of its own: all frames share 512 bytes.
 */
static __noinline __u32 kind_of_wait(struct task_struct *task, __u32 state)
{
	struct arch_syscall call = {};

	if (task->flags & PF_WORKERS || !arch__read_syscall(task, &call))
		return state == WAIT_DISK ? WAIT_FOR_DISK : WAIT_FOR_OTHER;
	if (call.number < 0)
		return WAIT_FOR_FAULT;
	return state == WAIT_DISK ? WAIT_FOR_DISK : kind_by_syscall(task, &call);
}

static __always_inline enum wait_state wait_state(struct task_struct *task, __u32 state)
{
	if (state & (STATE_STOPPED | STATE_TRACED | STATE_FROZEN))
		return WAIT_STOPPED;
	if (state & STATE_UNINTERRUPTIBLE)
		return BPF_CORE_READ_BITFIELD(task, in_iowait) ? WAIT_DISK : WAIT_UNINTERRUPTIBLE;
	return state & STATE_INTERRUPTIBLE ? WAIT_INTERRUPTIBLE : WAIT_UNINTERRUPTIBLE;
}

/* state: bits, as the scheduler has it. No living thread has bits other than those masked here. */
static __always_inline __u32 wait_of(const struct waiting_thread *thread, struct task_struct *task,
				     bool is_preempted, __u32 state)
{
	enum wait_state is;

	if (is_preempted || !(state & (0xff | STATE_FROZEN)))
		return WAIT(is_throttled(task) ? WAIT_THROTTLED : WAIT_PREEMPTED, WAIT_FOR_NOTHING);
	is = wait_state(task, state);
	if (is == WAIT_STOPPED)
		return WAIT(is, WAIT_FOR_NOTHING);
	return WAIT(is, thread->lock ? WAIT_FOR_LOCK : kind_of_wait(task, is));
}

/*
 * Returns the lock that a thread waits for: an address in the kernel or of its own; 0: it waits for
 * no lock.
 */
static __always_inline __u64 lock_of(const struct waiting_thread *thread, struct task_struct *task)
{
	struct arch_syscall call = {};

	if (WHAT_WAIT(thread->key.what) >> WAIT_KIND_SHIFT != WAIT_FOR_LOCK)
		return 0;
	if (thread->lock)
		return STACK_REST(thread->lock);
	if (!arch__read_syscall(task, &call) || (__u64)call.number != cfg_futex)
		return 0;
	return STACK_REST(call.first);
}

static __always_inline __u32 state_of(const struct waiting_thread *thread)
{
	return WHAT_WAIT(thread->key.what) & ((1 << WAIT_KIND_SHIFT) - 1);
}

/* Returns true if the thread left its CPU runnable, or is new. */
static __always_inline bool is_runnable(const struct waiting_thread *thread)
{
	const __u32 state = state_of(thread);

	return state == WAIT_PREEMPTED || state == WAIT_THROTTLED || state == WAIT_WOKEN;
}

/* ---- the time of the wakeup ---- */

#define QUEUE_TELLS_CLOCK bpf_core_field_exists(struct cfs_rq, rq)

/* Reads the clock of the run queue at the switch to a thread, if the kernel has groups of tasks. */
static __always_inline void read_queue_clock(struct waiting_thread *thread,
					     struct task_struct *task, __u64 now_ns)
{
	if (!QUEUE_TELLS_CLOCK)
		return;
	STAY_BEHIND_CHECK(task);
	thread->queue_clock_ns = now_ns - READ(task, se.cfs_rq, rq, clock);
}

/* Reads it at the switch from a thread, on a kernel without groups of tasks. */
static __always_inline void learn_queue_clock(struct waiting_thread *thread,
					      struct task_struct *task)
{
	if (!QUEUE_TELLS_CLOCK && thread->is_running && thread->is_seen)
		thread->queue_clock_ns = thread->since_ns - task->sched_info.last_arrival;
}

/*
 * A thread waits in the queue of a CPU. One that sleeps may be in one for a while, too, and come to
 * that of another CPU as if it waited (152e11f6df29, 6.12).
 */
static __always_inline bool is_queued(struct task_struct *task)
{
	return LATEST(task->on_rq) && !LATEST(task->__state);
}

/*
 * Returns since when a thread that does not run is in a CPU's queue; 0: it is in none, or the time
 * is unknown. The time is the scheduler's, from which it counts waits for a CPU, too. The
 * tracepoint of a wakeup comes earlier, by the time it takes to tell the other CPU.
 */
static __always_inline __u64 queued_since(const struct waiting_thread *thread,
					  struct task_struct *task)
{
	const __u64 queued = task->sched_info.last_queued;

	return queued && thread->queue_clock_ns && is_queued(task) ? queued + thread->queue_clock_ns
								   : 0;
}

/* Notes clocks at the begin of a wait; the thread has left its CPU. */
static __always_inline void keep_clocks(struct waiting_thread *thread, struct task_struct *task)
{
	if (is_runnable(thread))
		begin_quota(thread, task);
	else
		thread->before_ns = READ(task, sched_info.run_delay);
}

/*
 * Returns since when a thread that was blocked waits for a CPU, or waited if it has arrived there
 * already (arrived_ns; 0: it has not). It may have been in queues of other CPUs before; the
 * scheduler keeps how long, but not since when. For a thread that has arrived, it keeps the whole
 * wait.
 */
static __always_inline __u64 woken_since(const struct waiting_thread *thread,
					 struct task_struct *task, __u64 arrived_ns)
{
	const __u64 queued_ns = arrived_ns ? arrived_ns : queued_since(thread, task);
	const __u64 before_ns = READ(task, sched_info.run_delay) - thread->before_ns;

	return queued_ns > before_ns ? queued_ns - before_ns : queued_ns;
}

/*
 * Returns when the wait passed into its second state, woken or no longer throttled; 0: it has not.
 * arrived_ns: when the thread came to a CPU by a switch that no program saw; 0: it is about to
 * come, or still waits.
 */
static __always_inline __u64 turned_at(const struct waiting_thread *thread,
				       struct task_struct *task, __u64 arrived_ns)
{
	const __u32 state = state_of(thread);

	if (state == WAIT_WOKEN)
		return 0;
	return is_runnable(thread) ? quota_end(thread, task, state == WAIT_THROTTLED)
				   : woken_since(thread, task, arrived_ns);
}

/* ---- charging waits ---- */

/* A piece of a wait, within one generation. */
struct wait_piece {
	__u64 from_ns, to_ns;
	__u64 nr_ended;
	bool has_ended; /* the wait ends, with this piece or a later one */
};

/*
 * Returns where the piece passes from the first state of its wait to the second, as far as known.
 */
static __always_inline __u64 turn_of(const struct waiting_thread *thread,
				     const struct wait_piece *piece)
{
	const __u64 turn_ns = LATEST(thread->turn_ns);

	if (!turn_ns)
		return piece->to_ns;
	if (turn_ns < piece->from_ns)
		return piece->from_ns;
	return turn_ns < piece->to_ns ? turn_ns : piece->to_ns;
}

/* Returns when the piece becomes a wait for a CPU. */
static __always_inline __u64 woken_at(const struct waiting_thread *thread,
				      const struct wait_piece *piece)
{
	return is_runnable(thread) ? piece->from_ns : turn_of(thread, piece);
}

/* Generation and CPU of the ledger row in one argument: a function has five at most. */
#define WHERE(generation, cpu)	((__u64)(cpu) << 32 | (generation))
#define WHERE_GENERATION(where) ((__u32)(where))
#define WHERE_CPU(where)	((__u32)((where) >> 32))

/*
 * Returns the set of a generation, for programs of the scheduler's tracepoints, or, with the last
 * row, for on_cut.
 */
static __always_inline struct current_set waits_set(__u32 generation, __u32 cpu)
{
	return (struct current_set){
		.generation = generation,
		.context = cpu == cfg_nr_cpus - 1 ? CONTEXT_CUT : CONTEXT_SWITCH,
		.ledger_cpu = waits_row(generation, cpu),
	};
}

/* An amount of a task's time and its key. */
struct wait_charge {
	struct sample_key key;
	__u64 nr, weight;
};

/* Counts a charge. A global function, verified once (unwind.bpf.h). Returns 1 if the key is new. */
__weak __noinline int count_wait(__u64 where, const struct wait_charge *charge)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	struct sample_key key; /* keys of map calls must be on the stack (6.1) */
	__u64 nr, weight;

	if (!set.ledger_cpu || !charge)
		return 0;
	key = charge->key;
	nr = charge->nr;
	weight = charge->weight;
	set.ledger_cpu->slots[SLOT_RUNS] += nr;
	if (!has_room(cfg_wait_event, set.generation)) {
		miss_samples(set.ledger_cpu, SLOT_COUNTS_FULL, nr, weight);
		return 0;
	}
	if (!count_samples(&set, &key, nr, weight))
		return 0;
	take_room(cfg_wait_event, set.generation);
	return 1;
}

/* Logs the record of a task that waited. Has a stack frame of its own. */
static __noinline int record_waiter(__u64 where, struct task_struct *task, __u64 process,
				    __u64 owner)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	struct running running = {.tgid = READ(task, tgid), .tid = READ(task, pid), .owner = owner};

	read_leader(&running, task);
	if (set.ledger_cpu)
		record_owner(&set, task, &running, process);
	return 0;
}

static __always_inline void charge_key(__u64 where, const struct wait_charge *charge,
				       struct task_struct *task, __u64 owner)
{
	if (count_wait(where, charge))
		record_waiter(where, task, charge->key.process, owner);
}

/* Walks the kernel stack of a task that does not run, so the stack begins where it left its CPU. */
static __always_inline __u64 walk_kernel_of(struct task_struct *task, const struct current_set *set,
					    __u32 context)
{
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);
	long bytes;

	if (!stack)
		return STACK_REF(STACK_MISSING, STACK_MISSING_BUSY);
	bytes = bpf_get_task_stack(task, stack->words, cfg_max_depth * sizeof(__u64), 0);
	if (bytes <= 0)
		return STACK_REF(STACK_MISSING, STACK_MISSING_UNREADABLE);
	stack->nr_frames = (__u32)bytes / sizeof(__u64);
	stack->end = 0;
	stack->nr_guessed = 0;
	hash_stack(context);
	return store_spilled(set, stack, NULL);
}

/*
 * Walks the kernel stack of a wait when it is first needed, at the latest at its end: the stack
 * does not change during the wait. Has a stack frame of its own.
 */
static __noinline __attribute__((unused)) int keep_kernel_stack(struct waiting_thread *thread,
								struct task_struct *task,
								__u64 where, __u32 context)
{
	struct current_set set = waits_set(WHERE_GENERATION(where), WHERE_CPU(where));
	const __u64 since_ns = thread->since_ns;
	__u64 kernel;

	if (!cfg_kernel_stacks || cfg_locks_only || thread->kernel_since_ns == since_ns ||
	    !thread->stands_for || thread->stands_for == STANDS_FILTERED)
		return 0;
	if (!set.ledger_cpu)
		return 0;
	kernel = walk_kernel_of(task, &set, context);
	if (LATEST(thread->since_ns) != since_ns)
		return 0;
	thread->kernel = kernel;
	asm volatile("" ::: "memory");
	thread->kernel_since_ns = since_ns;
	return 0;
}

/* Fills in the stacks of a wait, as far as they were walked during it. */
static __always_inline void fill_key(struct sample_key *key, const struct waiting_thread *thread)
{
	*key = thread->key;
	if (LATEST(thread->asleep_since_ns) == thread->since_ns)
		key->user = thread->asleep_user;
	if (LATEST(thread->kernel_since_ns) == thread->since_ns)
		key->kernel = thread->kernel;
}

/*
 * Adds the thread's waker to the key. Has a stack frame of its own. It may use the buffer, as
 * stacks that were walked are stored already.
 */
static __noinline int add_waker(__u32 generation, struct sample_key *key,
				const struct waiting_thread *thread, __u32 cpu)
{
	struct current_set set = waits_set(generation, cpu);
	__u32 context = set.context;
	struct spilled_stack *stack = bpf_map_lookup_elem(&record_buffer, &context);

	if (!stack || !set.ledger_cpu)
		return 0;
	stack->words[WAKER_SLEPT] = key->kernel;
	stack->words[WAKER_PROCESS] = thread->waker_process;
	stack->words[WAKER_USER] = thread->waker_user;
	stack->words[WAKER_KERNEL] = thread->waker_kernel;
	stack->nr_frames = WAKER_WORDS;
	stack->end = SPILLED_WAKER;
	stack->nr_guessed = 0;
	hash_stack(context);
	key->kernel = store_spilled(&set, stack, NULL);
	key->what |= WHAT_HAS_WAKER;
	return 0;
}

static __always_inline void filter_wait(__u32 generation, __u32 cpu, __u64 nr)
{
	add_to_slot(generation, cpu, SLOT_RUNS, nr);
	add_to_slot(generation, cpu, SLOT_FILTERED, nr);
}

/* Changes the state in a key; the kind of wait stays. */
static __always_inline void change_state(struct sample_key *key, enum wait_state state)
{
	const __u32 what = key->what;

	key->what = WHAT(WHAT_EVENT(what), WAIT(state, WHAT_WAIT(what) >> WAIT_KIND_SHIFT)) |
		    (what & WHAT_HAS_WAKER);
}

/* Charges a piece. A wait that changed its state gives two samples with the same stack. */
static __always_inline void charge_piece(__u32 generation, __u32 cpu, struct task_struct *task,
					 const struct waiting_thread *thread,
					 const struct wait_piece *piece)
{
	const __u64 where = WHERE(generation, cpu);
	__u64 stands_for = thread->stands_for;
	const __u64 turn_ns = turn_of(thread, piece), woken_ns = woken_at(thread, piece);
	struct wait_charge charge = {};
	__u64 owner = 0;

	add_to_slot(generation, cpu, SLOT_BLOCKED_NS, woken_ns - piece->from_ns);
	add_to_slot(generation, cpu, SLOT_RUNNABLE_NS, piece->to_ns - woken_ns);
	if (stands_for == STANDS_FILTERED) {
		filter_wait(generation, cpu, piece->nr_ended);
		return;
	}
	if (!stands_for)
		return;
	fill_key(&charge.key, thread);
	if (cfg_tells_owners) {
		owner = find_owner(task);
		charge.key.process = hash_owned(charge.key.process, owner);
	}
	if (cfg_wakers && piece->has_ended && thread->waker_ns)
		add_waker(generation, &charge.key, thread, cpu);
	if (state_of(thread) == WAIT_PREEMPTED && thread->turn_ns)
		change_state(&charge.key, WAIT_THROTTLED);
	charge.nr = stands_for * piece->nr_ended;
	charge.weight = stands_for * (turn_ns - piece->from_ns);
	if (turn_ns > piece->from_ns || piece->nr_ended)
		charge_key(where, &charge, task, owner);
	if (piece->to_ns == turn_ns)
		return;
	charge.nr = 0;
	charge.weight = stands_for * (piece->to_ns - turn_ns);
	change_state(&charge.key, is_runnable(thread) ? WAIT_PREEMPTED : WAIT_WOKEN);
	charge_key(where, &charge, task, owner);
}

/* ---- missed switches ---- */

/*
 * Returns when a thread came to a CPU although its record says that it waits; 0: it did not. The
 * kernel hides some switches from tracepoints: those from tasks that it hides altogether.
 */
static __always_inline __u64 missed_arrival(const struct waiting_thread *thread,
					    struct task_struct *task)
{
	const __u64 arrived_ns = task->sched_info.last_arrival + thread->queue_clock_ns;

	return thread->queue_clock_ns && arrived_ns > thread->since_ns ? arrived_ns : 0;
}

/* ---- begin and end of a record ---- */

/*
 * Returns true if the thread gets a record: threads of targets. If everyone is sampled, threads of
 * user programs that our pid namespace shows.
 */
static __always_inline bool is_wanted(struct task_struct *task)
{
	struct target_entry *target;

	if (task->flags &
	    PF_EXITING) /* a leader that has ended, while other threads of its process live */
		return false;
	if (task->flags & PF_KTHREAD && (cfg_filter == FILTER_NONE || !(cfg_kinds & KIND_ID)))
		return false;
	if (cfg_filter == FILTER_NONE)
		return !session.pid_level || pid_in_our_namespace(task);
	target = find_target(task);
	return target && READ(task, group_leader, self_exec_id) >= target->min_exec_id;
}

static __always_inline __u64 process_of(struct task_struct *task)
{
	struct task_struct *leader = READ(task, group_leader);

	return hash_process(READ(task, tgid), READ(leader, start_boottime),
			    READ(leader, self_exec_id));
}

/* Initializes the record, except the thread's state. */
static __always_inline void init_thread(struct waiting_thread *thread, struct task_struct *task,
					__u64 now_ns)
{
	thread->until_ns = thread->lived_ns = thread->since_ns = now_ns;
	thread->waker_ns = thread->turn_ns = thread->left_ns = thread->queue_clock_ns =
		thread->found_ns = 0;
	thread->ran_ns = READ(task, se.sum_exec_runtime);
	thread->delayed_ns = READ(task, sched_info.run_delay);
	thread->key = (struct sample_key){
		.process = process_of(task),
		.tid = cfg_by_thread ? READ(task, pid) : 0,
	};
	thread->quota = thread->before_ns = 0;
	thread->asleep_since_ns = thread->kernel_since_ns = thread->lock = 0;
	thread->stands_for = 1;
	thread->is_exiting = thread->is_seen = 0;
}

/*
 * Accounts for the state in which a thread was found. The scheduler reports a time only when it is
 * over, counted from its begin. Only the part after the thread was found can be compared with our
 * account. For that part our own account is used, up to until_ns.
 */
static __always_inline void account_found(struct waiting_thread *thread, __u32 generation,
					  __u32 cpu, enum ledger_slot slot, __u64 until_ns)
{
	__u64 from_ns = thread->found_ns;

	if (from_ns < session.begin_ns)
		from_ns = session.begin_ns;
	if (session.begin_ns && until_ns > from_ns && generation < NO_GENERATION)
		add_to_slot(generation, cpu, slot, until_ns - from_ns);
}

/* Ends the state in which the thread was found: it leaves its CPU. */
static __always_inline void end_found(struct waiting_thread *thread, struct task_struct *task,
				      const struct moment *moment)
{
	if (!thread->found_ns)
		return;
	if (thread->is_seen) { /* it waited for a CPU, and then ran */
		account_found(thread, moment->generation, moment->cpu, SLOT_DELAYED_NS,
			      thread->since_ns);
	} else {
		account_found(thread, moment->generation, moment->cpu, SLOT_SCHEDULED_NS,
			      moment->now_ns);
		thread->ran_ns = READ(task, se.sum_exec_runtime);
	}
	thread->delayed_ns = READ(task, sched_info.run_delay);
	thread->found_ns = 0;
}

/*
 * Up to the end of an interval the scheduler's account is an estimate, since clocks of several CPUs
 * are in it. What is too much in one interval is left out of the next ones: none is below 0.
 */
static __always_inline void account_more(__u32 generation, __u32 cpu, enum ledger_slot slot,
					 __u64 *accounted_ns, __u64 ns)
{
	if ((__s64)(ns - *accounted_ns) <= 0)
		return;
	if (generation < NO_GENERATION)
		add_to_slot(generation, cpu, slot, ns - *accounted_ns);
	*accounted_ns = ns;
}

static __always_inline void account_scheduler(__u32 generation, __u32 cpu,
					      struct waiting_thread *thread, __u64 ran_ns,
					      __u64 delayed_ns)
{
	account_more(generation, cpu, SLOT_SCHEDULED_NS, &thread->ran_ns, ran_ns);
	account_more(generation, cpu, SLOT_DELAYED_NS, &thread->delayed_ns, delayed_ns);
}

/* Ends the record: the thread ends now, or is no target any more. */
static __always_inline void end_life(struct waiting_thread *thread, struct task_struct *task,
				     const struct moment *moment)
{
	__u64 from_ns;

	if (take_piece(&thread->lived_ns, moment->now_ns, &from_ns)) {
		charge_time(moment, SLOT_LIVED_NS, from_ns);
		account_scheduler(moment->generation, moment->cpu, thread,
				  READ(task, se.sum_exec_runtime),
				  READ(task, sched_info.run_delay));
	}
	thread->is_known = 0;
	if (thread->is_exiting)
		__sync_fetch_and_add(&session.nr_exiting, -1);
}

#endif
