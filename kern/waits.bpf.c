// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits: the scheduler takes a thread from its CPU, and later gives it one again.
 *
 *   on_sched          user stacks along frame pointers
 *   on_sched_unwind   user stacks by unwind tables where there are any
 *   on_waker          a wait is over: walks the waker's stacks, along frame pointers
 *   on_waker_unwind   the same, by unwind tables where there are any
 *   on_contend, on_contend_end  the wait is for a lock of the kernel
 *   on_birth          a thread begins
 *   on_begin          a process executes a program: it may become a target, or cease to be one
 *   on_ending         a thread is about to end
 *
 * The user stack is walked when the thread leaves the CPU, as its memory is available then. The
 * kernel stack is walked when the thread comes back; then both are charged. All programs but
 * on_birth, on_begin and on_ending run with interrupts off.
 *
 * A switch has one time for both threads, taken before the walks. The scheduler has read its clock
 * by then, so both accounts give the time of a walk to the thread that comes.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "waits/waits.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Threads that leave the CPU less often than this are walked each time. */
#define RARE_NS 10000000ULL

/*
 * Returns the record of a thread. Most threads are no targets and have no task storage at all, so
 * the check comes before the call.
 */
static __always_inline struct waiting_thread *find_thread(struct task_struct *task)
{
	struct waiting_thread *thread;

	if (!task->bpf_storage)
		return NULL;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	return thread && thread->is_known ? thread : NULL;
}

/*
 * Decides before the wait whether its stacks are walked. A wait with a low probability stands for
 * more of its kind. So the length of a wait does not bias the choice.
 */
static __always_inline __u32 choose_walk(const struct waiting_thread *thread)
{
	const __u64 one_in = session.one_in[cfg_wait_event % ABI_MAX_EVENTS];
	const __u32 cpu = bpf_get_smp_processor_id();

	if (cfg_some_cpus && !(cfg_cpus[cpu / 64 % (ABI_MAX_CPUS / 64)] >> cpu % 64 & 1))
		return STANDS_FILTERED;
	if (cfg_locks_only && !thread->key.kernel)
		return STANDS_FILTERED;
	if (one_in <= 1 || bpf_ktime_get_ns() - thread->left_ns > RARE_NS)
		return 1;
	return bpf_get_prandom_u32() % (__u32)one_in ? 0 : (__u32)one_in;
}

/* Has a stack frame of its own, apart from those of the walks. */
static __noinline int end_wait(struct task_struct *task, struct waiting_thread *thread,
			       const struct moment *moment, __u64 from_ns)
{
	struct wait_piece piece = {.has_ended = true};

	if (from_ns < moment->flip_ns) {
		piece.from_ns = from_ns;
		piece.to_ns = moment->flip_ns;
		if (is_open(moment))
			charge_piece(moment->generation ^ 1, moment->cpu, task, thread, &piece);
		from_ns = moment->flip_ns;
	}
	piece.from_ns = from_ns;
	piece.to_ns = moment->now_ns;
	piece.nr_ended = 1;
	charge_piece(moment->generation, moment->cpu, task, thread, &piece);
	return 0;
}

/* Ends a wait whose thread has not run yet, so its kernel stack is still that of the wait. */
static __always_inline void end_seen(struct task_struct *task, struct waiting_thread *thread,
				     const struct moment *moment, __u64 from_ns)
{
	/* Store the stack in the generation that is charged first. */
	const __u32 generation = from_ns < moment->flip_ns && is_open(moment)
					 ? moment->generation ^ 1
					 : moment->generation;

	keep_kernel_stack(thread, task, WHERE(generation, moment->cpu), CONTEXT_SWITCH);
	end_wait(task, thread, moment, from_ns);
}

/*
 * Ends a wait whose end was not seen; the thread runs. The wait ended at the missed arrival, or at
 * an unknown time. Has a stack frame of its own, too.
 */
