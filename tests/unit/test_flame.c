// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page is unpacked again as a browser would, without a line of the writer's; the picture is
 * read as text. The browser tests look at both.
 */
#include "flame/flame.h"

#include <errno.h>
#include <zlib.h>

#include "events_model.h"
#include "expect.h"
#include "flame/overlay.h"
#include "formats/formats.h"
#include "model.h"

static char *html_of(const struct model *model, const struct flame_options *options)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(flame__write_page(out, model->profile, options), 0);
	fclose(out);
	return text;
}

static char *svg_of(const struct model *model, const struct flame_options *options)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(flame__write_svg(out, model->profile, options), 0);
	fclose(out);
	return text;
}

static size_t count(const char *text, const char *part)
{
	size_t nr = 0;

	while ((text = strstr(text, part))) {
		nr++;
		text += strlen(part);
	}
	return nr;
}

/* ---- the data of a page ---- */

struct data {
	unsigned char bytes[65536];
	uLongf size;
	size_t at;
};

static size_t decode_base64(const char *text, size_t length, unsigned char *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t group = 0;
	size_t nr = 0;

	for (size_t i = 0; i < length && text[i] != '='; i++) {
		const char *digit = strchr(digits, text[i]);

		EXPECT(digit && *digit);
		group = group << 6 | (uint32_t)(digit - digits);
		if (i % 4)
			bytes[nr++] = (unsigned char)(group >> (6 - i % 4 * 2));
	}
	return nr;
}

static void unpack(struct data *data, const char *html)
{
	static const char begin[] = "<script id=\"data\" type=\"application/octet-stream\">";
	const char *start = strstr(html, begin) + strlen(begin);
	unsigned char packed[65536];
	size_t size = decode_base64(start, strcspn(start, "<"), packed);

	memset(data, 0, sizeof(*data));
	data->size = sizeof(data->bytes);
	EXPECT_EQ(uncompress(data->bytes, &data->size, packed, size), Z_OK);
}

