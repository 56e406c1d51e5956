// SPDX-License-Identifier: GPL-2.0-only
#include "actions/printer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/output/destination.h"
#include "base/output/writer.h"
#include "base/plain.h"
#include "base/system/thread.h"
#include "formats/formats.h"

bool printer__use_color(enum color color, const char *path)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return !path && isatty(STDOUT_FILENO) && !(no_color && *no_color) && term &&
	       strcmp(term, "dumb");
}

size_t printer__width(const char *path)
{
	struct winsize size;

	return !path && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)
		       ? size.ws_col
		       : 0;
}

static int explain(const struct printer *printer, int code, struct error *err)
{
	struct quoted quoted;

	return code ? error__set(err, destination__exit_code(code), code, "cannot write %s",
				 printer->path ? quote(&quoted, printer->path) : "standard output")
		    : 0;
}

int printer__open(struct printer *printer, const char *path, enum output_form form,
		  const struct view_options *view, enum color color, struct error *err)
{
	int code;

	if (path && !strcmp(path, "-"))
		path = NULL;
	*printer = (struct printer){.form = form, .view = *view, .path = path, .fd = STDOUT_FILENO};
	printer->view.color = printer__use_color(color, path);
	printer->view.width = printer__width(path);
	if (path)
		printer->fd = destination__open_growing(path);
	if (printer->fd < 0)
		return explain(printer, printer->fd, err);
	code = writer__new(&printer->writer, printer->fd);
	if (!code)
		return 0;
	if (path)
		close(printer->fd);
	return thread__explain(err, code, "cannot start the thread that writes the output");
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

static int render_text(const struct printer *printer, FILE *out, const struct recording *interval,
		       bool is_sum)
{
	struct view_options view = printer->view;
	FILE *plain = plain__begin(out);
	int code, ended;

	if (!plain)
		return -ENOMEM;
	view.is_sum = is_sum;
	code = view__write_block(plain, interval, &view);
	ended = plain__end(plain, out);
	return code ? code : ended;
}

/* ---- a growing buffer; open_memstream() would zero and copy it whenever it grows ---- */

struct grown_text {
	char *bytes;
	size_t nr_bytes, capacity;
};

static ssize_t append(void *context, const char *bytes, size_t nr_bytes)
{
	struct grown_text *text = context;

	array__reserve(&text->bytes, &text->capacity, text->nr_bytes + nr_bytes);
	memcpy(&text->bytes[text->nr_bytes], bytes, nr_bytes);
	text->nr_bytes += nr_bytes;
	return (ssize_t)nr_bytes;
}

int printer__interval(struct printer *printer, const struct recording *interval, bool is_sum,
		      struct error *err)
{
	const struct write_options options = {.merge = printer->view.merge};
	struct grown_text text = {0};
	uint64_t start_ns;
	FILE *out;
	int code;

	if (is_sum && printer->form != OUTPUT_TEXT)
		return 0;
	out = fopencookie(&text, "w", (cookie_io_functions_t){.write = append});
	if (!out)
		return memory__error(err);
	start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (printer->form == OUTPUT_FOLDED)
		code = folded__write(out, interval, &options);
	else if (printer->form == OUTPUT_JSON)
		code = json__write_interval(out, interval);
	else
		code = render_text(printer, out, interval, is_sum);
	if (fclose(out) && !code)
		code = -ENOMEM;
	printer->time_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	if (code) {
		free(text.bytes);
		return error__set(err, EXIT_INTERNAL, code, "cannot format an interval");
	}
	return explain(printer, writer__write(printer->writer, text.bytes, text.nr_bytes), err);
}

int printer__close(struct printer *printer, struct error *err)
{
	int code = writer__wait(printer->writer);

	writer__free(printer->writer);
	if (printer->path)
		close(printer->fd);
	return explain(printer, code, err);
}
