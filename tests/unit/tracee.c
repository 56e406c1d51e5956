// SPDX-License-Identifier: GPL-2.0-only
#include "tracee.h"
#include "capture/kernel/kernel.h"
#include "image_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define NT_PRSTATUS 1

static bool get_registers(const struct tracee *tracee, struct user_regs_struct *registers)
{
	struct iovec place = {.iov_base = registers, .iov_len = sizeof(*registers)};

	return !ptrace(PTRACE_GETREGSET, tracee->pid, (void *)NT_PRSTATUS, &place);
}

#ifdef __aarch64__
#define BREAKPOINT 0xd4200000 /* brk #0: the program stops before it, and would do so again */

static bool step_over_breakpoint(const struct tracee *tracee, struct user_regs_struct *registers)
{
	struct iovec place = {.iov_base = registers, .iov_len = sizeof(*registers)};
	uint32_t code = 0;

	if (tracee__read(tracee, registers->pc, &code, sizeof(code)) || code != BREAKPOINT)
		return true;
	registers->pc += sizeof(code);
	return !ptrace(PTRACE_SETREGSET, tracee->pid, (void *)NT_PRSTATUS, &place);
}

static bool read_registers(struct tracee *tracee, bool met_breakpoint)
{
	struct user_regs_struct registers;

	if (!get_registers(tracee, &registers) ||
	    (met_breakpoint && !step_over_breakpoint(tracee, &registers)))
		return false;
	tracee->registers =
		(struct unwind_registers){.pc = registers.pc,
					  .sp = registers.sp,
					  .fp = registers.regs[29],
					  .link = registers.regs[30] & address_mask__read()};
	tracee->result = registers.regs[0];
	return true;
}
#else
static bool read_registers(struct tracee *tracee, bool met_breakpoint)
{
	struct user_regs_struct registers;

	(void)met_breakpoint;
	if (!get_registers(tracee, &registers))
		return false;
	tracee->registers = (struct unwind_registers){.pc = registers.rip,
						      .sp = registers.rsp,
						      .fp = registers.rbp,
						      .link = registers.rdi,
						      .other_link = registers.rdx};
	tracee->result = registers.rax;
	return true;
}
#endif

/* Threads that are born stop once, and go on. */
static int wait_for_stop(struct tracee *tracee, bool steps)
{
	int status;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 || (pid == tracee->process && !WIFSTOPPED(status)))
			return 0;
		if (!WIFSTOPPED(status))
			continue;
		if (status >> 16 || WSTOPSIG(status) == SIGSTOP) {
			ptrace(PTRACE_CONT, pid, NULL, NULL);
			continue;
		}
		tracee->pid = pid;
		return read_registers(tracee, !steps && WSTOPSIG(status) == SIGTRAP)
			       ? WSTOPSIG(status)
			       : 0;
	}
}

bool tracee__start(struct tracee *tracee, const char *program)
{
	pid_t pid = fork();

	*tracee = (struct tracee){.pid = pid, .process = pid};
	if (pid < 0)
		return false;
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	if (wait_for_stop(tracee, true) != SIGTRAP)
		return false;
	return ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL) == 0;
}

static void forget_mappings(struct tracee *tracee)
{
	size_t i;

	for (i = 0; i < tracee->nr_mappings; i++)
		unwind_table__free(tracee->mappings[i].table);
	tracee->nr_mappings = 0;
}

void tracee__end(struct tracee *tracee)
{
	if (tracee->process > 0) {
		kill(tracee->process, SIGKILL);
		while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
			;
	}
	forget_mappings(tracee);
}

static struct unwind_table *build_from_memory(const struct tracee *tracee, uint64_t start,
					      size_t nr_bytes)
{
	struct unwind_table *table = NULL;
	void *image = malloc(nr_bytes);

	if (image && !tracee__read(tracee, start, image, nr_bytes))
		build_table_of(image, nr_bytes, &table);
	free(image);
	return table;
}

static struct unwind_table *build_from_file(const char *path)
{
	struct unwind_table *table = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		unwind_table__build(fd, &table);
		close(fd);
	}
	return table;
}

/* 7f1c2a826000-7f1c2a97b000 r-xp 00026000 fe:01 1311 /usr/lib/x86_64-linux-gnu/libc.so.6 */
static void add_mapping(struct tracee *tracee, const char *line)
{
	struct tracee_mapping *mapping = &tracee->mappings[tracee->nr_mappings];
	uint64_t offset;
	char permissions[8], path[PATH_MAX] = "";
	int64_t pc = 0;

	if (tracee->nr_mappings == MAX_MAPPINGS ||
	    sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095[^\n]",
		   &mapping->start, &mapping->end, permissions, &offset, path) < 4 ||
	    !strchr(permissions, 'x'))
		return;
	if (!strcmp(path, "[vdso]"))
		mapping->table =
			build_from_memory(tracee, mapping->start, mapping->end - mapping->start);
	else
		mapping->table = path[0] == '/' ? build_from_file(path) : NULL;
	if (mapping->table && unwind_table__locate(mapping->table, offset, &pc)) {
		unwind_table__free(mapping->table);
		mapping->table = NULL;
	}
	mapping->bias = mapping->start - (mapping->table ? (uint64_t)pc : 0);
	snprintf(mapping->name, sizeof(mapping->name), "%.63s", strrchr(path, '/') ?: path);
	tracee->nr_mappings++;
}

void tracee__read_mappings(struct tracee *tracee)
{
	char path[64], line[PATH_MAX + 128];
	FILE *maps;

	forget_mappings(tracee);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)tracee->process);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps))
		add_mapping(tracee, line);
	if (maps)
		fclose(maps);
}

int tracee__step(struct tracee *tracee, int signal)
{
	if (ptrace(PTRACE_SINGLESTEP, tracee->pid, NULL, signal))
		return 0;
	return wait_for_stop(tracee, true);
}

int tracee__continue(struct tracee *tracee, int signal)
{
	if (ptrace(PTRACE_CONT, tracee->pid, NULL, signal))
		return 0;
	return wait_for_stop(tracee, false);
}

int tracee__read(const struct tracee *tracee, uint64_t address, void *to, size_t nr_bytes)
{
	struct iovec local = {.iov_base = to, .iov_len = nr_bytes};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = nr_bytes};

	return process_vm_readv(tracee->process, &local, 1, &remote, 1, 0) == (ssize_t)nr_bytes
		       ? 0
		       : -1;
}

const struct tracee_mapping *tracee__find(const struct tracee *tracee, uint64_t address)
{
	size_t i;

	for (i = 0; i < tracee->nr_mappings; i++)
		if (address >= tracee->mappings[i].start && address < tracee->mappings[i].end)
			return &tracee->mappings[i];
	return NULL;
}
