// SPDX-License-Identifier: GPL-2.0-only
#include "live/ui.h"

#include <stdarg.h>

#include "live/errors.h"

void ui__say(struct ui *ui, bool is_alarm, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(ui->message, sizeof(ui->message), format, arguments);
	va_end(arguments);
	ui->is_alarm = is_alarm;
}

/*
 * ---- typing ----
 *
 * Invalid text stays, so that the user can correct it. Escape drops it.
 */

static void open_prompt(struct ui *ui, enum action prompt, const char *text)
{
	ui->prompt = prompt;
	snprintf(ui->typed, sizeof(ui->typed), "%s", text);
	ui->nr_typed = strlen(ui->typed);
	ui->is_offered = ui->nr_typed > 0;
}

static int finish_prompt(struct ui *ui, struct live *live, enum action *left)
{
	const struct selection *now = &live->selection;
	const bool is_rate = ui->prompt == ACTION_RATE;
	struct error err = {0};
	int code = 0;
	char *end;

	if (ui->prompt == ACTION_FILTER) {
		code = live__set_pattern(live, ui->typed, &err);
	} else if (ui->prompt == ACTION_STATES) {
		code = live__set_waits(live, ui->typed, now->kinds, &err);
	} else if (ui->prompt == ACTION_WAITS) {
		code = live__set_waits(live, now->states, ui->typed, &err);
	} else {
		ui->value = strtod(ui->typed, &end);
		if (!*end && end > ui->typed && ui->value >= 0.01 &&
		    ui->value <= (is_rate ? 100000 : 1e6))
			*left = ui->prompt;
		else
			ui__say(ui, true, "not %s: %s",
				is_rate ? "0.01 to 100,000 samples a second"
					: "0.01 to 1,000,000 seconds",
				ui->typed);
	}
	if (code == -EINVAL) {
		ui__say(ui, true, "%s", err.text);
		code = 0;
	}
	if (!ui->is_alarm)
		ui->prompt = ACTION_NONE;
	return code;
}

static void append(struct ui *ui, int character)
{
	char bytes[4];
	size_t nr = 0;

	if (ui->is_offered)
		open_prompt(ui, ui->prompt, "");
	if (character < 0x80) {
		bytes[nr++] = (char)character;
	} else if (character < 0x800) {
		bytes[nr++] = (char)(0xc0 | character >> 6);
	} else if (character < 0x10000) {
		bytes[nr++] = (char)(0xe0 | character >> 12);
		bytes[nr++] = (char)(0x80 | (character >> 6 & 0x3f));
	} else {
		bytes[nr++] = (char)(0xf0 | character >> 18);
		bytes[nr++] = (char)(0x80 | (character >> 12 & 0x3f));
		bytes[nr++] = (char)(0x80 | (character >> 6 & 0x3f));
	}
	if (character >= 0x80)
		bytes[nr++] = (char)(0x80 | (character & 0x3f));
	if (ui->nr_typed + nr >= sizeof(ui->typed))
		return;
	memcpy(ui->typed + ui->nr_typed, bytes, nr);
	ui->nr_typed += nr;
	ui->typed[ui->nr_typed] = '\0';
}

static int type(struct ui *ui, struct live *live, int input, enum action *left)
{
	if (input == INPUT_ENTER)
		return finish_prompt(ui, live, left);
	if (input == INPUT_ESCAPE) {
		ui->prompt = ACTION_NONE;
	} else if (input == INPUT_ERASE || input == '\b') {
		ui->is_offered = false;
		while (ui->nr_typed && (ui->typed[--ui->nr_typed] & 0xc0) == 0x80)
			;
		ui->typed[ui->nr_typed] = '\0';
	} else if (input == 'U' - '@') { /* Ctrl-U */
		open_prompt(ui, ui->prompt, "");
	} else if (input >= ' ' && input < INPUT_UP) {
		append(ui, input);
	}
	return 0;
}

/* ---- actions ---- */

static bool is_open(const struct ui *ui)
{
	return ui->shows_help || ui->shows_detail;
}

static void move(struct ui *ui, struct live *live, long by)
{
	long to = (long)ui->scrolled + by;

	if (is_open(ui) && to < 0)
		ui->scrolled = 0;
	else if (is_open(ui))
		ui->scrolled = (size_t)to < ui->most_scrolled ? (size_t)to : ui->most_scrolled;
	else if (live->selection.view == VIEW_FLAMES && (by == 1 || by == -1))
		live__move_up(live, by < 0 ? 1 : -1);
	else
		live__move(live, by);
}

