// SPDX-License-Identifier: GPL-2.0-only
/* Invariant: answers[i] belongs to the row with id i, and is valid once asked[i] is set. */
#include "capture/host/features.h"

#include <fcntl.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"

/* The longest path in a remedy; a longer one would leave too little room in an error's sentence. */
enum { MAX_PATH_BYTES = 200 };

struct features {
	const char *root;
	bool asked[FEATURES];
	struct feature_answer answers[FEATURES];
	char setcap[512];
	struct btf *types; /* NULL: not read, or not readable */
	bool asked_types;
};

const char *feature_state__name(enum feature_state state)
{
	static const char *const names[] = {
		[FEATURE_OK] = "ok",
		[FEATURE_LIMITED] = "limited",
		[FEATURE_MISSING] = "missing",
		[FEATURE_UNKNOWN] = "unknown",
	};

	return names[state];
}

/*
 * The setcap remedy ends in the program's path if that is safe for shells and terminals;
 * "/usr/bin/topstacks (deleted)" is not. Otherwise it ends in "./topstacks", and the reader finds
 * the file.
 */
struct features *features__new(const char *root)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "/._+-";
	struct features *features = xcalloc(1, sizeof(*features));
	char link[512], path[MAX_PATH_BYTES] = "";
	ssize_t length;

	features->root = root;
	snprintf(link, sizeof(link), "%s/proc/self/exe", root);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0 || length == sizeof(path) - 1 || path[strspn(path, plain)])
		strcpy(path, "./topstacks");
	snprintf(features->setcap, sizeof(features->setcap), "%s %s", features__setcap, path);
	return features;
}

void features__free(struct features *features)
{
	if (features)
		btf__free(features->types);
	free(features);
}

struct btf *features__types(struct features *features)
{
	if (!features->asked_types) {
		libbpf_set_print(NULL);
		features->types = btf__load_vmlinux_btf();
	}
	features->asked_types = true;
	return features->types;
}

const struct feature_answer *features__answer(struct features *features, enum feature_id id)
{
	struct feature_answer *answer = &features->answers[id];
	const struct feature *row = &features__rows[id];
	uint64_t before;

	if (!features->asked[id]) {
		features->asked[id] = true;
		answer->remedy = row->remedy;
		before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
		row->probe(&(struct probe){features, row, answer});
		rights__restore(before);
		if (answer->remedy == features__setcap)
			answer->remedy = features->setcap;
		if (answer->state == FEATURE_OK)
			answer->remedy = NULL;
	}
	return answer;
}

int features__read(const struct features *features, const char *path, char *text, size_t size)
{
	char full[512];
	ssize_t length;
	int fd, code;

	if (snprintf(full, sizeof(full), "%s%s", features->root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	code = length < 0 ? -errno : 0;
	text[length < 0 ? 0 : length] = '\0';
	close(fd);
	return code;
}
