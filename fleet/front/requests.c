// SPDX-License-Identifier: GPL-2.0-only
#include "front/requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/channel.h"
#include "base/text.h"

static struct underway *find(struct requests *requests, uint64_t number)
{
	for (size_t i = 0; i < REQUESTS_MOST; i++)
		if (requests->table[i].number == number)
			return &requests->table[i];
	return NULL;
}

static size_t count_of(const struct requests *requests, const struct peer *peer)
{
	size_t nr = 0;

	for (size_t i = 0; i < REQUESTS_MOST; i++)
		nr += requests->table[i].number && peer__is_same(&requests->table[i].peer, peer);
	return nr;
}

int requests__ask(struct requests *requests, struct client *client, struct serve_request *request)
{
	struct underway *place = find(requests, 0);
	int code;

	if (!place || count_of(requests, &client->peer) >= REQUESTS_OF_A_PEER)
		return -EBUSY;
	request->number = requests->last_number + 1;
	code = channel__send(requests->channel, false, request, sizeof(*request), NULL, 0);
	if (code)
		return code;
	requests->last_number++;
	*place = (struct underway){request->number, client->peer, client, false};
	return 0;
}

void requests__end(struct requests *requests, const struct client *client, bool was_delivered)
{
	struct serve_request said = {.size = sizeof(said),
				     .subject = was_delivered ? SERVE_DELIVERED : SERVE_FORGET};

	for (size_t i = 0; i < REQUESTS_MOST; i++) {
		struct underway *place = &requests->table[i];

		if (!place->number || place->client != client)
			continue;
		said.number = place->number;
		*place = (struct underway){0};
		channel__send(requests->channel, false, &said, sizeof(said), NULL, 0);
	}
}

static void take(struct reply *reply, struct serve_answer *answer, int file)
{
	char *safe;

	*reply = (struct reply){.status = answer->status, .file = file};
	answer->text[sizeof(answer->text) - 1] = '\0';
	safe = text__safe_copy(answer->text);
	snprintf(reply->text, sizeof(reply->text), "%s", safe ? safe : "");
	free(safe);
	if ((answer->status == 200) == (file >= 0) &&
	    (answer->status == 200 || (answer->status >= 400 && answer->status <= 599)))
		return;
	if (file >= 0)
		close(file);
	*reply = (struct reply){500, .file = -1, .text = "the sampler's answer is none"};
}

int requests__receive(struct requests *requests, struct client **client, struct reply *reply)
{
	struct serve_answer answer;
	struct underway *place;
	size_t nr_files = 1;
	int file = -1;
	const ssize_t length = channel__receive(requests->channel, false, &answer, sizeof(answer),
						&file, &nr_files);

	*client = NULL;
	*reply = (struct reply){.file = -1};
	if (length == -EMFILE)
		nr_files = 0; /* handle it as an answer without its file */
	else if (length < 0)
		return (int)length;
	else if (length != sizeof(answer))
		return -EPROTO;
	take(reply, &answer, nr_files ? file : -1);
	place = answer.number ? find(requests, answer.number) : NULL;
	if (place && !place->is_answered) {
		*client = place->client;
		place->is_answered = true;
	}
	return 0;
}
