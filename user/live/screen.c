// SPDX-License-Identifier: GPL-2.0-only
/*
 * ncurses compares the new screen with what the terminal shows, and sends the difference.
 * Characters that it cannot show (without UTF-8, or if the C library defines another width) are
 * replaced, so that ncurses has the same cells as we do.
 */
#include "live/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#undef columns /* a macro of term.h */

#include "base/plain.h"
#include "base/system/rights.h"
#include "live/guard.h"
#include "live/keys.h"
#include "live/sequences.h"
#include "views/pen.h"

#define ESCAPE_MS 25 /* within this time after ESC, the rest of an arrow key's sequence arrives */

struct screen {
	SCREEN *curses;
	bool is_utf8, has_color;
	struct sequence sequence; /* the sequence that is being skipped */
	attr_t attributes[STYLES];
};

/* ---- the terminal's abilities ---- */

bool screen__is_possible(void)
{
	static const char *const variables[] = {"TERMINFO", "TERMINFO_DIRS", "TERMCAP", "TERMPATH",
						"HOME"};
	const char *term = getenv("TERM"), *move;
	int status;

	/*
	 * If the program has more rights than the caller, the caller must not choose what it
	 * parses: then only the system's descriptions of terminals are used. No command is started
	 * afterwards with this environment.
	 */
	if (rights__exceed_caller())
		for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
			unsetenv(variables[i]);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !*term)
		return false;
	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return false;
	move = tigetstr("cup");
	del_curterm(cur_term);
	return move && move != (const char *)-1;
}

/* ---- colours ---- */

/*
 * The eight colours of ANSI, and for terminals with more colours one of 256: a cube with six steps
 * each of red, green and blue.
 */
static const struct appearance {
	attr_t plain;	/* without colours */
	attr_t colored; /* with them */
	short front, back;
	int front_256, back_256; /* -1: as with eight colours */
} appearances[STYLES] = {
	[STYLE_PLAIN] = {A_NORMAL, A_NORMAL, -1, -1, -1, -1},
	[STYLE_DIM] = {A_DIM, A_DIM, -1, -1, 245, -1},
	[STYLE_BOLD] = {A_BOLD, A_BOLD, -1, -1, -1, -1},
	[STYLE_TITLE] = {A_BOLD, A_BOLD, COLOR_CYAN, -1, -1, -1},
	[STYLE_HEADING] = {A_UNDERLINE, A_NORMAL, COLOR_BLACK, COLOR_CYAN, 253, 238},
	[STYLE_TAB] = {A_REVERSE, A_BOLD, COLOR_BLACK, COLOR_CYAN, 16, 80},
	[STYLE_KEY] = {A_BOLD, A_BOLD, COLOR_CYAN, -1, -1, -1},
	[STYLE_ALARM] = {A_BOLD, A_BOLD, COLOR_RED, -1, 203, -1},
	[STYLE_KERNEL] = {A_NORMAL, A_NORMAL, COLOR_CYAN, -1, 110, -1},
	[STYLE_JIT] = {A_NORMAL, A_NORMAL, COLOR_GREEN, -1, 114, -1},
	[STYLE_UP] = {A_BOLD, A_NORMAL, COLOR_YELLOW, -1, 215, -1},
	[STYLE_DOWN] = {A_NORMAL, A_NORMAL, COLOR_BLUE, -1, 111, -1},
	[STYLE_NEW] = {A_BOLD, A_BOLD, COLOR_GREEN, -1, 114, -1},
	[STYLE_SPARK] = {A_NORMAL, A_NORMAL, COLOR_GREEN, -1, 72, -1},
	[STYLE_FLAME] = {A_REVERSE, A_NORMAL, COLOR_BLACK, COLOR_YELLOW, 16, 215},
	[STYLE_FLAME + 1] = {A_UNDERLINE, A_NORMAL, COLOR_BLACK, COLOR_RED, 16, 209},
	[STYLE_FLAME + 2] = {A_REVERSE | A_DIM, A_NORMAL, COLOR_BLACK, COLOR_YELLOW, 16, 221},
	[STYLE_FLAME + 3] = {A_UNDERLINE | A_DIM, A_NORMAL, COLOR_BLACK, COLOR_RED, 16, 216},
	[STYLE_FLAME_KERNEL] = {A_REVERSE, A_NORMAL, COLOR_BLACK, COLOR_CYAN, 16, 110},
	[STYLE_FLAME_KERNEL + 1] = {A_UNDERLINE, A_NORMAL, COLOR_BLACK, COLOR_BLUE, 16, 109},
	[STYLE_FLAME_KERNEL + 2] = {A_REVERSE, A_NORMAL, COLOR_BLACK, COLOR_CYAN, 16, 152},
	[STYLE_FLAME_KERNEL + 3] = {A_UNDERLINE, A_NORMAL, COLOR_BLACK, COLOR_BLUE, 16, 146},
};