static uint64_t number(struct data *data)
{
	uint64_t value = 0;

	for (int shift = 0;; shift += 7) {
		unsigned char byte = data->bytes[data->at++];

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

static void expect_number(struct data *data, uint64_t expected)
{
	EXPECT_EQ(number(data), expected);
}

static void expect_string(struct data *data, const char *expected)
{
	char text[256] = "";
	size_t length = number(data);

	EXPECT(length < sizeof(text));
	memcpy(text, data->bytes + data->at, length);
	data->at += length;
	EXPECT_STR(text, expected);
}

static void expect_numbers(struct data *data, size_t nr, const uint64_t *expected)
{
	for (size_t i = 0; i < nr; i++)
		expect_number(data, expected[i]);
}

static struct model small_model(void)
{
	struct model model = model__new();

	add(&model, "sh", 1, 30, "write@libc main@sh");
	add(&model, "sh", 1, 5, "entry@[kernel] read@libc main@sh");
	add(&model, "sh", 2, 10, "main@sh");
	add(&model, "sh", 1, 60, "read@libc main@sh");
	return model;
}

static void test_data(void)
{
	static const struct flame_fact facts[] = {{"Event", "cpu-clock"}};
	static const struct flame_options options = {
		.title = "a title", .facts = facts, .nr_facts = 1};
	/* shared, new, names, count, weight: sh is 0, entry 1, main 2, read 3, write 4 */
	static const uint64_t stacks[] = {0, 2,	       0,  2,	      10, 100000000, 2,
					  1, 3,	       60, 600000000, 3,  1,	     1,
					  5, 50000000, 2,  1,	      4,  30,	     300000000};
	struct model model = small_model();
	char *html = html_of(&model, &options);
	struct data data;

	unpack(&data, html);
	expect_string(&data, "a title");
	expect_number(&data, 1);
	expect_string(&data, "Event");
	expect_string(&data, "cpu-clock");
	expect_number(&data, FRAME_KINDS + 1);
	expect_string(&data, "user");
	expect_string(&data, "kernel");
	expect_string(&data, "jit");
	expect_string(&data, "interpreted");
	expect_string(&data, "inlined");
	expect_string(&data, "process");
	expect_number(&data, 2);
	expect_string(&data, "Samples");
	expect_string(&data, "samples");
	expect_string(&data, "count");
	expect_string(&data, "samples");
	expect_number(&data, 0); /* facts of its own */
	expect_string(&data, "CPU time");
	expect_string(&data, "cpu");
	expect_string(&data, "nanoseconds");
	expect_string(&data, "nanoseconds");
	expect_number(&data, 0);
	expect_number(&data, 0); /* the count is shown */
	expect_number(&data, 3);
	expect_string(&data, "[kernel]");
	expect_string(&data, "libc");
	expect_string(&data, "sh");
	expect_number(&data, 5);
	expect_string(&data, "sh");
	expect_numbers(&data, 2, (const uint64_t[]){0, FRAME_KINDS});
	expect_string(&data, "entry");
	expect_numbers(&data, 2, (const uint64_t[]){1, FRAME_KERNEL});
	expect_string(&data, "main");
	expect_numbers(&data, 2, (const uint64_t[]){3, FRAME_USER});
	expect_string(&data, "read");
	expect_numbers(&data, 2, (const uint64_t[]){2, FRAME_USER});
	expect_string(&data, "write");
	expect_numbers(&data, 2, (const uint64_t[]){2, FRAME_USER});
	expect_number(&data, 0); /* parts: nothing is told of waits */
	expect_number(&data, 0); /* weighed: all samples weigh the same */
	expect_numbers(&data, 2, (const uint64_t[]){4, 2 + 3 + 4 + 3});
	expect_numbers(&data, sizeof(stacks) / sizeof(stacks[0]), stacks);
	expect_number(&data, 0);			  /* tones */
	expect_numbers(&data, 7, (const uint64_t[7]){2}); /* both values have no error */
	expect_number(&data, 0);			  /* slices of a time line */
	expect_number(&data, 0);			  /* columns of a heat map */
	EXPECT_EQ(data.at, data.size);
	free(html);
	model__free(&model);
}

/* main has 0.3 and 0.1 of its own; read is new, and regressed. */
static struct overlay small_overlay(void)
{
	static const struct tree_name names[] = {{"main", "sh", FRAME_USER, false},
						 {"nobody", NULL, FRAME_USER, false},
						 {"read", NULL, FRAME_KERNEL, false}};
	struct overlay_stack main = {.base = 300000000, .fresh = 100000000},
			     read = {.fresh = 200000000, .tone = TONE_REGRESSED};
	struct overlay overlay;

	overlay__init(&overlay, names, 3);
	read.change = strdup("new");
	read.words = strdup("regressed: new");
	overlay__add(&overlay, &read, (const uint32_t[]){0, 2}, 2);
	overlay__add(&overlay, &main, (const uint32_t[]){0}, 1);
	return overlay;
}

static char *compared_html_of(struct overlay *overlay)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(overlay__write_page(out, overlay, &(struct flame_options){0}), 0);
	fclose(out);
	return text;
}

static void expect_strings(struct data *data, size_t nr, const char *const *expected)
{
	for (size_t i = 0; i < nr; i++)
		expect_string(data, expected[i]);
}

static void test_compared_data(void)
{
	struct overlay overlay = small_overlay();
	char *html = compared_html_of(&overlay);
	struct data data;

	unpack(&data, html);
	expect_string(&data, "Flame graph");
	expect_number(&data, 0);
	for (size_t i = number(&data); i > 0; i--)
		data.at += number(&data); /* kinds */
	expect_number(&data, 3);
	for (int value = 0; value < 3; value++) {
		static const char *const titles[] = {"Mean", "Base", "New"};

		expect_strings(&data, 2, (const char *const[]){titles[value], titles[value]});
		for (int i = 0; i < 2; i++) /* the unit, in which one counts */
			expect_string(&data, value ? "share" : "mean share");
		expect_number(&data, 0);
	}
	expect_numbers(&data, 2, (const uint64_t[]){0, 1}); /* shown, modules */
	expect_string(&data, "sh");
	expect_number(&data, 2);
	expect_string(&data, "main");
	expect_numbers(&data, 2, (const uint64_t[]){1, FRAME_USER});
	expect_string(&data, "read");
	expect_numbers(&data, 2, (const uint64_t[]){0, FRAME_KERNEL});
	expect_numbers(&data, 4,
		       (const uint64_t[]){0, 0, 2, 3}); /* parts, weighed, stacks, names */
	expect_numbers(&data, 6, (const uint64_t[]){0, 1, 0, 400000000, 300000000, 100000000});
	expect_numbers(&data, 6, (const uint64_t[]){1, 1, 1, 200000000, 0, 200000000});
	expect_number(&data, TONES);
	for (enum tone tone = 0; tone < TONES; tone++) {
		const struct tone_style *style = tone__style(tone);

		expect_strings(&data, 2, (const char *const[]){style->name, style->label});
		expect_numbers(&data, 3,
			       (const uint64_t[]){style->light, style->dark, style->is_strong});
	}
	expect_number(&data, TONE_NONE);
	expect_strings(&data, 2, (const char *const[]){"", ""});
	expect_number(&data, TONE_REGRESSED);
	expect_strings(&data, 2, (const char *const[]){"new", "regressed: new"});
	expect_number(&data, 0); /* functions that changed as a whole */
	expect_number(&data, 0); /* errors */
	expect_number(&data, 0); /* slices of a time line */
	expect_number(&data, 0); /* columns of a heat map */
	EXPECT_EQ(data.at, data.size);
	free(html);
	overlay__fini(&overlay);
}

static const struct flame_slice slices[] = {{1700000000000000001, 5000000000, 12},
					    {1700000005000000001, 4000000000, 0}};
static const struct flame_time_line time_line = {.slices = slices,
						 .nr_slices = 2,
						 .metric = &cpu_metrics.of[VALUE_COUNT],
						 .shown_ns = 1700000005000000001,
						 .shown_duration_ns = 4000000000};

/* The time line comes before a heat map, of which there is none. */
static void expect_time_line(const char *html)
{
	static const uint64_t numbers[] = {2,  1700000000000000001, 5000000000,
					   12, 1700000005000000001, 4000000000,
					   0,  1700000005000000001, 4000000000};
	const size_t nr_bytes = 1 + 9 + 5 + 1 + 9 + 5 + 1 + 9 + 5 + 8 + 8 + 6 + 8 + 1 + 1;
	struct data data;

	unpack(&data, html);
	EXPECT(data.size > nr_bytes);
	data.at = data.size - nr_bytes;
	expect_numbers(&data, sizeof(numbers) / sizeof(numbers[0]), numbers);
	expect_strings(&data, 4, (const char *const[]){"Samples", "samples", "count", "samples"});
	expect_numbers(&data, 2, (const uint64_t[]){0, 0});
	EXPECT_EQ(data.at, data.size);
}

static void expect_in_page(const struct recording *recording)
{
	const struct write_options options = {.time_line = &time_line};
	size_t size;
	char *html;
	FILE *out = open_memstream(&html, &size);

	EXPECT_EQ(html__write(out, recording, &options), 0);
	fclose(out);
	expect_time_line(html);
	free(html);
}

/* A run of one event has the time line in its page, and so has one of several. */
static void test_time_line(void)
{
	struct model model = small_model();
	const struct recording one = {.profile = model.profile};
	struct recording two = two_events(5, 9, false);

	expect_in_page(&one);
	expect_in_page(&two);
	recording__fini(&two);
	model__free(&model);
}

static void test_empty(void)
{
	struct model model = model__new();
	char *html = html_of(&model, &(struct flame_options){0});
	char *svg = svg_of(&model, &(struct flame_options){0});
	struct data data;

	unpack(&data, html);
	expect_string(&data, "Flame graph");
	expect_number(&data, 0);
	EXPECT(strstr(svg, "0 samples"));
	EXPECT(strstr(svg, "</svg>"));
	free(html);
	free(svg);
	model__free(&model);
}

/* The same names and numbers give the same bytes, in any order. */
static void test_order(void)
{
	static const struct flame_options options = {0};
	struct model model = small_model(), other = model__new();
	char *html, *svg, *other_html, *other_svg;

	add(&other, "sh", 7, 60, "read@libc main@sh");
	add(&other, "sh", 7, 10, "main@sh+99");
	add(&other, "sh", 7, 5, "entry@[kernel] read@libc main@sh");
	add(&other, "sh", 7, 30, "write@libc main@sh");
	html = html_of(&model, &options);
	svg = svg_of(&model, &options);
	other_html = html_of(&other, &options);
	other_svg = svg_of(&other, &options);
	EXPECT(!strcmp(other_html, html));
	EXPECT_STR(other_svg, svg);
	free(html);
	free(svg);
	free(other_html);
	free(other_svg);
	model__free(&model);
	model__free(&other);
}

static struct model hostile_model(struct flame_options *options)
{
	static const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {"<evil()>", "</script>"},
		       [VALUE_WEIGHT] = {"<evil()>", "<evil()>"}},
		.shown = VALUE_WEIGHT,
	};
	static const char *const names[] = {
		"</script><script>evil()</script>",
		"<img src=x onerror=evil()>",
		"\"'&<evil()>",
		"\xe2\x80\xa8"
		"evil()",
		"\xff\xfe evil()",
		"{{data}}",
		"{{style}}",
		"\033[31mevil()",
	};
	struct model model = model__new();
	struct sample sample = {.values = {1, 1}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint32_t frame = dictionary__add_frame(
			model.dictionary,
			&(struct frame){.function = names[i], .module = names[i]});

		sample.process = model__process(&model, "</script>", 1);
		sample.stack = dictionary__add_stack(model.dictionary, &frame, 1);
		profile__add(model.profile, &sample);
	}
	profile__set_metrics(model.profile, &metrics);
	options->title = "</title><script>evil()</script>";
	return model;
}