static __noinline int end_unseen(struct task_struct *task, struct waiting_thread *thread,
				 __u64 now_ns)
{
	struct moment moment = moment_at(now_ns, bpf_get_smp_processor_id());
	const __u64 arrived_ns = missed_arrival(thread, task);
	__u64 from_ns;

	if (arrived_ns && arrived_ns < moment.now_ns)
		moment = moment_at(arrived_ns, moment.cpu);
	if (arrived_ns)
		thread->turn_ns = turned_at(thread, task, arrived_ns);
	if (take_piece(&thread->until_ns, moment.now_ns, &from_ns)) {
		if (arrived_ns)
			end_wait(task, thread, &moment, from_ns);
		else
			charge_time(&moment, SLOT_UNKNOWN_NS, from_ns);
	}
	thread->waker_ns = 0;
	thread->is_running = 1;
	thread->is_seen = arrived_ns != 0;
	thread->since_ns = moment.now_ns;
	thread->clock_ns = now_ns - task->se.exec_start;
	return 0;
}

static __always_inline void end_run(struct waiting_thread *thread, const struct moment *moment)
{
	__u64 from_ns;

	if (take_piece(&thread->until_ns, moment->now_ns, &from_ns))
		charge_time(moment, SLOT_RUNNING_NS, from_ns);
}

/* Notes a wait before its stack is walked. Until leave, the thread's record says that it runs. */
static __noinline int prepare_wait(struct task_struct *task, struct waiting_thread *thread,
				   bool is_preempted, __u32 state, __u64 now_ns)
{
	if (!thread->is_running)
		end_unseen(task, thread, now_ns);
	if (state & STATE_DEAD)
		return 0;
	thread->key.what = WHAT(cfg_wait_event, wait_of(thread, task, is_preempted, state));
	thread->key.user = STACK_NONE;
	thread->key.kernel = cfg_locks_only ? lock_of(thread, task) : STACK_NONE;
	thread->stands_for = choose_walk(thread);
	return 0;
}

static __always_inline bool wants_walk(const struct waiting_thread *thread, __u32 state)
{
	return cfg_user_stacks && !(state & STATE_DEAD) && thread->stands_for &&
	       thread->stands_for != STANDS_FILTERED;
}

/*
 * The scheduler reads its clock when it wakes a thread that takes this CPU, and not again before
 * that thread comes (rq_clock_skip_update): until then the old one runs on in the new one's time.
 * Nor does its clock count what a hypervisor took. So it reads more behind ours at one end of a run
 * than at the other. The difference is not known for a run whose begin was not seen.
 */
static __always_inline void account_credit(const struct waiting_thread *thread,
					   struct task_struct *task, const struct moment *moment)
{
	const __u64 behind_ns = moment->now_ns - task->se.exec_start;

	if (!thread->is_seen || !session.begin_ns)
		return;
	if (behind_ns > thread->clock_ns)
		add_to_slot(moment->generation, moment->cpu, SLOT_UNCREDITED_NS,
			    behind_ns - thread->clock_ns);
	else
		add_to_slot(moment->generation, moment->cpu, SLOT_OVERCREDITED_NS,
			    thread->clock_ns - behind_ns);
}

static __noinline int leave(struct task_struct *task, struct waiting_thread *thread, __u32 state,
			    __u64 now_ns)
{
	struct moment moment = moment_at(now_ns, bpf_get_smp_processor_id());

	end_run(thread, &moment);
	account_credit(thread, task, &moment);
	end_found(thread, task, &moment);
	learn_queue_clock(thread, task);
	if (session.begin_ns)
		add_to_slot(moment.generation, moment.cpu, SLOT_SWITCHES, 1);
	if (state & STATE_DEAD) {
		end_life(thread, task, &moment);
		return 0;
	}
	keep_clocks(thread, task);
	thread->is_seen = 1;
	/* a waker may be noted already: it came while the thread was leaving */
	thread->turn_ns = 0;
	thread->since_ns = thread->left_ns = moment.now_ns;
	thread->is_running = 0;
	return 0;
}

static __always_inline void walk_stacks(void *program, struct waiting_thread *thread,
					bool with_tables)
{
	const struct sample_event event = {
		.program = program,
		.context = CONTEXT_SWITCH,
		.with_records = true,
		.with_tables = with_tables,
		.outlives = true,
	};
	const struct moment moment = this_moment();
	struct current_set set = waits_set(moment.generation, moment.cpu);

	if (!set.ledger_cpu)
		return;
	thread->key.user = walk_user(&event, thread->key.process, &set);
}

