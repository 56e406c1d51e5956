// SPDX-License-Identifier: GPL-2.0-only
#include "capture/bad_kernels.h"

#include <sys/utsname.h>

#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/host/features.h"

/* The first release of a series. */
#define SERIES(major, minor) KERNEL_RELEASE(major, minor, 0U)

/*
 * Each row is a table of sentences, which clang-format would spread over three times as many lines.
 */
/* clang-format off */
const struct bad_kernel bad_kernels__rows[] = {
	{
		.name = "private stacks of programs at probes",
		.ranges = {{SERIES(6U, 13U), KERNEL_NEVER}},
		.machine = "x86_64", .is_of_preemptible = true,
		.concerns = BAD_FOR_PROBES, .deed = BAD_AVOIDED,
		.happens = "two tasks that hit a probe on one CPU overwrite each other's stack: what is counted is wrong, and the kernel may panic",
		.we = "our programs have no private stack, as they contain a tail call that is never reached",
		.mended = "not mended (since a76ab5731e32)",
		.source = "open-telemetry/opentelemetry-ebpf-instrumentation #3056, #3059",
	},
	{
		.name = "private stacks of programs at probes on aarch64",
		.ranges = {{SERIES(6U, 17U), KERNEL_NEVER}},
		.machine = "aarch64", .is_of_preemptible = true,
		.concerns = BAD_FOR_PROBES, .deed = BAD_AVOIDED,
		.happens = "as on x86_64",
		.we = "as on x86_64",
		.mended = "not mended (since 6c17a882d380)",
		.source = "open-telemetry/opentelemetry-ebpf-instrumentation #3056, #3059",
	},
	{
		.name = "probes on nops of 5 bytes",
		.ranges = {{SERIES(6U, 18U), KERNEL_NEVER}},
		.machine = "x86_64",
		.concerns = BAD_FOR_PROBES, .deed = BAD_AVOIDED,
		.happens = "the nop becomes a call, whose return address overwrites what the function has below its stack pointer",
		.we = "no probe is put there, on no kernel: it goes behind the nop, or is refused",
		.mended = "not known to be (since ba2bfc97b462)",
		.source = "tests/e2e/probes.sh; a series for the kernel, \"uprobes/x86: Fix red zone issue for optimized uprobes\"",
	},
	{
		.name = "probes that take CAP_SYS_ADMIN",
		.ranges = {
			{KERNEL_RELEASE(5U, 15U, 189U), SERIES(5U, 16U)},
			{KERNEL_RELEASE(6U, 1U, 146U), SERIES(6U, 2U)},
			{KERNEL_RELEASE(6U, 6U, 99U), SERIES(6U, 7U)},
			{KERNEL_RELEASE(6U, 12U, 39U), SERIES(6U, 13U)},
			{KERNEL_RELEASE(6U, 15U, 7U), KERNEL_NEVER},
		},
		.concerns = BAD_FOR_PROBES, .deed = BAD_ASKED,
		.happens = "since CVE-2025-38466 was mended, an event of a probe takes CAP_SYS_ADMIN",
		.we = "who lacks it gets probes by links, which Linux 6.6 and later have; before, the refusal is told",
		.mended = "meant so (since ba677dbe77af)",
		.source = "open-telemetry/opentelemetry-ebpf-instrumentation #3490",
	},
	{
		.name = "user stacks beside probes",
		.ranges = {
			{KERNEL_RELEASE(6U, 1U, 113U), KERNEL_RELEASE(6U, 1U, 131U)},
			{KERNEL_RELEASE(6U, 6U, 55U), KERNEL_RELEASE(6U, 6U, 83U)},
			{KERNEL_RELEASE(6U, 10U, 14U), SERIES(6U, 11U)},
			{KERNEL_RELEASE(6U, 11U, 3U), KERNEL_RELEASE(6U, 12U, 19U)},
		},
		.machine = "x86_64",
		.concerns = BAD_FOR_USER_STACKS, .deed = BAD_TOLD,
		.happens = "the kernel may panic where a thread ends that hit anybody's probe of a program while its user stack is walked",
		.we = "sample no process that anybody probes, or update the kernel",
		.mended = "b583ef82b671",
		.source = "grafana/pyroscope #3673, siderolabs/talos #9671",
	},
	{
		.name = "reading users' memory in an interrupt",
		.ranges = {
			{SERIES(5U, 19U), KERNEL_RELEASE(6U, 1U, 36U)},
			{SERIES(6U, 2U), KERNEL_RELEASE(6U, 3U, 10U)},
		},
		.concerns = BAD_FOR_USER_STACKS, .deed = BAD_TOLD,
		.happens = "a CPU may wait for itself for ever, in a kernel with CONFIG_HARDENED_USERCOPY, where a sample interrupts it in vmalloc",
		.we = "update the kernel; a lower -F makes it rarer",
		.mended = "d319f344561d",
		.source = "parca-dev/parca-agent #1675; open-telemetry/opentelemetry-ebpf-profiler refuses these kernels",
	},
	{
		.name = "limited events of the CPU clock",
		.ranges = {{KERNEL_RELEASE(6U, 16U, 8U), KERNEL_RELEASE(6U, 17U, 8U)}},
		.concerns = BAD_FOR_TIMERS, .deed = BAD_AVOIDED,
		.happens = "an event that ends itself after so many samples (PERF_EVENT_IOC_REFRESH) hangs its CPU",
		.we = "no event of ours is limited so; to be throttled, as ours may be, does not hang there",
		.mended = "eb3182ef0405",
		.source = "async-profiler/async-profiler #1578",
	},
	{
		.name = "counts of the CPU clock",
		.ranges = {{SERIES(6U, 16U), KERNEL_RELEASE(6U, 17U, 10U)}},
		.concerns = BAD_FOR_TIMERS, .deed = BAD_TOLD,
		.happens = "an event that ends does not count the time since it was last read",
		.we = "no sample lacks, but the ledger may tell the last ones as throttled",
		.mended = "f1f96511b1c4",
		.source = "NVIDIA/NV-Kernels #309",
	},
	{
		.name = "timers of events that end",
		.ranges = {{KERNEL_RELEASE(6U, 17U, 8U), KERNEL_RELEASE(6U, 18U, 6U)}},
		.concerns = BAD_FOR_TIMERS, .deed = BAD_TOLD,
		.happens = "the timer of an event of the CPU clock may still run when the kernel frees the event",
		.we = "update the kernel; it was never seen with events of ours",
		.mended = "ff5860f5088e",
		.source = "CVE-2026-23014",
	},
	{
		.name = "fields of system calls",
		.ranges = {{SERIES(5U, 14U), SERIES(5U, 15U)}},
		.mark = ".el9_3",
		.concerns = BAD_FOR_SYSCALLS, .deed = BAD_TOLD,
		.happens = "what programs at syscalls:* are given may be laid out otherwise than the kernel says: numbers, arguments and results may be those of other fields",
		.we = "count hits alone there, without weights and conditions",
		.mended = "ba8ea72388a1",
		.source = "elastic/quark #417, inspektor-gadget/inspektor-gadget #2444",
	},
	{0},
};
/* clang-format on */

