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

/* Of containers in containers the inner one. */
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
		{"hostile paths", test_hostile},
		{0},
	};

	return run_tests("container", tests);
}