static int group(struct ui *ui, struct live *live)
{
	static const char *const words[] = {"by command", "by process", "by thread"};
	const struct selection *selection = &live->selection;
	const unsigned int nr = ui->by_thread ? 3 : 2;
	const enum merge now =
		selection->view == VIEW_PROCESSES ? selection->owners : selection->merge;
	const enum merge next = (enum merge)((now + 1U) % nr);

	ui__say(ui, false, "told apart %s", words[next]);
	return live__set_merge(live, next);
}

static int change_mode(struct ui *ui, struct live *live)
{
	static const char *const words[MODES] = {
		[MODE_INTERVAL] = "each interval for itself",
		[MODE_SUM] = "the sum of all intervals",
		[MODE_DECAYED] = "the decaying sum: an interval counts half after four more",
	};
	enum mode mode = (enum mode)((live->mode + 1U) % MODES);

	ui__say(ui, false, "%s", words[mode]);
	return live__set_mode(live, mode);
}

static int show_next_event(struct ui *ui, struct live *live)
{
	const char *event;
	const int code = live__next_event(live, &event);

	if (event)
		ui__say(ui, false, "shown is %.60s; sampled are all", event);
	else
		ui__say(ui, false, "there is one event; -e samples several");
	return code;
}

static int step(struct ui *ui, struct live *live, int by)
{
	uint64_t before = live->picture ? live->picture->number : 0;
	int code = live__step(live, by);

	if (!code && live->picture && live->picture->number == before && before)
		ui__say(ui, false,
			by < 0 ? "this is the oldest interval that is kept"
			       : "this is the newest interval");
	return code;
}

static int compare(struct ui *ui, struct live *live)
{
	bool on = !live__is_comparing(live);

	if (on && live->picture)
		ui__say(ui, false, "CHANGE is against this from here on; step with [ ]");
	return live__compare(live, on);
}

/* Closes one thing at a time, the innermost first. */
static int go_back(struct ui *ui, struct live *live)
{
	struct error err;

	if (is_open(ui)) {
		ui->shows_help = ui->shows_detail = false;
		ui->scrolled = 0;
		return 0;
	}
	if (live->selection.nr_zooms)
		return live__unzoom(live);
	if (*live->selection.pattern)
		return live__set_pattern(live, "", &err);
	if (*live->selection.states || *live->selection.kinds)
		return live__set_waits(live, "", "", &err);
	if (live__is_comparing(live))
		return live__compare(live, false);
	return live__is_frozen(live) ? live__freeze(live, false) : 0;
}

static void open_number(struct ui *ui, enum action prompt, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%g", value);
	open_prompt(ui, prompt, text);
}

/* Counted events have no rate. */
static void ask_rate(struct ui *ui, const struct live *live)
{
	const struct recording *event = live->picture ? &live->picture->recording : NULL;

	while (event && event->asked_hz <= 0)
		event = event->more;
	if (live->picture && !event)
		ui__say(ui, true, "there is no rate to set: the events of -e are counted");
	else
		open_number(ui, ACTION_RATE, ui->rate_hz);
}

static void toggle(struct ui *ui, bool *what)
{
	bool on = !*what;

	ui->shows_help = ui->shows_detail = false;
	ui->scrolled = 0;
	*what = on;
}

/* The noise row and the idle row have no stack of their own: they are opened or closed in place. */
static int open_row(struct ui *ui, struct live *live)
{
	const struct live_row *row =
		live->cursor < live->nr_rows ? &live->rows[live->cursor] : NULL;

	if (row && row->nr_folded && !is_open(ui))
		return live__fold(live, !row->is_folded);
	toggle(ui, &ui->shows_detail);
	return 0;
}

