// SPDX-License-Identifier: GPL-2.0-only
#include "front/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/channel.h"

#define MAX_FILES     (SERVE_MAX_LISTENERS + 2)
#define MAX_PEM_BYTES 65536

static int check(const struct serve_setup *said, size_t length, size_t nr_files, struct error *err)
{
	const size_t wanted = said->nr_listeners + (said->has_tls ? 2 : 0);
	bool is_sound = length == sizeof(*said) && said->size == sizeof(*said) &&
			said->nr_listeners <= SERVE_MAX_LISTENERS && nr_files == wanted;

	for (size_t i = 0; is_sound && i < said->nr_listeners; i++)
		is_sound = said->listeners[i] <= SERVE_TLS &&
			   (said->listeners[i] != SERVE_TLS || said->has_tls);
	if (is_sound)
		return 0;
	return error__say(err, EXIT_INTERNAL, -EPROTO,
			  "topstacks and topstacks-front are of different versions; install both "
			  "from the same package");
}

static int take_listener(struct setup *setup, int socket, uint32_t listener, struct error *err)
{
	const int flags = fcntl(socket, F_GETFL);

	setup->sockets[setup->nr_listeners] = socket;
	setup->listeners[setup->nr_listeners++] = (enum serve_listener)listener;
	if (flags < 0 || fcntl(socket, F_SETFL, flags | O_NONBLOCK))
		return error__set(err, EXIT_INTERNAL, -errno,
				  "cannot use a socket that was passed");
	return 0;
}

/* A front end before this one may have read them. */
static int take_tls(struct setup *setup, const int files[2], struct error *err)
{
	int code;

	lseek(files[0], 0, SEEK_SET);
	lseek(files[1], 0, SEEK_SET);
	code = files__read_fd(files[0], MAX_PEM_BYTES, &setup->certificate, NULL);
	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot read the certificate for TLS");
	code = files__read_fd(files[1], MAX_PEM_BYTES, &setup->key, NULL);
	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot read the key for TLS");
	return 0;
}

int setup__greet(int channel, struct error *err)
{
	struct serve_request hello = {.size = sizeof(hello), .subject = SERVE_HELLO};
	struct serve_answer heard = {0};
	int file, code = 0;
	ssize_t length = sizeof(heard);

	/* A number that no answer to a front end before this one has. */
	if (getrandom(&hello.number, sizeof(hello.number), 0) != sizeof(hello.number))
		code = -EIO;
	if (!code)
		code = channel__send(channel, true, &hello, sizeof(hello), NULL, 0);
	while (!code && (length != sizeof(heard) || heard.number != hello.number)) {
		size_t nr_files = 1;

		length = channel__receive(channel, true, &heard, sizeof(heard), &file, &nr_files);
		code = length < 0 && length != -EMSGSIZE ? (int)length : 0;
		if (nr_files)
			close(file);
	}
	return code ? error__set(err, EXIT_INTERNAL, code,
				 "cannot hear from topstacks, which starts this program")
		    : 0;
}

int setup__receive(struct setup *setup, int channel, struct error *err)
{
	struct serve_setup said = {0};
	size_t nr_files = MAX_FILES;
	int files[MAX_FILES], code;
	const ssize_t length =
		channel__receive(channel, true, &said, sizeof(said), files, &nr_files);

	*setup = (struct setup){.max_seconds = said.max_seconds};
	if (length < 0 && length != -EMSGSIZE)
		return error__set(err, EXIT_INTERNAL, (int)length,
				  "cannot hear from topstacks, which starts this program");
	code = check(&said, (size_t)length, nr_files, err);
	for (size_t i = 0; !code && i < said.nr_listeners; i++)
		code = take_listener(setup, files[i], said.listeners[i], err);
	if (code || !said.has_tls)
		return code;
	code = take_tls(setup, files + said.nr_listeners, err);
	close(files[said.nr_listeners]);
	close(files[said.nr_listeners + 1]);
	return code;
}

static void wipe(char **text)
{
	if (*text)
		explicit_bzero(*text, strlen(*text));
	free(*text);
	*text = NULL;
}

void setup__wipe(struct setup *setup)
{
	wipe(&setup->certificate);
	wipe(&setup->key);
}
