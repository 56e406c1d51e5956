// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk [-f] [-F HZ] [-d SECONDS] PID...: how many user stacks of these processes are whole when
 * walked with unwind tables, why the others are not, and what a walk costs. With -f by frame
 * pointers, for the cost alone. Mappings are read once, before the first sample, so that what the
 * processes map later is not known.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "processes/maps.h"
#include "topstacks/abi.h"
#include "unwind/unwind.h"

#include "bench/unwind/walk.skel.h"
#include "walk.h"

#define MAX_FILES   512
#define MAX_REGIONS 65536

struct file {
	dev_t device;
	ino_t inode;
	struct unwind_table *table;
	struct unwind_placement *placement;
};

struct loader {
	struct walk_bpf *skeleton;
	struct unwind_space space;
	struct file files[MAX_FILES];
	size_t nr_files;
	struct unwind_region *regions; /* the kernel's */
	uint32_t nr_regions;
	uint64_t nr_rows;
	double build_ms;
};

static const char *end_name(uint32_t end)
{
	static const char *const names[UNWIND_STEPS] = {
		[UNWIND_STEP_END] = "whole",
		[UNWIND_STEP_NONE] = "no rule",
		[UNWIND_STEP_UNMAPPED] = "unmapped",
		[UNWIND_STEP_OTHER] = "other rule",
		[UNWIND_STEP_UNREADABLE] = "unreadable",
		[UNWIND_STEP_LOST] = "fp lost",
		[UNWIND_STEP_BACKWARDS] = "backwards",
		[UNWIND_STEP_DEEP] = "too deep",
		[UNWIND_STEP_NO_ROOM] = "no room",
		[UNWIND_STEP_UNLISTED] = "unlisted",
	};

	return end < UNWIND_STEPS && names[end] ? names[end] : "?";
}

static void check(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "walk: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
	const struct loader *loader = context;
	size_t nr_bytes = UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row);
	struct unwind_row *rows;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "unwind_rows", 4, sizeof(struct unwind_row),
				UNWIND_CHUNK_ENTRIES, &options);

	check(fd >= 0, "cannot create a chunk");
	rows = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	check(rows != MAP_FAILED, "cannot map a chunk");
	check(!bpf_map_update_elem(bpf_map__fd(loader->skeleton->maps.unwind_chunks), &chunk, &fd,
				   BPF_ANY),
	      "cannot insert a chunk");
	close(fd);
	return rows;
}

/* fd < 0: the vDSO, which is ours too. */
static void build(struct loader *loader, struct file *file, int fd)
{
	const int vdso = fd < 0 ? vdso__open() : -1;
	double start = now_ms();
	uint32_t nr = 0;

	unwind_table__build(fd < 0 ? vdso : fd, &file->table);
	if (vdso >= 0)
		close(vdso);
	if (file->table && !unwind_space__add(&loader->space, file->table, &file->placement))
		unwind_table__rows(file->table, &nr);
	loader->nr_rows += nr;
	loader->build_ms += now_ms() - start;
}

static struct file *find_file(struct loader *loader, int fd)
{
	struct stat status = {0};
	struct file *file;

	check(fd < 0 || !fstat(fd, &status), "cannot look at a file");
	for (file = loader->files; file < loader->files + loader->nr_files; file++)
		if (file->device == status.st_dev && file->inode == status.st_ino)
			return file;
	errno = E2BIG;
	check(loader->nr_files < MAX_FILES, "too many files");
	*file = (struct file){.device = status.st_dev, .inode = status.st_ino};
	build(loader, file, fd);
	loader->nr_files++;
	return file;
}

static void add_mapping(struct loader *loader, int pid, const char *line)
{
	uint64_t start, end, offset;
	char permissions[8], path[4096] = "", link[64];
	struct file none = {0}, *file = &none;
	int fd = -1;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
		   permissions, &offset, path) < 4 ||
	    permissions[2] != 'x' || start >> 63)
		return;
	snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
	if (path[0] == '/')
		fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 || !strcmp(path, "[vdso]"))
		file = find_file(loader, fd);
	if (fd >= 0)
		close(fd);
	loader->nr_regions += unwind_placement__regions(
		file->placement, file->table,
		&(struct unwind_memory){start, end, start, offset, false},
		loader->regions + loader->nr_regions, MAX_REGIONS - loader->nr_regions);
}

static void add_process(struct loader *loader, int pid)
{
	struct unwind_regions entry = {.first = loader->nr_regions};
	uint64_t key = (uint64_t)pid;
	char path[64], line[8192];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	check(maps != NULL, path);
	while (fgets(line, sizeof(line), maps))
		add_mapping(loader, pid, line);
	fclose(maps);
	entry.nr = loader->nr_regions - entry.first;
	check(!bpf_map__update_elem(loader->skeleton->maps.unwind_procs, &key, sizeof(key), &entry,
				    sizeof(entry), BPF_ANY),
	      "cannot add a process");
}

