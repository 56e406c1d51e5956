// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/probe_cost.h"

#include <link.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "capture/host/features.h"
#include "capture/probes/uprobe_link.h"

#define PMU_TYPE "/sys/bus/event_source/devices/uprobe/type"
#define ROUNDS	 9
#define CALLS	 1000 /* of a round; 10 ms if the kernel single-steps */

void probe_cost_emulated(void);
void probe_cost_stepped(void);

/* Two functions, which begin with an instruction of each kind. */
#ifdef __x86_64__
#define EMULATED "push %rbp\n pop %rbp\n ret\n"
#define STEPPED	 "test %rdi, %rdi\n ret\n"
#else
#define EMULATED "nop\n ret\n"
#define STEPPED	 "mov x0, x0\n ret\n"
#endif
__asm__(".pushsection .text\n"
	".type probe_cost_emulated, @function\n"
	"probe_cost_emulated:\n" EMULATED ".size probe_cost_emulated, . - probe_cost_emulated\n"
	".type probe_cost_stepped, @function\n"
	"probe_cost_stepped:\n" STEPPED ".size probe_cost_stepped, . - probe_cost_stepped\n"
	".popsection\n");

struct code_search {
	uintptr_t address;
	uint64_t offset; /* in the file; 0: not found */
};

/* Searches only the first object, which is the program itself. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *context)
{
	struct code_search *search = context;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && search->address >= start &&
		    search->address < start + part->p_filesz)
			search->offset = search->address - start + part->p_offset;
	}
	return 1;
}

/* Returns the offset of the function in the program's file; 0: not found. */
static uint64_t find_offset(void (*function)(void))
{
	struct code_search search = {.address = (uintptr_t)function};

	dl_iterate_phdr(look_at_program, &search);
	return search.offset;
}

static int load_nothing(uint32_t attach_type)
{
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = attach_type);
	const int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "nothing", "GPL", nothing, 2, &options);

	return fd < 0 ? -errno : fd;
}

/* Attaches an empty program. The event holds it, so its descriptor is closed. */
static int attach_to_event(void (*function)(void), bool is_of_returns)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = is_of_returns,
		.uprobe_path = (uintptr_t) "/proc/self/exe",
		.probe_offset = find_offset(function),
		.disabled = 1,
	};
	int program, fd, code = 0;
	char *type;

	program = load_nothing(0);
	if (program < 0)
		return program;
	if (!attr.probe_offset || files__read(PMU_TYPE, 32, &type, NULL)) {
		close(program);
		return -EOPNOTSUPP;
	}
	attr.type = (uint32_t)strtoul(type, NULL, 10);
	free(type);
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		code = -errno;
	if (code && fd >= 0)
		close(fd);
	close(program);
	return code ? code : fd;
}

/* Does the same with a link. */
static int attach_by_link(void (*function)(void), bool is_of_returns)
{
	const struct uprobe_link wanted = {
		.file = "/proc/self/exe",
		.offset = find_offset(function),
		.is_of_returns = is_of_returns,
		.pid = getpid(),
	};
	const int program = wanted.offset ? load_nothing(TRACE_UPROBE_MULTI) : -EOPNOTSUPP;
	const int fd = program < 0 ? program : uprobe_link__make(program, &wanted);

	if (program >= 0)
		close(program);
	return fd;
}

/* Attaches as a run would. Returns a descriptor or negative errno. */
static int attach(void (*function)(void), bool is_of_returns, bool *by_link)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS | RIGHTS_TO_LOOK);
	int fd = attach_to_event(function, is_of_returns), link;

	*by_link = false;
	if (fd == -EPERM || fd == -EACCES) {
		link = attach_by_link(function, is_of_returns);
		*by_link = link >= 0;
		fd = *by_link ? link : fd;
	}
	rights__restore(before);
	return fd;
}

static int compare(const void *a, const void *b)
{
	const double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* Returns the median CPU time of a call over some rounds. */
static double measure(void (*function)(void))
{
	double ns[ROUNDS];

	for (size_t round = 0; round < ROUNDS; round++) {
		const uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

		for (size_t i = 0; i < CALLS; i++)
			function();
		ns[round] = (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / CALLS;
	}
	qsort(ns, ROUNDS, sizeof(*ns), compare);
	return ns[ROUNDS / 2];
}

int probe_cost__measure(bool is_emulated, bool is_of_returns, double *ns, struct error *err)
{
	void (*const function)(void) = is_emulated ? probe_cost_emulated : probe_cost_stepped;
	const double without = measure(function);
	bool by_link;
	const int fd = attach(function, is_of_returns, &by_link);

	if (fd < 0)
		return features__explain(NULL, err, fd, "probe ourselves");
	*ns = measure(function) - without;
	close(fd);
	return 0;
}

int probe_cost__try(bool *by_link)
{
	const int fd = attach(probe_cost_emulated, false, by_link);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}
