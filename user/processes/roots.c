// SPDX-License-Identifier: GPL-2.0-only
/*
 * A root is identified by its mount namespace and its directory there: chrooted processes may have
 * several in one namespace. An open descriptor keeps both numbers from being reused.
 */
#include "processes/roots.h"

#include <fcntl.h>
#include <unistd.h>

#define MAX_IDLE_NS 30000000000ULL /* like that of files without mappings */

struct root_directory {
	struct root_identity identity;
	size_t references;
	uint64_t idle_since_ns; /* 0: in use */
	int fd;
};

static bool is_equal(const struct root_identity *a, const struct root_identity *b)
{
	return a->namespace == b->namespace && a->device == b->device && a->inode == b->inode;
}

void roots__init(struct roots *roots)
{
	const int self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);

	*roots = (struct roots){0};
	if (self < 0)
		return;
	procfs__identify_root(self, &roots->own);
	close(self);
}

static void drop(struct roots *roots, size_t index)
{
	close(roots->roots[index]->fd);
	free(roots->roots[index]);
	roots->nr_roots--;
	roots->roots[index] = roots->roots[roots->nr_roots];
}

void roots__fini(struct roots *roots)
{
	while (roots->nr_roots)
		drop(roots, roots->nr_roots - 1);
}

static struct root_directory *find(const struct roots *roots, const struct root_identity *identity)
{
	for (size_t i = 0; i < roots->nr_roots; i++)
		if (is_equal(&roots->roots[i]->identity, identity))
			return roots->roots[i];
	return NULL;
}

/* Adds a root, in the place of an unused one if need be. NULL: there are too many. */
static struct root_directory *add(struct roots *roots, const struct root_identity *identity, int fd)
{
	struct root_directory *root;

	for (size_t i = 0; i < roots->nr_roots && roots->nr_roots == MAX_ROOTS; i++)
		if (!roots->roots[i]->references)
			drop(roots, i);
	if (roots->nr_roots == MAX_ROOTS)
		return NULL;
	root = xcalloc(1, sizeof(*root));
	root->identity = *identity;
	root->fd = fd;
	roots->roots[roots->nr_roots++] = root;
	return root;
}

static bool is_elsewhere(const struct roots *roots, const struct root_identity *identity)
{
	return identity->namespace && !is_equal(identity, &roots->own);
}

bool roots__has(const struct roots *roots, const struct root_identity *identity)
{
	return !is_elsewhere(roots, identity) || find(roots, identity);
}

struct root_directory *roots__take(struct roots *roots, const struct root_identity *identity,
				   int fd)
{
	struct root_directory *root = NULL;

	if (is_elsewhere(roots, identity)) {
		root = find(roots, identity);
		if (!root && fd >= 0) {
			root = add(roots, identity, fd);
			fd = root ? -1 : fd;
		}
	}
	if (fd >= 0)
		close(fd);
	return root__ref(root);
}

struct root_directory *root__ref(struct root_directory *root)
{
	if (root) {
		root->references++;
		root->idle_since_ns = 0;
	}
	return root;
}

void root__unref(struct root_directory *root)
{
	if (root)
		root->references--;
}

int root__fd(const struct root_directory *root)
{
	return root ? root->fd : -1;
}

size_t roots__list(const struct roots *roots, const struct root_directory *own,
		   int fds[MAX_ROOTS + 1])
{
	size_t nr = 0;

	if (own)
		fds[nr++] = own->fd;
	for (size_t i = 0; roots && i < roots->nr_roots; i++)
		fds[nr++] = roots->roots[i]->fd;
	return nr;
}

void roots__forget(struct roots *roots, uint64_t now_ns)
{
	for (size_t i = roots->nr_roots; i-- > 0;) {
		struct root_directory *root = roots->roots[i];

		if (root->references)
			continue;
		if (!root->idle_since_ns)
			root->idle_since_ns = now_ns;
		if (now_ns - root->idle_since_ns > MAX_IDLE_NS)
			drop(roots, i);
	}
}
