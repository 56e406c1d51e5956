// SPDX-License-Identifier: GPL-2.0-only
#include "front/setup.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/files.h"

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

static int say_hello(int channel)
{
	const struct serve_request hello = {.size = sizeof(hello), .subject = SERVE_HELLO};

	return channel__send(channel, true, &hello, sizeof(hello), NULL, 0);
}

/* Answers to a front end before this one are nobody's, and are larger than what is wanted. */
static ssize_t hear(int channel, struct serve_setup *said, int *files, size_t *nr_files)
{
	union {
		struct serve_setup setup;
		struct serve_answer answer;
	} heard;
	ssize_t length = say_hello(channel);

	while (!length || length == sizeof(heard.answer)) {
		*nr_files = MAX_FILES;
		length = channel__receive(channel, true, &heard, sizeof(heard), files, nr_files);
		while (length == sizeof(heard.answer) && *nr_files)
			close(files[--*nr_files]);
	}
	*said = heard.setup;
	return length;
}

int setup__receive(struct setup *setup, int channel, struct error *err)
{
	struct serve_setup said = {0};
	size_t nr_files = 0;
	int files[MAX_FILES], code;
	const ssize_t length = hear(channel, &said, files, &nr_files);

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
