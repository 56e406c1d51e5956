// SPDX-License-Identifier: GPL-2.0-only
/* The words of waits, and people's choice of them. */
#include "profile/wait.h"

#include <errno.h>
#include <string.h>

#include "expect.h"

static const uint32_t lock = WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_LOCK);
static const uint32_t woken_of_lock = WAIT(WAIT_WOKEN, WAIT_FOR_LOCK);
static const uint32_t poll = WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_POLL);
static const uint32_t disk = WAIT(WAIT_DISK, WAIT_FOR_DISK);
static const uint32_t preempted = WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING);
static const uint32_t running = WAIT(WAIT_RUNNING, WAIT_FOR_NOTHING);

static void test_words(void)
{
	for (int state = 1; state < WAIT_STATES; state++)
		EXPECT_EQ(wait_state__find(wait_state__name((enum wait_state)state)), state);
	for (int kind = 1; kind < WAIT_KINDS; kind++)
		EXPECT_EQ(wait_kind__find(wait_kind__name((enum wait_kind)kind)), kind);
	EXPECT_STR(wait_state__name(WAIT_UNKNOWN), "");
	EXPECT_STR(wait_kind__name(WAIT_FOR_NOTHING), "");
	EXPECT_STR(wait_state__name((enum wait_state)15), "");
	EXPECT_STR(wait_kind__name((enum wait_kind)63), "");
	EXPECT_EQ(wait_state__find("lock"), WAIT_UNKNOWN);
	EXPECT_EQ(wait_kind__find(""), WAIT_FOR_NOTHING);
	EXPECT_EQ(wait_kind__find(NULL), WAIT_FOR_NOTHING);
}

static void test_parts(void)
{
	for (uint32_t state = 0; state < WAIT_STATES; state++)
		for (uint32_t kind = 0; kind < WAIT_KINDS; kind++) {
			EXPECT_EQ(wait__state(WAIT(state, kind)), state);
			EXPECT_EQ(wait__kind(WAIT(state, kind)), kind);
		}
	EXPECT_STR(wait__describe(woken_of_lock), "lock");
	EXPECT_STR(wait__describe(preempted), "preempted");
	EXPECT_STR(wait__describe(0), "");
}

/*
 * Bits of the waits above, in their order: lock, woken of one, poll, disk, preempted, running,
 * none.
 */
static unsigned int chosen(const char *state, const char *kind)
{
	const uint32_t waits[] = {lock, woken_of_lock, poll, disk, preempted, running, 0};
	struct wait_choice choice = {0};
	struct error err = {0};
	unsigned int bits = 0;

	EXPECT_EQ(wait_choice__parse(&choice, state, kind, &err), 0);
	EXPECT_EQ(wait_choice__is_all(&choice), !state && !kind);
	for (unsigned int i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		bits |= (unsigned int)wait_choice__has(&choice, waits[i]) << i;
	return bits;
}

static void test_choice(void)
{
	EXPECT_EQ(chosen(NULL, NULL), 0x7f);
	EXPECT_EQ(chosen(NULL, "lock"), 0x3);
	EXPECT_EQ(chosen(NULL, "lock,disk"), 0xb);
	EXPECT_EQ(chosen(NULL, "!lock,!poll"), 0x78);
	EXPECT_EQ(chosen("blocked", NULL), 0xd);
	EXPECT_EQ(chosen("blocked,!disk", NULL), 0x5);
	EXPECT_EQ(chosen("woken,preempted", NULL), 0x12);
	EXPECT_EQ(chosen("!running", NULL), 0x5f);
	EXPECT_EQ(chosen("blocked", "lock"), 0x1);
	EXPECT_EQ(chosen("preempted", "lock"), 0);
	EXPECT_EQ(chosen(NULL, "lock,!lock"), 0); /* nothing is not all */
}

static void expect_refusal(const char *state, const char *kind, const char *text)
{
	struct wait_choice choice = {0};
	struct error err = {0};

	EXPECT_EQ(wait_choice__parse(&choice, state, kind, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, text));
}

static void test_refusals(void)
{
	expect_refusal(NULL, "locks", "--wait has no \"locks\"; it takes lock, disk, net");
	expect_refusal(NULL, "lock,", "--wait has no ");
	expect_refusal(NULL, "", "--wait has no ");
	expect_refusal(NULL, "!", "--wait has no \"!\"");
	expect_refusal(NULL, "!!poll", "--wait has no \"!!poll\"");
	expect_refusal("lock", NULL, "--state has no \"lock\"; it takes blocked, preempted");
	expect_refusal(NULL, "a word that is much longer than any kind of a wait will be",
		       "--wait has no ");
}

int main(void)
{
	static const struct test tests[] = {
		{"each state and kind has a word", test_words},
		{"both in one number", test_parts},
		{"which are chosen", test_choice},
		{"words that there are not", test_refusals},
		{0},
	};

	return run_tests("wait", tests);
}
