// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every output names rightly even values that no source gives today: values in an unknown unit that
 * count no events, a time that is none of the CPU's, and frames of an interpreter.
 */
#include <string.h>

#include "expect.h"
#include "flame/data.h"
#include "flame/flame.h"
#include "formats/formats.h"
#include "live/paint.h"
#include "live_model.h"
#include "profile/recording.h"
#include "views/views.h"

static char text[1 << 18];
static FILE *out;

static FILE *begin(void)
{
	memset(text, 0, sizeof(text));
	out = fmemopen(text, sizeof(text), "w");
	return out;
}

static void end(void)
{
	fclose(out);
}

static bool says(const char *wanted)
{
	bool found = strstr(text, wanted) != NULL;

	if (!found)
		fprintf(stderr, "no \"%s\" in:\n%s\n", wanted, text);
	return found;
}

/* ---- a metric ---- */

static const struct metrics widgets = {
	.of[VALUE_WEIGHT] = {.name = "made", .unit = "widgets"},
	.shown = VALUE_WEIGHT,
};

static void make(struct model *model, uint64_t nr_widgets, const char *stack)
{
	char copy[64];
	struct sample sample = {.process = model__process(model, "press", 1),
				.values[VALUE_WEIGHT] = nr_widgets};

	snprintf(copy, sizeof(copy), "%s", stack);
	sample.stack = model__stack(model, copy);
	profile__add(model->profile, &sample);
}

static struct model factory(void)
{
	struct model model = {.dictionary = dictionary__new()};

	model.profile = profile__new(model.dictionary);
	profile__set_metrics(model.profile, &widgets);
	make(&model, 12, "stamp@press main@press");
	make(&model, 1, "paint@press main@press");
	return model;
}

/* Every event counts: there is no rate to tell. */
static struct recording interval_of_factory(const struct model *model)
{
	return (struct recording){
		.nr_cpus = 2,
		.profile = model->profile,
		.facts = {[FACT_EVENT] = "widget-made", [FACT_TARGET] = "press (pid 1)"},
		.has_ledger = true,
		.start_realtime_ns = 1000000000,
		.duration_ns = 1000000000,
	};
}

static void test_text(void)
{
	static const struct view_options options = {.nr_rows = 20};
	struct model model = factory();
	struct recording interval = interval_of_factory(&model);
	struct group_row *groups;
	long nr = profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	EXPECT_EQ(view__write_block(begin(), &interval, &options), 0);
	end();
	EXPECT(says("\nmade       13 widgets on 2 CPUs\n"));
	EXPECT(says("    %  made  COMMAND"));
	EXPECT(says(" 92.3    12  press"));
	EXPECT(!strcasestr(text, "samples") && !strstr(text, "Hz"));
	EXPECT_EQ(view__write_groups(begin(), &interval, &options, groups, (size_t)nr, "FUNCTION"),
		  0);
	end();
	EXPECT(says("  92.3     92.3       12       12  stamp (press)"));
	free(groups);
	model__free(&model);
}

/* Names are judged by what was recorded, which need not count anything. */
static void test_quality(void)
{
	struct ledger ledger = {0};
	struct model model = factory();
	struct quality quality;

	quality__measure(&quality, model.profile, &ledger, true);
	EXPECT_EQ((long)quality.samples, 13);
	EXPECT_EQ((long)quality.frames, 26);
	model__free(&model);
}

static const char *screen(struct live *live, char key)
{
	struct ui ui = {.interval_s = 1};
	enum action left;
	struct canvas canvas = {0};
	char *at = text;

	EXPECT_EQ(canvas__resize(&canvas, 20, 80), 0);
	EXPECT_EQ(ui__take(&ui, live, key, &left), 0);
	EXPECT_EQ(paint__screen(&canvas, live, &ui), 0);
	for (size_t i = 0; i < canvas.nr_lines * canvas.nr_columns; i++) {
		const struct cell *cell =
			canvas__cell(&canvas, i / canvas.nr_columns, i % canvas.nr_columns);

		at = stpcpy(at, cell->columns && !*cell->text ? " " : cell->text);
	}
	canvas__fini(&canvas);
	return text;
}

