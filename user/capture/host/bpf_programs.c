// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/bpf_programs.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <time.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "capture/host/program_list.h"

#define MAX_PROGRAMS 4096

/* Adds a program to the list. Returns 0, also if the program is gone, or negative errno. */
static int add_program(struct program_list *list, uint32_t id)
{
	struct loaded_program *program;
	struct bpf_prog_info info = {0};
	uint32_t size = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(id), code;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	code = bpf_obj_get_info_by_fd(fd, &info, &size) ? -errno : 0;
	close(fd);
	if (code)
		return code;
	array__reserve(&list->programs, &list->capacity, list->nr_programs + 1);
	program = &list->programs[list->nr_programs++];
	*program = (struct loaded_program){
		.id = id, .type = info.type, .nr_runs = info.run_cnt, .run_ns = info.run_time_ns};
	memcpy(program->name, info.name, sizeof(program->name) - 1);
	return 0;
}

static int read_programs(struct program_list *list)
{
	uint32_t id = 0;
	int code = 0;

	while (!code && !bpf_prog_get_next_id(id, &id)) {
		if (list->nr_programs >= MAX_PROGRAMS) {
			list->has_more = true;
			return 0;
		}
		code = add_program(list, id);
	}
	return code || errno == ENOENT ? code : -errno;
}

/* Lists what ran during the given time, with statistics switched on. */
static int measure(struct program_list *list, double seconds)
{
	struct program_list before = {0};
	struct timespec rest = {.tv_sec = (time_t)seconds};
	int statistics = bpf_enable_stats(BPF_STATS_RUN_TIME), code;
	uint64_t begin_ns;

	if (statistics < 0)
		return -errno;
	rest.tv_nsec = (long)((seconds - (double)rest.tv_sec) * 1e9);
	code = read_programs(&before);
	if (!code) {
		begin_ns = monotonic_ns();
		while (nanosleep(&rest, &rest) && errno == EINTR)
			;
		code = read_programs(list);
		list->measured_s = (double)(monotonic_ns() - begin_ns) / 1e9;
		program_list__subtract(list, &before);
	}
	close(statistics);
	program_list__fini(&before);
	return code;
}

int bpf_programs__read(struct program_list *list, double seconds)
{
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE | RIGHT_SYS_ADMIN);
	int code = seconds > 0 ? measure(list, seconds) : read_programs(list);

	rights__restore(before);
	if (code) {
		program_list__fini(list);
		*list = (struct program_list){0};
	}
	return code;
}