static __noinline int arrive(struct task_struct *task, struct waiting_thread *thread, __u64 now_ns)
{
	const struct moment moment = moment_at(now_ns, bpf_get_smp_processor_id());
	__u64 from_ns;

	read_queue_clock(thread, task, now_ns);
	if (!thread->is_running)
		thread->turn_ns = turned_at(thread, task, 0);
	if (take_piece(&thread->until_ns, moment.now_ns, &from_ns)) {
		if (thread->is_running)
			charge_time(&moment, SLOT_UNKNOWN_NS, from_ns);
		else
			end_seen(task, thread, &moment, from_ns);
	}
	thread->waker_ns = 0;
	thread->is_running = thread->is_seen = 1;
	thread->since_ns = moment.now_ns;
	thread->clock_ns = moment.now_ns - task->se.exec_start;
	return 0;
}

/* The walks have stack frames of their own, as charging has: together they would be too large. */
static __noinline int walk_along_pointers(__u64 *ctx, struct waiting_thread *thread)
{
	walk_stacks(ctx, thread, false);
	return 0;
}

static __noinline int walk_by_tables(__u64 *ctx, struct waiting_thread *thread)
{
	walk_stacks(ctx, thread, true);
	return 0;
}

/* ctx: preempt, prev, next, and from 5.18 on (fa2c3254d7cf) the state of prev. */
static __always_inline void switch_from(__u64 *ctx, struct waiting_thread *thread, __u64 now_ns,
					bool with_tables)
{
	struct task_struct *task = (void *)ctx[1];
	const __u32 state = (__u32)ctx[3];

	prepare_wait(task, thread, ctx[0], state, now_ns);
	if (wants_walk(thread, state) && with_tables)
		walk_by_tables(ctx, thread);
	else if (wants_walk(thread, state))
		walk_along_pointers(ctx, thread);
	leave(task, thread, state, now_ns);
}

static __always_inline int switch_threads(__u64 *ctx, bool with_tables)
{
	struct task_struct *from = (void *)ctx[1], *to = (void *)ctx[2];
	struct waiting_thread *thread;
	__u64 now_ns;

	if (!from->bpf_storage && !to->bpf_storage)
		return 0;
	now_ns = bpf_ktime_get_ns();
	thread = find_thread(from);
	if (thread)
		switch_from(ctx, thread, now_ns, with_tables);
	thread = find_thread(to);
	if (thread)
		arrive(to, thread, now_ns);
	return 0;
}

SEC("tp_btf/sched_switch")
int on_sched(__u64 *ctx)
{
	return switch_threads(ctx, false);
}

SEC("tp_btf/sched_switch")
int on_sched_unwind(__u64 *ctx)
{
	return switch_threads(ctx, true);
}

/*
 * Notes the waker of a thread, the running task. It may be an interrupt that only ran on top of
 * that task; the kernel stack shows that.
 */
static __always_inline void note_waker(void *program, struct waiting_thread *thread,
				       bool with_tables)
{
	struct task_struct *waker = bpf_get_current_task_btf();
	const struct sample_event event = {
		.program = program,
		.context = CONTEXT_SWITCH,
		.with_records = true,
		.with_tables = with_tables,
		.outlives = true,
	};
	struct moment moment = this_moment();
	struct current_set set = waits_set(moment.generation, moment.cpu);
	struct running running = {.tgid = waker->tgid, .tid = waker->pid};

	if (!set.ledger_cpu)
		return;
	read_leader(&running);
	thread->waker_process = hash_process(running.tgid, running.start_ns, running.exec_id);
	thread->waker_user = thread->waker_kernel = STACK_NONE;
	if (thread->waker_process) {
		if (cfg_user_stacks)
			thread->waker_user = walk_user(&event, thread->waker_process, &set);
		if (cfg_tells_owners)
			thread->waker_process = tell_owner(&running, waker, thread->waker_process);
		record_owner(&set, waker, &running, thread->waker_process);
	}
	thread->waker_kernel = walk_kernel(&event, &set);
	thread->waker_ns = moment.now_ns;
}

