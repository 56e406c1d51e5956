// SPDX-License-Identifier: GPL-2.0-only
#include "capture/host/helper_calls.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/bpf.h>

#include <bpf/libbpf.h>

int helper_calls__replace(struct bpf_program *program, int32_t helper, struct bpf_insn with)
{
	const struct bpf_insn *old = bpf_program__insns(program);
	const size_t nr = bpf_program__insn_cnt(program);
	struct bpf_insn *code = malloc(nr * sizeof(*code));
	int err;

	if (!code)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		code[i] = old[i].code == (BPF_JMP | BPF_CALL) && !old[i].src_reg &&
					  old[i].imm == helper
				  ? with
				  : old[i];
	err = bpf_program__set_insns(program, code, nr);
	free(code);
	return err;
}
