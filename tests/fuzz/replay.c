// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target without its fuzzer: the files named, each whole, cut off at every byte, and with
 * every byte changed in three ways.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES 4096

static void run_damaged(uint8_t *data, size_t size)
{
	static const uint8_t changes[] = {0x01, 0x80, 0xff};

	for (size_t at = 0; at < size; at++) {
		LLVMFuzzerTestOneInput(data, at);
		for (size_t i = 0; i < sizeof(changes); i++) {
			data[at] ^= changes[i];
			LLVMFuzzerTestOneInput(data, size);
			data[at] ^= changes[i];
		}
	}
}

int main(int argc, char **argv)
{
	static uint8_t data[MAX_BYTES];

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		size_t size;

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		size = fread(data, 1, sizeof(data), file);
		fclose(file);
		LLVMFuzzerTestOneInput(data, size);
		run_damaged(data, size);
	}
	return argc > 1 ? 0 : 1;
}