static uint32_t number_of(const char *release)
{
	unsigned int major, minor, patch = 0;

	if (sscanf(release, "%3u.%3u.%3u", &major, &minor, &patch) < 2)
		return 0;
	return KERNEL_RELEASE(major, minor, patch);
}

/*
 * Refines number and most: some distributions call every kernel of a series x.y.0, and put the
 * patch level elsewhere or nowhere.
 */
static void find_patch_level(struct kernel_identity *identity, const char *version,
			     const char *signature)
{
	static const char mark[] = " Debian ";
	const char *debian = strstr(version, mark), *last = strrchr(signature, ' ');
	uint32_t told = 0;

	if (debian)
		told = number_of(debian + strlen(mark));
	else if (last)
		told = number_of(last + 1);
	identity->most = identity->number;
	if (told / 1000 == identity->number / 1000)
		identity->number = identity->most = told;
	else if (identity->number % 1000 == 0 && strchr(identity->release, '-'))
		identity->most = identity->number + 999;
}

struct kernel_identity kernel_identity__read(const struct features *features)
{
	struct kernel_identity identity = {0};
	char version[256] = "", signature[256] = "";
	struct utsname name = {0};

	features__read(features, "/proc/sys/kernel/osrelease", identity.release,
		       sizeof(identity.release));
	features__read(features, "/proc/sys/kernel/version", version, sizeof(version));
	features__read(features, "/proc/version_signature", signature, sizeof(signature));
	uname(&name);
	snprintf(identity.machine, sizeof(identity.machine), "%s", name.machine);
	identity.number = number_of(identity.release);
	/*
	 * PREEMPT_DYNAMIC can change at run time, so a row concerns all kernels that may become
	 * preemptible.
	 */
	identity.is_preemptible = strstr(version, "PREEMPT") != NULL;
	find_patch_level(&identity, version, signature);
	return identity;
}

