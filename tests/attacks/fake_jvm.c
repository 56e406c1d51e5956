// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_jvm LIBRARY MODE [FILE]: runs code in memory, has LIBRARY mapped as code, and catches
 * SIGQUIT, as a JVM does. MODE says how it behaves after that. FILE is the target of links. The
 * program says "ready", then "quit" for each SIGQUIT, and "asked" when a client has sent it
 * something.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MEMORY_AT    ((void *)0x200000000)
#define MEMORY_BYTES 4096
#define TURNS	     5000000UL

static const char *mode, *file;
static char attach_path[64], socket_path[64], map_path[64];
static int quits[2];

static bool is(const char *name)
{
	return !strcmp(mode, name);
}

/* ---- code ---- */

typedef void count_down_fn(unsigned long turns);

/* 1: dec %rdi; jne 1b; ret */
static const unsigned char machine_code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};

static count_down_fn *make_code(void)
{
	void *memory = mmap(MEMORY_AT, MEMORY_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "memory");
	memcpy(memory, machine_code, sizeof(machine_code));
	return (count_down_fn *)memory;
}

static void map_library(const char *path)
{
	const int fd = open(path, O_RDONLY);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) ||
	    mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
		    MAP_FAILED)
		err(1, "%s", path);
}

/* ---- its socket ---- */

static int listen_at(const char *path)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, is("full") ? 0 : 5))
		err(1, "%s", path);
	return fd;
}

static void fill_queue(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd;

	strcpy(address.sun_path, path);
	do
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	while (!connect(fd, (struct sockaddr *)&address, sizeof(address)));
}

static void write_map(void)
{
	FILE *map = fopen(map_path, "w");

	if (!map)
		err(1, "%s", map_path);
	fprintf(map, "200000000 1000 made_up_name\n");
	fclose(map);
}

static void answer(int fd)
{
	static const char wanted[] = "1\0jcmd\0Compiler.perfmap\0\0";
	char asked[64] = "", byte = '0';
	const ssize_t got = recv(fd, asked, sizeof(asked), 0);

	if (got <= 0) { /* the client has seen its peer, and left */
		close(fd);
		return;
	}
	if (got != sizeof(wanted) || memcmp(asked, wanted, sizeof(wanted)))
		puts("something else");
	puts("asked");
	if (is("mute"))
		pause();
	if (is("honest"))
		write_map();
	while (is("endless") && send(fd, "xxxxxxxxxxxxxxxx", 16, MSG_NOSIGNAL) > 0)
		;
	for (; is("trickle") && send(fd, &byte, 1, MSG_NOSIGNAL) > 0; byte = '\n')
		usleep(50000);
	if (is("refused"))
		dprintf(fd, "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n");
	else
		dprintf(fd, "0\nCommand executed successfully\n");
	close(fd);
}

static void serve(int fd)
{
	for (;;) {
		const int client = accept(fd, NULL, NULL);

		if (client >= 0)
			answer(client);
	}
}

/* ---- obstacles in /tmp ---- */

static void make_obstacles(void)
{
	if (is("attach_link") && symlink(file, attach_path))
		err(1, "%s", attach_path);
	if ((is("attach_fifo") && mkfifo(attach_path, 0666)) ||
	    (is("attach_directory") && mkdir(attach_path, 0777)))
		err(1, "%s", attach_path);
	if (is("socket_link") && symlink(file, socket_path))
		err(1, "%s", socket_path);
	if ((is("socket_fifo") && mkfifo(socket_path, 0666)) ||
	    (is("socket_directory") && mkdir(socket_path, 0777)))
		err(1, "%s", socket_path);
	if (is("map_link") && symlink(file, map_path))
		err(1, "%s", map_path);
	if (is("map_fifo") && mkfifo(map_path, 0666))
		err(1, "%s", map_path);
	if (is("socket_link") || is("socket_of_child")) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve(listen_at(is("socket_link") ? file : socket_path));
		}
		while (access(is("socket_link") ? file : socket_path, F_OK))
			usleep(1000);
	}
}

/* Stops processes that are about to tell it something, as far as a user may. */
static void stop_attachers(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	while (processes && (entry = readdir(processes))) {
		char path[300], comm[32] = "";
		int fd;

		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		if (read(fd, comm, sizeof(comm) - 1) > 0 && !strcmp(comm, "ts-attacher\n"))
			kill(atoi(entry->d_name), SIGSTOP);
		close(fd);
	}
	if (processes)
		closedir(processes);
}

static void *act(void *nothing)
{
	int fd = -1;
	char byte;

	while (read(quits[0], &byte, 1) == 1) {
		puts("quit");
		if (is("stop"))
			stop_attachers();
		if (fd >= 0 || is("silent") || is("stop"))
			continue;
		fd = listen_at(socket_path);
		if (is("full"))
			fill_queue(socket_path);
		else
			serve(fd);
	}
	return nothing;
}

static void hear(int number)
{
	(void)number;
	if (write(quits[1], "", 1) < 0)
		_exit(1);
}

int main(int argc, char **argv)
{
	count_down_fn *const count_down = make_code();
	pthread_t thread;

	if (argc < 3)
		errx(2, "usage: fake_jvm LIBRARY MODE [FILE]");
	mode = argv[2];
	file = argc > 3 ? argv[3] : "";
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	setlinebuf(stdout);
	snprintf(attach_path, sizeof(attach_path), "/tmp/.attach_pid%d", getpid());
	snprintf(socket_path, sizeof(socket_path), "/tmp/.java_pid%d", getpid());
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", getpid());
	map_library(argv[1]);
	make_obstacles();
	if (pipe(quits) || pthread_create(&thread, NULL, act, NULL))
		err(1, "thread");
	signal(SIGPIPE, SIG_IGN);
	if (!is("uncaught"))
		signal(SIGQUIT, hear);
	puts("ready");
	for (;;)
		count_down(TURNS);
}
