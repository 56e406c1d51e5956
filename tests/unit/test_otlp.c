// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request of OpenTelemetry's protocol says these facts of a recording; otlp.py checks its form.
 */
#include "formats/otlp/otlp.h"

#include <stdlib.h>
#include <string.h>

#include "events_model.h"
#include "expect.h"
#include "formats/otlp/profiles.pb-c.h"
#include "model.h"

#define ID "3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"

typedef Otlp__ExportProfilesServiceRequest request_t;

static const struct otlp_options all = {.attributes = OTLP_ALL};

/* Packed and read again; otlp__export_profiles_service_request__free_unpacked() it. */
static request_t *pack(const struct recording *recording, const struct otlp_options *options)
{
	uint8_t *bytes;
	size_t nr_bytes;
	request_t *request;

	EXPECT_EQ(otlp__pack(recording, options, &bytes, &nr_bytes), 0);
	request = otlp__export_profiles_service_request__unpack(NULL, nr_bytes, bytes);
	EXPECT(request != NULL);
	free(bytes);
	return request;
}

static void drop(request_t *request)
{
	otlp__export_profiles_service_request__free_unpacked(request, NULL);
}

static const char *resource_attribute(const request_t *request, size_t resource, const char *key)
{
	const Otlp__Resource *of = request->resource_profiles[resource]->resource;

	for (size_t i = 0; i < of->n_attributes; i++)
		if (!strcmp(of->attributes[i]->key, key))
			return of->attributes[i]->value->string_value;
	return "none";
}

static const Otlp__Profile *profile_of(const request_t *request, size_t resource, size_t profile)
{
	const Otlp__ScopeProfiles *scope = request->resource_profiles[resource]->scope_profiles[0];

	EXPECT(profile < scope->n_profiles);
	return scope->profiles[profile];
}

static const char *type_of(const request_t *request, const Otlp__Profile *profile)
{
	return request->dictionary->string_table[profile->sample_type->type_strindex];
}

static int64_t total_of(const Otlp__Profile *profile)
{
	int64_t total = 0;

	for (size_t i = 0; i < profile->n_samples; i++)
		total += profile->samples[i]->values[0];
	return total;
}

static bool has_string(const request_t *request, const char *string)
{
	for (size_t i = 0; i < request->dictionary->n_string_table; i++)
		if (!strcmp(request->dictionary->string_table[i], string))
			return true;
	return false;
}

static bool has_attribute(const request_t *request, const char *key)
{
	const Otlp__ProfilesDictionary *dictionary = request->dictionary;

	for (size_t i = 1; i < dictionary->n_attribute_table; i++)
		if (!strcmp(dictionary->string_table[dictionary->attribute_table[i]->key_strindex],
			    key))
			return true;
	return false;
}

/* count samples of a thread, of a process in that cgroup. */
static void add_in(struct recording *recording, const char *comm, int32_t pid, const char *path,
		   uint64_t count, const char *stack)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	struct process process = {.pid = pid,
				  .start_ns = (uint64_t)pid,
				  .cgroup_path = path,
				  .command_line = "secret"};
	struct sample sample = {.tid = pid + 1, .values = {count, 10 * count}};

	snprintf(process.comm, sizeof(process.comm), "%s", comm);
	sample.process = dictionary__add_process(model.dictionary, &process);
	sample.stack = model__stack(&model, stack);
	sample__name_thread(&sample, model.dictionary, "worker");
	profile__add(recording->profile, &sample);
}

static struct recording new_recording(void)
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	recording.start_realtime_ns = 1700000000123456789;
	recording.duration_ns = 5000000000;
	recording.period = 10101010;
	return recording;
}

static void test_nothing(void)
{
	struct recording recording = new_recording();
	request_t *request = pack(&recording, &all);
	const Otlp__ProfilesDictionary *dictionary = request->dictionary;

	EXPECT_EQ(request->n_resource_profiles, 0);
	EXPECT_EQ(dictionary->n_string_table, 1);
	EXPECT_STR(dictionary->string_table[0], "");
	EXPECT_EQ(dictionary->n_mapping_table, 1);
	EXPECT_EQ(dictionary->n_location_table, 1);
	EXPECT_EQ(dictionary->n_function_table, 1);
	EXPECT_EQ(dictionary->n_link_table, 1);
	EXPECT_EQ(dictionary->n_attribute_table, 1);
	EXPECT_EQ(dictionary->n_stack_table, 1);
	drop(request);
	recording__fini(&recording);
}

