/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of a frame in every view, with the mark of its kind and its module. */
#ifndef TOPSTACKS_VIEWS_NAME_H
#define TOPSTACKS_VIEWS_NAME_H

#include "base/common.h"
#include "base/middle.h"
#include "profile/frame.h"
#include "views/pen.h"

struct process;

/*
 * Writes "copy_from_user [k]", "nft_do_chain [k] (nf_tables)" or "epoll_wait (libc.so.6)". module:
 * NULL for none. With little room a long C++ name is written brief, and the module is left out.
 * Names that still are too long lose their middle; without a limit, those wider than MIDDLE_MOST
 * columns.
 */
void name__write(struct pen *pen, const char *name, const char *module, enum frame_kind kind);

/*
 * The columns of a name with its mark. The name itself is shortened to most columns (SIZE_MAX: no
 * limit), so that one long name leaves room for others.
 */
size_t name__width(const char *name, enum frame_kind kind, size_t most);

/*
 * Writes the command line of a process behind its name, if known: "cc1 (4711)  -quiet main.c".
 * The program is left out if the process has its name. NULL: writes nothing.
 */
void name__write_arguments(struct pen *pen, const struct process *process);

#define BRIEF_SIZE 512

/*
 * Fits a name into most columns (0: as few as possible). C++ names begin with the least important
 * part, so they are made brief: "std::vector<int> ns::parse<char>(int) const" becomes
 * "ns::parse<>", without return type, parameters and template arguments. Returns name itself, or a
 * buffer in fitted.
 */
struct fitted_name {
	char brief[BRIEF_SIZE], shortened[MIDDLE_SIZE];
};
const char *name__fit(const char *name, size_t most, struct fitted_name *fitted);

#endif