/* False: the key has another kind of action. */
static bool act_on_screen(struct ui *ui, struct live *live, const struct key_row *key)
{
	switch (key->action) {
	case ACTION_MOVE:
		move(ui, live, key->argument);
		return true;
	case ACTION_PAGE:
		move(ui, live, key->argument * (long)(is_open(ui) ? ui->page : live->nr_lines));
		return true;
	case ACTION_END:
		if (is_open(ui))
			ui->scrolled = key->argument ? ui->most_scrolled : 0;
		else
			live__move_to(live, key->argument ? SIZE_MAX : 0);
		return true;
	case ACTION_HELP:
		toggle(ui, &ui->shows_help);
		return true;
	case ACTION_FILTER:
		open_prompt(ui, ACTION_FILTER, live->selection.pattern);
		return true;
	case ACTION_STATES:
		open_prompt(ui, ACTION_STATES, live->selection.states);
		return true;
	case ACTION_WAITS:
		open_prompt(ui, ACTION_WAITS, live->selection.kinds);
		return true;
	case ACTION_INTERVAL:
		open_number(ui, ACTION_INTERVAL, ui->interval_s);
		return true;
	case ACTION_RATE:
		ask_rate(ui, live);
		return true;
	default:
		return false;
	}
}

static int toggle_errors(struct ui *ui, struct live *live)
{
	char text[160];

	if (live->picture && live->certainty.lack) {
		ui__say(ui, false, "errors: %s", live->certainty.lack);
		return 0;
	}
	errors__toggle(live);
	if (live->picture && live->errors != ERRORS_NEVER) {
		certainty__describe(&live->certainty, text, sizeof(text));
		ui__say(ui, false, "%s", text);
	}
	return 0;
}

/* Asks for a second key, because intervals cannot be restored. */
static int reset(struct ui *ui, struct live *live, bool was_asked)
{
	if (was_asked)
		return live__reset(live);
	ui->asks_reset = true;
	ui__say(ui, false, "R again forgets all intervals; any other key keeps them");
	return 0;
}

/* was_asked: the previous key was that of a reset. */
static int act_on_picture(struct ui *ui, struct live *live, const struct key_row *key,
			  bool was_asked, enum action *left)
{
	switch (key->action) {
	case ACTION_VIEW:
		return live__set_view(live, (enum view)key->argument);
	case ACTION_NEXT_VIEW:
		return live__set_view(
			live,
			(enum view)(((int)live->selection.view + VIEWS + key->argument) % VIEWS));
	case ACTION_DETAIL:
		return open_row(ui, live);
	case ACTION_ASIDE:
		if (live->selection.view == VIEW_FLAMES)
			live__move_aside(live, key->argument);
		return live__fold(live, key->argument < 0);
	case ACTION_FOLD:
		return live__fold(live, key->argument);
	case ACTION_FOLD_ALL:
		return live__fold_all(live, key->argument);
	case ACTION_REVERSE:
		return live__reverse(live);
	case ACTION_TOTAL:
		return live__toggle_total(live);
	case ACTION_ERRORS:
		return toggle_errors(ui, live);
	case ACTION_GROUP:
		return group(ui, live);
	case ACTION_SORT:
		return live__sort(live);
	case ACTION_FREEZE:
		return live__freeze(live, !live__is_frozen(live));
	case ACTION_STEP:
		return step(ui, live, key->argument);
	case ACTION_COMPARE:
		return compare(ui, live);
	case ACTION_MODE:
		return change_mode(ui, live);
	case ACTION_RESET:
		return reset(ui, live, was_asked);
	case ACTION_EVENT:
		return show_next_event(ui, live);
	case ACTION_ZOOM:
		return live__zoom(live);
	case ACTION_UNZOOM:
		return live__unzoom(live);
	case ACTION_HIDE_KERNEL:
		return live__hide(live, !live->selection.hides_kernel, false);
	case ACTION_HIDE_USER:
		return live__hide(live, false, !live->selection.hides_user);
	default:
		*left = key->action;
		return 0;
	}
}

int ui__take(struct ui *ui, struct live *live, int input, enum action *left)
{
	const struct key_row *key = keys__find(input);
	const bool was_asked = ui->asks_reset;
	int code;

	*left = ACTION_NONE;
	ui->message[0] = '\0';
	ui->is_alarm = false;
	ui->asks_reset = false;
	if (ui->prompt != ACTION_NONE)
		return type(ui, live, input, left);
	if (!key || act_on_screen(ui, live, key))
		return 0;
	if (key->action == ACTION_BACK)
		return go_back(ui, live);
	code = act_on_picture(ui, live, key, was_asked, left);
	if (*left == ACTION_NONE)
		ui->shows_help = false;
	return code;
}
