/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The place of a probe: the file, as a process sees it, and the offset. Files are opened by an
 * opener and read by a reader, as they are untrusted.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_PLACE_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_PLACE_H

#include "base/common.h"
#include "capture/probes/placement.h"

struct opener;
struct uprobe;
struct readers;

struct probe_place {
	int file;	 /* open for reading; the caller's */
	uint64_t offset; /* in the file */
	/* offset from the function's entry, and whether the kernel emulates the instruction */
	struct placement of_function;
	uint64_t function_bytes; /* bytes of the function's code that were read */
	/* code from the place on, up to the end of the function; then zeros */
	uint8_t code[16];
};

/*
 * Opens the file of a probe. pid: a process of our pid namespace; a path is looked up in its root,
 * a name among its mappings. 0: no process, so the file must be a path. opener NULL: this process
 * opens the file. Returns a descriptor, owned by the caller, or negative errno with a sentence.
 */
int probe_place__open_file(const struct uprobe *probe, struct opener *opener, int32_t pid,
			   struct error *err);

/*
 * Finds the place in that file. place->file is set to file, also after an error. Returns 0 or
 * negative errno with a sentence.
 */
int probe_place__find(struct probe_place *place, const struct uprobe *probe, int file,
		      struct readers *readers, struct error *err);

#endif
