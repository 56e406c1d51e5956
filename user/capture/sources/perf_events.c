// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/perf_events.h"

#include <math.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/source.h"
#include "capture/host/cpus.h"
#include "capture/host/features.h"

#define MAX_SPREAD 0.02

uint64_t perf_events__period_ns(double rate_hz, unsigned int cpu)
{
	/* The golden ratio spreads any number of CPUs evenly over the second percent. */
	double spread = 0.01 + 0.01 * fmod(cpu * 0.6180339887498949, 1.0);

	return (uint64_t)llround(1e9 / rate_hz * (cpu % 2 ? 1 - spread : 1 + spread));
}

/* The resolution of the coarse clocks is a tick. */
double perf_events__tick_seconds(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		return 1.0 / 250;
	return (double)tick.tv_sec + (double)tick.tv_nsec / 1e9;
}

double perf_events__needed_limit_hz(double rate_hz, double tick_seconds)
{
	/*
	 * The most samples of the fastest CPU in a tick. A CPU that reaches the limit is throttled,
	 * so the limit must be higher.
	 */
	double most = floor(rate_hz * (1 + MAX_SPREAD) * tick_seconds) + 1;

	return floor(most / tick_seconds) + 1; /* the kernel rounds the samples per tick up */
}

/* Adds an event for a CPU, unless it has one. Returns 0 or negative errno. */
static int add_event(struct perf_events *events, unsigned int cpu, struct error *err)
{
	struct perf_event event = {.cpu = cpu, .period = events->attr.sample_period};
	struct perf_event_attr attr = events->attr;
	uint64_t before;
	int code;

	for (size_t i = 0; i < events->nr_events; i++)
		if (events->events[i].cpu == cpu)
			return 0;
	if (events->period)
		attr.sample_period = event.period = events->period(events->rate_hz, cpu);
	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = 1;
	before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	event.fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	code = event.fd < 0 ? -errno : 0;
	rights__restore(before);
	if (code == -ENODEV) /* the CPU went offline just now */
		return 0;
	if (code == -ENOENT) /* reported if no CPU has the event */
		return code;
	if (code)
		return features__explain(NULL, err, code, "open perf events");
	array__reserve(&events->events, &events->capacity, events->nr_events + 1);
	events->events[events->nr_events++] = event;
	events->cpus->returned[cpu] = true;
	return 0;
}

/*
 * Adds events for CPUs that have none. On machines with two kinds of CPUs, a counter may exist on
 * one kind only.
 */
static int add_events(struct perf_events *events, struct error *err)
{
	const struct cpus *cpus = events->cpus;
	bool is_absent = false;
	size_t cpu;
	int code = 0;

	/* Usually nothing is new; this saves a search of all events for each CPU at each drain. */
	if (events->nr_events == cpus__count(cpus))
		return 0;
	for (cpu = cpus__next(cpus, 0); cpu < cpus->nr_possible && !code;
	     cpu = cpus__next(cpus, cpu + 1)) {
		code = add_event(events, (unsigned int)cpu, err);
		is_absent |= code == -ENOENT;
		code = code == -ENOENT ? 0 : code;
	}
	if (!code && is_absent && !events->nr_events)
		code = features__explain(NULL, err, -ENOENT, "open perf events");
	return code;
}

int perf_events__open(void **state, const struct perf_event_attr *attr,
		      const struct source_options *options,
		      uint64_t (*period)(double rate_hz, unsigned int cpu), struct error *err)
{
	struct perf_events *events = xmalloc(sizeof(*events));
	int code;

	*events = (struct perf_events){.attr = *attr,
				       .rate_hz = options->rate_hz,
				       .cookie = options->index,
				       .period = period,
				       .cpus = options->cpus};
	code = add_events(events, err);
	if (!code && !events->nr_events) /* all CPUs went offline meanwhile */
		code = features__explain(NULL, err, -ENODEV, "open perf events");
	if (code)
		perf_events__close(events);
	else
		*state = events;
	return code;
}

static int attach_all(struct perf_events *events, struct error *err)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	size_t i;
	int code = 0;

	events->stopped = false;
	for (i = 0; i < events->nr_events && !code; i++) {
		struct perf_event *event = &events->events[i];

		if (!event->link.is_attached)
			code = event_link__attach(&event->link, events->program, event->fd,
						  events->cookie);
	}
	rights__restore(before);
	return code ? features__explain(NULL, err, code, "attach to perf events") : 0;
}

int perf_events__start(void *state, struct topstacks_bpf *skeleton,
		       const struct bpf_program *program, struct error *err)
{
	struct perf_events *events = state;

	(void)skeleton;
	events->program = program;
	return attach_all(events, err);
}

void perf_events__stop(void *state)
{
	struct perf_events *events = state;
	size_t i;

	for (i = 0; i < events->nr_events; i++)
		ioctl(events->events[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	events->stopped = true;
}

static void close_event(struct perf_event *event)
{
	event_link__detach(&event->link, event->fd);
	close(event->fd);
}

int perf_events__settle(void *state, struct error *err)
{
	struct perf_events *events = state;
	struct {
		uint64_t count, enabled_ns, running_ns;
	} now;
	size_t i;

	for (i = 0; i < events->nr_events; i++) {
		struct perf_event *event = &events->events[i];
		const ssize_t got = read(event->fd, &now, sizeof(now));

		if (got != sizeof(now))
			return error__set(err, EXIT_INTERNAL, got < 0 ? -errno : -EIO,
					  "cannot read the perf event of CPU %u", event->cpu);
		event->is_dead = now.running_ns == event->running_ns;
		event->count = now.count;
		event->running_ns = now.running_ns;
	}
	return 0;
}

static void close_all(struct perf_events *events)
{
	size_t i;

	for (i = 0; i < events->nr_events; i++)
		close_event(&events->events[i]);
	events->nr_events = 0;
}

int perf_events__reopen(struct perf_events *events, double rate_hz, struct error *err)
{
	int code;

	close_all(events);
	events->rate_hz = rate_hz;
	code = add_events(events, err);
	return code ? code : attach_all(events, err);
}

void perf_events__close(void *state)
{
	struct perf_events *events = state;

	if (!events)
		return;
	close_all(events);
	free(events->events);
	free(events);
}

int perf_events__follow_cpus(void *state, struct error *err)
{
	struct perf_events *events = state;
	size_t i, kept = 0, nr_dropped;
	int code;

	if (events->stopped)
		return 0;
	for (i = 0; i < events->nr_events; i++) {
		struct perf_event *event = &events->events[i];

		if (event->is_dead || !events->cpus->online[event->cpu])
			close_event(event);
		else
			events->events[kept++] = *event;
	}
	nr_dropped = events->nr_events - kept;
	events->nr_events = kept;
	code = add_events(events, err);
	if (!code && events->nr_events > kept)
		code = attach_all(events, err);
	return code ? code : nr_dropped || events->nr_events > kept;
}
