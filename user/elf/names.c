// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mangled name is a program in a small language, and its author may be hostile: a hundred bytes
 * can expand to gigabytes of text. So input and output are limited. An output that is too long
 * loses its middle; a name whose expansion would take too long is shown mangled.
 */
#include "elf/names.h"

#include <ctype.h>
#include <libiberty/ansidecl.h>
#include <libiberty/demangle.h>
#include <setjmp.h>

/*
 * libiberty takes two components a byte and refuses more than 2,048 of them; the C++ demangler's
 * stack grows with the square of the input, and this is what keeps it below 1.2 MB.
 */
#define MAX_MANGLED_CPP	 (DEMANGLE_RECURSION_LIMIT / 2)
#define MAX_MANGLED_RUST 4096
#define MAX_MANGLED_D	 512
#define MAX_DOUBLINGS_D	 12
#define MAX_WRITTEN	 (1U << 20) /* bytes */

#define MIDDLE	   "…"
#define LEAST_ENDS 64 /* bytes: with less of both ends a name is useless */

/*
 * Collects the output. The first size - 1 bytes are kept; of a longer output the first half stays,
 * and the rest is a ring buffer of the last bytes.
 */
struct demangled {
	char *text;
	size_t length; /* so far, without a bound */
	size_t size;
	jmp_buf full;
};

static size_t nr_first(const struct demangled *output)
{
	return output->size / 2;
}

static size_t nr_last(const struct demangled *output)
{
	return output->size - 1 - nr_first(output);
}

/*
 * Takes a piece of output. At the limit it leaves the demangler by longjmp(), as there is no other
 * way to stop it; the demangler has all its data on the stack.
 */
static void append(const char *piece, size_t length, void *context)
{
	struct demangled *output = context;
	const size_t most = output->size < LEAST_ENDS ? output->size - 1 : MAX_WRITTEN;

	if (length > most - output->length)
		longjmp(output->full, 1);
	for (size_t i = 0; i < length; i++) {
		const size_t at = output->length++;

		output->text[at < nr_first(output) ? at
						   : nr_first(output) + (at - nr_first(output)) %
										nr_last(output)] =
			piece[i];
	}
}

static void reverse(char *first, char *end)
{
	while (first < end) {
		const char byte = *first;

		*first++ = *--end;
		*end = byte;
	}
}

/* Puts the ring buffer in order, with "…" for the lost middle. Returns the length. */
static size_t settle(struct demangled *output)
{
	char *last = output->text + nr_first(output), *end = output->text + output->size - 1;
	size_t nr_behind;

	if (output->length < output->size) {
		output->text[output->length] = '\0';
		return output->length;
	}
	nr_behind = (output->length - nr_first(output)) % nr_last(output);
	reverse(last, last + nr_behind);
	reverse(last + nr_behind, end);
	reverse(last, end);
	memcpy(last, MIDDLE, strlen(MIDDLE));
	*end = '\0';
	return output->size - 1;
}

/* Tries Rust first: its older names are valid C++ names with a hash at the end. */
static int run_demanglers(const char *mangled, struct demangled *output)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;
	const size_t length = strlen(mangled);
	const bool is_rust = !strncmp(mangled, "_R", 2) || !strncmp(mangled, "_ZN", 3);
	const bool is_cpp = !strncmp(mangled, "_Z", 2) || !strncmp(mangled, "_GLOBAL_", 8);

	if (is_rust && length <= MAX_MANGLED_RUST &&
	    rust_demangle_callback(mangled, options, append, output))
		return 1;
	output->length = 0;
	return is_cpp && length <= MAX_MANGLED_CPP &&
	       cplus_demangle_v3_callback(mangled, options, append, output);
}

/*
 * Whether a name of D is safe: libiberty's demangler of D cannot be stopped, and each of these
 * letters (a calling convention, a back reference, a symbol of ambiguous length) may make it parse
 * the rest twice.
 */
static bool is_simple_d(const char *mangled)
{
	size_t length, nr_doublings = 0;

	for (length = 0; mangled[length]; length++) {
		nr_doublings += strchr("FUWVRYQ", mangled[length]) != NULL;
		nr_doublings +=
			mangled[length] == 'S' && isdigit((unsigned char)mangled[length + 1]);
		if (length == MAX_MANGLED_D || nr_doublings > MAX_DOUBLINGS_D)
			return false;
	}
	return true;
}

static size_t demangle_d(const char *mangled, char *text, size_t size)
{
	char *demangled = is_simple_d(mangled) ? dlang_demangle(mangled, DMGL_PARAMS) : NULL;
	size_t length = demangled ? strlen(demangled) : 0;

	if (length < size)
		memcpy(text, demangled ? demangled : "", length + 1);
	free(demangled);
	return length < size ? length : 0;
}

static size_t demangle_bare(const char *mangled, char *text, size_t size)
{
	struct demangled output = {.text = text, .size = size};

	if (!strncmp(mangled, "_D", 2))
		return size ? demangle_d(mangled, text, size) : 0;
	if (size == 0 || setjmp(output.full) || !run_demanglers(mangled, &output))
		return 0;
	return settle(&output);
}

size_t names__demangle(const char *mangled, char *text, size_t size)
{
	static const char suffix[] = "@plt";
	const char *at = strchr(mangled, '@');
	char bare[MAX_MANGLED_RUST + 1];
	size_t length, bytes;

	if (mangled[0] != '_')
		return 0;
	if (!at || strcmp(at, suffix) != 0)
		return demangle_bare(mangled, text, size);

	/* "_Znwm@plt", the name of a stub: removes and restores the suffix. */
	length = (size_t)(at - mangled);
	if (length >= sizeof(bare) || size < sizeof(suffix))
		return 0;
	memcpy(bare, mangled, length);
	bare[length] = '\0';
	bytes = demangle_bare(bare, text, size - strlen(suffix));
	if (!bytes)
		return 0;
	strcpy(text + bytes, suffix);
	return bytes + strlen(suffix);
}
