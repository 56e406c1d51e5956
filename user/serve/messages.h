/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the processes of "topstacks serve" say to each other, over channels (base/system/channel.h) that are made before
 * any of them does anything. The front end speaks HTTP and has no rights; the sampler has rights and no socket but
 * one end of a channel; the keeper starts the front end, again if it has ended, and hands it the sockets.
 *
 *	keeper    -> front end  one serve_setup, with its files, before the front end begins
 *	front end -> sampler    a serve_request with SERVE_HELLO and a number that nobody can know
 *	sampler   -> front end  a serve_answer with that number: those before it were for another front end
 *	front end -> sampler    serve_request, any number of them, each with a number of its own
 *	sampler   -> front end  for each one serve_answer, in any order; with status 200 one file, a memfd
 *
 * All messages have a fixed size, and strings in them end with a NUL. The front end says who asks; what he may see
 * is decided by the sampler alone.
 */
#ifndef TOPSTACKS_SERVE_MESSAGES_H
#define TOPSTACKS_SERVE_MESSAGES_H

#include <stdint.h>

#define SERVE_MAX_LISTENERS 8
/* Descriptors of the front end, when it begins. */
#define SERVE_CHANNEL_FD 3 /* to the sampler */
#define SERVE_SETUP_FD	 4 /* from the keeper */

enum serve_listener {
	SERVE_UNIX,  /* who asks is known by SO_PEERCRED */
	SERVE_PLAIN, /* TCP on loopback: who asks is known by a token */
	SERVE_TLS,   /* TCP, the same */
};

/* Files that come with it: a listening socket each, then with has_tls the certificate and its key. */
struct serve_setup {
	uint32_t size; /* of this: both were built together */
	uint32_t nr_listeners;
	uint32_t listeners[SERVE_MAX_LISTENERS]; /* enum serve_listener */
	uint32_t has_tls;
	uint32_t max_seconds; /* of a profile that is waited for */
};

enum serve_subject {
	SERVE_PROFILE,	 /* a gzipped pprof profile of a time */
	SERVE_DELTA,	 /* the same, of the time since this client's last visit */
	SERVE_PAGE,	 /* the flame graph of a time, as HTML */
	SERVE_METRICS,	 /* totals, as Prometheus reads them */
	SERVE_FORGET,	 /* the answer of this number did not reach who asked, and will not */
	SERVE_DELIVERED, /* it did */
	SERVE_HELLO,	 /* a front end begins: another one may have been there before it */
	SERVE_SUBJECTS,
};

#define SERVE_NO_UID   UINT32_MAX
#define SERVE_FROM_NOW UINT64_MAX

/* What is empty or 0 is not asked for. */
struct serve_request {
	uint32_t size;
	uint32_t subject; /* enum serve_subject */
	uint64_t number;  /* the answer has the same */
	uint32_t uid;	  /* of who asks; SERVE_NO_UID: not known */
	uint32_t pid;
	uint32_t with_slices; /* the profile keeps apart what was sampled in each slice of time */
	uint32_t reserved;
	uint64_t duration_ns;
	uint64_t ago_ns; /* when it begins; SERVE_FROM_NOW: now, and the answer takes its time */
	int64_t at_ns;	 /* or when it begins (CLOCK_REALTIME) */
	char event[64];	 /* "off-cpu"; "": the first that is sampled */
	char comm[64];	 /* as a shell pattern */
	char container[128];
	char cgroup[256];
	char client[64]; /* of SERVE_DELTA */
	char token[128]; /* that came with the request */
};

struct serve_answer {
	uint64_t number;
	uint32_t status; /* of HTTP: 200, 400, 401, 404, 503 */
	uint32_t reserved;
	char text[240]; /* unless it is 200: one sentence for people */
};

#endif
