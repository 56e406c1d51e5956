// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flame graph as a single page. Our own text (page/index.html with {{style}}, {{script}} and
 * {{data}}) is linked into the program. Everything from a profile is deflated and encoded as
 * base64, which contains nothing that HTML or a script could take for the end of the data.
 */
#include <zlib.h>

#include "flame/columns.h"
#include "flame/data.h"
#include "flame/flame.h"
#include "flame/overlay.h"
#include "flame/parts.h"
#include "profile/tree.h"

/* The files of page/, as the Makefile's rule for %.html, %.css and %.js embeds them. */
#define ASSET(name)                                                 \
	extern const char _binary_user_flame_page_##name##_start[], \
		_binary_user_flame_page_##name##_end[]
#define TEXT_OF(name)                                                                        \
	{                                                                                    \
		_binary_user_flame_page_##name##_start, _binary_user_flame_page_##name##_end \
	}

ASSET(index_html);
ASSET(style_css);
ASSET(data_js);
ASSET(layout_js);
ASSET(draw_js);
ASSET(table_js);
ASSET(words_js);
ASSET(overlay_js);
ASSET(sides_js);
ASSET(waits_js);
ASSET(link_js);
ASSET(view_js);
ASSET(time_line_js);
ASSET(ranges_js);
ASSET(heat_map_js);
ASSET(page_js);

struct asset {
	const char *start, *end;
};

static const struct asset page = TEXT_OF(index_html);

/* {{NAME}} in the page is replaced by all rows with that name, in order. */
static const struct part {
	const char *name;
	struct asset asset;
} parts[] = {
	{"style", TEXT_OF(style_css)},	 {"script", TEXT_OF(data_js)},
	{"script", TEXT_OF(layout_js)},	 {"script", TEXT_OF(draw_js)},
	{"script", TEXT_OF(table_js)},	 {"script", TEXT_OF(words_js)},
	{"script", TEXT_OF(overlay_js)}, {"script", TEXT_OF(sides_js)},
	{"script", TEXT_OF(waits_js)},	 {"script", TEXT_OF(link_js)},
	{"script", TEXT_OF(view_js)},	 {"script", TEXT_OF(time_line_js)},
	{"script", TEXT_OF(ranges_js)},	 {"script", TEXT_OF(heat_map_js)},
	{"script", TEXT_OF(page_js)},
};

/* Writes the bytes, deflated, as base64. 0 or -ENOMEM. */
static int write_data(FILE *out, const char *bytes, size_t nr_bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uLongf nr_packed = compressBound(nr_bytes);
	unsigned char *packed = xmalloc(nr_packed);

	if (compress(packed, &nr_packed, (const unsigned char *)bytes, nr_bytes)) {
		free(packed);
		return -ENOMEM;
	}
	for (size_t i = 0; i < nr_packed; i += 3) {
		const size_t left = nr_packed - i;
		const uint32_t group = (uint32_t)packed[i] << 16 |
				       (left > 1 ? (uint32_t)packed[i + 1] << 8 : 0) |
				       (left > 2 ? packed[i + 2] : 0);

		putc_unlocked(digits[group >> 18], out);
		putc_unlocked(digits[group >> 12 & 63], out);
		putc_unlocked(left > 1 ? digits[group >> 6 & 63] : '=', out);
		putc_unlocked(left > 2 ? digits[group & 63] : '=', out);
	}
	free(packed);
	return 0;
}

/* Finds the next "{{" or "}}" in our own page. */
static const char *find_mark(const char *at, char brace)
{
	for (; at + 1 < page.end; at++)
		if (at[0] == brace && at[1] == brace)
			return at;
	return page.end;
}

static int write_page(FILE *out, const char *bytes, size_t nr_bytes)
{
	const char *at = page.start;
	int code = 0;

	while (!code) {
		const char *name = find_mark(at, '{'), *end;
		size_t length;

		fwrite(at, 1, (size_t)(name - at), out);
		if (name == page.end)
			break;
		name += 2;
		end = find_mark(name, '}');
		length = (size_t)(end - name);
		if (!strncmp(name, "data}", 5))
			code = write_data(out, bytes, nr_bytes);
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			if (strlen(parts[i].name) == length &&
			    !strncmp(parts[i].name, name, length))
				fwrite(parts[i].asset.start, 1,
				       (size_t)(parts[i].asset.end - parts[i].asset.start), out);
		at = end + 2;
	}
	return code;
}

static int write_tree(FILE *out, const struct tree *tree, const struct overlay *overlay,
		      const struct columns *columns, const struct wait_parts *waits,
		      const struct flame_options *options)
{
	struct heat heat;
	size_t nr_bytes;
	char *bytes;
	int code;

	heat__init(&heat, tree, overlay ? NULL : options->recording);
	code = flame_data__encode(tree, overlay, columns, waits, &heat, options, &bytes, &nr_bytes);
	heat__fini(&heat);
	if (code)
		return code;
	code = write_page(out, bytes, nr_bytes);
	if (!code)
		code = text__stream_error(out);
	free(bytes);
	return code;
}

int flame__write_page(FILE *out, const struct profile *profile, const struct flame_options *options)
{
	const bool has_events = options->nr_events > 0;
	struct tree *tree = has_events ? columns__tree(options)
				       : tree__new(profile, options->merge, TREE_FROM_ROOT);
	struct columns columns = {0};
	struct wait_parts waits = {0};
	int code;

	if (has_events)
		columns__init(&columns, tree, options);
	else
		wait_parts__add(&waits, tree, profile);
	for (size_t i = 0; i < options->nr_events; i++)
		wait_parts__add(&waits, tree, options->events[i].profile);
	code = write_tree(out, tree, NULL, has_events ? &columns : NULL, &waits, options);
	wait_parts__free(&waits);
	columns__fini(&columns);
	tree__free(tree);
	return code;
}

int overlay__write_page(FILE *out, struct overlay *overlay, const struct flame_options *options)
{
	const struct wait_parts none = {0};
	struct tree *tree = overlay__tree(overlay);
	const int code = write_tree(out, tree, overlay, NULL, &none, options);

	tree__free(tree);
	return code;
}
