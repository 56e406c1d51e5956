/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read before every file by clang-tidy alone, which does not look into other files: these functions
 * return the code that they are given, and it is never 0.
 */
#include "base/error.h"

#define RETURNS_CODE(call, code)                 \
	({                                       \
		call;                            \
		if ((code) >= 0)                 \
			__builtin_unreachable(); \
		code;                            \
	})
#define error__set(err, exit_code, code, ...)                                          \
	({                                                                             \
		int code_ = (code);                                                    \
		RETURNS_CODE((error__set)(err, exit_code, code_, __VA_ARGS__), code_); \
	})
#define error__say(err, exit_code, code, ...)                                          \
	({                                                                             \
		int code_ = (code);                                                    \
		RETURNS_CODE((error__say)(err, exit_code, code_, __VA_ARGS__), code_); \
	})
#define error__no_memory(err) RETURNS_CODE((error__no_memory)(err), -12)
