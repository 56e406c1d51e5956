// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * jit map|dump|late_map|late_dump|silent [SECONDS [DIRECTORY]]: writes machine code into memory,
 * and runs it: three functions that use about 20, 30 and 50 % of the CPU time. The program tells of
 * them in /tmp/perf-PID.map, or in DIRECTORY/jit-PID.dump, or not at all; at once, or all at its
 * end.
 *
 * At SIGUSR1, or half way if it tells late, another function takes the place of the last one; in a
 * dump the second one moves, too. The truth is the thread's own CPU clock around the calls. The
 * program prints it at that time and at the end:
 *	{"functions_ns": {"jit_20": 30012345, ...}}
 */
#include <fcntl.h>
#include <sys/mman.h>

#define WORKLOAD_CLOCK CLOCK_PROCESS_CPUTIME_ID
#include "workload.h"

#define NR_FUNCTIONS 4
#define STEP	     4096 /* from one function to the next */
#define ROUNDS	     20000

/* push %rbp; mov %rsp, %rbp; again: sub $1, %rdi; jne again; pop %rbp; ret */
static const unsigned char machine_code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83,
					     0xef, 0x01, 0x75, 0xfa, 0x5d, 0xc3};

static struct emitted_function {
	const char *name;
	uint64_t mean_ns;
	unsigned char *code;
	uint64_t spent_ns;
} functions[NR_FUNCTIONS] = {
	{"jit_20", 2 * MS / 4, NULL, 0},
	{"jit_30", 3 * MS / 4, NULL, 0},
	{"jit_50", 5 * MS / 4, NULL, 0},
	{"jit_second_50", 5 * MS / 4, NULL, 0}, /* in the place of jit_50 */
};

static int map = -1, dump = -1;
static bool tells_map, tells_dump, is_late;

static struct {
	char bytes[65536];
	size_t nr;
} kept; /* to be told late */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- telling ---- */

static void put(int fd, const void *data, size_t bytes)
{
	if (is_late && bytes <= sizeof(kept.bytes) - kept.nr) {
		memcpy(kept.bytes + kept.nr, data, bytes);
		kept.nr += bytes;
	} else if (write(fd, data, bytes) != (ssize_t)bytes) {
		fail("write");
	}
}

static void tell_map(const struct emitted_function *function)
{
	char line[128];
	const int bytes = snprintf(line, sizeof(line), "%llx %zx %s\n",
				   (unsigned long long)(uintptr_t)function->code,
				   sizeof(machine_code), function->name);

	put(map, line, (size_t)bytes);
}

static void put_record(uint32_t kind, const void *payload, size_t payload_bytes, size_t more_bytes)
{
	const uint32_t head[] = {kind, (uint32_t)(16 + payload_bytes + more_bytes)};
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	put(dump, head, sizeof(head));
	put(dump, &now_ns, sizeof(now_ns));
	put(dump, payload, payload_bytes);
}

static void tell_dump(const struct emitted_function *function)
{
	const uint64_t address = (uintptr_t)function->code;
	const uint64_t payload[] = {(uint64_t)getpid() | (uint64_t)getpid() << 32, address, address,
				    sizeof(machine_code), (uint64_t)(function - functions)};

	put_record(0, payload, sizeof(payload), strlen(function->name) + 1 + sizeof(machine_code));
	put(dump, function->name, strlen(function->name) + 1);
	put(dump, machine_code, sizeof(machine_code));
}

static void tell_move(const struct emitted_function *function, uint64_t from)
{
	const uint64_t address = (uintptr_t)function->code;
	const uint64_t payload[] = {(uint64_t)getpid() | (uint64_t)getpid() << 32,
				    address,
				    from,
				    address,
				    sizeof(machine_code),
				    (uint64_t)(function - functions)};

	put_record(1, payload, sizeof(payload), 0);
}

static void open_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (map < 0)
		fail(path);
}

static void open_dump(const char *directory)
{
	const uint32_t header[] = {0x4a695444, 1, 40, 62, 0, (uint32_t)getpid(), 0, 0, 0, 0};
	char path[512];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid());
	dump = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (dump < 0)
		fail(path);
	put(dump, header, sizeof(header));
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		fail("mmap");
}

static void begin_telling(const char *kind, const char *directory)
{
	is_late = !strncmp(kind, "late_", 5);
	tells_map = !strcmp(kind + 5 * is_late, "map");
	tells_dump = !strcmp(kind + 5 * is_late, "dump");
	if (tells_map && !is_late)
		open_map();
	if (tells_dump)
		open_dump(directory);
}

static void tell_late(void)
{
	is_late = false;
	if (tells_map)
		open_map();
	put(tells_map ? map : dump, kept.bytes, kept.nr);
}

/* ---- making code ---- */

static void make(struct emitted_function *function, unsigned char *code)
{
	function->code = code;
	memcpy(code, machine_code, sizeof(machine_code));
	if (tells_map)
		tell_map(function);
	if (tells_dump)
		tell_dump(function);
}

static void make_first(void)
{
	unsigned char *memory = mmap(NULL, NR_FUNCTIONS * STEP, PROT_READ | PROT_WRITE | PROT_EXEC,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	for (int i = 0; i < NR_FUNCTIONS - 1; i++)
		make(&functions[i], memory + i * STEP);
}

static void make_second(void)
{
	unsigned char *const from = functions[1].code;

	make(&functions[3], functions[2].code);
	if (!tells_dump)
		return;
	functions[1].code = functions[2].code + STEP;
	memcpy(functions[1].code, machine_code, sizeof(machine_code));
	memset(from, 0xcc, sizeof(machine_code));
	tell_move(&functions[1], (uintptr_t)from);
}

/* ---- running ---- */

static void print_truth(void)
{
	printf("{\"functions_ns\": {");
	for (int i = 0; i < NR_FUNCTIONS; i++)
		printf("%s\"%s\": %llu", i ? ", " : "", functions[i].name,
		       (unsigned long long)functions[i].spent_ns);
	printf("}}\n");
	fflush(stdout);
}

static FRAME void run(struct emitted_function *function, uint64_t ns)
{
	void (*const code)(uint64_t rounds) = (void (*)(uint64_t))(uintptr_t)function->code;
	const uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t used = 0;

	while (used < ns && !workload_stopped) {
		code(ROUNDS);
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	}
	function->spent_ns += used;
	KEEP_FRAME();
}

static FRAME void run_all(uint64_t half_way, uint64_t deadline)
{
	uint32_t random = 2463534242u;
	int last = 2;

	while (!past(deadline)) {
		run(&functions[0], random_near(functions[0].mean_ns, &random));
		run(&functions[1], random_near(functions[1].mean_ns, &random));
		run(&functions[last], random_near(functions[last].mean_ns, &random));
		if (last == 2 && (is_late ? past(half_way) : workload_signalled)) {
			last = 3;
			make_second();
			print_truth();
		}
	}
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "map";
	const uint64_t deadline = workload_begin(argument(argc, argv, 2, WORKLOAD_MAX_SECONDS));
	const uint64_t half_way = deadline - (deadline - clock_ns(WORKLOAD_CLOCK)) / 2;

	begin_telling(kind, argc > 3 ? argv[3] : ".");
	make_first();
	printf("{\"pid\": %d}\n", getpid());
	workload_ready();
	run_all(half_way, deadline);
	if (is_late)
		tell_late();
	print_truth();
	return 0;
}
