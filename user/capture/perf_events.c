// SPDX-License-Identifier: GPL-2.0-only
#include "capture/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/files.h"
#include "capture/features.h"
#include "profile/ledger.h"

#define ONLINE_CPUS "/sys/devices/system/cpu/online"
#define MAX_SPREAD  0.02

uint64_t perf_events__period_ns(double rate_hz, unsigned int cpu)
{
	/* The golden ratio spreads any number of CPUs evenly over the second percent. */
	double spread = 0.01 + 0.01 * fmod(cpu * 0.6180339887498949, 1.0);

	return (uint64_t)llround(1e9 / rate_hz * (cpu % 2 ? 1 - spread : 1 + spread));
}

/* The coarse clocks advance once a tick. */
double perf_events__tick_seconds(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		return 1.0 / 250;
	return (double)tick.tv_sec + (double)tick.tv_nsec / 1e9;
}

double perf_events__needed_limit_hz(double rate_hz, double tick_seconds)
{
	/* The fastest CPU may have so many in a tick; with as many as are allowed it is throttled.
	 */
	double most = floor(rate_hz * (1 + MAX_SPREAD) * tick_seconds) + 1;

	return floor(most / tick_seconds) + 1; /* the kernel rounds samples a tick up */
}

static double samples_a_tick(void)
{
	double limit_hz = 100000;
	char *text;

	if (!files__read("/proc/sys/kernel/perf_event_max_sample_rate", 64, &text, NULL)) {
		limit_hz = strtod(text, NULL);
		free(text);
	}
	return ceil(limit_hz * perf_events__tick_seconds());
}

/* An idle CPU's tick may be away for two seconds. */
bool perf_events__can_sample_idle(double rate_hz)
{
	return 2 * rate_hz <= samples_a_tick();
}

static int open_event(const struct perf_events *events, struct perf_event *event)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = event->period_ns,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.exclude_idle = events->exclude_idle,
	};

	event->fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)event->cpu, -1,
				 PERF_FLAG_FD_CLOEXEC);
	return event->fd < 0 ? -errno : 0;
}

static bool is_wanted(const struct perf_events *events, unsigned int cpu)
{
	return !events->wanted || (cpu < events->nr_wanted && events->wanted[cpu]);
}

static struct perf_event *find_event(const struct perf_events *events, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < events->nr_events; i++)
		if (events->events[i].cpu == cpu)
			return &events->events[i];
	return NULL;
}

static int add_event(struct perf_events *events, unsigned int cpu, struct error *err)
{
	struct perf_event event = {.cpu = cpu,
				   .period_ns = perf_events__period_ns(events->rate_hz, cpu)};
	struct perf_event *more;
	int code;

	code = open_event(events, &event);
	if (code == -ENODEV) /* it went offline just now */
		return 0;
	if (code)
		return features__explain(NULL, err, code, "open perf events");
	more = realloc(events->events, (events->nr_events + 1) * sizeof(*more));
	if (!more) {
		close(event.fd);
		return error__no_memory(err);
	}
	events->events = more;
	events->events[events->nr_events++] = event;
	return 0;
}

/* Next CPU of a list such as "0-3,6"; -1 at its end. *text moves on. */
static int next_cpu(const char **text, int *range_end, int last)
{
	char *end;
	long first;

	if (last >= 0 && last < *range_end)
		return last + 1;
	while (**text == ',' || **text == '\n')
		(*text)++;
	if (!**text)
		return -1;
	first = strtol(*text, &end, 10);
	if (end == *text)
		return -1;
	*range_end = (int)first;
	if (*end == '-')
		*range_end = (int)strtol(end + 1, &end, 10);
	*text = end;
	return (int)first;
}

/* free() it. NULL, with err filled, on failure. */
static char *read_online(struct error *err)
{
	char *text;
	int code;

	code = files__read(ONLINE_CPUS, 65536, &text, NULL);
	if (!code)
		return text;
	error__set(err, EXIT_SYSTEM, code, "cannot read %s", ONLINE_CPUS);
	return NULL;
}

/* Adds events for CPUs that have none yet. */
static int add_events(struct perf_events *events, struct error *err)
{
	const char *text = events->online;
	int cpu = -1, range_end = -1, code = 0;

	while (!code && (cpu = next_cpu(&text, &range_end, cpu)) >= 0)
		if (is_wanted(events, (unsigned int)cpu) && !find_event(events, (unsigned int)cpu))
			code = add_event(events, (unsigned int)cpu, err);
	return code;
}

int perf_events__open(struct perf_events *events, double rate_hz, bool exclude_idle,
		      const bool *wanted, size_t nr_wanted, struct error *err)
{
	int code;

	*events = (struct perf_events){.rate_hz = rate_hz,
				       .exclude_idle = exclude_idle,
				       .wanted = wanted,
				       .nr_wanted = nr_wanted};
	events->online = read_online(err);
	if (!events->online)
		return err->code;
	code = add_events(events, err);
	if (!code && !events->nr_events)
		code = error__say(err, EXIT_USAGE, -ENODEV,
				  "none of the CPUs asked for is online (online: %.*s)",
				  (int)strcspn(events->online, "\n"), events->online);
	if (code)
		perf_events__close(events);
	return code;
}