static void test_hostile(void)
{
	struct flame_options options = {0};
	struct model model = hostile_model(&options), none = model__new();
	char *html = html_of(&model, &options), *svg = svg_of(&model, &options);
	char *clean = html_of(&none, &(struct flame_options){0});

	EXPECT_EQ(count(html, "evil"), 0);
	EXPECT_EQ(count(html, "<script"), 3);
	EXPECT_EQ(count(html, "</script"), 3);
	EXPECT_EQ(count(html, "{{"), count(clean, "{{"));
	EXPECT_EQ(count(svg, "<script"), 0);
	EXPECT_EQ(count(svg, "<img"), 0);
	EXPECT_EQ(count(svg, "<evil"), 0);
	EXPECT_EQ(count(svg, "\033"), 0);
	EXPECT_EQ(count(svg, "\xff"), 0);
	EXPECT(strstr(svg, "&lt;/script&gt;&lt;script&gt;evil()&lt;/script&gt;"));
	EXPECT(strstr(svg, "&quot;&#39;&amp;&lt;evil()&gt;"));
	free(html);
	free(svg);
	free(clean);
	model__free(&model);
	model__free(&none);
}

/* Our own text asks for no other file, and a policy forbids it. */
static void test_alone(void)
{
	struct model model = small_model();
	char *html = html_of(&model, &(struct flame_options){0});

	EXPECT_EQ(count(html, "{{"), 0);
	EXPECT_EQ(count(html, "src="), 0);
	EXPECT_EQ(count(html, "@import"), 0);
	EXPECT_EQ(count(html, "url("), 0);
	EXPECT_EQ(count(html, "https://"), 0);
	EXPECT_EQ(count(html, "http://"), 1); /* the name space of the icon */
	EXPECT_EQ(count(html, "innerHTML"), 0);
	EXPECT(strstr(html, "default-src 'none'"));
	EXPECT(strstr(html, "</html>"));
	free(html);
	model__free(&model);
}

