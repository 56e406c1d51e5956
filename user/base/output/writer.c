// SPDX-License-Identifier: GPL-2.0-only
#include "base/output/writer.h"

#include <pthread.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/thread.h"

struct writer {
	int fd;
	pthread_t thread;
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t changed;
	char *text; /* being written; NULL: idle */
	size_t nr_bytes;
	int code; /* of the first failed write */
	bool ending;
};

static void *run(void *context)
{
	struct writer *writer = context;
	int code;

	pthread_mutex_lock(&writer->lock);
	while (!writer->ending || writer->text) {
		if (!writer->text) {
			pthread_cond_wait(&writer->changed, &writer->lock);
			continue;
		}
		code = writer->code;
		pthread_mutex_unlock(&writer->lock);
		if (!code) /* after a failure all data is dropped */
			code = files__write(writer->fd, writer->text, writer->nr_bytes);
		pthread_mutex_lock(&writer->lock);
		writer->code = code;
		free(writer->text);
		writer->text = NULL;
		pthread_cond_broadcast(&writer->changed);
	}
	pthread_mutex_unlock(&writer->lock);
	return NULL;
}

int writer__new(struct writer **out, int fd)
{
	struct writer *writer = xcalloc(1, sizeof(*writer));
	int code;
	writer->fd = fd;
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->changed, NULL);
	code = thread__start(&writer->thread, run, writer);
	if (code)
		free(writer);
	else
		*out = writer;
	return code;
}

void writer__free(struct writer *writer)
{
	if (!writer)
		return;
	pthread_mutex_lock(&writer->lock);
	writer->ending = true;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	pthread_join(writer->thread, NULL);
	pthread_mutex_destroy(&writer->lock);
	pthread_cond_destroy(&writer->changed);
	free(writer);
}

bool writer__is_busy(struct writer *writer)
{
	bool busy;

	pthread_mutex_lock(&writer->lock);
	busy = writer->text != NULL;
	pthread_mutex_unlock(&writer->lock);
	return busy;
}

static int wait_until_idle(struct writer *writer)
{
	while (writer->text)
		pthread_cond_wait(&writer->changed, &writer->lock);
	return writer->code;
}

int writer__write(struct writer *writer, char *text, size_t nr_bytes)
{
	int code;

	pthread_mutex_lock(&writer->lock);
	code = wait_until_idle(writer);
	writer->text = text;
	writer->nr_bytes = nr_bytes;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	return code;
}

int writer__wait(struct writer *writer)
{
	int code;

	pthread_mutex_lock(&writer->lock);
	code = wait_until_idle(writer);
	pthread_mutex_unlock(&writer->lock);
	return code;
}