static int start_event(struct perf_events *events, struct perf_event *event, struct error *err)
{
	event->link = bpf_program__attach_perf_event(events->program, event->fd);
	if (!event->link)
		return features__explain(NULL, err, -errno, "attach to perf events");
	return 0;
}

int perf_events__start(struct perf_events *events, const struct bpf_program *program,
		       struct error *err)
{
	size_t i;
	int code = 0;

	events->program = program;
	for (i = 0; i < events->nr_events && !code; i++)
		if (!events->events[i].link)
			code = start_event(events, &events->events[i], err);
	events->stopped = false;
	return code;
}

void perf_events__stop(struct perf_events *events)
{
	size_t i;

	for (i = 0; i < events->nr_events; i++)
		ioctl(events->events[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	events->stopped = true;
}

/* The link owns the descriptor once there is one. */
static void close_event(struct perf_event *event)
{
	if (event->link)
		bpf_link__destroy(event->link);
	else
		close(event->fd);
}

void perf_events__close(struct perf_events *events)
{
	size_t i;

	for (i = 0; i < events->nr_events; i++)
		close_event(&events->events[i]);
	free(events->events);
	free(events->online);
	*events = (struct perf_events){0};
}

static uint64_t growth(uint64_t *known, uint64_t now)
{
	uint64_t more = now > *known ? now - *known : 0;

	*known += more;
	return more;
}

int perf_events__account(struct perf_events *events, struct ledger *ledger, struct error *err)
{
	struct {
		uint64_t count_ns, enabled_ns, running_ns;
	} now;
	size_t i;

	for (i = 0; i < events->nr_events; i++) {
		struct perf_event *event = &events->events[i];
		uint64_t throttled_ns;

		if (read(event->fd, &now, sizeof(now)) != sizeof(now))
			return error__set(err, EXIT_INTERNAL, -errno,
					  "cannot read the perf event of CPU %u", event->cpu);
		/* The kernel takes throttled time out of the count, not out of the running time. */
		throttled_ns = now.running_ns > now.count_ns ? now.running_ns - now.count_ns : 0;
		event->is_dead = now.running_ns == event->running_ns;
		event->running_ns = now.running_ns;
		ledger->due += growth(&event->nr_due, now.running_ns / event->period_ns);
		ledger->lost[LOSS_THROTTLED] +=
			growth(&event->nr_throttled, throttled_ns / event->period_ns);
	}
	return 0;
}

int perf_events__set_rate(struct perf_events *events, double rate_hz, struct ledger *ledger,
			  struct error *err)
{
	size_t i;
	int code;

	perf_events__stop(events);
	code = perf_events__account(events, ledger, err);
	for (i = 0; i < events->nr_events; i++)
		close_event(&events->events[i]);
	events->nr_events = 0;
	events->rate_hz = rate_hz;
	if (!code)
		code = add_events(events, err);
	if (!code)
		code = perf_events__start(events, events->program, err);
	return code;
}

bool perf_events__is_online(const struct perf_events *events, unsigned int wanted)
{
	const char *online = events->online;
	int cpu = -1, range_end = -1;

	while ((cpu = next_cpu(&online, &range_end, cpu)) >= 0)
		if ((unsigned int)cpu == wanted)
			return true;
	return false;
}

bool perf_events__was_away(const struct perf_events *events, unsigned int cpu)
{
	const struct perf_event *event = find_event(events, cpu);

	return event && !event->running_ns;
}

static bool is_dead(const struct perf_events *events, const struct perf_event *event)
{
	return event->is_dead || !perf_events__is_online(events, event->cpu);
}

static size_t drop_dead(struct perf_events *events)
{
	size_t i, kept = 0, nr_dropped;

	for (i = 0; i < events->nr_events; i++) {
		if (is_dead(events, &events->events[i]))
			close_event(&events->events[i]);
		else
			events->events[kept++] = events->events[i];
	}
	nr_dropped = events->nr_events - kept;
	events->nr_events = kept;
	return nr_dropped;
}

int perf_events__follow_cpus(struct perf_events *events, struct error *err)
{
	bool changed;
	char *now;
	int code;

	if (events->stopped)
		return 0;
	now = read_online(err);
	if (!now)
		return err->code;
	changed = strcmp(events->online, now) != 0;
	free(events->online);
	events->online = now;
	changed |= drop_dead(events) > 0;
	if (!changed)
		return 0;
	code = add_events(events, err);
	if (!code)
		code = perf_events__start(events, events->program, err);
	return code ? code : 1;
}
