/* SPDX-License-Identifier: GPL-2.0-only */
/* How many files this process has open, to see that none is forgotten. */
#ifndef TOPSTACKS_TESTS_DESCRIPTORS_H
#define TOPSTACKS_TESTS_DESCRIPTORS_H

#include <dirent.h>
#include <stddef.h>

static inline size_t count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t nr = 0;

	while (readdir(directory))
		nr++;
	closedir(directory);
	return nr;
}

#endif
