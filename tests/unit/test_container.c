// SPDX-License-Identifier: GPL-2.0-only
/* Containers by their cgroups' paths, as the engines make them (from their documentation). */
#include "profile/owner.h"

#include <string.h>

#include "expect.h"

#define ID "3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"

static const char *name_of(const char *path)
{
	static char text[CONTAINER_NAME_SIZE];
	const size_t length = container__name(path, text, sizeof(text));

	EXPECT(length == strlen(text));
	return text;
}

static void test_engines(void)
{
	EXPECT_STR(name_of("/system.slice/docker-" ID ".scope"), "docker:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/docker/" ID), "docker:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/docker/" ID "/init.scope"), "docker:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/kubepods.slice/kubepods-burstable.slice/"
			   "kubepods-burstable-pod12ab.slice/cri-containerd-" ID ".scope"),
		   "containerd:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/kubepods/burstable/pod12ab/" ID), "container:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/kubepods.slice/crio-" ID ".scope"), "cri-o:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID
			   ".scope/container"),
		   "podman:3f2a1b4c5d6e");
	EXPECT_STR(name_of("/machine.slice/machine-debian\\x2d12.scope/payload"),
		   "machine:debian-12");
	EXPECT_STR(name_of("/machine.slice/systemd-nspawn@web.service/payload/x.service"),
		   "machine:web");
	EXPECT_STR(name_of("/lxc.payload.web/system.slice"), "lxc:web");
	EXPECT_STR(name_of("/lxc/web"), "lxc:web");
}

/* A container in a container is named by the inner one. */
static void test_nested(void)
{
	EXPECT_STR(name_of("/lxc.payload.host/docker/" ID), "docker:3f2a1b4c5d6e");
}

static void test_none(void)
{
	EXPECT_STR(name_of(NULL), "");
	EXPECT_STR(name_of("/"), "");
	EXPECT_STR(name_of("/system.slice/docker.service"), "");
	EXPECT_STR(name_of("/system.slice/docker-1234.scope"), "");
	EXPECT_STR(name_of("/user.slice/user-0.slice/session-1.scope"), "");
	EXPECT_STR(name_of("/docker-" ID "0.scope"), "");
	EXPECT_STR(name_of("////"), "");
}

static const char *id_of(const char *path)
{
	static char text[CONTAINER_NAME_SIZE];
	const size_t length = container__id(path, text, sizeof(text));

	EXPECT(length == strlen(text));
	return text;
}

/* Whole, as other tools look it up. */
static void test_ids(void)
{
	EXPECT_STR(id_of("/system.slice/docker-" ID ".scope"), ID);
	EXPECT_STR(id_of("/kubepods/burstable/pod12ab/" ID "/x"), ID);
	EXPECT_STR(id_of("/machine.slice/machine-debian\\x2d12.scope/payload"), "debian-12");
	EXPECT_STR(id_of("/system.slice/nginx.service"), "");
	EXPECT_STR(id_of(NULL), "");
}

static const char *service_of(const char *path, const char *comm)
{
	static char text[SERVICE_NAME_SIZE];
	struct process process = {.cgroup_path = path};

	memcpy(process.comm, comm, strnlen(comm, sizeof(process.comm)));
	service__name(&process, text, sizeof(text));
	return text;
}

/* A service has the name of its container, or else of its unit, or else of its command. */
static void test_services(void)
{
	EXPECT_STR(service_of("/system.slice/docker-" ID ".scope", "x"), "docker:3f2a1b4c5d6e");
	EXPECT_STR(service_of("/lxc.payload.web/system.slice/nginx.service", "x"), "lxc:web");
	EXPECT_STR(service_of("/system.slice/nginx.service", "x"), "nginx");
	EXPECT_STR(service_of("/system.slice/nginx.service/workers", "x"), "nginx");
	EXPECT_STR(service_of("/system.slice/system-getty.slice/getty@tty1.service", "x"),
		   "getty@tty1");
	EXPECT_STR(service_of("/system.slice/dev\\x2dhugepages.service", "x"), "dev-hugepages");
	EXPECT_STR(service_of("/user.slice/user-0.slice/session-1.scope", "bash"), "bash");
	EXPECT_STR(service_of("/user.slice/user-1000.slice/user@1000.service/app.slice/app-x.scope",
			      "x"),
		   "x");
	EXPECT_STR(service_of("/user.slice/user-1000.slice/user@1000.service/app.slice/db.service",
			      "x"),
		   "db");
	EXPECT_STR(service_of("/.service", "x"), "x");
	EXPECT_STR(service_of(NULL, "sixteen-letters!"), "sixteen-letters!");
	EXPECT_STR(service_of(NULL, ""), "unknown");
}

static void test_hostile(void)
{
	char path[8192] = "/machine-", text[8];

	memset(path + 9, 'x', sizeof(path) - 10);
	EXPECT_EQ(strlen(name_of(path)), CONTAINER_NAME_SIZE - 1);
	EXPECT_EQ(container__name("/docker/" ID, text, sizeof(text)), sizeof(text) - 1);
	EXPECT_STR(text, "docker:");
	EXPECT_STR(name_of("/machine-a\\x00b\\x"), "machine:a\\x00b\\x");
}

int main(void)
{
	static const struct test tests[] = {
		{"container engines", test_engines},
		{"containers in containers", test_nested},
		{"no container", test_none},
		{"whole ids", test_ids},
		{"services", test_services},
		{"hostile paths", test_hostile},
		{0},
	};

	return run_tests("container", tests);
}