static void test_live(void)
{
	struct model model = factory();
	struct recording interval = interval_of_factory(&model);
	struct live live;

	live__init(&live, 1 << 20);
	give_interval(&live, &model, &interval);
	screen(&live, '1');
	EXPECT(says("widget-made on 2 CPUs"));
	EXPECT(says("13 widgets, 0 lost"));
	EXPECT(says("     %     made  CHANGE"));
	EXPECT(says("  92.3       12"));
	EXPECT(!strstr(text, "cpu") && !strstr(text, "Hz"));
	screen(&live, '3');
	EXPECT(says("100.0"));
	EXPECT(says(" 92.3"));
	live__fini(&live);
}

static const struct heat no_heat;
static const struct wait_parts no_parts;

static void test_flame_graph(void)
{
	struct model model = factory();
	const struct flame_options options = {0};
	struct tree *tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	size_t nr_bytes;
	char *bytes;

	EXPECT_EQ(flame__write_svg(begin(), model.profile, &options), 0);
	end();
	EXPECT(says("13 widgets"));
	EXPECT(says("1 widget,"));
	EXPECT(!strstr(text, "sample"));
	out = open_memstream(&bytes, &nr_bytes);
	flame_data__write(out,
			  &(struct flame_data){tree, NULL, NULL, &no_parts, &no_heat, &options});
	EXPECT_EQ(fclose(out), 0);
	EXPECT(memmem(bytes, nr_bytes, "made", 4) != NULL);
	EXPECT(memmem(bytes, nr_bytes, "widgets", 7) != NULL);
	EXPECT(memmem(bytes, nr_bytes, "amples", 6) == NULL);
	EXPECT(memmem(bytes, nr_bytes, "CPU", 3) == NULL);
	free(bytes);
	tree__free(tree);
	model__free(&model);
}

static void test_json(void)
{
	struct model model = factory();
	struct recording interval = interval_of_factory(&model);

	EXPECT_EQ(json__write_interval(begin(), &interval), 0);
	end();
	EXPECT(says("\"event\":\"widget-made\""));
	EXPECT(says("\"values\":{\"shown\":\"weight\",\"count\":null,"
		    "\"weight\":{\"type\":\"made\",\"unit\":\"widgets\",\"total\":13}}"));
	EXPECT(says("\"weight\":12,"));
	EXPECT(!strstr(text, "weight_ns"));
	model__free(&model);
}

static void write_as(const char *format, const struct recording *recording)
{
	static const struct write_options options;
	struct error err;

	EXPECT_EQ(formats__find(format, &err)->write(begin(), recording, &options), 0);
	end();
}

static void test_formats(void)
{
	struct model model = factory();
	struct recording recording;

	recording__init(&recording);
	EXPECT_EQ(profile__merge(recording.profile, model.profile), 0);
	write_as("json", &recording);
	EXPECT(says("\"weight\":{\"type\":\"made\",\"unit\":\"widgets\",\"total\":13}"));
	write_as("folded", &recording);
	EXPECT_STR(text, "press;main;stamp 12\npress;main;paint 1\n");
	write_as("csv", &recording);
	EXPECT(says("kind,\"self (made in widgets)\",\"total (made in widgets)\",self_percent,"));
	EXPECT(says("\"stamp\",\"press\",user,12,12,92.3077,92.3077"));
	write_as("speedscope", &recording);
	EXPECT(says("\"name\":\"press, made in widgets\",\"unit\":\"none\""));
	EXPECT(says("\"endValue\":13"));
	write_as("firefox", &recording);
	EXPECT(says("\"name\":\"press, made in widgets\""));
	EXPECT(says("\"weight\":[12,1]"));
	write_as("svg", &recording);
	EXPECT(says("13 widgets"));
	recording__fini(&recording);
	model__free(&model);
}

