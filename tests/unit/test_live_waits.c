// SPDX-License-Identifier: GPL-2.0-only
/* Waits in the live view: each row's bar of states, and keys that leave some waits alone. */
#include <string.h>

#include "desk.h"
#include "waiting_model.h"

static void work(struct desk *desk)
{
	while (live__work(&desk->live) > 0)
		;
}

static void give_server(struct desk *desk)
{
	struct recording interval = waiting_recording();

	EXPECT_EQ(live__add(&desk->live, &interval), 0);
	work(desk);
	recording__fini(&interval);
}

/* The line that begins with a percentage and has this in it; "" if there is none. */
static const char *row(struct desk *desk, const char *percent, const char *what)
{
	static char line[512];
	char *rest = screen(desk), *at;

	while ((at = strsep(&rest, "\n"))) {
		snprintf(line, sizeof(line), "%s", at);
		if (!strncmp(at + strspn(at, " "), percent, strlen(percent)) && strstr(at, what))
			return line;
	}
	return "";
}

static void test_bars(void)
{
	struct desk desk = begin(30, 100);

	give_server(&desk);
	EXPECT(shows(&desk, "PAST    STATES  "));
	press(&desk, "\nj"); /* waits for the lock take 167 ms, as of threads that wait for work */
	EXPECT(strstr(row(&desk, "50.0", "lock"), "  BBBBWW  ")); /* 60 and 40 % */
	EXPECT(strstr(row(&desk, "40.0", "recv"), "  BBBBBB  "));
	EXPECT(strstr(row(&desk, "6.0", "parse"), "  PPPPPS  ")); /* 83 and 17 % */
	EXPECT(shows(&desk, "50.0 %  server, mostly lock"));
	press(&desk, "2t");
	EXPECT(strstr(row(&desk, "94.0", "schedule"), "  BBBBBW  ")); /* 79 and 21 % */
	EXPECT(strstr(row(&desk, "0.0", "main"), "  BBBBBW  "));      /* 74, 5, 20 and 1 % */
	press(&desk, "3");
	EXPECT(strstr(row(&desk, "100.0", "server"), "  BBBBBW  "));
	press(&desk, "45");
	EXPECT(strstr(row(&desk, "0.0", "libc"), "  BBBBBW  "));
	press(&desk, "6"); /* flames have no rows */
	EXPECT(!shows(&desk, "STATES"));
	end(&desk);
}

/* Where nothing is told, or no room is left, tables are as they were. */
static void test_none(void)
{
	struct desk desk = begin(30, 100);

	GIVE(&desk.live, 60, 40);
	EXPECT(shows(&desk, "PAST"));
	EXPECT(!shows(&desk, "STATES"));
	end(&desk);
	desk = begin(30, 60);
	give_server(&desk);
	press(&desk, "\n");
	EXPECT(strstr(row(&desk, "50.0", "lock"), "lock"));
	EXPECT(!shows(&desk, "STATES"));
	end(&desk);
}

static void test_cells(void)
{
	struct states states = {.are_told = true};
	struct point blocked = {7, 30}, woken = {7, 20};
	enum wait_state bar[10];

	states.of[WAIT_INTERRUPTIBLE] = (struct series){.points = &blocked, .nr_points = 1};
	states.of[WAIT_WOKEN] = (struct series){.points = &woken, .nr_points = 1};
	states__bar(&states, 7, 100, bar, 10); /* of the other half nothing is told */
	for (int i = 0; i < 10; i++)
		EXPECT_EQ(bar[i], i < 3 ? WAIT_INTERRUPTIBLE : i < 5 ? WAIT_WOKEN : WAIT_UNKNOWN);
	states__bar(&states, 8, 0, bar, 10); /* a row that only the baseline has */
	EXPECT_EQ(bar[0], WAIT_UNKNOWN);
}

static void test_states_alone(void)
{
	struct desk desk = begin(30, 100);

	give_server(&desk);
	press(&desk, "Sblocked\n");
	EXPECT(shows(&desk, "  state blocked  74.0 %"));
	EXPECT(strstr(row(&desk, "30.0", "lock"), "  BBBBBB  "));
	EXPECT(!*row(&desk, "6.0", "parse"));
	press(&desk, "Wnet,disk\n");
	EXPECT(shows(&desk, "  state blocked  wait net,disk  44.0 %"));
	EXPECT(!*row(&desk, "30.0", "lock"));
	press(&desk, "S\x15\n"); /* waits for the network, in any state */
	EXPECT(shows(&desk, "  wait net,disk  44.0 %"));
	press(&desk, "W\x15!net\n");
	EXPECT(strstr(row(&desk, "50.0", "lock"), "  BBBBWW  "));
	EXPECT(!*row(&desk, "40.0", "recv"));
	press(&desk, "\x1b");
	EXPECT(strstr(row(&desk, "40.0", "recv"), "recv"));
	EXPECT(!shows(&desk, "  wait "));
	end(&desk);
}

static void test_mistyped(void)
{
	struct desk desk = begin(30, 160);

	give_server(&desk);
	press(&desk, "Wloc\n");
	EXPECT(shows(&desk, "--wait has no \"loc\"; it takes lock, disk"));
	EXPECT(strstr(row(&desk, "40.0", "recv"), "recv"));
	press(&desk, "k\n"); /* mended */
	EXPECT(shows(&desk, "  wait lock  50.0 %"));
	end(&desk);
}

