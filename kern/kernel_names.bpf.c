// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the kernel for the names of single addresses, the few that were sampled, rather than reading
 * the hundred thousand lines of /proc/kallsyms. An object of its own, loaded at the first query.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "topstacks/abi.h"

struct kernel_name answer = {};

SEC("syscall") /* 5.14 (79a7f8bdb159); bpf_snprintf is of 5.13 (7b15523a989b) */
int on_name_address(struct kernel_question *question)
{
	static const char format[] = "%pS";
	__u64 address = question->address;

	return bpf_snprintf(answer.text, sizeof(answer.text), format, &address, sizeof(address));
}

char LICENSE[] SEC("license") = "GPL";