static void test_read_back(void)
{
	static const struct read_options options;
	static const struct write_options plain;
	struct model model = factory();
	struct recording recording, again;
	const struct metrics *metrics;
	char *bytes;
	size_t nr_bytes;
	struct error err;

	recording__init(&recording);
	EXPECT_EQ(profile__merge(recording.profile, model.profile), 0);
	out = open_memstream(&bytes, &nr_bytes);
	EXPECT_EQ(pprof__write(out, &recording, &plain), 0);
	end();
	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, &err), 0);
	metrics = profile__metrics(again.profile);
	EXPECT_EQ(metrics->shown, VALUE_WEIGHT);
	EXPECT(metrics->of[VALUE_COUNT].name == NULL);
	EXPECT_STR(metrics->of[VALUE_WEIGHT].name, "made");
	EXPECT_STR(metrics->of[VALUE_WEIGHT].unit, "widgets");
	EXPECT_EQ(metric__unit_ns(&metrics->of[VALUE_WEIGHT]), 0);
	EXPECT(!metrics->of[VALUE_WEIGHT].is_events);
	EXPECT_EQ(profile__shown_total(again.profile), 13);
	free(bytes);
	recording__fini(&recording);
	recording__fini(&again);
	model__free(&model);
}

/* ---- a time ---- */

static const struct metrics waits = {
	.of = {[VALUE_COUNT] = {.name = "waits", .unit = "count", .is_events = true},
	       [VALUE_WEIGHT] = {.name = "waited",
				 .unit = "nanoseconds",
				 .title = "Time off CPU",
				 .heading = "WAITED"}},
	.shown = VALUE_WEIGHT,
};

/* Two waits of 1.5 s together. */
static struct model queue(void)
{
	struct model model = model__new();
	struct sample sample = {.process = model__process(&model, "clerk", 1),
				.stack = model__stack(&model, "sleep@clerk main@clerk"),
				.values = {2, 1500000000}};

	profile__set_metrics(model.profile, &waits);
	profile__add(model.profile, &sample);
	return model;
}

static void test_time_for_people(void)
{
	static const struct view_options options = {.nr_rows = 20};
	const struct flame_options flame = {0};
	struct model model = queue();
	struct recording interval = interval_of_factory(&model);
	struct tree *tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	size_t nr_bytes;
	char *bytes;

	interval.ledger.counted = interval.ledger.events = 2;
	interval.ledger.ran_unmeasured = true;
	EXPECT_EQ(view__write_block(begin(), &interval, &options), 0);
	end();
	EXPECT(says("\nwaits      2, 1.5 s on 2 CPUs\n"));
	EXPECT(says("    %  WAITED  waits  AVERAGE  COMMAND"));
	EXPECT(says("100.0   1.5 s      2   750 ms  clerk"));
	EXPECT(!strstr(text, "coverage"));
	EXPECT_EQ(flame__write_svg(begin(), model.profile, &flame), 0);
	end();
	EXPECT(says("1.5 s"));
	out = open_memstream(&bytes, &nr_bytes);
	flame_data__write(out, &(struct flame_data){tree, NULL, NULL, &no_parts, &no_heat, &flame});
	EXPECT_EQ(fclose(out), 0);
	EXPECT(memmem(bytes, nr_bytes, "Time off CPU", 12) != NULL);
	EXPECT(memmem(bytes, nr_bytes, "CPU time", 8) == NULL);
	free(bytes);
	tree__free(tree);
	model__free(&model);
}

static void test_time_in_files(void)
{
	struct model model = queue();
	const struct recording interval = interval_of_factory(&model);

	EXPECT_EQ(json__write_interval(begin(), &interval), 0);
	end();
	EXPECT(says("\"weight\":{\"type\":\"waited\",\"unit\":\"nanoseconds\","));
	EXPECT(says("\"weight_ns\":1500000000,"));
	write_as("csv", &interval);
	EXPECT(says("\"self (waited in nanoseconds)\""));
	write_as("speedscope", &interval);
	EXPECT(says("\"name\":\"clerk, waited\",\"unit\":\"nanoseconds\""));
	write_as("firefox", &interval);
	EXPECT(says("\"name\":\"clerk, waited\""));
	EXPECT(says("\"weightType\":\"tracing-ms\""));
	EXPECT(says("\"weight\":[1500.000000]"));
	model__free(&model);
}

/* ---- a frame ---- */

