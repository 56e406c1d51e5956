// SPDX-License-Identifier: GPL-2.0-only
/* Requests become answers: the client is allowed to ask, the time is found, and a gap is told. */
#include "serve/answers.h"

#include <unistd.h>

#include "formats/formats.h"
#include "slices.h"

#define TOKEN "0123456789abcdef"

static struct store store;
static struct counters counters;
static struct answers answers;
static const char *const facts[FACTS] = {[FACT_HOST] = "somewhere"};

static void begin(uint64_t nr_slices)
{
	store__init(&store, 1 << 20, 60 * SECOND);
	counters__init(&counters);
	answers = (struct answers){.store = &store,
				   .counters = &counters,
				   .token = TOKEN,
				   .facts = facts,
				   .slice_ns = 5 * SECOND};
	add_slices(&store, nr_slices);
}

static void end(void)
{
	answers__fini(&answers);
	counters__fini(&counters);
	store__fini(&store);
}

static struct serve_request request_of(enum serve_subject subject)
{
	return (struct serve_request){.size = sizeof(struct serve_request),
				      .subject = subject,
				      .number = 7,
				      .uid = SERVE_NO_UID,
				      .token = TOKEN};
}

/* Returns the status; with 200 the recording is the caller's. now_s: the time of the request. */
static unsigned int ask(const struct serve_request *request, uint64_t now_s,
			struct recording *recording)
{
	static const struct read_options options;
	const struct span span = answers__span(&answers, request, now_s * SECOND);
	struct serve_answer answer;
	static char bytes[1 << 20];
	struct error err = {0};
	ssize_t nr_bytes;
	int file;

	answers__make(&answers, request, &span, &answer, &file);
	EXPECT_EQ(answer.number, request->number);
	EXPECT_EQ(file >= 0, answer.status == 200);
	if (file < 0)
		return answer.status;
	nr_bytes = read(file, bytes, sizeof(bytes));
	EXPECT(write(file, "x", 1) < 0); /* the receiver cannot change it */
	close(file);
	EXPECT_EQ(formats__read(recording, bytes, (size_t)nr_bytes, &options, &err), 0);
	return answer.status;
}

static void expect_count(const struct serve_request *request, uint64_t now_s, uint64_t count)
{
	struct recording recording;
	const unsigned int status = ask(request, now_s, &recording);

	EXPECT_EQ(status, 200);
	if (status != 200)
		return;
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), count);
	EXPECT_STR(recording.facts[FACT_HOST], "somewhere");
	recording__fini(&recording);
}

static void test_times(void)
{
	struct serve_request request = request_of(SERVE_PROFILE);

	begin(8); /* until 40 s */
	request.ago_ns = 10 * SECOND;
	expect_count(&request, 40, 7 + 8);
	request.ago_ns = 30 * SECOND;
	request.duration_ns = 10 * SECOND;
	expect_count(&request, 40, 3 + 4);
	request.ago_ns = 3000 * SECOND; /* longer than the machine runs */
	request.duration_ns = 0;
	expect_count(&request, 40, 36);
	request.duration_ns = 2970 * SECOND;
	expect_count(&request, 40, 1 + 2);
	request.ago_ns = 0;
	request.at_ns = DAY_BEGAN + (int64_t)(15 * SECOND);
	request.duration_ns = 5 * SECOND;
	expect_count(&request, 40, 4);
	end();
}

static void test_nothing_is_there(void)
{
	struct serve_request request = request_of(SERVE_PROFILE);
	struct recording recording;

	begin(8);
	request.at_ns = DAY_BEGAN - (int64_t)(60 * SECOND);
	request.duration_ns = 5 * SECOND;
	EXPECT_EQ(ask(&request, 40, &recording), 404);
	request = request_of(SERVE_PROFILE);
	request.ago_ns = 10 * SECOND;
	strcpy(request.event, "off-cpu");
	EXPECT_EQ(ask(&request, 40, &recording), 404);
	strcpy(request.event, "cpu-clock");
	expect_count(&request, 40, 15);
	end();
}

static void expect_refused(const struct serve_request *request)
{
	struct serve_answer answer;

	EXPECT(answers__check(&answers, request, &answer) != 0);
	EXPECT_EQ(answer.status, 401);
	EXPECT_EQ(answer.number, request->number);
}

static void test_who(void)
{
	const enum serve_subject subjects[] = {SERVE_PROFILE, SERVE_DELTA, SERVE_PAGE,
					       SERVE_METRICS};
	struct serve_answer answer;

	begin(2);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		struct serve_request request = request_of(subjects[i]);

		strcpy(request.client, "me");
		EXPECT_EQ(answers__check(&answers, &request, &answer), 0);
		request.token[0] = '\0';
		expect_refused(&request); /* no token: the client is unknown */
		strcpy(request.token, TOKEN "0");
		expect_refused(&request);
		strcpy(request.token, "0123456789abcde");
		expect_refused(&request);
		request.uid = 1000; /* a wrong token is not better for that */
		expect_refused(&request);
		request.token[0] = '\0';
		EXPECT_EQ(answers__check(&answers, &request, &answer), 0);
	}
	end();
}