/* 105 samples are 1,176 wide, and 12 from the left. */
static void test_picture(void)
{
	struct model model = small_model();
	char *svg = svg_of(&model, &(struct flame_options){0});

	EXPECT_EQ(count(svg, "<g>"), 6);
	/* main is all, above sh and all; its 10 own samples are left of its callees */
	EXPECT(strstr(svg, "<title>main (sh): 105 samples, 100.00%; self 10 samples, 9.52%</title>"
			   "<rect x=\"12.00\" y=\"88\" width=\"1175.20\""));
	EXPECT(strstr(svg, "<title>read (libc): 65 samples, 61.90%; self 60 samples, 57.14%</title>"
			   "<rect x=\"124.00\" y=\"71\" width=\"727.20\""));
	EXPECT(strstr(svg, "<title>write (libc): 30 samples"));
	EXPECT(strstr(svg, "libc <tspan fill=\"#5c6370\">85.7%</tspan>"));
	EXPECT(!strstr(svg, "narrower"));
	free(svg);
	model__free(&model);
}

/* None of 5,000 functions with one sample each, beside one with 5,000, is as wide as a pixel. */
static void test_narrow(void)
{
	struct model model = model__new();
	char stack[64], *svg;

	add(&model, "sh", 1, 5000, "wide@m main@m");
	for (int i = 0; i < 5000; i++) {
		snprintf(stack, sizeof(stack), "leaf@m narrow%d@m main@m", i);
		add(&model, "sh", 1, 1, stack);
	}
	svg = svg_of(&model, &(struct flame_options){0});
	EXPECT_EQ(count(svg, "<g>"), 5); /* all, sh, main, wide, and the rest as one */
	EXPECT(strstr(svg, "<title>10,000 frames too narrow to draw</title>"));
	EXPECT(strstr(svg, "10,000 frames narrower than a pixel not drawn"));
	free(svg);
	model__free(&model);
}