static void fill_script(struct recording *recording)
{
	const struct frame frames[] = {
		{.function = "Request.handle", .module = "[python]", .kind = FRAME_INTERPRETED},
		{.module = "[python]", .address = 0x1234, .kind = FRAME_INTERPRETED},
		{.function = "main", .module = "python3", .kind = FRAME_USER, .root = true},
	};
	const struct process process = {.pid = 1, .comm = "python3"};
	struct sample sample = {.values = {3, 30}};
	uint32_t ids[3];

	recording__init(recording);
	profile__set_metrics(recording->profile, &cpu_metrics);
	for (int i = 0; i < 3; i++)
		ids[i] = dictionary__add_frame(profile__dictionary(recording->profile), &frames[i]);
	sample.process = dictionary__add_process(profile__dictionary(recording->profile), &process);
	sample.stack = dictionary__add_stack(profile__dictionary(recording->profile), ids, 3);
	profile__add(recording->profile, &sample);
}

static void test_interpreted(void)
{
	static const struct view_options options = {.nr_rows = 20};
	struct recording recording;

	fill_script(&recording);
	EXPECT_EQ(view__write_block(begin(), &recording, &options), 0);
	end();
	EXPECT(says("        Request.handle [p] ([python])\n        [python] [p]\n        main "));
	write_as("folded", &recording);
	EXPECT_STR(text, "python3;main;[python]_[p];Request.handle_[p] 3\n");
	write_as("csv", &recording);
	EXPECT(says("\"Request.handle\",\"[python]\",interpreted,3,3,"));
	write_as("json", &recording);
	EXPECT(says("\"module\":\"[python]\",\"kind\":\"interpreted\""));
	write_as("firefox", &recording);
	EXPECT(says("Interpreted"));
	write_as("speedscope", &recording);
	EXPECT(says("Request.handle"));
	write_as("svg", &recording);
	EXPECT(says("Request.handle ([python])"));
	recording__fini(&recording);
}

static void expect_script(const struct recording *recording, bool with_modules)
{
	size_t nr_samples, nr_frames;
	const struct sample *samples = profile__samples(recording->profile, &nr_samples);
	const uint32_t *ids = dictionary__stack(profile__dictionary(recording->profile),
						samples[0].stack, &nr_frames);
	const struct frame *named =
		dictionary__frame(profile__dictionary(recording->profile), ids[0]);
	const struct frame *unnamed =
		dictionary__frame(profile__dictionary(recording->profile), ids[1]);

	EXPECT(nr_frames >= 3);
	EXPECT_EQ(named->kind, FRAME_INTERPRETED);
	EXPECT_STR(named->function, "Request.handle");
	EXPECT_EQ(unnamed->kind, FRAME_INTERPRETED);
	if (with_modules) {
		EXPECT_STR(named->module, "[python]");
		EXPECT_STR(unnamed->module, "[python]");
		EXPECT(unnamed->function == NULL);
	}
}

static void test_interpreted_read_back(void)
{
	static const char *const formats[] = {"pprof", "folded"};
	static const struct read_options options;
	static const struct write_options plain;
	struct recording recording, again;
	struct error err;
	size_t nr_bytes;
	char *bytes;

	for (int i = 0; i < 2; i++) {
		fill_script(&recording);
		out = open_memstream(&bytes, &nr_bytes);
		EXPECT_EQ(formats__find(formats[i], &err)->write(out, &recording, &plain), 0);
		end();
		EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, &err), 0);
		expect_script(&again, i == 0);
		free(bytes);
		recording__fini(&recording);
		recording__fini(&again);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"a metric in text", test_text},
		{"quality by a metric", test_quality},
		{"a metric in the live view", test_live},
		{"a metric in a flame graph", test_flame_graph},
		{"a metric in JSON", test_json},
		{"a metric in every format", test_formats},
		{"a metric, read back", test_read_back},
		{"a time, for people", test_time_for_people},
		{"a time, in files", test_time_in_files},
		{"frames of an interpreter", test_interpreted},
		{"frames of an interpreter, read back", test_interpreted_read_back},
		{0},
	};

	return run_tests("outputs", tests);
}
