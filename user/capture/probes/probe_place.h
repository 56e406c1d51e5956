/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe goes: the file, as a process sees it, and the address in it. Files are opened by an opener and
 * read by a reader: they may be anybody's.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_PLACE_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_PLACE_H

#include <stdint.h>

#include "base/error.h"
#include "capture/probes/placement.h"

struct opener;
struct uprobe;
struct readers;

struct probe_place {
	int file;		      /* for reading, of the caller's */
	uint64_t offset;	      /* in the file */
	struct placement of_function; /* the same from the function's entry on, and what it costs */
	uint64_t function_bytes;      /* of code, as far as it is looked at */
	uint8_t code[16];	      /* from there on, as far as the function goes; then 0 */
};

/*
 * The file of a probe. pid: a process of our pid namespace, in whose root a path is looked up, or among whose
 * mappings a name; 0: of nobody in particular, and it must be a path. opener NULL: the file is opened by ourselves.
 * A descriptor of the caller's, or negative errno with a sentence.
 */
int probe_place__open_file(const struct uprobe *probe, struct opener *opener, int32_t pid,
			   struct error *err);

/* Finds the place in that file, which is then the place's, also after an error. 0 or negative errno with a sentence. */
int probe_place__find(struct probe_place *place, const struct uprobe *probe, int file,
		      struct readers *readers, struct error *err);

#endif
