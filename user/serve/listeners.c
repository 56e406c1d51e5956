// SPDX-License-Identifier: GPL-2.0-only
#include "serve/listeners.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/files.h"
#include "base/shortage.h"

#define UNIX_PREFIX "unix:"
#define BACKLOG	    64
#define MAX_SECONDS 3600

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_un local;
	};
	socklen_t size;
	bool is_loopback;
};

static int refuse(const char *text, const char *why, struct error *err)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -EINVAL, "cannot listen on %s: %s", quote(&quoted, text),
			  why);
}

/*
 * Reports a failure. The user may choose another address if this one is taken; refusals and
 * shortages are the system's.
 */
static int fail(const char *text, int code, struct error *err)
{
	const bool is_shortage = shortage__is(shortage__of_descriptor(-code));
	const bool is_refused = code == -EACCES || code == -EPERM;
	struct quoted quoted;

	return error__set(err, is_refused || is_shortage ? EXIT_SYSTEM : EXIT_USAGE, code,
			  "cannot listen on %s", quote(&quoted, text));
}

/* ---- TCP ---- */

static bool parse_host(const char *host, in_port_t port, struct address *address)
{
	if (!strcmp(host, "localhost"))
		host = "127.0.0.1";
	*address = (struct address){0};
	if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = port;
		address->size = sizeof(address->v4);
		address->is_loopback = ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
		return true;
	}
	if (inet_pton(AF_INET6, host, &address->v6.sin6_addr) != 1)
		return false;
	address->v6.sin6_family = AF_INET6;
	address->v6.sin6_port = port;
	address->size = sizeof(address->v6);
	address->is_loopback = IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
	return true;
}

/* Parses "127.0.0.1:6060", "[::1]:6060" or "localhost:6060". */
static bool parse_tcp(const char *text, struct address *address)
{
	const char *colon = strrchr(text, ':');
	const char *digits = colon ? colon + 1 : "";
	char host[64], *end;
	const unsigned long number = strtoul(digits, &end, 10);
	const in_port_t port = htons((in_port_t)number);

	if (!colon || (size_t)(colon - text) >= sizeof(host) || *digits < '0' || *digits > '9' ||
	    *end || !number || number > 65535)
		return false;
	snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
	if (host[0] == '[' && host[strlen(host) - 1] == ']') {
		host[strlen(host) - 1] = '\0';
		return parse_host(host + 1, port, address) && address->any.sa_family == AF_INET6;
	}
	return parse_host(host, port, address) && address->any.sa_family == AF_INET;
}

/* ---- unix ---- */

/* Whether the socket's file is left over from a killed run: no process listens there. */
static bool is_left_over(const struct address *address)
{
	struct stat status;
	int fd, refused;

	if (lstat(address->local.sun_path, &status) || !S_ISSOCK(status.st_mode) ||
	    status.st_uid != geteuid())
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	refused = connect(fd, &address->any, address->size) && errno == ECONNREFUSED;
	close(fd);
	return refused;
}

/*
 * Creates the socket with access for all users, regardless of the umask: each sees its own samples.
 * A socket, or negative errno.
 */
static int listen_unix(const struct address *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const char *path = address->local.sun_path;
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX];
	mode_t mask;
	int code;

	if (fd < 0)
		return -errno;
	mask = umask(S_IWGRP | S_IWOTH);
	if (slash && slash != path) {
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
		mkdir(parent, 0755); /* bind() reports a failure */
	}
	umask(S_IXUSR | S_IXGRP | S_IXOTH);
	code = bind(fd, &address->any, address->size) ? -errno : 0;
	if (code == -EADDRINUSE && is_left_over(address)) {
		unlink(path);
		code = bind(fd, &address->any, address->size) ? -errno : 0;
	}
	umask(mask);
	if (!code && listen(fd, BACKLOG)) {
		code = -errno;
		unlink(path);
	}
	if (!code)
		return fd;
	close(fd);
	return code;
}

/* ---- all listeners ---- */

static void add(struct listeners *listeners, int fd, enum serve_listener kind)
{
	struct serve_setup *setup = &listeners->setup;

	setup->listeners[setup->nr_listeners++] = kind;
	listeners->files[listeners->nr_files++] = fd;
}

