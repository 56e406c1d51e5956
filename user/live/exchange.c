// SPDX-License-Identifier: GPL-2.0-only
#include "live/exchange.h"

#include <sys/eventfd.h>
#include <unistd.h>

int exchange__init(struct exchange *exchange)
{
	*exchange = (struct exchange){0};
	pthread_mutex_init(&exchange->lock, NULL);
	exchange->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	exchange->request_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return exchange->wake_fd < 0 || exchange->request_fd < 0 ? -errno : 0;
}

void exchange__fini(struct exchange *exchange)
{
	struct handed *next;

	for (; exchange->waiting; exchange->waiting = next) {
		next = exchange->waiting->next;
		handed__free(exchange->waiting);
	}
	if (exchange->wake_fd >= 0)
		close(exchange->wake_fd);
	if (exchange->request_fd >= 0)
		close(exchange->request_fd);
	pthread_mutex_destroy(&exchange->lock);
}

void handed__free(struct handed *handed)
{
	recording__fini(&handed->interval);
	free(handed);
}

void exchange__give(struct exchange *exchange, const struct recording *interval)
{
	struct handed *handed = xcalloc(1, sizeof(*handed)), **last;
	struct dictionary *dictionary = dictionary__new();

	recording__copy(&handed->interval, interval, dictionary);
	dictionary__free(dictionary);
	pthread_mutex_lock(&exchange->lock);
	for (last = &exchange->waiting; *last; last = &(*last)->next)
		;
	*last = handed;
	pthread_mutex_unlock(&exchange->lock);
	eventfd_write(exchange->wake_fd, 1);
}

bool exchange__is_busy(struct exchange *exchange)
{
	bool busy;

	pthread_mutex_lock(&exchange->lock);
	busy = exchange->waiting != NULL;
	pthread_mutex_unlock(&exchange->lock);
	return busy;
}

void exchange__end(struct exchange *exchange, bool is_closing)
{
	pthread_mutex_lock(&exchange->lock);
	exchange->is_over |= !is_closing;
	exchange->is_closing |= is_closing;
	pthread_mutex_unlock(&exchange->lock);
	eventfd_write(exchange->wake_fd, 1);
}

struct handed *exchange__take(struct exchange *exchange, bool *is_over, bool *is_closing)
{
	struct handed *handed;
	eventfd_t number;

	eventfd_read(exchange->wake_fd, &number);
	pthread_mutex_lock(&exchange->lock);
	handed = exchange->waiting;
	exchange->waiting = NULL;
	*is_over = exchange->is_over;
	*is_closing = exchange->is_closing;
	pthread_mutex_unlock(&exchange->lock);
	return handed;
}

void exchange__ask(struct exchange *exchange, const struct session_request *request)
{
	pthread_mutex_lock(&exchange->lock);
	exchange->request.ends |= request->ends;
	if (request->interval_s > 0)
		exchange->request.interval_s = request->interval_s;
	if (request->rate_hz > 0)
		exchange->request.rate_hz = request->rate_hz;
	pthread_mutex_unlock(&exchange->lock);
	eventfd_write(exchange->request_fd, 1);
}

void exchange__take_request(struct exchange *exchange, struct session_request *request)
{
	eventfd_t number;

	eventfd_read(exchange->request_fd, &number);
	pthread_mutex_lock(&exchange->lock);
	*request = exchange->request;
	exchange->request = (struct session_request){0};
	pthread_mutex_unlock(&exchange->lock);
}