/* One for each service in each container, the one with most first. */
static void test_resources(void)
{
	struct recording recording = new_recording();
	request_t *request;

	add_in(&recording, "sh", 1, "/user.slice/session-1.scope", 1, "f@m main@p");
	add_in(&recording, "nginx", 2, "/system.slice/nginx.service", 2, "f@m main@p");
	add_in(&recording, "nginx", 3, "/system.slice/nginx.service", 3, "f@m main@p");
	add_in(&recording, "app", 4, "/system.slice/docker-" ID ".scope", 20, "f@m main@p");
	request = pack(&recording, &all);
	EXPECT_EQ(request->n_resource_profiles, 3);
	EXPECT_STR(resource_attribute(request, 0, "service.name"), "docker:3f2a1b4c5d6e");
	EXPECT_STR(resource_attribute(request, 0, "container.id"), ID);
	EXPECT_STR(resource_attribute(request, 1, "service.name"), "nginx");
	EXPECT_STR(resource_attribute(request, 1, "container.id"), "none");
	EXPECT_STR(resource_attribute(request, 2, "service.name"), "sh");
	EXPECT_EQ(total_of(profile_of(request, 1, 0)), 5);
	EXPECT_EQ(profile_of(request, 1, 0)->n_samples, 2); /* of two processes */
	drop(request);
	recording__fini(&recording);
}

static void test_circumstances(void)
{
	struct recording recording = new_recording();
	const Otlp__Profile *profile;
	request_t *request;

	add_in(&recording, "prog", 7, NULL, 3, "f@m main@p");
	request = pack(&recording, &all);
	EXPECT_EQ(request->resource_profiles[0]->scope_profiles[0]->n_profiles, 2);
	profile = profile_of(request, 0, 0);
	EXPECT_STR(type_of(request, profile), "samples");
	EXPECT_EQ(total_of(profile), 3);
	EXPECT_EQ(profile->time_unix_nano, 1700000000123456789);
	EXPECT_EQ(profile->duration_nano, 5000000000);
	EXPECT_EQ(profile->period, 10101010);
	EXPECT_STR(request->dictionary->string_table[profile->period_type->type_strindex], "cpu");
	profile = profile_of(request, 0, 1);
	EXPECT_STR(type_of(request, profile), "cpu");
	EXPECT_EQ(total_of(profile), 30);
	drop(request);
	recording__fini(&recording);
}

static void test_events(void)
{
	struct recording recording = two_events(5, 9, false);
	request_t *request = pack(&recording, &all);
	const Otlp__ScopeProfiles *scope = request->resource_profiles[0]->scope_profiles[0];

	EXPECT_EQ(scope->n_profiles, 4); /* of "prog", which both have */
	EXPECT_STR(type_of(request, scope->profiles[0]), "samples");
	EXPECT_EQ(total_of(scope->profiles[0]), 5);
	EXPECT_STR(type_of(request, scope->profiles[2]), "page-faults");
	EXPECT_EQ(total_of(scope->profiles[2]), 9);
	EXPECT(scope->profiles[0]->samples[0]->stack_index ==
	       scope->profiles[2]->samples[0]->stack_index);
	drop(request);
	recording__fini(&recording);
}

/*
 * Attributes that were not asked for are left out, and samples that differed in them alone are one.
 */
static void test_attributes(void)
{
	const struct otlp_options few = {.attributes = OTLP_EXECUTABLE};
	struct recording recording = new_recording();
	request_t *request;

	recording.facts[FACT_HOST] = recording__keep(&recording, "db1");
	add_in(&recording, "app", 4, "/system.slice/docker-" ID ".scope", 3, "f@m main@p");
	add_in(&recording, "app", 5, "/system.slice/docker-" ID ".scope", 4, "f@m main@p");
	request = pack(&recording, &all);
	EXPECT(has_attribute(request, "process.pid"));
	EXPECT(has_attribute(request, "thread.id"));
	EXPECT(has_attribute(request, "thread.name"));
	EXPECT_STR(resource_attribute(request, 0, "host.name"), "db1");
	EXPECT_EQ(profile_of(request, 0, 0)->n_samples, 2);
	EXPECT(!has_string(request, "secret"));
	drop(request);

	request = pack(&recording, &few);
	EXPECT(has_attribute(request, "process.executable.name"));
	EXPECT(!has_attribute(request, "process.pid"));
	EXPECT(!has_attribute(request, "thread.id"));
	EXPECT(!has_attribute(request, "thread.name"));
	EXPECT_STR(resource_attribute(request, 0, "host.name"), "none");
	EXPECT_STR(resource_attribute(request, 0, "container.id"), "none");
	EXPECT_EQ(profile_of(request, 0, 0)->n_samples, 1);
	EXPECT_EQ(profile_of(request, 0, 0)->samples[0]->values[0], 7);
	drop(request);
	recording__fini(&recording);
}

