// SPDX-License-Identifier: GPL-2.0-only
/*
 * The differential flame graph as a file: the picture alone, or in a page that looks closer. The
 * page needs nothing else and asks for nothing; foreign text is in it as text of the picture.
 */
#include "flame/overlay.h"

#include "base/text.h"

/* In pixels of 1200, below which a box is not even there to be zoomed into. */
#define SVG_MIN_WIDTH  0.5
#define PAGE_MIN_WIDTH 0.1
#define WIDTH	       1200

extern const char _binary_user_flame_page_overlay_page_css_start[],
	_binary_user_flame_page_overlay_page_css_end[];
extern const char _binary_user_flame_page_overlay_page_js_start[],
	_binary_user_flame_page_overlay_page_js_end[];

static void put(FILE *out, const char *start, const char *end)
{
	fwrite(start, 1, (size_t)(end - start), out);
}

static int write_page(FILE *out, const struct flame *flame, const struct diff_report *report)
{
	int err;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<title>topstacks diff</title>\n<style>\n",
	      out);
	put(out, _binary_user_flame_page_overlay_page_css_start,
	    _binary_user_flame_page_overlay_page_css_end);
	fputs("</style>\n<div class=\"bar\"><input id=\"search\" type=\"search\" "
	      "placeholder=\"Search functions\" aria-label=\"Search functions\">"
	      "<output id=\"found\"></output></div>\n",
	      out);
	err = flame__draw(out, flame, report);
	fputs("<pre id=\"details\" aria-live=\"polite\"></pre>\n<script>\n", out);
	put(out, _binary_user_flame_page_overlay_page_js_start,
	    _binary_user_flame_page_overlay_page_js_end);
	fputs("</script>\n</html>\n", out);
	return err;
}

int diff_flame__write(FILE *out, const struct diff_report *report, bool page)
{
	struct flame flame;
	int err = flame__init(&flame, report, (page ? PAGE_MIN_WIDTH : SVG_MIN_WIDTH) / WIDTH);

	if (!err)
		err = page ? write_page(out, &flame, report) : flame__draw(out, &flame, report);
	flame__fini(&flame);
	return err ? err : text__stream_error(out);
}
