// SPDX-License-Identifier: GPL-2.0-only
/*
 * There are two locks: capture_lock is held as long as a drain takes, cut_lock only for a moment,
 * so that the naming thread never waits for a drain.
 */
#include "capture/collector.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/system/thread.h"
#include "capture/batch.h"
#include "capture/capture.h"

#define TICK_MS	       100	     /* how often the fill of the maps is checked */
#define BUSY_TICK_MS   10	     /* the same while maps fill fast or tables wait */
#define LATE_NS	       20000000ULL   /* later than this, the collector drains itself */
#define DRAIN_EVERY_NS 1000000000ULL /* names of dead processes are kept for so long */
#define MAX_WAITING    (32 << 20)    /* bytes of queued batches, unless the caller has a bound */

struct collector {
	struct capture *capture;
	pthread_mutex_t capture_lock; /* guards the capture and the next members */
	uint64_t begin_ns;
	uint64_t last_drain_ns;
	struct batch *spare;	/* an empty one; NULL: none */
	uint64_t last_number;	/* of the batch drained after sampling stopped; 0: none yet */
	atomic_bool is_stopped; /* may be read without the lock */
	/*
	 * A full batch, which is drained into until the queue is empty or the interval ends; NULL:
	 * there is none. So batches without names do not queue up either.
	 */
	struct batch *summed;
	size_t max_waiting; /* bytes of queued batches */
	struct batch_queue queue;
	pthread_mutex_t cut_lock; /* guards the next members */
	/* time of the cut; number of the batch that made it; 0: none */
	uint64_t cut_ns, cut_number;
	uint64_t end_ns; /* when sampling ends; 0: not known */
	atomic_bool is_ending;
	int end; /* eventfd that wakes the thread; is_ending is checked at each tick, too */
	pthread_t thread;
	bool has_thread;
};

struct batch_queue *collector__queue(struct collector *collector)
{
	return &collector->queue;
}

/* ---- draining: the caller holds the capture lock ---- */

/* Begins a batch. Most are of process events and stay empty: such a one is used again. */
static struct batch *begin(struct collector *collector)
{
	const size_t waiting = collector->queue.bytes, most = collector->max_waiting;
	struct batch *batch = collector->summed;

	collector->summed = NULL;
	if (batch)
		return batch;
	batch = collector->spare ? collector->spare : batch__new(collector->capture);
	collector->spare = NULL;
	batch->start_ns = monotonic_ns();
	batch->max_bytes = waiting < most ? most - waiting : 0;
	return batch;
}

/*
 * Pushes the batch, unless it is one of process events alone and has none: then it is not worth a
 * wake-up. A full one in the middle of an interval waits for the queue.
 */
static int finish(struct collector *collector, struct batch *batch, enum drain_moment moment,
		  uint64_t cpu_ns, int code, uint64_t *number)
{
	batch->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	if (!code && moment == DRAIN_MIDDLE && batch__is_full(batch) && collector->queue.bytes) {
		collector->summed = batch;
		return 0;
	}
	if (code) {
		batch__free(batch);
		return code;
	}
	if (!batch->end_ns && !batch->nr_events && !batch->ledgers[0].records_lost) {
		collector->spare = batch;
		return 0;
	}
	*number = batch_queue__push(&collector->queue, batch);
	return 0;
}

static int drain(struct collector *collector, enum drain_moment moment, const struct pace *pace,
		 uint64_t *number, struct error *err)
{
	struct capture *capture = collector->capture;
	uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct batch *batch = begin(collector);
	struct capture_sink sink = batch__sink(batch);
	size_t i;
	int code;

	code = capture__drain(capture, moment, &sink, batch->ledgers, err);
	for (i = 0; i < capture__events(capture)->nr; i++) {
		const uint64_t counted = batch->ledgers[i].counted, drained = batch->nr_drained[i];

		batch->ledgers[i].undrained =
			counted > drained ? counted - drained : drained - counted;
	}
	batch->end_ns = collector->last_drain_ns = capture__drained_ns(capture);
	if (!code && pace && !collector->is_stopped)
		code = capture__set_pace(capture, pace, batch->ledgers, err);
	code = finish(collector, batch, moment, cpu_ns, code, number);
	if (!code && collector->is_stopped)
		collector->last_number = *number;
	return code;
}

