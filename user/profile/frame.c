// SPDX-License-Identifier: GPL-2.0-only
/* What a frame and its kind are called, in every output. */
#include "profile/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *frame_kind__name(enum frame_kind kind)
{
	static const char *const names[FRAME_KINDS] = {[FRAME_USER] = "user",
						       [FRAME_KERNEL] = "kernel",
						       [FRAME_JIT] = "jit",
						       [FRAME_INTERPRETED] = "interpreted",
						       [FRAME_INLINED] = "inlined"};

	return names[kind];
}

int frame__name(const struct frame *frame, char *text, size_t size)
{
	if (frame->function)
		return snprintf(text, size, "%s", frame->function);
	if (frame->module &&
	    frame_kind__is_dynamic(frame->kind)) /* one row, not one an instruction */
		return snprintf(text, size, "%s", frame->module);
	if (frame->module)
		return snprintf(text, size, "%s+0x%" PRIx64, frame->module, frame->address);
	return snprintf(text, size, "[unknown]");
}

bool frame__says_module(const char *name, const char *module, enum frame_kind kind)
{
	size_t length = strlen(module);

	if (!strncmp(name, module, length) && (name[length] == '+' || name[length] == '\0'))
		return true;
	return !strcmp(module, kind == FRAME_JIT ? "[anon]" : "[kernel]");
}
