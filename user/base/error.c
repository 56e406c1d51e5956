// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(struct error *err, const char *format, va_list arguments)
{
	size_t used = strlen(err->text);

	vsnprintf(err->text + used, sizeof(err->text) - used, format, arguments);
}

static const char *words_of(int code)
{
	switch (code) {
	case -ESTRANGER:
		return "a link in it is another user's and lies where anybody may put links; name "
		       "what it leads to instead";
	case -ENOTOURS:
		return "it belongs to another user; choose another name";
	default:
		return strerror(-code);
	}
}

int error__set(struct error *err, enum exit_code exit_code, int code, const char *format, ...)
{
	int saved = errno;
	va_list arguments;
	size_t used;

	if (!err)
		return code;
	/* A refusal has the same exit code at the start of a run and later. */
	if (exit_code == EXIT_INTERNAL && code == -EPERM)
		exit_code = EXIT_SYSTEM;
	*err = (struct error){.code = code, .exit_code = exit_code};
	va_start(arguments, format);
	append(err, format, arguments);
	va_end(arguments);

	/* The cause has a small first letter: "operation not permitted". */
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", words_of(code));
	if (used + 3 < sizeof(err->text) && islower((unsigned char)err->text[used + 3]))
		err->text[used + 2] = (char)tolower((unsigned char)err->text[used + 2]);
	errno = saved;
	return code;
}

int error__say(struct error *err, enum exit_code exit_code, int code, const char *format, ...)
{
	va_list arguments;

	if (err) {
		*err = (struct error){.code = code, .exit_code = exit_code};
		va_start(arguments, format);
		append(err, format, arguments);
		va_end(arguments);
	}
	return code;
}

int error__remedy(struct error *err, const char *format, ...)
{
	va_list arguments;
	size_t used;

	if (!err)
		return 0;
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, "; ");
	va_start(arguments, format);
	append(err, format, arguments);
	va_end(arguments);
	return err->code;
}
