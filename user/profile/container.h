/* SPDX-License-Identifier: GPL-2.0-only */
/* Which container a cgroup is of, by the names that container engines give to cgroups. */
#ifndef TOPSTACKS_PROFILE_CONTAINER_H
#define TOPSTACKS_PROFILE_CONTAINER_H

#include <stddef.h>

#define CONTAINER_NAME_SIZE 96

/*
 * "docker:3f2a1b4c5d6e" (the id as docker ps shows it), "containerd:…", "cri-o:…", "podman:…",
 * "machine:NAME" (systemd-nspawn), "lxc:NAME"; "container:…" where the path has an id and no
 * engine's name. Returns its length, which is less than size, or 0: no container, or path is NULL.
 */
size_t container__name(const char *cgroup_path, char *text, size_t size);

#endif
