/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The messages between the processes of "topstacks serve", over channels (base/system/channel.h)
 * that are created before these processes start. The front end speaks HTTP and has no rights; the
 * sampler has rights, but no socket except its end of a channel; the keeper starts the front end,
 * again if it has ended, and hands it the sockets.
 *
 *	keeper    -> front end  one serve_setup, with its files, before the front end begins
 *	front end -> sampler    a serve_request with SERVE_HELLO and a random number
 *	sampler   -> front end  a serve_answer with that number; others were for an earlier one
 *	front end -> sampler    serve_request, any number of them, each with a number of its own
 *	sampler   -> front end  a serve_answer for each, in any order; with status 200 a memfd
 *
 * All messages have a fixed size, and strings in them end with a NUL. The front end tells which
 * client asks; the sampler alone decides which samples that client may see.
 */
#ifndef TOPSTACKS_SERVE_MESSAGES_H
#define TOPSTACKS_SERVE_MESSAGES_H

#include "base/common.h"

#define SERVE_MAX_LISTENERS 8
/* Descriptors of the front end at its start. */
#define SERVE_CHANNEL_FD 3 /* to the sampler */
#define SERVE_SETUP_FD	 4 /* from the keeper */

enum serve_listener {
	SERVE_UNIX,  /* the client is known by SO_PEERCRED */
	SERVE_PLAIN, /* TCP on loopback: the client is known by a token */
	SERVE_TLS,   /* TCP with TLS, likewise */
};

/*
 * Carries these files: a listening socket for each, then with has_tls the certificate and its key.
 */
struct serve_setup {
	uint32_t size; /* of this struct: both programs must be of one build */
	uint32_t nr_listeners;
	uint32_t listeners[SERVE_MAX_LISTENERS]; /* enum serve_listener */
	uint32_t has_tls;
	uint32_t max_seconds; /* longest profile to wait for */
};

enum serve_subject {
	SERVE_PROFILE,	 /* a gzipped pprof profile of a time */
	SERVE_DELTA,	 /* the same, since this client's last visit */
	SERVE_PAGE,	 /* the flame graph of a time, as HTML */
	SERVE_METRICS,	 /* totals for Prometheus */
	SERVE_FORGET,	 /* the answer of this number did not reach the client, and will not */
	SERVE_DELIVERED, /* it did reach the client */
	SERVE_HELLO,	 /* a front end begins, maybe after another one */
	SERVE_SUBJECTS,
};

#define SERVE_NO_UID   UINT32_MAX
#define SERVE_FROM_NOW UINT64_MAX

/* Empty or 0: not given. */
struct serve_request {
	uint32_t size;
	uint32_t subject; /* enum serve_subject */
	uint64_t number;  /* repeated in the answer */
	uint32_t uid;	  /* of the client; SERVE_NO_UID: not known */
	uint32_t pid;
	uint32_t with_slices; /* keep the slices of time apart */
	uint32_t reserved;
	uint64_t duration_ns;
	uint64_t ago_ns; /* begin before now; SERVE_FROM_NOW: begin now, and answer at the end */
	int64_t at_ns;	 /* or the begin (CLOCK_REALTIME) */
	char event[64];	 /* "off-cpu"; "": the first event */
	char comm[64];	 /* a shell pattern */
	char container[128];
	char cgroup[256];
	char client[64]; /* for SERVE_DELTA */
	char token[128]; /* of the request */
};

struct serve_answer {
	uint64_t number;
	uint32_t status; /* HTTP status: 200, 400, 401, 404, 503 */
	uint32_t reserved;
	char text[240]; /* if the status is not 200: a sentence for people */
};

#endif