/* Converts one of the 256 colours for a terminal that takes RGB values. */
static int direct_color(int color)
{
	int sixths = color - 16, red = sixths / 36, green = sixths / 6 % 6, blue = sixths % 6;
	int gray = 8 + 10 * (color - 232);

	if (color >= 232)
		return gray << 16 | gray << 8 | gray;
	return (red ? 55 + 40 * red : 0) << 16 | (green ? 55 + 40 * green : 0) << 8 |
	       (blue ? 55 + 40 * blue : 0);
}

static int color_of(int ansi, int of_256)
{
	if (of_256 < 0 || COLORS < 256)
		return ansi;
	return COLORS > 256 ? direct_color(of_256) : of_256;
}

static void choose_colors(struct screen *screen, bool color)
{
	screen->has_color = color && has_colors() && start_color() == OK &&
			    use_default_colors() == OK && COLORS >= 8 && COLOR_PAIRS > STYLES;
	for (int i = 0; i < STYLES; i++) {
		const struct appearance *appearance = &appearances[i];
		int front = color_of(appearance->front, appearance->front_256);
		int back = color_of(appearance->back, appearance->back_256);

		screen->attributes[i] = screen->has_color ? appearance->colored : appearance->plain;
		if (!screen->has_color || (front < 0 && back < 0))
			continue;
		init_extended_pair(i + 1, front, back);
		screen->attributes[i] |= (attr_t)COLOR_PAIR(i + 1);
		if (appearance->front_256 >= 0 && COLORS >= 256)
			screen->attributes[i] &= ~(attr_t)A_DIM; /* the gray is dim enough */
	}
}

/* ---- open and close ---- */

/* Appends a capability without the delays for old terminals: "$<5/>". */
static void append(char *text, size_t size, const char *name)
{
	const char *capability = tigetstr(name);
	size_t length = strlen(text);

	if (!capability || capability == (const char *)-1)
		return;
	while (*capability && length + 1 < size) {
		if (capability[0] == '$' && capability[1] == '<' && strchr(capability, '>'))
			capability = strchr(capability, '>') + 1;
		else
			text[length++] = *capability++;
	}
	text[length] = '\0';
}

struct screen *screen__open(bool color)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct screen *screen = xcalloc(1, sizeof(*screen));
	char leave[256] = "";

	if (!plain__is_wanted()) {
		setlocale(LC_CTYPE, "");
		if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
			setlocale(LC_CTYPE, "C.UTF-8");
		screen->is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	}
	guard__remember(STDIN_FILENO);
	screen->curses = newterm(NULL, stdout, stdin);
	if (!screen->curses) {
		free(screen);
		return NULL;
	}
	/* The signal handlers of ncurses would run in any thread. The caller handles signals. */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	append(leave, sizeof(leave), "sgr0");
	append(leave, sizeof(leave), "op");
	append(leave, sizeof(leave), "cnorm");
	append(leave, sizeof(leave), "rmkx");
	append(leave, sizeof(leave), "rmcup");
	guard__arm(leave);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	choose_colors(screen, color);
	return screen;
}

void screen__close(struct screen *screen)
{
	if (!screen)
		return;
	screen__leave(screen);
	guard__disarm();
	delscreen(screen->curses);
	free(screen);
}

/* A terminal without an alternate screen keeps the picture, and the shell continues below it. */
void screen__leave(struct screen *screen)
{
	(void)screen;
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	endwin();
}

void screen__return(struct screen *screen)
{
	(void)screen;
	reset_prog_mode();
	clearok(curscr, TRUE);
	refresh();
}

void screen__size(struct screen *screen, size_t *nr_lines, size_t *nr_columns)
{
	struct winsize size;

	(void)screen;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col &&
	    is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	*nr_lines = (size_t)LINES;
	*nr_columns = (size_t)COLS;
}

/* ---- drawing ---- */

