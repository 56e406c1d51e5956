// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/interpreters.h"

#include <sys/mman.h>

#include "topstacks/interpreter_abi.h"

#define MAP_BYTES (INTERPRETERS_MAX * sizeof(struct interpreter))

struct known_interpreters {
	struct interpreter *list; /* mapped */
	bool is_used[INTERPRETERS_MAX];
};

struct known_interpreters *known_interpreters__new(int map)
{
	struct known_interpreters *interpreters = calloc(1, sizeof(*interpreters));
	void *list;

	if (!interpreters)
		return NULL;
	list = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (list == MAP_FAILED) {
		free(interpreters);
		return NULL;
	}
	interpreters->list = list;
	return interpreters;
}

void known_interpreters__free(struct known_interpreters *interpreters)
{
	if (!interpreters)
		return;
	munmap(interpreters->list, MAP_BYTES);
	free(interpreters);
}

uint16_t known_interpreters__add(struct known_interpreters *interpreters,
				 const struct interpreter *interpreter)
{
	for (uint16_t i = 0; interpreters && i < INTERPRETERS_MAX; i++) {
		if (interpreters->is_used[i])
			continue;
		interpreters->is_used[i] = true;
		interpreters->list[i] = *interpreter;
		return i + 1;
	}
	return 0;
}

void known_interpreters__remove(struct known_interpreters *interpreters, uint16_t number)
{
	if (interpreters && number)
		interpreters->is_used[number - 1] = false;
}
