// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/loader.h"

#include <bpf/libbpf.h>

const char *loader__version(void)
{
	const char *version = libbpf_version_string();

	return *version == 'v' ? version + 1 : version;
}
