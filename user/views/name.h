/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of a frame in every view: what marks its kind, and where it is from. */
#ifndef TOPSTACKS_VIEWS_NAME_H
#define TOPSTACKS_VIEWS_NAME_H

#include <stddef.h>

#include "base/middle.h"
#include "profile/frame.h"
#include "views/pen.h"

struct process;

/*
 * "copy_from_user [k]", "nft_do_chain [k] (nf_tables)", "epoll_wait (libc.so.6)". module: NULL for
 * none. Where there is little room a long name of C++ is shown brief, and the module goes. What is longer still
 * loses its middle; where there is room without end, above MIDDLE_MOST columns.
 */
void name__write(struct pen *pen, const char *name, const char *module, enum frame_kind kind);

/*
 * The columns that a name needs with its mark, if it may have most for itself (SIZE_MAX: any number), so
 * that one long name leaves something for others.
 */
size_t name__width(const char *name, enum frame_kind kind, size_t most);

/*
 * The command line of a process behind its name, if it is known, without the program if that is what the
 * process is called: "cc1 (4711)  -quiet main.c". NULL is no process.
 */
void name__write_arguments(struct pen *pen, const struct process *process);

#define BRIEF_SIZE 512

/*
 * What name__write() shows of a name in most columns (0: as few as there may be), as names of C++ begin with
 * what matters least: "std::vector<int> ns::parse<char>(int) const" is "ns::parse<>": without its return
 * type, its parameters, and the arguments of templates. Returns name itself, or what is in fitted.
 */
struct fitted_name {
	char brief[BRIEF_SIZE], shortened[MIDDLE_SIZE];
};
const char *name__fit(const char *name, size_t most, struct fitted_name *fitted);

#endif