static __noinline int note_waker_along_pointers(__u64 *ctx, struct waiting_thread *thread)
{
	note_waker(ctx, thread, false);
	return 0;
}

static __noinline int note_waker_by_tables(__u64 *ctx, struct waiting_thread *thread)
{
	note_waker(ctx, thread, true);
	return 0;
}

SEC("tp_btf/sched_waking")
int on_waker(__u64 *ctx)
{
	struct waiting_thread *thread = find_thread((void *)ctx[0]);

	if (thread)
		note_waker_along_pointers(ctx, thread);
	return 0;
}

SEC("tp_btf/sched_waking")
int on_waker_unwind(__u64 *ctx)
{
	struct waiting_thread *thread = find_thread((void *)ctx[0]);

	if (thread)
		note_waker_by_tables(ctx, thread);
	return 0;
}

/* include/trace/events/lock.h: a spinning thread keeps its CPU. */
#define CONTENDED_SPINNING 1

/* From here to on_contend_end the thread waits for a kernel lock. Linux 5.19 (16edd9b511a1). */
SEC("tp_btf/contention_begin")
int on_contend(__u64 *ctx)
{
	struct waiting_thread *thread;

	if (ctx[1] & CONTENDED_SPINNING)
		return 0;
	thread = find_thread(bpf_get_current_task_btf());
	if (thread)
		thread->lock = ctx[0];
	return 0;
}

SEC("tp_btf/contention_end")
int on_contend_end(__u64 *ctx)
{
	struct waiting_thread *thread = find_thread(bpf_get_current_task_btf());

	(void)ctx;
	if (thread)
		thread->lock = 0;
	return 0;
}

/* queue_clock_ns: its parent's, until its own queue tells; 0: not known. */
static __always_inline void begin_thread(struct task_struct *task, bool is_running,
					 __u64 queue_clock_ns)
{
	const __u64 now_ns = bpf_ktime_get_ns();
	struct waiting_thread *thread;

	thread = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread) /* no memory: the next cut finds the thread */
		return;
	init_thread(thread, task, now_ns);
	thread->queue_clock_ns = queue_clock_ns;
	thread->is_running = is_running;
	thread->clock_ns = now_ns - task->se.exec_start;
	thread->found_ns = is_running ? now_ns : 0;
	thread->key.what = WHAT(cfg_wait_event, WAIT(WAIT_WOKEN, WAIT_FOR_NOTHING));
	asm volatile("" ::: "memory");
	thread->is_known = 1;
}

/*
 * The child has not been queued for a CPU yet. Its stack will be the one with which it returns from
 * fork.
 */
SEC("tp_btf/sched_process_fork")
int on_birth(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[1];
	const struct waiting_thread *parent;

	if (!is_wanted(child))
		return 0;
	parent = find_thread((void *)ctx[0]);
	begin_thread(child, false, parent ? parent->queue_clock_ns : 0);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int on_begin(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct waiting_thread *thread = find_thread(task);
	struct moment moment;

	if (is_wanted(task)) {
		if (thread)
			thread->key.process = process_of(task);
		else
			begin_thread(task, true, 0);
		return 0;
	}
	if (!thread)
		return 0;
	if (!thread->is_running)
		end_unseen(task, thread, bpf_ktime_get_ns());
	moment = this_moment();
	end_run(thread, &moment);
	end_life(thread, task, &moment);
	return 0;
}

/* From here to its last switch the thread is in no list; the cut waits for that switch. */
SEC("tp_btf/sched_process_exit")
int on_ending(__u64 *ctx)
{
	struct waiting_thread *thread = find_thread((void *)ctx[0]);
	const struct moment moment = this_moment();
	__u64 from_ns;

	if (!thread)
		return 0;
	/* the rest of its life is short */
	if (take_piece(&thread->lived_ns, moment.now_ns, &from_ns))
		charge_time(&moment, SLOT_LIVED_NS, from_ns);
	thread->is_exiting = 1;
	__sync_fetch_and_add(&session.nr_exiting, 1);
	return 0;
}