static void test_cut_text(void)
{
	struct model model = model__new();
	char *svg;

	add(&model, "sh", 1, 90, "a_function_with_quite_a_long_name_that_has_all_the_room@m");
	add(&model, "sh", 1, 9, "another_function_with_quite_a_long_name_that_has_less@m");
	add(&model, "sh", 1, 2, "third@m");
	svg = svg_of(&model, &(struct flame_options){0});
	EXPECT(strstr(svg, ">a_function_with_quite_a_long_name_that_has_all_the_room</text>"));
	EXPECT(!strstr(svg, ">another_function_with_quite_a_long_name_that_has_less</text>"));
	EXPECT(strstr(svg, ">another_function_"));
	EXPECT(strstr(svg, "…</text>"));
	EXPECT(!strstr(svg, ">t…</text>"));
	free(svg);
	model__free(&model);
}

/* The facts tell where and when, at which rate, and the ledger of the events. */
static void test_facts(void)
{
	static const struct write_options options;
	struct recording recording;
	size_t size;
	char *svg;
	FILE *out = open_memstream(&svg, &size);

	recording__init(&recording);
	recording.facts[FACT_HOST] = recording__keep(&recording, "<host>");
	recording.start_realtime_ns = 1769862896000000000; /* date -u -d @1769862896 */
	recording.duration_ns = 5000000000;
	recording.asked_hz = 99;
	recording.delivered_hz = 98.9312;
	recording.lowered_hz = 24;
	recording.has_ledger = true;
	recording.ledger = (struct ledger){.events = 20, .counted = 12, .filtered = 8};
	EXPECT_EQ(formats__find("svg", NULL)->write(out, &recording, &options), 0);
	fclose(out);
	EXPECT(strstr(svg, "&lt;host&gt; · 2026-01-31 12:34:56 UTC · 5 s · 98.9 Hz "
			   "(asked 99 Hz, lowered to 24 Hz) · 20 events = 12 counted + "));
	free(svg);
	recording__fini(&recording);
}