/* Each sample is in one visit's answer, and samples that had to go are told. */
static void test_visits(void)
{
	struct serve_request request = request_of(SERVE_DELTA), other;
	struct recording recording;

	begin(4);
	strcpy(request.client, "parca");
	other = request;
	strcpy(other.client, "other");
	expect_count(&request, 20, 1 + 2 + 3 + 4);
	EXPECT_EQ(ask(&request, 20, &recording), 404); /* nothing since */
	add_slice(&store, 25, 5, "redis", 100, "leaf@libc");
	expect_count(&request, 25, 100);
	expect_count(&other, 25, 110);
	for (uint64_t end_s = 30; end_s <= 200; end_s += 5)
		add_slice(&store, end_s, 5, "redis", 1, "leaf@libc");
	EXPECT_EQ(ask(&request, 200, &recording), 200);
	EXPECT_EQ(recording.gap_ns, (135 - 25) * SECOND); /* the oldest one began at 135 s */
	EXPECT_EQ(recording.duration_ns, (200 - 135) * SECOND);
	recording__fini(&recording);
	end();
}

static void test_few_names(void)
{
	struct serve_request request = request_of(SERVE_DELTA);
	struct recording recording;

	begin(1);
	for (int i = 0; i < MOST_VISITORS; i++) {
		snprintf(request.client, sizeof(request.client), "client%d", i);
		expect_count(&request, 5, 1);
	}
	strcpy(request.client, "one more");
	EXPECT_EQ(ask(&request, 5, &recording), 400);
	strcpy(request.client, "client3");
	EXPECT_EQ(ask(&request, 5, &recording), 404);
	end();
}

/* Slices that were cut in two by somebody's request are one again. */
static void test_slices(void)
{
	struct serve_request request = request_of(SERVE_PROFILE);
	struct recording recording;
	const uint64_t counts[] = {1, 2 + 20, 0, 4};

	begin(1);
	add_slice(&store, 7, 2, "redis", 2, "leaf@libc");
	add_slice(&store, 10, 3, "redis", 20, "leaf@libc");
	add_slice(&store, 20, 5, "redis", 4, "leaf@libc");
	request.ago_ns = 20 * SECOND;
	request.with_slices = 1;
	EXPECT_EQ(ask(&request, 20, &recording), 200);
	EXPECT_EQ(recording.nr_slices, 4);
	for (size_t i = 0; i < recording.nr_slices; i++)
		EXPECT_EQ(recording.slices[i] ? profile__total(recording.slices[i], VALUE_COUNT)
					      : 0,
			  counts[i]);
	recording__fini(&recording);
	end();
}

static void test_filters(void)
{
	struct serve_request request = request_of(SERVE_PROFILE);

	begin(2);
	add_slice(&store, 15, 5, "nginx", 50, "leaf@libc");
	request.ago_ns = 15 * SECOND;
	expect_count(&request, 15, 53);
	strcpy(request.comm, "ngi*");
	expect_count(&request, 15, 50);
	request.comm[0] = '\0';
	request.pid = 43; /* all are 42 */
	expect_count(&request, 15, 0);
	end();
}

/*
 * The metrics have the rate that was left after it was asked for or lowered; a recovery looks at
 * the same number.
 */
static void test_rate(void)
{
	static const char *const told[] = {"\ntopstacks_sampling_rate_hertz 999\n",
					   "\ntopstacks_sampling_rate_hertz 19\n"};
	struct store_facts store_facts = {0};
	static char text[1 << 16];
	struct recording slice;
	FILE *out;

	begin(1);
	recording__init(&slice);
	slice.facts[FACT_EVENT] = "cpu-clock";
	slice.asked_hz = 999;
	for (size_t i = 0; i < 2; i++) {
		slice.lowered_hz = i ? 19 : 0;
		counters__add(&counters, &slice);
		out = fmemopen(text, sizeof(text), "w");
		EXPECT_EQ(counters__write(out, &counters, &store_facts), 0);
		fclose(out);
		EXPECT(strstr(text, told[i]));
	}
	recording__fini(&slice);
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"times", test_times},
		{"nothing is there", test_nothing_is_there},
		{"who may ask", test_who},
		{"what is new since the last visit", test_visits},
		{"few names", test_few_names},
		{"slices", test_slices},
		{"filters", test_filters},
		{"the rate", test_rate},
		{0},
	};

	return run_tests("answers", tests);
}
