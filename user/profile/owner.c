// SPDX-License-Identifier: GPL-2.0-only
#include "profile/owner.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Another one than its process. */
static bool has_own_name(const struct process *process, const char *thread)
{
	return thread && *thread && strncmp(thread, process->comm, PROCESS_COMM_SIZE) != 0;
}

void owner__format(struct owner_text *owner, const struct process *process, int32_t tid,
		   const char *thread)
{
	const char *comm = *process->comm ? process->comm : "[unknown]";

	if (tid && has_own_name(process, thread))
		snprintf(owner->text, sizeof(owner->text),
			 "%.*s (%" PRId32 ") of %.*s (%" PRId32 ")", PROCESS_COMM_SIZE, thread, tid,
			 PROCESS_COMM_SIZE, comm, process->pid);
	else if (tid)
		snprintf(owner->text, sizeof(owner->text), "%.*s (%" PRId32 "/%" PRId32 ")",
			 PROCESS_COMM_SIZE, comm, process->pid, tid);
	else if (process->pid)
		snprintf(owner->text, sizeof(owner->text), "%.*s (%" PRId32 ")", PROCESS_COMM_SIZE,
			 comm, process->pid);
	else
		snprintf(owner->text, sizeof(owner->text), "%.*s", PROCESS_COMM_SIZE, comm);
}

/* ---- containers ---- */

/*
 * The last component that looks like a container's wins: containers in containers are those inside.
 *
 *	/system.slice/docker-3f2a….scope			Docker, with systemd
 *	/docker/3f2a…						Docker, without
 *	/kubepods.slice/…-pod1234.slice/cri-containerd-3f2a….scope	containerd
 *	/kubepods/burstable/pod1234/3f2a…			Kubernetes without systemd: any
 *engine /kubepods.slice/…/crio-3f2a….scope			CRI-O
 *	/user.slice/…/libpod-3f2a….scope/container		Podman
 *	/machine.slice/machine-debian\x2d12.scope/payload	systemd-nspawn
 *	/lxc.payload.web/…					LXC
 */

#define ID_DIGITS    64
#define SHOWN_DIGITS 12

static const struct engine {
	const char *prefix; /* of a component */
	const char *name;
	bool has_id; /* 64 digits follow; else a name does, which systemd may have escaped */
} engines[] = {
	{"docker-", "docker", true},	  {"cri-containerd-", "containerd", true},
	{"nerdctl-", "containerd", true}, {"crio-", "cri-o", true},
	{"libpod-", "podman", true},	  {"machine-", "machine", false},
	{"lxc.payload.", "lxc", false},	  {"systemd-nspawn@", "machine", false},
};

/* One component of a path, without the suffix that systemd gives to units. */
struct component {
	const char *text;
	size_t length;
};

static struct component trim_unit(struct component component)
{
	static const char *const suffixes[] = {".scope", ".service"};

	for (size_t i = 0; i < 2; i++) {
		const size_t length = strlen(suffixes[i]);

		if (component.length > length &&
		    !memcmp(component.text + component.length - length, suffixes[i], length))
			component.length -= length;
	}
	return component;
}

static bool is_id(struct component component)
{
	for (size_t i = 0; i < component.length; i++)
		if (!isxdigit((unsigned char)component.text[i]))
			return false;
	return component.length == ID_DIGITS;
}

/* "debian\x2d12" -> "debian-12" */
static size_t write_unescaped(struct component name, char *text, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < name.length && length + 1 < size; i++) {
		const bool is_escape = name.length - i >= 4 && !memcmp(name.text + i, "\\x", 2);
		unsigned int byte;

		if (is_escape && sscanf(name.text + i + 2, "%2x", &byte) == 1 && byte) {
			text[length++] = (char)byte;
			i += 3;
		} else {
			text[length++] = name.text[i];
		}
	}
	text[length] = '\0';
	return length;
}

static size_t write_name(const char *engine, struct component name, bool has_id, char *text,
			 size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%s:", engine);

	if (has_id)
		name.length = SHOWN_DIGITS;
	return used + write_unescaped(name, text + used, size - used);
}

/* before: the component before it, which tells whose a bare id is. */
static size_t name_component(struct component component, struct component before, char *text,
			     size_t size)
{
	component = trim_unit(component);
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		const size_t length = strlen(engines[i].prefix);
		struct component rest = {component.text + length, component.length - length};

		if (component.length <= length || memcmp(component.text, engines[i].prefix, length))
			continue;
		if (!engines[i].has_id || is_id(rest))
			return write_name(engines[i].name, rest, engines[i].has_id, text, size);
	}
	if (is_id(component))
		return write_name(before.length == 6 && !memcmp(before.text, "docker", 6)
					  ? "docker"
					  : "container",
				  component, true, text, size);
	if (before.length == 3 && !memcmp(before.text, "lxc", 3))
		return write_name("lxc", component, false, text, size);
	return 0;
}

size_t container__name(const char *cgroup_path, char *text, size_t size)
{
	struct component before = {"", 0}, component;
	char name[CONTAINER_NAME_SIZE];
	size_t length = 0;

	if (size)
		text[0] = '\0';
	for (const char *at = cgroup_path; at && *at; at += component.length) {
		at += strspn(at, "/");
		component = (struct component){at, strcspn(at, "/")};
		if (name_component(component, before, name, sizeof(name)))
			length = (size_t)snprintf(text, size, "%s", name);
		before = component;
	}
	return length < size ? length : size ? size - 1 : 0;
}

/* Of a long id the name has the beginning; the path has all of it. */
bool container__matches(const char *cgroup_path, const char *wanted)
{
	const size_t length = strlen(wanted);
	char name[CONTAINER_NAME_SIZE];
	const char *id;

	if (!container__name(cgroup_path, name, sizeof(name)))
		return false;
	id = strchr(name, ':');
	if (!id++)
		return !strcmp(name, wanted);
	if (length > strlen(id) && !strncmp(id, wanted, strlen(id)))
		return strstr(cgroup_path, wanted) != NULL;
	return !strcmp(name, wanted) || !strncmp(id, wanted, length);
}
