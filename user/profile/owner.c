// SPDX-License-Identifier: GPL-2.0-only
#include "profile/owner.h"

#include <ctype.h>

void owner__format(struct owner_text *owner, const struct process *process, int32_t tid,
		   const char *thread)
{
	const char *comm = *process->comm ? process->comm : "[unknown]";
	const bool has_own_name =
		thread && *thread && strncmp(thread, process->comm, PROCESS_COMM_SIZE) != 0;

	if (tid && has_own_name)
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

/* ---- users ---- */

#define KEY_UID	     "uid"
#define KEY_GONE_UID "gone_uid"
#define NOBODY	     (-1)

const char *owner__key(const struct process *process, int64_t *number)
{
	*number = process->owner == OWNER_NOBODY ? NOBODY : (int64_t)process->uid;
	if (process->owner == OWNER_UNKNOWN)
		return NULL;
	return process->owner == OWNER_GONE ? KEY_GONE_UID : KEY_UID;
}

void owner__take(struct process *process, const char *key, int64_t number)
{
	const bool is_gone = !strcmp(key, KEY_GONE_UID);

	if (!is_gone && strcmp(key, KEY_UID) != 0)
		return;
	process->owner = is_gone || number != NOBODY ? OWNER_UNKNOWN : OWNER_NOBODY;
	process->uid = 0;
	if (number < 0 || number >= UINT32_MAX)
		return;
	process->owner = is_gone ? OWNER_GONE : OWNER_USER;
	process->uid = (uint32_t)number;
}

/* ---- containers ---- */

/*
 * The last component that names a container wins: of nested containers that is the inner one.
 *
 *	/system.slice/docker-3f2a….scope			Docker, with systemd
 *	/docker/3f2a…						Docker, without
 *	/kubepods.slice/…-pod1234.slice/cri-containerd-3f2a….scope	containerd
 *	/kubepods/burstable/pod1234/3f2a…			Kubernetes without systemd
 *	/kubepods.slice/…/crio-3f2a….scope			CRI-O
 *	/user.slice/…/libpod-3f2a….scope/container		Podman
 *	/machine.slice/machine-debian\x2d12.scope/payload	systemd-nspawn
 *	/lxc.payload.web/…					LXC
 */

#define ID_DIGITS    64
#define SHOWN_DIGITS 12

static const struct engine {
	const char *prefix; /* of a component */
	const char *name;
	bool has_id; /* 64 digits follow; else a name, perhaps escaped by systemd */
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

/* A container as its cgroup's path names it. */
struct container {
	const char *engine; /* NULL: there is none */
	struct component name;
	bool has_id;
};

/* before: the component in front of it, which tells the engine of a bare id. */
static struct container container_of(struct component component, struct component before)
{
	component = trim_unit(component);
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		const size_t length = strlen(engines[i].prefix);
		struct component rest = {component.text + length, component.length - length};

		if (component.length <= length || memcmp(component.text, engines[i].prefix, length))
			continue;
		if (!engines[i].has_id || is_id(rest))
			return (struct container){engines[i].name, rest, engines[i].has_id};
	}
	if (is_id(component))
		return (struct container){before.length == 6 && !memcmp(before.text, "docker", 6)
						  ? "docker"
						  : "container",
					  component, true};
	if (before.length == 3 && !memcmp(before.text, "lxc", 3))
		return (struct container){"lxc", component, false};
	return (struct container){0};
}

static struct component next_component(const char *at)
{
	at += strspn(at, "/");
	return (struct component){at, strcspn(at, "/")};
}

static struct container find_container(const char *cgroup_path)
{
	struct component before = {"", 0}, component;
	struct container found = {0};

	for (const char *at = cgroup_path; at && *at; at = component.text + component.length) {
		struct container container;

		component = next_component(at);
		container = container_of(component, before);
		if (container.engine)
			found = container;
		before = component;
	}
	return found;
}

size_t container__name(const char *cgroup_path, char *text, size_t size)
{
	struct container container = find_container(cgroup_path);
	size_t used;

	if (size)
		text[0] = '\0';
	if (!container.engine || !size)
		return 0;
	if (container.has_id)
		container.name.length = SHOWN_DIGITS;
	used = (size_t)snprintf(text, size, "%s:", container.engine);
	return used < size ? used + write_unescaped(container.name, text + used, size - used)
			   : size - 1;
}

size_t container__id(const char *cgroup_path, char *text, size_t size)
{
	const struct container container = find_container(cgroup_path);

	if (size)
		text[0] = '\0';
	return container.engine && size ? write_unescaped(container.name, text, size) : 0;
}

/* The name has the first digits of a long id; the path has all of them. */
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

/* ---- services ---- */

static bool has_suffix(struct component component, const char *suffix)
{
	const size_t length = strlen(suffix);

	return component.length > length &&
	       !memcmp(component.text + component.length - length, suffix, length);
}

void service__name(const struct process *process, char *text, size_t size)
{
	struct component component, unit = {"", 0};

	if (container__name(process->cgroup_path, text, size))
		return;
	/*
	 * The innermost unit decides. A scope is started by a user or a session, not by a service:
	 * its processes belong to no unit.
	 */
	for (const char *at = process->cgroup_path; at && *at;
	     at = component.text + component.length) {
		component = next_component(at);
		if (has_suffix(component, ".service"))
			unit = trim_unit(component);
		else if (has_suffix(component, ".scope"))
			unit = (struct component){"", 0};
	}
	if (!write_unescaped(unit, text, size))
		snprintf(text, size, "%.*s", PROCESS_COMM_SIZE,
			 *process->comm ? process->comm : "unknown");
}
