// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats. A file is recognized by its content: its name may be wrong, and standard
 * input has none.
 */
#include "formats/formats.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "formats/encoding.h"
#include "formats/foreign.h"
#include "formats/gzip.h"

#define MAX_BYTES	 ((size_t)512000000)
#define MAX_MEMORY_BYTES ((size_t)4 << 30)

/* Folded comes first: text can look like a protobuf field, but not the other way round. */
static const struct format formats[] = {
	{"folded", false, true, folded__sniff, folded__read, folded__write},
	{"pprof", true, false, pprof__sniff, pprof__read, pprof__write},
	{"otlp", true, false, NULL, NULL, otlp__write},
	{"json", false, false, NULL, NULL, json__write_recording},
	{"csv", false, true, NULL, NULL, csv__write},
	{"speedscope", false, true, NULL, NULL, speedscope__write},
	{"firefox", false, true, NULL, NULL, firefox__write},
	{"html", false, false, NULL, NULL, html__write},
	{"svg", false, true, NULL, NULL, svg__write},
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const char *formats__name(size_t index)
{
	return index < FORMATS ? formats[index].name : NULL;
}

const struct format *formats__find(const char *name, struct error *err)
{
	struct quoted quoted;
	char names[128] = "";

	for (size_t i = 0; i < FORMATS; i++) {
		size_t length = strlen(names);

		if (!strcmp(formats[i].name, name))
			return &formats[i];
		snprintf(names + length, sizeof(names) - length, "%s%s", i ? ", " : "",
			 formats[i].name);
	}
	error__say(err, EXIT_USAGE, -EINVAL, "no format %s, there are text, markdown, %s",
		   quote(&quoted, name), names);
	return NULL;
}

/* ---- reading ---- */

/* Reads decompressed bytes; text is UTF-8 without a mark. */
static int read_plain(struct recording *recording, const char *bytes, size_t nr_bytes,
		      const struct read_options *options, struct error *err)
{
	int code = nr_bytes ? foreign__refuse(bytes, nr_bytes, folded__sniff(bytes, nr_bytes), err)
			    : error__say(err, EXIT_USAGE, -EINVAL, "it is empty");

	for (size_t i = 0; i < FORMATS && !code; i++)
		if (formats[i].sniff &&
		    (!formats[i].is_binary || foreign__is_binary(bytes, nr_bytes)) &&
		    formats[i].sniff(bytes, nr_bytes))
			return formats[i].read(recording, bytes, nr_bytes, options, err);
	if (!code && folded__is_meant(bytes, nr_bytes))
		return folded__read(recording, bytes, nr_bytes, options, err);
	return code ? code
		    : error__say(err, EXIT_USAGE, -EINVAL,
				 "it is neither a pprof profile nor folded text");
}

static int read_inflated(struct recording *recording, const char *bytes, size_t nr_bytes,
			 const struct read_options *options, struct error *err)
{
	const enum encoding encoding = encoding__of(bytes, nr_bytes);
	size_t nr_utf8;
	char *text;
	int code;

	switch (encoding) {
	case ENCODING_UTF16_LE:
	case ENCODING_UTF16_BE:
		text = encoding__to_utf8(encoding, bytes, nr_bytes, &nr_utf8);
		if (!text)
			return memory__error(err);
		code = read_plain(recording, text, nr_utf8, options, err);
		free(text);
		return code;
	case ENCODING_UTF32:
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "it is text in UTF-32; to convert it: iconv -f UTF-32 -t UTF-8");
	case ENCODING_UTF8_BOM:
		return read_plain(recording, bytes + 3, nr_bytes - 3, options, err);
	default:
		return read_plain(recording, bytes, nr_bytes, options, err);
	}
}

int formats__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		  const struct read_options *options, struct error *err)
{
	struct read_options bounded = *options;
	char *inflated = NULL;
	int code = 0;

	recording__init(recording);
	if (!bounded.max_bytes)
		bounded.max_bytes = MAX_BYTES;
	if (!bounded.max_memory_bytes)
		bounded.max_memory_bytes = MAX_MEMORY_BYTES;
	if (gzip__is(bytes, nr_bytes)) {
		code = gzip__inflate(bytes, nr_bytes, bounded.max_bytes, &inflated, &nr_bytes, err);
		bytes = inflated;
	}
	if (!code)
		code = read_inflated(recording, bytes, nr_bytes, &bounded, err);
	free(inflated);
	if (code)
		recording__fini(recording);
	else
		recording__show_spent(recording);
	return code;
}

int formats__check_memory(const struct recording *recording, size_t held_bytes,
			  const struct read_options *options, struct error *err)
{
	const size_t most = options->max_memory_bytes;

	if (recording__memory_bytes(recording) + held_bytes <= most)
		return 0;
	return error__say(err, EXIT_USAGE, -EFBIG, "it takes more than %zu MB of memory",
			  most >> 20);
}

int formats__read_file(struct recording *recording, const char *path,
		       const struct read_options *options, struct error *err)
{
	size_t max_bytes = options->max_bytes ? options->max_bytes : MAX_BYTES;
	size_t nr_bytes = 0;
	bool is_input = !strcmp(path, "-");
	struct quoted quoted;
	struct error reason;
	struct stat status;
	char *bytes = NULL;
	int fd = is_input ? STDIN_FILENO : files__open_named(path);
	int code = fd < 0 ? fd : files__read_fd(fd, max_bytes, &bytes, &nr_bytes);
	const char *name = is_input ? "standard input" : quote(&quoted, path);
	/* Not everybody may read it. Pipes are private to their two ends. */
	const bool is_private = fd >= 0 && (fstat(fd, &status) || !(status.st_mode & S_IROTH));

	if (fd >= 0 && !is_input)
		close(fd);
	if (code) {
		error__set(err, code == -ENOMEM ? EXIT_INTERNAL : EXIT_USAGE, code,
			   "cannot read %s", name);
		if (code == -ENODATA)
			return error__remedy(err, "no program writes to it");
		return code == -EISDIR ? error__remedy(err, "name the files in it") : code;
	}
	code = formats__read(recording, bytes, nr_bytes, options, err);
	free(bytes);
	if (code) { /* "cannot read "x": it is empty" */
		reason = *err;
		return error__say(err, reason.exit_code, reason.code, "cannot read %s: %s", name,
				  reason.text);
	}
	recording->is_private = is_private;
	return 0;
}
