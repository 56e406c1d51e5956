/* SPDX-License-Identifier: GPL-2.0-only */
/* The owner of samples in words: a process, a thread or a container. */
#ifndef TOPSTACKS_PROFILE_OWNER_H
#define TOPSTACKS_PROFILE_OWNER_H

#include "base/common.h"
#include "processes/process.h"

struct owner_text {
	char text[2 * PROCESS_COMM_SIZE + 40];
};

/*
 * Writes "redis-server (4711)" for a process; "bio_close_file (4714) of redis-server (4711)" for a
 * thread; "redis-server (4711/4714)" for a thread without a name of its own. tid: 0 for the
 * process. thread: the thread's name, or NULL. pid 0: not known, and not written.
 */
void owner__format(struct owner_text *owner, const struct process *process, int32_t tid,
		   const char *thread);

/*
 * How files store the user of a process. Returns the key: "uid", or "gone_uid" for OWNER_GONE.
 * *number is the user's id, or -1 for OWNER_NOBODY. Returns NULL, and nothing is stored, if the
 * user is not known.
 */
const char *owner__key(const struct process *process, int64_t *number);

/*
 * The reverse: sets the user of a process from a file's key and number. Ignores other keys; a
 * number that is no user's id makes the user unknown.
 */
void owner__take(struct process *process, const char *key, int64_t number);

#define CONTAINER_NAME_SIZE 96

/*
 * "docker:3f2a1b4c5d6e" (the id as docker ps shows it), "containerd:…", "cri-o:…", "podman:…",
 * "machine:NAME" (systemd-nspawn), "lxc:NAME"; "container:…" where the path has an id and no
 * engine's name. Returns the length, less than size; 0: no container, or path is NULL.
 */
size_t container__name(const char *cgroup_path, char *text, size_t size);

/*
 * The full id of the same container, without its engine. systemd-nspawn and LXC have no ids: their
 * container's name. Returns the length, less than size, or 0: no container.
 */
size_t container__id(const char *cgroup_path, char *text, size_t size);

#define SERVICE_NAME_SIZE 128

/*
 * Names the service of a process, to group many processes: its container as container__name(); else
 * its systemd unit, "nginx" or "getty@tty1"; else its command; else "unknown".
 */
void service__name(const struct process *process, char *text, size_t size);

/*
 * True if a cgroup belongs to the container that the user names: "docker:3f2a1b4c5d6e", as outputs
 * show it, or the beginning of its id or name. path may be NULL.
 */
bool container__matches(const char *cgroup_path, const char *wanted);

#endif
