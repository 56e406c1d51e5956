/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose samples are, in words: a process's or thread's, a container's. */
#ifndef TOPSTACKS_PROFILE_OWNER_H
#define TOPSTACKS_PROFILE_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "processes/process.h"

struct owner_text {
	char text[2 * PROCESS_COMM_SIZE + 40];
};

/*
 * "redis-server (4711)"; of a thread "bio_close_file (4714) of redis-server (4711)", or if it has no
 * name of its own "redis-server (4711/4714)". tid 0: the process; thread: its name, or NULL; pid 0: not
 * known.
 */
void owner__format(struct owner_text *owner, const struct process *process, int32_t tid,
		   const char *thread);

/*
 * How files tell whose a process is: a key, "uid" or for OWNER_GONE "gone_uid", and a number, the user's id, or -1 for
 * nobody. NULL: it is not known, and there is neither.
 */
const char *owner__key(const struct process *process, int64_t *number);

/* The other way; another key, or a number that is no user's id, tells nothing. */
void owner__take(struct process *process, const char *key, int64_t number);

#define CONTAINER_NAME_SIZE 96

/*
 * "docker:3f2a1b4c5d6e" (the id as docker ps shows it), "containerd:…", "cri-o:…", "podman:…",
 * "machine:NAME" (systemd-nspawn), "lxc:NAME"; "container:…" where the path has an id and no
 * engine's name. Returns its length, which is less than size, or 0: no container, or path is NULL.
 */
size_t container__name(const char *cgroup_path, char *text, size_t size);

/*
 * The same container's whole id, without its engine; its name where it has no id, as with systemd-nspawn
 * and LXC. Returns the length, less than size, or 0: no container.
 */
size_t container__id(const char *cgroup_path, char *text, size_t size);

#define SERVICE_NAME_SIZE 128

/*
 * What a process belongs to, for who has many of them to tell apart: its container as
 * container__name(), else the unit of systemd that it is in, "nginx" or "getty@tty1", else its command.
 * "unknown" if none is known.
 */
void service__name(const struct process *process, char *text, size_t size);

/*
 * Whether a cgroup belongs to the container that somebody means: "docker:3f2a1b4c5d6e", as it is shown, or
 * the beginning of its id or name. path may be NULL.
 */
bool container__matches(const char *cgroup_path, const char *wanted);

#endif
