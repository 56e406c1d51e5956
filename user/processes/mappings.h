/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executable mappings of a program image: sorted, without overlap, shared by those who have the
 * same ones (a fork and its parent) until one of them changes.
 */
#ifndef TOPSTACKS_PROCESSES_MAPPINGS_H
#define TOPSTACKS_PROCESSES_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

struct module;
struct modules;

/* A piece of a mapping: what later mappings left of it. */
struct area {
	uint64_t start, end;
	uint64_t offset; /* of start in the file */
	struct module *module;
	uint64_t mapped_ns;   /* since then it is there; 0: not known, or before we looked */
	uint64_t replaced_ns; /* until then other code was in a part of it; 0: never */
};

struct mappings;

/* Empty. NULL: out of memory. */
struct mappings *mappings__new(void);
struct mappings *mappings__share(struct mappings *mappings);
/* Drops one reference. */
void mappings__free(struct mappings *mappings);

/*
 * Puts an area over what is there; takes its own reference to the module. *mappings is replaced if
 * others share it, and may move. 0, -ENOMEM, or -E2BIG: more areas than a process may have.
 */
int mappings__apply(struct mappings **mappings, const struct area *area);

/*
 * The same with what the kernel tells of it; modules: where its module is, or comes to be; time_ns:
 * when it was mapped, 0 if that is not known.
 */
int mappings__map(struct mappings **mappings, struct modules *modules,
		  const struct mapping *mapping, uint64_t time_ns);

/* The area that contains the address, NULL if none; valid until the next apply. */
const struct area *mappings__find(const struct mappings *mappings, uint64_t address);

const struct area *mappings__areas(const struct mappings *mappings, size_t *nr_areas);
/* A share of the bytes: those of n sharers add up to the whole. */
size_t mappings__memory_bytes(const struct mappings *mappings);

/*
 * Parses a line of /proc/PID/maps, without its newline; changes it. mapping->path points into it.
 * False: not such a line.
 */
bool mapping__parse(char *line, struct mapping *mapping, bool *executable);

#endif