/*
 * If the patch level is unknown, true only if the whole rest of the series has the defect: a
 * healthy kernel is never reported.
 */
static bool is_within(const struct kernel_identity *identity, const struct bad_range *ranges)
{
	for (size_t i = 0; i < BAD_MAX_RANGES && ranges[i].since; i++)
		if (identity->number >= ranges[i].since && identity->most < ranges[i].mended)
			return true;
	return false;
}

bool bad_kernels__has(const struct kernel_identity *identity, const struct bad_kernel *row)
{
	return is_within(identity, row->ranges) &&
	       (!row->machine || !strcmp(row->machine, identity->machine)) &&
	       (!row->mark || strstr(identity->release, row->mark)) &&
	       (!row->is_of_preemptible || identity->is_preemptible);
}

static unsigned int concern_of(const struct event *event, bool user_stacks)
{
	const struct source *source = event->source;

	if (IN_CONTEXT(CONTEXT_PROBE) & source->contexts || source == &live_source)
		return BAD_FOR_PROBES;
	if (source == &tracepoint_source &&
	    !strncmp(event->words.name, "syscalls:", strlen("syscalls:")))
		return BAD_FOR_SYSCALLS | (user_stacks ? BAD_FOR_USER_STACKS : 0U);
	if (source == &tracepoint_source || source == &counter_source ||
	    source == &switch_source) /* the tracepoints may fire in interrupts */
		return user_stacks ? BAD_FOR_USER_STACKS : 0;
	if (source == &cpu_source || source == &wall_source)
		return BAD_FOR_TIMERS | (user_stacks ? BAD_FOR_USER_STACKS : 0U);
	return 0;
}

unsigned int bad_kernels__concern(const struct events *events, bool user_stacks)
{
	unsigned int concern = 0;

	for (size_t i = 0; i < events->nr; i++)
		concern |= concern_of(&events->list[i], user_stacks);
	return concern;
}

/* Prints "6.13" or "6.1.113". */
static int print_release(char *text, size_t size, uint32_t number)
{
	const uint32_t patch = number % 1000;
	const int length = snprintf(text, size, "%u.%u", number / 1000000, number / 1000 % 1000);

	return patch ? length + snprintf(text + length, size - (size_t)length, ".%u", patch)
		     : length;
}

const char *bad_kernels__describe(const struct bad_kernel *row, char *text, size_t size)
{
	char since[16], mended[16];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < BAD_MAX_RANGES && row->ranges[i].since && used < size; i++) {
		print_release(since, sizeof(since), row->ranges[i].since);
		print_release(mended, sizeof(mended), row->ranges[i].mended);
		used += (size_t)snprintf(
			text + used, size - used, "%s%s %s%s", i ? ", " : "", since,
			row->ranges[i].mended == KERNEL_NEVER ? "and later" : "until ",
			row->ranges[i].mended == KERNEL_NEVER ? "" : mended);
	}
	if (used < size)
		snprintf(text + used, size - used, "%s%s%s%s%s", row->machine ? ", " : "",
			 row->machine ? row->machine : "", row->mark ? ", " : "",
			 row->mark ? row->mark : "", row->is_of_preemptible ? ", preemptible" : "");
	return text;
}
