// SPDX-License-Identifier: GPL-2.0-only
/* Mangled names that mean harm: each is a program that a demangler runs, and has to end soon. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[NAME_MAX_DEMANGLED];
	char *mangled = malloc(size + 1);
	size_t length;

	if (!mangled)
		return 0;
	memcpy(mangled, data, size);
	mangled[size] = '\0';
	length = names__demangle(mangled, text, sizeof(text));
	if (length && (length >= sizeof(text) || strlen(text) != length))
		abort();
	free(mangled);
	return 0;
}