static void test_write_error(void)
{
	struct flame_options options = {0};
	struct model model = small_model();
	FILE *full = fopen("/dev/full", "w");

	setvbuf(full, NULL, _IONBF, 0);
	EXPECT_EQ(flame__write_page(full, model.profile, &options), -ENOSPC);
	clearerr(full);
	EXPECT_EQ(flame__write_svg(full, model.profile, &options), -ENOSPC);
	fclose(full);
	model__free(&model);
}

/* Slices 0 and 2 of three have samples: 7 and 5 of one stack, and 1 of another. */
static struct recording sliced(void)
{
	struct recording recording;
	struct model model;
	size_t nr;
	struct sample sample;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	model = (struct model){profile__dictionary(recording.profile), recording.profile};
	add(&model, "a", 1, 12, "f@m");
	add(&model, "b", 2, 1, "g@m");
	recording.slice_ns = 100000000;
	recording.duration_ns = 250000000;
	recording.start_realtime_ns = 1700000000000000001;
	recording.cut_ns = 5;
	recording.nr_cpus = 2;
	recording.whole_system = true;
	for (size_t i = 0; i < 2; i++) {
		sample = profile__samples(recording.profile, &nr)[0];
		sample.values[VALUE_WEIGHT] = sample.values[VALUE_WEIGHT] / 12 * (i ? 5 : 7);
		sample.values[VALUE_COUNT] = i ? 5 : 7;
		EXPECT_EQ(recording__add_to_slice(&recording, 2 * i, &sample), 0);
	}
	sample = profile__samples(recording.profile, &nr)[1];
	EXPECT_EQ(recording__add_to_slice(&recording, 2, &sample), 0);
	return recording;
}

/* The heat map comes last. */
static void test_heat(void)
{
	const struct write_options options = {0};
	struct recording recording = sliced();
	const uint64_t each = profile__total(recording.profile, VALUE_WEIGHT) / 13;
	const uint64_t columns[] = {1, 2 * 0 + 1, 7, 0, 2, 2 * 0 + 1, 5, 2 * 0};
	size_t size;
	char *html;
	FILE *out = open_memstream(&html, &size);
	struct data data;

	EXPECT_EQ(html__write(out, &recording, &options), 0);
	fclose(out);
	unpack(&data, html);
	data.at = data.size - sizeof(columns) / sizeof(columns[0]);
	expect_numbers(&data, sizeof(columns) / sizeof(columns[0]), columns);
	EXPECT_EQ(data.at, data.size);
	for (data.at = data.size - 9; data.at > 0; data.at--) {
		const size_t at = data.at;

		if (number(&data) == each && data.at == data.size - 8)
			break;
		data.at = at;
	}
	EXPECT(data.at == data.size - 8);
	free(html);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"the data of a page, number by number", test_data},
		{"the data of a comparison, number by number", test_compared_data},
		{"a time line", test_time_line},
		{"a heat map", test_heat},
		{"an empty profile", test_empty},
		{"the same for the same profile", test_order},
		{"names that would be markup or script", test_hostile},
		{"a page that needs no other file", test_alone},
		{"boxes of the picture", test_picture},
		{"narrow frames are counted", test_narrow},
		{"text is cut to fit", test_cut_text},
		{"where and when", test_facts},
		{"a full disk", test_write_error},
		{0},
	};

	return run_tests("flame", tests);
}
