// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Access rights of the first Landlock version; they include creating sockets, FIFOs and devices. */
#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define OF_FILES \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE)
#define CHANGING                                                         \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |  \
	 LANDLOCK_ACCESS_FS_MAKE_REG)
#define NEVER                                                          \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |   \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static int add_rule(int rules, const struct open_place *place)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = place->is_written ? READING | CHANGING : READING,
		.parent_fd = open(place->path, O_PATH | O_CLOEXEC),
	};
	struct stat status;
	int code = 0;

	if (rule.parent_fd < 0)
		return 0;
	if (!fstat(rule.parent_fd, &status) && !S_ISDIR(status.st_mode))
		rule.allowed_access &= OF_FILES;
	if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0))
		code = -errno;
	close(rule.parent_fd);
	return code;
}

int landlock__install(const struct open_place *places, size_t nr_places)
{
	const struct landlock_ruleset_attr attr = {.handled_access_fs = READING | CHANGING | NEVER};
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	int code = 0;

	if (rules < 0)
		return errno == ENOSYS ? -EOPNOTSUPP : -errno;
	for (size_t i = 0; i < nr_places && !code; i++)
		code = add_rule(rules, &places[i]);
	if (!code && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		      syscall(SYS_landlock_restrict_self, rules, 0)))
		code = -errno;
	close(rules);
	return code;
}