/* "a", then "other" for all that is not of pid 1. */
static void name_few(void *context, const struct process *process, char *text, size_t size)
{
	++*(int *)context;
	snprintf(text, size, "%s", process->pid == 1 ? "a" : "other");
}

static void test_services(void)
{
	int nr_calls = 0;
	const struct otlp_options options = {.name_service = name_few, .context = &nr_calls};
	struct recording recording = new_recording();
	request_t *request;

	add_in(&recording, "a", 1, NULL, 1, "f@m main@p");
	for (int32_t pid = 2; pid < 50; pid++)
		add_in(&recording, "b", pid, NULL, 1, "f@m main@p");
	request = pack(&recording, &options);
	EXPECT_EQ(request->n_resource_profiles, 2);
	EXPECT_STR(resource_attribute(request, 0, "service.name"), "other");
	EXPECT_EQ(total_of(profile_of(request, 0, 0)), 48);
	EXPECT_EQ(nr_calls, 49); /* once a process */
	drop(request);
	recording__fini(&recording);
}

/* Names of others may be any bytes. */
static void test_bytes(void)
{
	struct recording recording = new_recording();
	request_t *request;

	add_in(&recording, "a\xff", 1, "/system.slice/x\\xfe.service", 1, "f\xc3@m\x80 main@p");
	request = pack(&recording, &all);
	EXPECT_STR(resource_attribute(request, 0, "service.name"), "x\xef\xbf\xbd");
	EXPECT(has_string(request, "f\xef\xbf\xbd"));
	EXPECT(has_string(request, "m\xef\xbf\xbd"));
	drop(request);
	recording__fini(&recording);
}

/* Inlined functions are lines of the location that they are in. */
static void test_inlined(void)
{
	struct recording recording = new_recording();
	struct dictionary *dictionary = profile__dictionary(recording.profile);
	const struct frame inner = {
		.function = "inner", .module = "m", .file = "i.h", .line = 3, .inlined = true};
	const struct frame outer = {.function = "outer",
				    .module = "m",
				    .build_id = "beef",
				    .address = 0x40,
				    .file = "o.c",
				    .line = 9};
	const uint32_t frames[] = {dictionary__add_frame(dictionary, &inner),
				   dictionary__add_frame(dictionary, &outer)};
	const struct process process = {.comm = "prog"};
	const struct sample sample = {.process = dictionary__add_process(dictionary, &process),
				      .stack = dictionary__add_stack(dictionary, frames, 2),
				      .values = {1, 1}};
	const Otlp__ProfilesDictionary *made;
	const Otlp__Location *location;
	request_t *request;

	profile__add(recording.profile, &sample);
	request = pack(&recording, &all);
	made = request->dictionary;
	EXPECT_EQ(made->n_location_table, 2);
	location = made->location_table[1];
	EXPECT_EQ(location->address, 0x40);
	EXPECT_EQ(location->n_lines, 2);
	EXPECT_STR(made->string_table[made->function_table[location->lines[0]->function_index]
					      ->name_strindex],
		   "inner");
	EXPECT_EQ(location->lines[1]->line, 9);
	EXPECT(has_attribute(request, "process.executable.build_id.gnu"));
	drop(request);
	recording__fini(&recording);
}

/* An id is of what is said: the same each time, another one for each profile and each recording. */
static void test_identity(void)
{
	struct recording recording = new_recording();
	request_t *first, *again, *other;

	add_in(&recording, "prog", 7, NULL, 3, "f@m main@p");
	first = pack(&recording, &all);
	again = pack(&recording, &all);
	recording.start_realtime_ns++;
	other = pack(&recording, &all);
	EXPECT_EQ(profile_of(first, 0, 0)->profile_id.len, 16);
	EXPECT(!memcmp(profile_of(first, 0, 0)->profile_id.data,
		       profile_of(again, 0, 0)->profile_id.data, 16));
	EXPECT(memcmp(profile_of(first, 0, 0)->profile_id.data,
		      profile_of(first, 0, 1)->profile_id.data, 16) != 0);
	EXPECT(memcmp(profile_of(first, 0, 0)->profile_id.data,
		      profile_of(other, 0, 0)->profile_id.data, 16) != 0);
	drop(first);
	drop(again);
	drop(other);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"of nothing there are the elements 0", test_nothing},
		{"a resource for each service and container", test_resources},
		{"type, time, period", test_circumstances},
		{"each value of each event is a profile", test_events},
		{"attributes that are wanted, no others", test_attributes},
		{"services named by somebody else", test_services},
		{"names that are no text", test_bytes},
		{"inlined functions", test_inlined},
		{"ids of profiles", test_identity},
		{0},
	};

	return run_tests("otlp", tests);
}