/* 1 s: 92 % in poll and sleep, seldom woken; 3 % in poll that is often woken; 5 % preempted. */
static void give_idle(struct desk *desk, uint64_t often_ns)
{
	struct recording interval;
	struct model model;

	recording__init(&interval);
	model = (struct model){profile__dictionary(interval.profile), interval.profile};
	interval.facts[FACT_EVENT] = recording__keep(&interval, "off-cpu");
	profile__set_metrics(model.profile, &waits_metrics);
	add_waiting(&model, "pool", POLL_WAIT, 2, 600000000, "epoll_wait@libc work@pool");
	add_waiting(&model, "pool", SLEEP_WAIT, 0, 320000000, "nanosleep@libc tick@pool");
	add_waiting(&model, "busy", POLL_WAIT, 300, often_ns, "epoll_wait@libc serve@busy");
	add_waiting(&model, "busy", PREEMPTED, 9, 80000000 - often_ns, "parse@busy serve@busy");
	interval.duration_ns = 1000000000;
	EXPECT_EQ(live__add(&desk->live, &interval), 0);
	work(desk);
	recording__fini(&interval);
}

static void test_idle(void)
{
	struct desk desk = begin(30, 100);

	give_idle(&desk, 30000000);
	give_idle(&desk, 40000000);
	EXPECT(strstr(row(&desk, "92.0", "+ waiting"), " 920 ms "));
	EXPECT(strstr(row(&desk, "92.0", "+ waiting"), "+ waiting for work, in 2 stacks"));
	EXPECT(shows(&desk,
		     " 92.0 %  waiting for work: its hottest stack, 65 % of it, pool, mostly "
		     "poll"));
	EXPECT(strstr(row(&desk, "4.0", "epoll"), "+1.0  "));
	EXPECT(strstr(row(&desk, "4.0", "parse"), "-1.0  "));
	EXPECT(!*row(&desk, "60.0", "work"));
	EXPECT_EQ(live__let_through(&desk.live), 1000000000);

	press(&desk, "z"); /* it is no place to zoom into */
	EXPECT_EQ(desk.live.selection.nr_zooms, 0);
	press(&desk, "\n");
	work(&desk);
	EXPECT(strstr(row(&desk, "92.0", "- waiting"), "- waiting for work, in 2 of these stacks"));
	EXPECT(strstr(row(&desk, "60.0", "work"), "BBBBBB"));
	EXPECT(strstr(row(&desk, "32.0", "tick"), "BBBBBB"));
	EXPECT(strstr(row(&desk, "4.0", "epoll"), "+1.0  "));
	EXPECT(!desk.ui.shows_detail);
	press(&desk, "-");
	EXPECT(!*row(&desk, "60.0", "work"));
	EXPECT(strstr(row(&desk, "92.0", "waiting"), "+ waiting"));
	end(&desk);
}

/* Other views have all waits; a user that asks for some waits is shown these. */
static void test_not_idle(void)
{
	struct desk desk = begin(30, 100);

	give_idle(&desk, 30000000);
	press(&desk, "Wpoll\n");
	EXPECT(strstr(row(&desk, "60.0", "work"), "epoll_wait"));
	EXPECT(!shows(&desk, "waiting for work"));
	press(&desk, "\x1b"
		     "4");
	EXPECT(*row(&desk, "92.0", "pool"));
	EXPECT(!shows(&desk, "waiting for work"));
	press(&desk, "1/busy\n"); /* no thread there waits for work */
	EXPECT(*row(&desk, "3.0", "epoll"));
	EXPECT(!shows(&desk, "waiting for work"));
	end(&desk);
}

/* The sum and the decaying sum are parted, too. */
static void test_idle_sums(void)
{
	struct desk desk = begin(30, 100);

	for (int i = 0; i < 3; i++)
		give_idle(&desk, 30000000);
	press(&desk, "m");
	EXPECT(strstr(row(&desk, "92.0", "waiting"), " 2.76 s "));
	press(&desk, "m");
	EXPECT(*row(&desk, "92.0", "+ waiting"));
	EXPECT(shows(&desk, "0 waits, 2.55 s, ")); /* 1 + 0.84 + 0.71 */
	EXPECT(*row(&desk, "3.0", "epoll"));
	end(&desk);
}

/* Long durations keep their distance from percentages. */
static void test_long(void)
{
	struct desk desk = begin(30, 100);

	for (int i = 0; i < 2; i++) {
		struct recording interval = waiting_recording();
		struct model model = {profile__dictionary(interval.profile), interval.profile};

		add_waiting(&model, "server", NET_WAIT, 90000, 999000000000,
			    "schedule@[kernel] send@libc main@server");
		EXPECT_EQ(live__add(&desk.live, &interval), 0);
		recording__fini(&interval);
	}
	EXPECT(strstr(row(&desk, "99.9", "send"), "  99.9  16 min 39 s  "));
	EXPECT(strstr(row(&desk, "0.1", "waiting"), "   0.1       500 ms  "));
	end(&desk);
}

int main(void)
{
	static const struct test tests[] = {
		{"bars of states", test_bars},
		{"no bars", test_none},
		{"cells of a bar", test_cells},
		{"some states, some waits", test_states_alone},
		{"a word that there is not", test_mistyped},
		{"waits for work are a row", test_idle},
		{"and elsewhere they are not", test_not_idle},
		{"waits for work in sums", test_idle_sums},
		{"long durations", test_long},
		{0},
	};

	return run_tests("waits in the live view", tests);
}
