// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/presets.h"

#include "capture/events/event_words.h"

/*
 * The mmap event counts only anonymous memory that is writable at once: MAP_ANONYMOUS and
 * PROT_WRITE. Address space that an allocator reserves is left out; the parts it then maps for use
 * are counted. The argument of brk is an address, or 0 as a query: no field tells how far the end
 * moves.
 */
const struct preset presets[] = {
	{"growth",
	 "page-faults,syscalls:sys_enter_mmap/weight=len,unit=bytes,flags&0x20,prot&2/,"
	 "syscalls:sys_enter_brk/brk>0/",
	 "memory that is asked from the kernel by mmap and brk, and where it is touched",
	 "growth tells where memory was asked from the kernel or touched for the first time: not "
	 "which allocation a page is of, nor what was freed"},
	{0},
};

const struct preset *preset__find(const char *name, size_t length)
{
	const struct preset *preset;

	for (preset = presets; preset->name; preset++)
		if (strlen(preset->name) == length && !strncmp(preset->name, name, length))
			return preset;
	return NULL;
}

const struct preset *preset__first(const char *events)
{
	const struct preset *preset = NULL;
	size_t length;

	while (events && !preset) {
		length = event_words__item_length(events);
		preset = preset__find(events, length);
		events = events[length] ? events + length + 1 : NULL;
	}
	return preset;
}