static int dispatch(struct collector *collector, struct error *err)
{
	uint64_t number, nr_lost = 0, cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct batch *batch = begin(collector);
	struct capture_sink sink = batch__sink(batch);
	size_t i;
	int code;

	code = capture__dispatch(collector->capture, &sink, &nr_lost, err);
	for (i = 0; i < capture__events(collector->capture)->nr; i++)
		batch->ledgers[i].records_lost += nr_lost;
	return finish(collector, batch, DRAIN_MIDDLE, cpu_ns, code, &number);
}

void collector__cut_at(struct collector *collector, uint64_t then_ns)
{
	pthread_mutex_lock(&collector->cut_lock);
	collector->cut_ns = then_ns;
	collector->cut_number = 0;
	pthread_mutex_unlock(&collector->cut_lock);
}

void collector__end_at(struct collector *collector, uint64_t end_ns)
{
	pthread_mutex_lock(&collector->cut_lock);
	collector->end_ns = end_ns;
	pthread_mutex_unlock(&collector->cut_lock);
}

bool collector__was_cut(struct collector *collector, uint64_t *number)
{
	pthread_mutex_lock(&collector->cut_lock);
	*number = collector->cut_number;
	pthread_mutex_unlock(&collector->cut_lock);
	return *number != 0;
}

int collector__drain(struct collector *collector, enum drain_moment moment, const struct pace *pace,
		     uint64_t *number, struct error *err)
{
	int code = 0;

	pthread_mutex_lock(&collector->capture_lock);
	if (collector->last_number)
		*number = collector->last_number;
	else
		code = drain(collector, moment, pace, number, err);
	pthread_mutex_unlock(&collector->capture_lock);
	return code;
}

static void stop(struct collector *collector)
{
	collector->is_stopped = true;
	capture__stop(collector->capture);
}

void collector__stop(struct collector *collector)
{
	pthread_mutex_lock(&collector->capture_lock);
	stop(collector);
	pthread_mutex_unlock(&collector->capture_lock);
}

void collector__facts(struct collector *collector, struct capture_facts *facts)
{
	pthread_mutex_lock(&collector->capture_lock);
	capture__facts(collector->capture, facts);
	pthread_mutex_unlock(&collector->capture_lock);
}

size_t collector__kernel_bytes(struct collector *collector)
{
	size_t bytes;

	pthread_mutex_lock(&collector->capture_lock);
	bytes = capture__kernel_bytes(collector->capture);
	pthread_mutex_unlock(&collector->capture_lock);
	return bytes;
}

bool collector__take_failure(struct collector *collector, char *text, size_t size)
{
	bool taken;

	pthread_mutex_lock(&collector->capture_lock);
	taken = capture__take_failure(collector->capture, text, size);
	pthread_mutex_unlock(&collector->capture_lock);
	return taken;
}

/* ---- the thread ---- */

/* The thread's own action if the caller has not taken it by then. */
struct deadline {
	uint64_t then_ns; /* UINT64_MAX: never */
	uint64_t cut_ns;  /* planned end of the interval that it ends; 0: it ends sampling */
};

static struct deadline next_deadline(struct collector *collector)
{
	struct deadline next = {.then_ns = UINT64_MAX};

	if (collector->is_stopped)
		return next;
	pthread_mutex_lock(&collector->cut_lock);
	if (collector->end_ns)
		next.then_ns = collector->end_ns;
	if (collector->cut_ns && !collector->cut_number &&
	    collector->cut_ns < next.then_ns - LATE_NS)
		next = (struct deadline){collector->cut_ns + LATE_NS, collector->cut_ns};
	pthread_mutex_unlock(&collector->cut_lock);
	return next;
}

static uint64_t until_due_ns(const struct deadline *deadline)
{
	const uint64_t now_ns = monotonic_ns();

	return deadline->then_ns > now_ns ? deadline->then_ns - now_ns : 0;
}

/*
 * Drains in place of the caller. If the caller moved the cut meanwhile, the batch does not count as
 * the cut.
 */
static int meet_deadline(struct collector *collector, const struct deadline *deadline,
			 struct error *err)
{
	uint64_t number = 0;
	int code;

	if (!deadline->cut_ns)
		stop(collector);
	code = drain(collector, DRAIN_END, NULL, &number, err);
	pthread_mutex_lock(&collector->cut_lock);
	if (!code && deadline->cut_ns && collector->cut_ns == deadline->cut_ns)
		collector->cut_number = number;
	pthread_mutex_unlock(&collector->cut_lock);
	return code;
}

