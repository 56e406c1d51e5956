// SPDX-License-Identifier: GPL-2.0-only
#include "commands/printer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/writer.h"
#include "topstacks/formats.h"

#define MIN_REDRAW_LINES 24

bool printer__use_color(enum color color)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

/* Lines and columns of the terminal; 0 lines if there is none. */
static struct winsize terminal_size(void)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size.ws_row = 0;
	return size;
}

static bool can_redraw(void)
{
	const char *term = getenv("TERM");

	return terminal_size().ws_row >= MIN_REDRAW_LINES && term && strcmp(term, "dumb");
}

int printer__open(struct printer *printer, enum output_form form, const struct view_options *view,
		  enum color color, bool may_redraw, struct error *err)
{
	*printer = (struct printer){.form = form, .view = *view};
	printer->view.color = printer__use_color(color);
	printer->redraw = form == OUTPUT_TEXT && may_redraw && can_redraw();
	printer->writer = writer__new(STDOUT_FILENO);
	return printer->writer ? 0 : error__no_memory(err);
}

uint64_t printer__take_time_ns(struct printer *printer)
{
	uint64_t time_ns = printer->time_ns;

	printer->time_ns = 0;
	return time_ns;
}

bool printer__is_busy(const struct printer *printer)
{
	return writer__is_busy(printer->writer);
}

static int explain(int code, struct error *err)
{
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot write to standard output") : 0;
}

/* Each line overwrites an old one to its end; what is left below goes. */
static int draw_over(FILE *out, const char *screen, bool first)
{
	const char *end;

	fputs(first ? "\033[H\033[2J" : "\033[H", out);
	for (; (end = strchr(screen, '\n')); screen = end + 1) {
		fwrite(screen, 1, (size_t)(end - screen), out);
		fputs("\033[K\n", out);
	}
	fputs(screen, out);
	return fputs("\033[J", out) < 0 ? -EIO : 0;
}

static int redraw(struct printer *printer, FILE *out, const struct interval *interval)
{
	struct winsize size = terminal_size();
	char *screen = NULL;
	size_t nr_bytes;
	FILE *lines = open_memstream(&screen, &nr_bytes);
	int code;

	if (!lines)
		return -ENOMEM;
	code = view__write_screen(lines, interval, &printer->view, size.ws_row, size.ws_col);
	if (fclose(lines) && !code)
		code = -ENOMEM;
	if (!code)
		code = draw_over(out, screen, !printer->drawn);
	printer->drawn = true;
	free(screen);
	return code;
}

static int render(struct printer *printer, FILE *out, const struct interval *interval)
{
	switch (printer->form) {
	case OUTPUT_FOLDED:
		return folded__write(out, interval->profile, printer->view.merge);
	case OUTPUT_JSON:
		return json__write_interval(out, interval);
	default:
		return printer->redraw ? redraw(printer, out, interval)
				       : view__write_block(out, interval, &printer->view);
	}
}

static int write_rendered(struct printer *printer, const struct interval *interval,
			  struct error *err)
{
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);
	uint64_t start_ns;
	int code;

	if (!out)
		return error__no_memory(err);
	start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	code = render(printer, out, interval);
	if (fclose(out) && !code)
		code = -ENOMEM;
	printer->time_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	if (code) {
		free(text);
		return error__set(err, EXIT_INTERNAL, code, "cannot format an interval");
	}
	return explain(writer__write(printer->writer, text, nr_bytes), err);
}

int printer__interval(struct printer *printer, const struct interval *interval, struct error *err)
{
	return write_rendered(printer, interval, err);
}

int printer__summary(struct printer *printer, const struct interval *run, struct error *err)
{
	if (printer->form != OUTPUT_TEXT)
		return 0;
	printer->redraw = false;
	return write_rendered(printer, run, err);
}

int printer__close(struct printer *printer, struct error *err)
{
	int code = writer__wait(printer->writer);

	writer__free(printer->writer);
	return explain(code, err);
}
