// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the places that topstacks finds for addresses in a file, to be compared with other tools:
 *
 *	places FILE < ADDRESSES		0x11a9
 *					  _ZN4tree4findEi /tmp/tree.cc:12
 *					  main /tmp/tree.cc:40
 *
 * Frames are innermost first, with names as the linker knows them. ?? and 0 mean: not known.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lines/lines.h"
#include "readers/readers.h"

struct addresses {
	uint64_t *items;
	size_t nr;
};

static int read_addresses(struct addresses *addresses)
{
	size_t capacity = 0;
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		if (addresses->nr == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			addresses->items =
				reallocarray(addresses->items, capacity, sizeof(address));
			if (!addresses->items)
				return -1;
		}
		addresses->items[addresses->nr++] = address;
	}
	return 0;
}

static size_t find(struct lines *lines, const char *path, uint64_t address, struct frame *frames)
{
	const struct frame frame = {.path = path, .kind = FRAME_USER, .address = address};

	return lines__find(lines, &frame, false, frames);
}

static void print_places(struct lines *lines, const char *path, uint64_t address)
{
	struct frame frames[MAX_LINE_FRAMES];
	size_t nr_frames = find(lines, path, address, frames);

	printf("0x%" PRIx64 "\n", address);
	for (size_t i = 0; i < nr_frames; i++)
		printf("  %s %s:%" PRIu32 "\n", frames[i].function ? frames[i].function : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line);
}

int main(int argc, char **argv)
{
	struct lines_options options = {.demangle = false};
	struct lines *lines = NULL;
	struct addresses addresses = {0};
	struct frame frames[MAX_LINE_FRAMES];
	struct lines_account account;
	char *path = argc == 2 ? realpath(argv[1], NULL) : NULL;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (!readers__start(&options.readers, jobs__find))
		lines = lines__new(&options);
	if (fd < 0 || !lines || read_addresses(&addresses)) {
		fprintf(stderr, "usage: places FILE < ADDRESSES\n");
		return 2;
	}
	lines__keep(lines, path, NULL, fd, -1);
	for (size_t i = 0; i < addresses.nr; i++)
		find(lines, path, addresses.items[i], frames);
	lines__work(lines, UINT64_MAX);
	for (size_t i = 0; i < addresses.nr; i++)
		print_places(lines, path, addresses.items[i]);
	lines__account(lines, &account);
	if (account.files_failed || account.files_not_started || account.files_too_big ||
	    account.unread)
		fprintf(stderr,
			"places: failed %" PRIu64 ", too big %" PRIu64 ", unread %" PRIu64 "\n",
			account.files_failed + account.files_not_started, account.files_too_big,
			account.unread);
	free(addresses.items);
	free(path);
	lines__free(lines);
	readers__stop(options.readers);
	return 0;
}