/* Does the work of one tick. *is_busy: more work will be due soon. */
static int work(struct collector *collector, bool has_events, bool *is_busy, struct error *err)
{
	struct capture *capture = collector->capture;
	const struct deadline deadline = next_deadline(collector);
	uint64_t number, age_ns = monotonic_ns() - collector->last_drain_ns;
	bool fills_fast = false;
	int code = 0;

	if (collector->is_stopped)
		return 0;
	if (!until_due_ns(&deadline)) {
		code = meet_deadline(collector, &deadline, err);
	} else if (age_ns >= DRAIN_EVERY_NS || capture__should_drain(capture)) {
		code = drain(collector, DRAIN_MIDDLE, NULL, &number, err);
		fills_fast = age_ns < DRAIN_EVERY_NS;
	} else if (has_events) {
		code = dispatch(collector, err);
	} else {
		code = capture__load_tables(capture, err);
	}
	*is_busy = fills_fast || capture__is_behind(capture);
	batch_queue__set_over(&collector->queue, !capture__nr_living(capture));
	return code;
}

static int tick_ms(struct collector *collector, bool is_busy, uint64_t burst_ns)
{
	uint64_t tick = is_busy ? BUSY_TICK_MS : TICK_MS;
	const struct deadline deadline = next_deadline(collector);
	const uint64_t due = until_due_ns(&deadline) / 1000000;

	if (burst_ns && burst_ns / 1000000 < tick)
		tick = burst_ns / 1000000 + 1;
	return (int)(due < tick ? due + 1 : tick);
}

static void *run(void *context)
{
	struct collector *collector = context;
	struct pollfd wanted[2 + CAPTURE_MAX_WATCHED] = {{.fd = collector->end, .events = POLLIN},
							 {.events = POLLIN}};
	nfds_t nr_wanted = 2;
	uint64_t burst_ns = 0;
	bool is_busy = false;
	struct error err = {0};
	int code = 0;

	prctl(PR_SET_NAME, "collector"); /* so that top shows the collecting thread */
	while (!code) {
		wanted[1].fd = burst_ns ? -1 : capture__fd(collector->capture);
		if (poll(wanted, nr_wanted, tick_ms(collector, is_busy, burst_ns)) < 0 &&
		    errno != EINTR)
			code = error__set(&err, EXIT_INTERNAL, -errno, "cannot wait for events");
		if (atomic_load(&collector->is_ending))
			return NULL;
		pthread_mutex_lock(&collector->capture_lock);
		if (!code)
			code = work(collector, wanted[1].revents, &is_busy, &err);
		nr_wanted = 2;
		if (!collector->is_stopped)
			nr_wanted += capture__watch(collector->capture, wanted + 2);
		burst_ns = capture__burst_ns(collector->capture);
		pthread_mutex_unlock(&collector->capture_lock);
	}
	batch_queue__fail(&collector->queue, &err);
	return NULL;
}

int collector__start(struct collector **out, struct capture *capture, size_t max_waiting,
		     struct error *err)
{
	struct collector *collector = xcalloc(1, sizeof(*collector));
	int code;

	*out = collector;
	collector->capture = capture;
	collector->max_waiting = max_waiting ? max_waiting : MAX_WAITING;
	pthread_mutex_init(&collector->capture_lock, NULL);
	pthread_mutex_init(&collector->cut_lock, NULL);
	collector->end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	code = batch_queue__open(&collector->queue, err);
	if (code)
		return code;
	if (collector->end < 0)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot create an event descriptor");
	code = capture__start(capture, err);
	if (code)
		return code;
	collector->begin_ns = collector->last_drain_ns = capture__drained_ns(capture);
	code = thread__start(&collector->thread, run, collector);
	collector->has_thread = !code;
	return code ? thread__explain(err, code, "cannot start the thread that collects samples")
		    : 0;
}

uint64_t collector__begin_ns(const struct collector *collector)
{
	return collector->begin_ns;
}

void collector__free(struct collector *collector)
{
	if (!collector)
		return;
	if (collector->has_thread) {
		atomic_store(&collector->is_ending, true);
		eventfd_write(collector->end, 1);
		pthread_join(collector->thread, NULL);
	}
	batch__free(collector->summed);
	batch__free(collector->spare);
	batch_queue__close(&collector->queue);
	close(collector->end);
	pthread_mutex_destroy(&collector->capture_lock);
	pthread_mutex_destroy(&collector->cut_lock);
	free(collector);
}
