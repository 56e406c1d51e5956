// SPDX-License-Identifier: GPL-2.0-only
#include "run/preload/preload_fit.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/system/users.h"
#include "run/preload/program_file.h"
#include "run/preload/program_kind.h"

/* The directory of libraries on Debian for our machine. */
#ifdef __x86_64__
#define LIBRARIES "/lib/x86_64-linux-gnu"
#else
#define LIBRARIES "/lib/aarch64-linux-gnu"
#endif

#define INSTEAD "start it and use -e alloc -p PID"

/*
 * Whether executing the file changes the process's credentials. The loader then runs in
 * secure-execution mode (ld.so(8)).
 */
static bool gives_rights(int fd, uid_t user, gid_t group)
{
	struct statvfs mounted;
	struct stat status;

	if (fstat(fd, &status) || fstatvfs(fd, &mounted) || mounted.f_flag & ST_NOSUID)
		return false;
	if (status.st_mode & S_ISUID && status.st_uid != user)
		return true;
	if (status.st_mode & S_ISGID && status.st_mode & S_IXGRP && status.st_gid != group)
		return true;
	return user && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Matches gcc's libasan.so.8 and clang's libclang_rt.asan-x86_64.so. */
static void note_asan(void *context, const char *name)
{
	bool *found = context;

	if (!strncmp(name, "libasan.so", 10) || !strncmp(name, "libclang_rt.asan", 16))
		*found = true;
}

/*
 * Whether the program is linked with AddressSanitizer, and the user's ASAN_OPTIONS does not turn
 * its link-order check off.
 */
static bool has_asan(int fd)
{
	const char *options = getenv("ASAN_OPTIONS");
	bool found = false;

	if (options && strstr(options, "verify_asan_link_order=0"))
		return false;
	program_kind__visit_libraries(fd, note_asan, &found);
	return found;
}

/* user: an account's name; NULL: ours. */
static enum preload_obstacle find_obstacle(int fd, const char *user)
{
	const struct program_kind glance = program_kind__at(fd);
	struct user account = {.number = getuid(), .group = getgid()};

	if (!glance.is_elf)
		return PRELOAD_NO_OBSTACLE;
	if (!glance.is_native)
		return PRELOAD_FOREIGN;
	if (!glance.is_dynamic)
		return PRELOAD_STATIC;
	if ((!user || !users__find(&account, user)) &&
	    gives_rights(fd, account.number, account.group))
		return PRELOAD_PRIVILEGED;
	if (program_kind__exports(fd, "malloc"))
		return PRELOAD_OWN_MALLOC;
	return has_asan(fd) ? PRELOAD_ASAN : PRELOAD_NO_OBSTACLE;
}

enum preload_obstacle preload_fit__check(const char *command, const char *user, struct error *err)
{
	static const char *const sentences[] = {
		[PRELOAD_STATIC] =
			"is linked statically: no malloc can be put in front of its own; " INSTEAD,
		[PRELOAD_FOREIGN] = "is a program for another machine, or of 32 bits, for which "
				    "there is no libtopstacks-alloc.so; " INSTEAD,
		[PRELOAD_PRIVILEGED] =
			"gets rights when it is executed (set-user-ID, set-group-ID or "
			"capabilities), so its loader does not take libtopstacks-alloc.so; "
			"run it as its owner, or " INSTEAD,
		[PRELOAD_OWN_MALLOC] = "has a malloc of its own, which comes before any that is "
				       "preloaded; " INSTEAD,
		[PRELOAD_ASAN] = "is linked with AddressSanitizer, which ends a program that has a "
				 "library preloaded; set ASAN_OPTIONS=verify_asan_link_order=0",
	};
	enum preload_obstacle obstacle;
	struct quoted quoted;
	const int fd = program_file__open(command);

	if (fd < 0)
		return PRELOAD_NO_OBSTACLE;
	obstacle = find_obstacle(fd, user);
	close(fd);
	if (obstacle)
		error__say(err, EXIT_SYSTEM, -ENOEXEC, "%s %s", quote(&quoted, command),
			   sentences[obstacle]);
	return obstacle;
}

/*
 * Whether a library exports a symbol. Without a slash in its name it is looked for in the usual
 * directories of loaders; a wrong guess only makes the note wrong.
 */
static bool exports(const char *name, int length, const char *symbol)
{
	static const char *const directories[] = {"/usr/local/lib", LIBRARIES, "/lib64", "/lib"};
	char path[PATH_MAX];
	bool found;
	int fd = -ENOENT;

	if (length >= PATH_MAX)
		return false;
	if (memchr(name, '/', (size_t)length)) {
		snprintf(path, sizeof(path), "%.*s", length, name);
		fd = program_file__open_path(path);
	} else {
		for (size_t i = 0; fd < 0 && i < sizeof(directories) / sizeof(*directories); i++) {
			snprintf(path, sizeof(path), "%s/%.*s", directories[i], length, name);
			fd = program_file__open_path(path);
		}
	}
	if (fd < 0)
		return false;
	found = program_kind__exports(fd, symbol);
	close(fd);
	return found;
}

/*
 * Notes a linked library that defines both malloc and operator new. C++'s own operator new calls
 * malloc; an allocator's may not.
 */
static void note_linked(void *context, const char *name)
{
	char **note = context;
	struct quoted quoted;
	const int length = (int)strlen(name);

	if (!*note && exports(name, length, "malloc") && exports(name, length, "_Znwm"))
		*note = xasprintf("the command is linked with %s, whose operator new does not ask "
				  "malloc: what C++ code allocates by that is not sampled",
				  quote(&quoted, name));
}

char *preload_fit__note(const char *command)
{
	const char *name = getenv("LD_PRELOAD");
	char *note = NULL, *library;
	struct quoted quoted;
	int length = 0, fd;

	for (; name && *name && !note; name += length) {
		name += strspn(name, ": ");
		length = (int)strcspn(name, ": ");
		if (!length || !exports(name, length, "malloc"))
			continue;
		library = xstrndup(name, (size_t)length);
		note = xasprintf("LD_PRELOAD names %s, which has a malloc of its own and comes "
				 "first: only its calls of the next malloc are sampled",
				 quote(&quoted, library));
		free(library);
	}
	if (note)
		return note;

	fd = program_file__open(command);
	if (fd < 0)
		return NULL;
	program_kind__visit_libraries(fd, note_linked, &note);
	close(fd);
	return note;
}
