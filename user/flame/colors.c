// SPDX-License-Identifier: GPL-2.0-only
/*
 * A colour is a point in OKLCH, in which equal lightness looks equally light for every hue. The
 * module determines hue and chroma. A small tint by function distinguishes neighbours of the same
 * module.
 */
#include "flame/colors.h"

#include <math.h>

#define LIGHTNESS      0.815
#define GREY_LIGHTNESS 0.865

struct oklch {
	double lightness, chroma, hue;
};

/* FNV-1a with the finalizer of MurmurHash3: with FNV alone, short names have similar hashes. */
static uint32_t hash_text(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	hash = (hash ^ hash >> 16) * 0x85ebca6bu;
	hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
	return hash ^ hash >> 16;
}

static double linear_to_srgb(double x)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

/* The matrices are from the definition of the colour space (Björn Ottosson, 2020). */
static uint32_t to_rgb(struct oklch color)
{
	double a = color.chroma * cos(color.hue * M_PI / 180);
	double b = color.chroma * sin(color.hue * M_PI / 180);
	double l = pow(color.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
	double m = pow(color.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
	double s = pow(color.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
	double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
	double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
	double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;

	return (uint32_t)lround(255 * linear_to_srgb(red)) << 16 |
	       (uint32_t)lround(255 * linear_to_srgb(green)) << 8 |
	       (uint32_t)lround(255 * linear_to_srgb(blue));
}

static struct oklch grey(void)
{
	return (struct oklch){GREY_LIGHTNESS, 0.012, 260};
}

static struct oklch module_color(const char *module)
{
	uint32_t hash;

	if (!module)
		return grey();
	hash = hash_text(module);
	return (struct oklch){LIGHTNESS, 0.072 + 0.006 * ((hash >> 16) % 9), hash % 360};
}

static uint32_t tinted(struct oklch color, const struct tree_name *name)
{
	const double tint = (hash_text(name->text) % 101) / 50.0 - 1;

	color.lightness += 0.035 * tint;
	color.hue += 9 * tint;
	return to_rgb(color);
}

uint32_t color__of_name(const struct tree_name *name)
{
	return tinted(name->process ? grey() : module_color(name->module), name);
}

/*
 * Running is warm and waiting is cold. Runnable threads that do not run are between them, and stand
 * out.
 */
const struct state_style *state__style(enum wait_state state)
{
	static const struct state_style styles[WAIT_STATES] = {
		[WAIT_UNKNOWN] = {WAIT_UNKNOWN, "", 0, 0},
		[WAIT_RUNNING] = {WAIT_RUNNING, "running", 45, 110},
		[WAIT_INTERRUPTIBLE] = {WAIT_INTERRUPTIBLE, "blocked", 245, 85},
		[WAIT_UNINTERRUPTIBLE] = {WAIT_INTERRUPTIBLE, "blocked", 245, 85},
		[WAIT_DISK] = {WAIT_INTERRUPTIBLE, "blocked", 245, 85},
		[WAIT_PREEMPTED] = {WAIT_PREEMPTED, "preempted", 95, 120},
		[WAIT_WOKEN] = {WAIT_WOKEN, "woken", 310, 95},
		[WAIT_THROTTLED] = {WAIT_THROTTLED, "throttled", 20, 120},
		[WAIT_STOPPED] = {WAIT_STOPPED, "stopped", 260, 12},
	};

	return &styles[state < WAIT_STATES ? state : WAIT_UNKNOWN];
}

uint32_t state__looks_like(enum wait_state state)
{
	const enum wait_state looks = state__style(state)->state;
	uint32_t bits = 0;

	for (unsigned int i = 0; i < WAIT_STATES; i++)
		if (state__style((enum wait_state)i)->state == looks)
			bits |= 1U << i;
	return bits;
}

uint32_t color__of_state(const struct state_style *style, const struct tree_name *name)
{
	const struct oklch color = {LIGHTNESS, style->chroma / 1000.0, style->hue};

	return name ? tinted(color, name) : to_rgb(color);
}

uint32_t color__of_module(const char *module)
{
	return to_rgb(module_color(module));
}
