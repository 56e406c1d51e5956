// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a loaded or a cold machine adds to a profile: context switches, interrupts, the way out of
 * the kernel where pending work is done, the zeroing of fresh pages. Their counts differ between
 * runs by 60 to 200 %, so they are shown but never judged, and are in nobody's reference.
 */
#include "diff/machine_units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char *const built_in[] = {
	"finish_task_switch",
	"schedule",
	"__schedule",
	"irqentry_exit",
	"exit_to_user_mode",
	"syscall_exit_to",
	"prepare_exit",
	"do_syscall",
	"sysvec",
	"asm_sysvec",
	"asm_exc",
	"irq_",
	"__irq",
	"softirq",
	"ksoftirqd",
	"rcu_",
	"tick_",
	"hrtimer",
	"update_",
	"native_",
	"pv_native",
	"_raw_spin_unlock_irq",
	"clear_page_erms",
};

struct machine_units {
	char **prefixes;
	size_t nr, capacity;
};

struct machine_units *machine_units__new(void)
{
	struct machine_units *units = calloc(1, sizeof(*units));

	for (size_t i = 0; units && i < sizeof(built_in) / sizeof(built_in[0]); i++) {
		if (machine_units__add(units, built_in[i])) {
			machine_units__free(units);
			return NULL;
		}
	}
	return units;
}

void machine_units__free(struct machine_units *units)
{
	if (!units)
		return;
	machine_units__clear(units);
	free(units);
}

int machine_units__add(struct machine_units *units, const char *prefix)
{
	char *copy;

	if (!prefix[0])
		return -EINVAL;
	if (array__reserve(&units->prefixes, &units->capacity, units->nr + 1))
		return -ENOMEM;
	copy = strdup(prefix);
	if (!copy)
		return -ENOMEM;
	units->prefixes[units->nr++] = copy;
	return 0;
}

void machine_units__clear(struct machine_units *units)
{
	for (size_t i = 0; i < units->nr; i++)
		free(units->prefixes[i]);
	free(units->prefixes);
	*units = (struct machine_units){0};
}

bool machine_units__match(const struct machine_units *units, const char *function)
{
	for (size_t i = 0; function && i < units->nr; i++) {
		if (!strncmp(function, units->prefixes[i], strlen(units->prefixes[i])))
			return true;
	}
	return false;
}

bool machine_units__is_interrupt(const struct machine_units *units, const char *function)
{
	static const char *const prefixes[] = {"asm_sysvec_", "sysvec_", "irq_exit", "__irq_exit"};

	for (size_t i = 0; function && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (!strncmp(function, prefixes[i], strlen(prefixes[i])))
			return machine_units__match(units, function);
	}
	return false;
}

const char *machine_units__prefix(const struct machine_units *units, size_t index)
{
	return index < units->nr ? units->prefixes[index] : NULL;
}
