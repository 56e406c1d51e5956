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

/* The bytes of a page's data on their way: deflated, then written as base64. */
struct packing {
	FILE *out;
	z_stream stream;
	unsigned char packed[3 << 14]; /* whole groups of three */
};

/* Deflates until all input is consumed, or with Z_FINISH until all output is written. */
static void pack(struct packing *packing, int flush)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *packed = packing->packed;
	z_stream *stream = &packing->stream;
	bool is_end;

	do {
		is_end = deflate(stream, flush) == Z_STREAM_END;
		if (stream->avail_out && !is_end)
			return;
		for (size_t i = 0; i < sizeof(packing->packed) - stream->avail_out; i += 3) {
			const size_t left = sizeof(packing->packed) - stream->avail_out - i;
			const uint32_t group = (uint32_t)packed[i] << 16 |
					       (left > 1 ? (uint32_t)packed[i + 1] << 8 : 0) |
					       (left > 2 ? packed[i + 2] : 0);

			putc_unlocked(digits[group >> 18], packing->out);
			putc_unlocked(digits[group >> 12 & 63], packing->out);
			putc_unlocked(left > 1 ? digits[group >> 6 & 63] : '=', packing->out);
			putc_unlocked(left > 2 ? digits[group & 63] : '=', packing->out);
		}
		stream->next_out = packing->packed;
		stream->avail_out = sizeof(packing->packed);
	} while (!is_end);
}

static ssize_t take_bytes(void *context, const char *bytes, size_t nr_bytes)
{
	struct packing *packing = context;

	packing->stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib is not const-clean */
	packing->stream.avail_in = (uInt)nr_bytes;
	pack(packing, Z_NO_FLUSH);
	return (ssize_t)nr_bytes;
}

/* Writes the data, deflated, as base64. 0 or -ENOMEM. */
static int write_data(FILE *out, const struct flame_data *data)
{
	struct packing *packing = xcalloc(1, sizeof(*packing));
	FILE *plain = NULL;

	packing->out = out;
	packing->stream.next_out = packing->packed;
	packing->stream.avail_out = sizeof(packing->packed);
	if (deflateInit(&packing->stream, Z_DEFAULT_COMPRESSION) == Z_OK) {
		plain = fopencookie(packing, "w", (cookie_io_functions_t){.write = take_bytes});
		if (plain) {
			flame_data__write(plain, data);
			fclose(plain);
			packing->stream.avail_in = 0;
			pack(packing, Z_FINISH);
		}
		deflateEnd(&packing->stream);
	}
	free(packing);
	return plain ? 0 : -ENOMEM;
}

/* Finds the next "{{" or "}}" in our own page. */
static const char *find_mark(const char *at, char brace)
{
	for (; at + 1 < page.end; at++)
		if (at[0] == brace && at[1] == brace)
			return at;
	return page.end;
}

static int write_page(FILE *out, const struct flame_data *data)
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
			code = write_data(out, data);
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			if (strlen(parts[i].name) == length &&
			    !strncmp(parts[i].name, name, length))
				fwrite(parts[i].asset.start, 1,
				       (size_t)(parts[i].asset.end - parts[i].asset.start), out);
		at = end + 2;
	}
	return code ? code : text__stream_error(out);
}

int flame__write_page(FILE *out, const struct profile *profile, const struct flame_options *options)
{
	const bool has_events = options->nr_events > 0;
	struct tree *tree = has_events ? columns__tree(options)
				       : tree__new(profile, options->merge, TREE_FROM_ROOT);
	struct columns columns = {0};
	struct wait_parts parts = {0};
	struct heat heat;
	int code;

	if (has_events)
		columns__init(&columns, tree, options);
	else
		wait_parts__add(&parts, tree, profile);
	for (size_t i = 0; i < options->nr_events; i++)
		wait_parts__add(&parts, tree, options->events[i].profile);
	heat__init(&heat, tree, options->recording);
	code = write_page(out, &(struct flame_data){.tree = tree,
						    .columns = has_events ? &columns : NULL,
						    .parts = &parts,
						    .heat = &heat,
						    .options = options});
	heat__fini(&heat);
	wait_parts__free(&parts);
	columns__fini(&columns);
	tree__free(tree);
	return code;
}

int overlay__write_page(FILE *out, struct overlay *overlay, const struct flame_options *options)
{
	static const struct wait_parts no_parts;
	static const struct heat no_heat;
	struct tree *tree = overlay__tree(overlay);
	const int code = write_page(out, &(struct flame_data){.tree = tree,
							      .overlay = overlay,
							      .parts = &no_parts,
							      .heat = &no_heat,
							      .options = options});

	tree__free(tree);
	return code;
}