/* The text of a cell, of its width. "": the right half of a wide character. */
static const char *text_of(const struct screen *screen, const struct cell *cell)
{
	wchar_t character;
	const char *text = cell->text;
	mbstate_t state = {0};

	if (!cell->columns)
		return "";
	if (!*text)
		return " ";
	if ((unsigned char)*text < 0x80)
		return text;
	if (!screen->is_utf8)
		text = plain__sign(text);
	else if (mbrtowc(&character, text, strlen(text), &state) >= (size_t)-2 ||
		 wcwidth(character) != cell->columns)
		text = NULL;
	if (text)
		return text;
	return cell->columns == 1 ? "?" : "??";
}

static attr_t attributes_of(const struct screen *screen, const struct cell *cell)
{
	return screen->attributes[cell->style] | (cell->is_marked ? A_REVERSE : 0);
}

/* Writes cells of equal appearance together. */
static void draw_line(const struct screen *screen, const struct canvas *canvas, size_t line)
{
	char text[1024];
	size_t column = 0;

	while (column < canvas->nr_columns) {
		const struct cell *first = canvas__cell(canvas, line, column), *cell;
		size_t length = 0, start = column;

		for (; column < canvas->nr_columns && length + 8 < sizeof(text); column++) {
			cell = canvas__cell(canvas, line, column);
			if (attributes_of(screen, cell) != attributes_of(screen, first))
				break;
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s",
						   text_of(screen, cell));
		}
		attrset((int)attributes_of(screen, first));
		mvaddnstr((int)line, (int)start, text, (int)length);
	}
}

void screen__draw(struct screen *screen, const struct canvas *canvas, bool all)
{
	for (size_t line = 0; line < canvas->nr_lines; line++)
		draw_line(screen, canvas, line);
	if (all)
		clearok(curscr, TRUE);
	refresh();
}

/* ---- keys ---- */

/* False: there is no input. */
static bool read_character(struct screen *screen, int *kind, wint_t *character)
{
	/* The bytes of a report are not characters. */
	while (screen->sequence.state == SEQUENCE_BYTES) {
		const int byte = getch();

		if (byte == ERR)
			return false;
		sequence__take(&screen->sequence, byte);
	}
	*kind = get_wch(character);
	return *kind != ERR;
}

/* True if ESC was the beginning of a sequence. */
static bool is_of_sequence(struct screen *screen)
{
	wint_t next;
	const int kind = get_wch(&next);

	if (kind == OK && sequence__begin(&screen->sequence, (int)next))
		return true;
	if (kind == OK)
		unget_wch((wchar_t)next);
	else if (kind == KEY_CODE_YES)
		ungetch((int)next);
	return false;
}

/* Mouse reports, if a previous program has left them enabled, are recognized by their beginning. */
static bool is_report(struct screen *screen, int key)
{
	const char *beginning = tigetstr("kmous");

	if (key != KEY_MOUSE)
		return false;
	if (beginning && beginning != (const char *)-1 && strchr(beginning, '<'))
		sequence__begin(&screen->sequence, '[');
	else
		sequence__begin_report(&screen->sequence);
	return true;
}

int screen__read(struct screen *screen)
{
	static const struct {
		int key, input;
	} keys[] = {
		{KEY_UP, INPUT_UP},	      {KEY_DOWN, INPUT_DOWN},
		{KEY_LEFT, INPUT_LEFT},	      {KEY_RIGHT, INPUT_RIGHT},
		{KEY_PPAGE, INPUT_PAGE_UP},   {KEY_NPAGE, INPUT_PAGE_DOWN},
		{KEY_HOME, INPUT_HOME},	      {KEY_END, INPUT_END},
		{KEY_BTAB, INPUT_BACK_TAB},   {KEY_ENTER, INPUT_ENTER},
		{KEY_BACKSPACE, INPUT_ERASE},
	};
	wint_t character;
	int kind;

	do {
		if (!read_character(screen, &kind, &character))
			return INPUT_NONE;
	} while (kind == KEY_CODE_YES ? is_report(screen, (int)character)
		 : sequence__is_open(&screen->sequence)
			 ? sequence__take(&screen->sequence, (int)character)
			 : character == INPUT_ESCAPE && is_of_sequence(screen));
	if (kind != KEY_CODE_YES)
		return character == '\r' ? INPUT_ENTER : (int)character;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if ((int)character == keys[i].key)
			return keys[i].input;
	return INPUT_REDRAW; /* for KEY_RESIZE, and for keys without a meaning */
}
