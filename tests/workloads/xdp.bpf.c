// SPDX-License-Identifier: GPL-2.0-only
/* xdp.c loads this program. It hashes and drops every packet, most of the time in mix_payload(). */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define NR_ROUNDS 2000

char LICENSE[] SEC("license") = "GPL";

struct {
	__u64 nr_packets;
	__u64 mixed;
} totals = {};

static __attribute__((noinline)) __u64 mix_payload(__u64 seed)
{
	__u32 i;

	for (i = 0; i < NR_ROUNDS; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		asm volatile("" : "+r"(seed));
	}
	return seed;
}

static __attribute__((noinline)) int look_into_packet(struct xdp_md *packet)
{
	totals.mixed = mix_payload(totals.mixed + packet->ingress_ifindex);
	return XDP_DROP;
}

SEC("xdp")
int drop_packet(struct xdp_md *packet)
{
	int verdict = look_into_packet(packet);

	__sync_fetch_and_add(&totals.nr_packets, 1);
	return verdict;
}
