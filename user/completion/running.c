// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running processes and threads with their names, as /proc shows them to all users. Those that have
 * ended meanwhile are skipped; reading comm never blocks (procfs.h).
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "completion/completion.h"

/* TASK_COMM_LEN, and more for kernel threads, whose comm describes their work. */
enum { COMM_SIZE = 80 };

struct teller {
	FILE *out;
	void (*visit)(struct teller *teller, const char *id, const char *comm);
	char **names; /* of note_comm() */
	size_t nr_names, capacity;
};

/*
 * Reads a comm. Removes the newline that the kernel adds, but none of the name's own. False: the
 * process is gone.
 */
static bool read_comm(int directory, const char *id, char comm[COMM_SIZE])
{
	char path[32];
	ssize_t length = -1;
	int fd;

	snprintf(path, sizeof(path), "%.20s/comm", id);
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, comm, COMM_SIZE - 1);
		close(fd);
	}
	if (length <= 0)
		return false;
	comm[length - (comm[length - 1] == '\n')] = '\0';
	return true;
}

/* Visits each entry of a directory with a number as name. */
static void visit_ids(struct teller *teller, int fd)
{
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char comm[COMM_SIZE];

	if (!directory && fd >= 0)
		close(fd);
	while (directory && (entry = readdir(directory)))
		if (!entry->d_name[strspn(entry->d_name, "0123456789")] &&
		    read_comm(dirfd(directory), entry->d_name, comm))
			teller->visit(teller, entry->d_name, comm);
	if (directory)
		closedir(directory);
}

static int tell_processes(struct teller *teller, struct error *err)
{
	const int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error__set(err, EXIT_SYSTEM, -errno, "cannot read /proc; mount it there");
	visit_ids(teller, fd);
	return 0;
}

static void print_id(struct teller *teller, const char *id, const char *comm)
{
	if (strtol(id, NULL, 10) != getpid())
		candidate__print(teller->out, id, "", comm, "");
}

int processes__tell(FILE *out, struct error *err)
{
	struct teller teller = {.out = out, .visit = print_id};

	return tell_processes(&teller, err);
}

static void visit_threads(struct teller *teller, const char *id, const char *comm)
{
	struct teller inner = {.out = teller->out, .visit = print_id};
	char path[48];

	(void)comm;
	snprintf(path, sizeof(path), "/proc/%.20s/task", id);
	visit_ids(&inner, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

int threads__tell(FILE *out, struct error *err)
{
	struct teller teller = {.out = out, .visit = visit_threads};

	return tell_processes(&teller, err);
}

static void note_comm(struct teller *teller, const char *id, const char *comm)
{
	if (strtol(id, NULL, 10) == getpid())
		return;
	array__reserve(&teller->names, &teller->capacity, teller->nr_names + 1);
	teller->names[teller->nr_names++] = xstrdup(comm);
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Prints each comm once. */
int comms__tell(FILE *out, struct error *err)
{
	struct teller teller = {.out = out, .visit = note_comm};
	int code = tell_processes(&teller, err);

	if (teller.nr_names)
		qsort(teller.names, teller.nr_names, sizeof(*teller.names), compare_names);
	for (size_t i = 0; !code && i < teller.nr_names; i++)
		if (i == 0 || strcmp(teller.names[i], teller.names[i - 1]) != 0)
			candidate__print(out, teller.names[i], "", NULL, "");
	for (size_t i = 0; i < teller.nr_names; i++)
		free(teller.names[i]);
	free(teller.names);
	return code;
}