static void start(struct loader *loader)
{
	double begin = now_ms();

	loader->skeleton = walk_bpf__open_and_load();
	check(loader->skeleton != NULL, "cannot load");
	printf("loaded in %.1f ms\n", now_ms() - begin);
	loader->space = (struct unwind_space){
		.max_bytes = 128 << 20, .new_chunk = new_chunk, .context = loader};
	loader->regions = mmap(NULL, MAX_REGIONS * sizeof(*loader->regions), PROT_READ | PROT_WRITE,
			       MAP_SHARED, bpf_map__fd(loader->skeleton->maps.unwind_regions), 0);
	check(loader->regions != MAP_FAILED, "cannot map the regions");
}

static void attach(const struct bpf_program *program, uint64_t rate_hz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000 / rate_hz,
		.exclude_idle = 1,
	};
	int cpu, fd;

	for (cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
		fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && errno == ENODEV) /* offline */
			continue;
		check(fd >= 0 && bpf_program__attach_perf_event(program, fd), "cannot attach");
	}
}

static uint64_t sum_over_cpus(const struct loader *loader, uint32_t slot)
{
	int nr_cpus = libbpf_num_possible_cpus(), cpu;
	uint64_t *values = calloc((size_t)nr_cpus, sizeof(*values)), sum = 0;

	check(values && !bpf_map__lookup_elem(loader->skeleton->maps.account, &slot, sizeof(slot),
					      values, (size_t)nr_cpus * sizeof(*values), 0),
	      "cannot read the account");
	for (cpu = 0; cpu < nr_cpus; cpu++)
		sum += values[cpu];
	free(values);
	return sum;
}

/* Those that stop one sample in 2,000 or more. */
static void print_stops(const struct loader *loader, uint64_t samples)
{
	struct stop_key key, *previous = NULL;
	uint64_t count;
	int fd = bpf_map__fd(loader->skeleton->maps.stops);

	while (!bpf_map_get_next_key(fd, previous, &key)) {
		if (!bpf_map_lookup_elem(fd, &key, &count) && count * 2000 >= samples)
			printf("  %6" PRIu64 "  %-10s pid %u at %#llx\n", count, end_name(key.end),
			       key.tgid, key.pc);
		previous = &key;
	}
}

static void print(const struct loader *loader)
{
	uint64_t samples = sum_over_cpus(loader, WALK_SAMPLES), n;
	double percent = 100.0 / (double)(samples ?: 1), each = percent / 100;
	uint32_t end;

	printf("files %zu, rows %" PRIu64 ", %zu KB, regions %u, built in %.1f ms\n",
	       loader->nr_files, loader->nr_rows,
	       loader->space.nr_chunks * UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row) >> 10,
	       loader->nr_regions, loader->build_ms);
	printf("samples %" PRIu64 " (user mode %.1f %%), frames %.1f, %.0f ns a walk\n", samples,
	       percent * (double)sum_over_cpus(loader, WALK_USER_MODE),
	       each * (double)sum_over_cpus(loader, WALK_FRAMES),
	       each * (double)sum_over_cpus(loader, WALK_NS));
	for (end = 0; end + WALK_ENDS < WALK_SLOTS; end++) {
		n = sum_over_cpus(loader, WALK_ENDS + end);
		if (n)
			printf("  %-10s %6.2f %%\n", end_name(end), percent * (double)n);
	}
	printf("  by frame pointer in part %.2f %%\n",
	       percent * (double)sum_over_cpus(loader, WALK_GUESSED));
	print_stops(loader, samples);
}

int main(int argc, char **argv)
{
	static struct loader loader;
	const struct bpf_program *program;
	uint64_t rate_hz = 997;
	bool by_fp = false;
	double seconds = 5;
	int option;

	while ((option = getopt(argc, argv, "fF:d:")) != -1) {
		if (option == 'f')
			by_fp = true;
		else if (option == 'F')
			rate_hz = strtoull(optarg, NULL, 10);
		else if (option == 'd')
			seconds = strtod(optarg, NULL);
		else
			return 2;
	}
	if (optind == argc || !rate_hz)
		return 2;
	start(&loader);
	while (optind < argc)
		add_process(&loader, atoi(argv[optind++]));
	program = by_fp ? loader.skeleton->progs.on_frame_ptrs : loader.skeleton->progs.on_tables;
	attach(program, rate_hz);
	usleep((useconds_t)(seconds * 1e6));
	print(&loader);
	return 0; /* what is open ends with the process */
}
