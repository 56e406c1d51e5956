// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -Wl,--no-as-needed -lbpf
/*
 * xdp [SECONDS]: sends packets through a veth pair whose other end drops them by an XDP program
 * (xdp.bpf.c). Each end is in a network namespace of its own without a name, so that nothing is
 * left when the processes are gone, however they end. At the end the program prints the names that
 * the kernel may give to each of the XDP program's functions, callers first. They are made of the
 * functions' tags and of their names in its BTF:
 *
 *	{"pid": N, "functions": [["bpf_prog_6deef7357e7b4530_drop_packet", ...], ...], "packets": N}
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>

#include "workload.h"

#define MAX_FUNCTIONS 8
#define PACKET_BYTES  256

static void fail(const char *act)
{
	fprintf(stderr, "xdp: %s: %s\n", act, strerror(errno));
	exit(1);
}

static void run_ip(const char *format, int number)
{
	char command[256];

	snprintf(command, sizeof(command), format, number);
	if (system(command))
		fail(command);
}

/*
 * Starts a process that only holds the namespace of the far end, and ends with us. Returns its id.
 */
static pid_t make_far_namespace(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready) || (pid = fork()) < 0)
		fail("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNET) || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		fail("unshare");
	close(ready[0]);
	return pid;
}

/* Enters the namespace of that process, attaches the program there, and comes back. */
static void attach_far(pid_t pid, struct bpf_program *program)
{
	char path[64];
	int near, far;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
	near = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	far = open(path, O_RDONLY | O_CLOEXEC);
	if (near < 0 || far < 0 || setns(far, CLONE_NEWNET))
		fail("setns");
	run_ip("ip link set far up", 0);
	if (!bpf_program__attach_xdp(program, (int)if_nametoindex("far")))
		fail("attach");
	if (setns(near, CLONE_NEWNET))
		fail("setns");
	close(near);
	close(far);
}

static struct bpf_object *load(const char *own_path)
{
	struct bpf_object *object;
	char path[512];

	snprintf(path, sizeof(path), "%s.bpf.o", own_path);
	object = bpf_object__open_file(path, NULL);
	if (!object || bpf_object__load(object))
		fail(path);
	return object;
}

static int open_near(void)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_ifindex = (int)if_nametoindex("near"),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		fail("packet socket");
	return fd;
}

static void print_name(const __u8 tag[BPF_TAG_SIZE], const char *function)
{
	int i;

	printf("\"bpf_prog_");
	for (i = 0; i < BPF_TAG_SIZE; i++)
		printf("%02x", tag[i]);
	printf("_%s\"", function);
}

/* The first function has the tag of the program, or one of its own: kernels differ. */
static void print_functions(int program)
{
	struct bpf_func_info functions[MAX_FUNCTIONS];
	__u8 tags[MAX_FUNCTIONS][BPF_TAG_SIZE];
	struct bpf_prog_info info = {
		.nr_prog_tags = MAX_FUNCTIONS,
		.prog_tags = (__u64)(uintptr_t)tags,
		.nr_func_info = MAX_FUNCTIONS,
		.func_info_rec_size = sizeof(functions[0]),
		.func_info = (__u64)(uintptr_t)functions,
	};
	__u32 size = sizeof(info), i;
	const char *name;
	struct btf *btf;

	if (bpf_obj_get_info_by_fd(program, &info, &size))
		fail("info");
	btf = btf__load_from_kernel_by_id(info.btf_id);
	for (i = 0; btf && i < info.nr_prog_tags && i < info.nr_func_info; i++) {
		name = btf__name_by_offset(btf,
					   btf__type_by_id(btf, functions[i].type_id)->name_off);
		printf(i ? ", [" : "[");
		if (i == 0) {
			print_name(info.tag, name);
			printf(", ");
		}
		print_name(tags[i], name);
		printf("]");
	}
	btf__free(btf);
}

static uint64_t read_packets(struct bpf_object *object)
{
	struct bpf_map *globals = bpf_object__find_map_by_name(object, "xdp.bss");
	struct {
		uint64_t nr_packets, mixed;
	} values = {0};
	uint32_t zero = 0;

	if (globals)
		bpf_map_lookup_elem(bpf_map__fd(globals), &zero, &values);
	return values.nr_packets;
}

static FRAME void send_packets(int fd)
{
	static const char packet[PACKET_BYTES] = {
		[12] = 0x88, [13] = (char)0xb5}; /* experimental */
	int i;

	for (i = 0; i < 64; i++)
		raw_syscall(SYS_write, fd, (long)packet, sizeof(packet));
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	struct bpf_object *object = load(argv[0]);
	struct bpf_program *program = bpf_object__next_program(object, NULL);
	pid_t far;
	int fd;

	if (unshare(CLONE_NEWNET))
		fail("unshare");
	far = make_far_namespace();
	run_ip("ip link add near type veth peer name far netns %d", far);
	run_ip("ip link set near up", 0);
	attach_far(far, program);
	fd = open_near();
	workload_ready();
	while (!past(deadline))
		send_packets(fd);
	printf("{\"pid\": %d, \"functions\": [", getpid());
	print_functions(bpf_program__fd(program));
	printf("], \"packets\": %llu}\n", (unsigned long long)read_packets(object));
	return 0;
}