int listeners__own_path(const struct listeners *listeners)
{
	struct stat status;

	if (!listeners->path[0])
		return 0;
	if (lstat(listeners->path, &status))
		return errno == ENOENT ? 0 : -errno;
	return status.st_dev == listeners->device && status.st_ino == listeners->inode;
}

int listeners__remove_path(struct listeners *listeners)
{
	if (unlink(listeners->path) && errno != ENOENT)
		return -errno;
	listeners->path[0] = '\0';
	return 0;
}

static int open_unix(struct listeners *listeners, const char *text, struct error *err)
{
	struct address address = {.local = {.sun_family = AF_UNIX}, .size = sizeof(address.local)};
	const char *path = text + strlen(UNIX_PREFIX);
	struct stat status;
	int fd, code;

	if (path[0] != '/')
		return refuse(text, "the path has to begin with a slash", err);
	if (strlen(path) >= sizeof(address.local.sun_path))
		return refuse(text, "a socket's path has at most 107 characters", err);
	memcpy(address.local.sun_path, path, strlen(path) + 1);
	fd = listen_unix(&address);
	if (fd < 0)
		return fail(text, fd, err);
	add(listeners, fd, SERVE_UNIX);
	if (listeners->path[0])
		return 0;
	if (lstat(path, &status)) {
		/* Later the file could not be told from another run's. */
		code = -errno;
		unlink(path);
		return fail(text, code, err);
	}
	snprintf(listeners->path, sizeof(listeners->path), "%s", path);
	listeners->device = status.st_dev;
	listeners->inode = status.st_ino;
	return 0;
}

static int open_tcp(struct listeners *listeners, const struct listen_plan *plan, const char *text,
		    struct error *err)
{
	struct address address;
	const int on = 1;
	int fd, code;

	if (!parse_tcp(text, &address))
		return refuse(text, "it is neither unix:PATH nor ADDRESS:PORT", err);
	if (!plan->has_token_file)
		return refuse(text, "on TCP it is not known who asks, so --token-file is needed",
			      err);
	if (!address.is_loopback && !plan->certificate)
		return refuse(text, "beyond this machine it needs TLS: --tls-cert and --tls-key",
			      err);

	fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fail(text, -errno, err);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address.any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, &address.any, address.size) || listen(fd, BACKLOG)) {
		code = -errno;
		close(fd);
		return fail(text, code, err);
	}
	add(listeners, fd, plan->certificate ? SERVE_TLS : SERVE_PLAIN);
	return 0;
}

static int open_file(struct listeners *listeners, const char *path, struct error *err)
{
	const int fd = files__open_named(path);
	struct quoted quoted;

	if (fd < 0)
		return error__set(err, EXIT_USAGE, fd, "cannot read %s", quote(&quoted, path));
	listeners->files[listeners->nr_files++] = fd;
	return 0;
}

int listeners__open(struct listeners *listeners, const struct listen_plan *plan, struct error *err)
{
	int code = 0;

	*listeners = (struct listeners){
		.setup = {.size = sizeof(listeners->setup), .max_seconds = MAX_SECONDS}};
	if (plan->addresses.nr_names > SERVE_MAX_LISTENERS)
		return error__say(err, EXIT_USAGE, -EINVAL, "more than %d addresses to listen on",
				  SERVE_MAX_LISTENERS);
	for (size_t i = 0; i < plan->addresses.nr_names && !code; i++) {
		const char *text = plan->addresses.names[i];

		code = strncmp(text, UNIX_PREFIX, strlen(UNIX_PREFIX))
			       ? open_tcp(listeners, plan, text, err)
			       : open_unix(listeners, text, err);
	}
	if (!code && !plan->certificate != !plan->key)
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "--tls-cert and --tls-key belong together");
	if (!code && plan->certificate) {
		listeners->setup.has_tls = 1;
		code = open_file(listeners, plan->certificate, err);
		if (!code)
			code = open_file(listeners, plan->key, err);
	}
	if (code && listeners__own_path(listeners) > 0)
		listeners__remove_path(listeners);
	if (code)
		listeners__close(listeners);
	return code;
}

void listeners__close_files(struct listeners *listeners)
{
	while (listeners->nr_files)
		close(listeners->files[--listeners->nr_files]);
}

void listeners__close(struct listeners *listeners)
{
	listeners__close_files(listeners);
	listeners->path[0] = '\0';
}
