/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of a tree: every frame and process that its samples use, ranked. */
#ifndef TOPSTACKS_PROFILE_TREE_NAMES_H
#define TOPSTACKS_PROFILE_TREE_NAMES_H

#include "profile/profile.h"

/*
 * A name: nodes of equal names merge. Names have dense ids from 0, in order of text, processes
 * first.
 */
struct tree_name {
	const char *text;     /* frame__name(); a process: "comm", "comm-PID", "comm-PID/TID" */
	const char *module;   /* NULL: none */
	enum frame_kind kind; /* as shown; inlined only if all frames of this name are */
	bool process;	      /* no frame: kind means nothing */
};

/* The process or thread of samples, as far as merge distinguishes them; unused fields are 0. */
struct tree_owner {
	uint32_t process;
	int32_t tid;
	uint32_t name;
};

struct tree_names {
	struct tree_name *names;
	size_t nr_names;
	uint32_t *of_frame;	   /* by frame id of the dictionary; ID_NONE: in no sample */
	struct tree_owner *owners; /* sorted by process, then tid */
	size_t nr_owners;
	enum merge merge;
	char **made; /* texts that the dictionary does not hold */
	size_t nr_made;
};

/* names must be zero. */
void tree_names__init(struct tree_names *names, const struct profile *profile, enum merge merge);
void tree_names__fini(struct tree_names *names);

/* The name of the sample's process or thread; ID_NONE: it has none here. */
uint32_t tree_names__owner(const struct tree_names *names, const struct sample *sample);

#endif
