/* SPDX-License-Identifier: GPL-2.0-only */
/* An reply as HTTP has it: headers, and what goes with a status. */
#ifndef TOPSTACKS_FRONT_ANSWER_H
#define TOPSTACKS_FRONT_ANSWER_H

#include <microhttpd.h>

#include "front/clients.h"

/* Sends the client's reply. Returns the result of MHD_queue_response(). */
enum MHD_Result answer__queue(struct client *client);

#endif
