// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples are distributed to resources, one for each service in each container. In a resource there
 * is a profile for each value of each event, as a profile of this protocol has values of one type:
 *
 *	request
 *	  resource  service.name=nginx
 *	    profile samples/count		sample: stack, attributes, value
 *	    profile cpu/nanoseconds
 *	  resource  service.name=docker:3f2a1b4c5d6e container.id=3f2a1b4c5d6e...
 *	    ...
 *	  dictionary, of all resources
 *
 * All of it is in memory until it is packed: the length of a message precedes it.
 */
#include "formats/otlp/otlp.h"

#include "formats/formats.h"
#include "formats/otlp/tables.h"
#include "formats/pprof/pprof.h"
#include "profile/owner.h"

/*
 * Writes the request as a file. The attributes of samples distinguish owners, and command lines are
 * never written, so options are ignored.
 */

int otlp__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct otlp_options all = {.attributes = OTLP_ALL};
	uint8_t *bytes;
	size_t nr_bytes;
	const int code = otlp__pack(recording, &all, &bytes, &nr_bytes);

	(void)options;
	if (code)
		return code;
	fwrite(bytes, 1, nr_bytes, out);
	free(bytes);
	return text__stream_error(out);
}

#define MOST_BYTES	    INT32_MAX /* limit of a message in all implementations */
#define ID_BYTES	    16
#define RESOURCE_ATTRIBUTES 4
#define SAMPLE_ATTRIBUTES   6

/* A sample; its key in the table is its stack and its attributes. */
struct otlp_sample {
	Otlp__Sample sample;
	int64_t value;
};

/* The samples of one resource, with one value of one event. */
struct otlp_profile {
	Otlp__Profile profile;
	Otlp__ValueType sample_type, period_type;
	uint8_t id[ID_BYTES];
	struct otlp_table samples;
};

struct otlp_resource {
	Otlp__ResourceProfiles message;
	Otlp__Resource resource;
	Otlp__ScopeProfiles scope_profiles, *scope_pointer;
	Otlp__KeyValue attributes[RESOURCE_ATTRIBUTES], *attribute_pointers[RESOURCE_ATTRIBUTES];
	Otlp__AnyValue values[RESOURCE_ATTRIBUTES];
	const char *service, *container;  /* "": in none */
	uint64_t total;			  /* of the first event's shown value */
	struct otlp_profile *profiles;	  /* VALUES of each event */
	Otlp__Profile **profile_pointers; /* the profiles that have samples */
};

struct otlp_writer {
	const struct recording *recording;
	const struct dictionary *dictionary;
	const struct otlp_options *options;
	size_t nr_profiles; /* of a resource */
	struct otlp_tables *tables;
	struct dictionary *texts; /* strings of resources */
	struct otlp_table resources;
	int32_t *resources_of; /* by process id: index + 1; 0: not known yet */
	Otlp__InstrumentationScope scope;
	Otlp__ProfilesDictionary shared;
	int code; /* the first error */
};

/* ---- resources ---- */

static char *valid_text(struct otlp_writer *writer, const char *text)
{
	return (char *)(uintptr_t)otlp__valid_text(writer->texts, text);
}

static int32_t find_resource(struct otlp_writer *writer, const struct process *process)
{
	const struct otlp_options *options = writer->options;
	char service[SERVICE_NAME_SIZE] = "", container[CONTAINER_NAME_SIZE] = "";
	struct otlp_resource *resource;
	const char *key[2];
	int32_t index;

	if (options->name_service)
		options->name_service(options->context, process, service, sizeof(service));
	else
		service__name(process, service, sizeof(service));
	if (options->attributes & OTLP_CONTAINER)
		container__id(process->cgroup_path, container, sizeof(container));
	key[0] = valid_text(writer, service);
	key[1] = valid_text(writer, container);
	resource = otlp_table__add(&writer->resources, key, sizeof(key), &index);
	if (!resource)
		return index;
	resource->service = key[0];
	resource->container = key[1];
	otlp__resource_profiles__init(&resource->message);
	resource->profiles = xcalloc(writer->nr_profiles, sizeof(*resource->profiles));
	resource->profile_pointers =
		xcalloc(writer->nr_profiles, sizeof(*resource->profile_pointers));
	for (size_t i = 0; i < writer->nr_profiles; i++)
		resource->profiles[i].samples.row_bytes = sizeof(struct otlp_sample);
	return index;
}

/* ---- samples ---- */

/* Fills the key of a sample: its stack, then its attributes. Returns its length. */
static size_t fill_key(struct otlp_writer *writer, const struct sample *sample, int32_t *key)
{
	const unsigned int wanted = writer->options->attributes;
	struct otlp_tables *tables = writer->tables;
	const struct process *process = dictionary__process(writer->dictionary, sample->process);
	const char *const thread = sample__thread(sample, writer->dictionary);
	const char *const state = wait_state__name(wait__state(sample->wait));
	const char *const kind = wait_kind__name(wait__kind(sample->wait));
	size_t nr = 0;

	key[nr++] = otlp_tables__stack(tables, sample->stack);
	if (wanted & OTLP_EXECUTABLE && *process->comm)
		key[nr++] = otlp_tables__text(tables, "process.executable.name", process->comm);
	if (wanted & OTLP_PROCESS && process->pid)
		key[nr++] = otlp_tables__number(tables, "process.pid", process->pid);
	if (wanted & OTLP_THREAD && sample->tid)
		key[nr++] = otlp_tables__number(tables, "thread.id", sample->tid);
	if (wanted & OTLP_THREAD_NAME && thread)
		key[nr++] = otlp_tables__text(tables, "thread.name", thread);
	if (wanted & OTLP_WAIT && *state)
		key[nr++] = otlp_tables__text(tables, "topstacks.state", state);
	if (wanted & OTLP_WAIT && *kind)
		key[nr++] = otlp_tables__text(tables, "topstacks.wait", kind);
	return nr;
}

/* Adds the samples of an event to its profiles, one for each value. Values of 0 are left out. */
static void add_samples(struct otlp_writer *writer, const struct recording *event, size_t number)
{
	const struct metrics *metrics = profile__metrics(event->profile);
	size_t nr_samples;
	const struct sample *samples = profile__samples(event->profile, &nr_samples);

	for (const struct sample *sample = samples; sample < samples + nr_samples; sample++) {
		int32_t *known = &writer->resources_of[sample->process];
		int32_t key[1 + SAMPLE_ATTRIBUTES], index;
		struct otlp_resource *resource;
		size_t nr = 0;

		for (int value = 0; value < VALUES; value++) {
			struct otlp_table *table;
			struct otlp_sample *row;

			if (!metrics->of[value].name || !sample->values[value])
				continue;
			if (!*known)
				*known = find_resource(writer,
						       dictionary__process(writer->dictionary,
									   sample->process)) +
					 1;
			if (!nr)
				nr = fill_key(writer, sample, key);
			resource = otlp_table__row(&writer->resources, (size_t)*known - 1);
			table = &resource->profiles[VALUES * number + (size_t)value].samples;
			row = otlp_table__add(table, key, nr * sizeof(*key), &index);
			if (row)
				otlp__sample__init(&row->sample);
			row = otlp_table__row(table, (size_t)index);
			row->value =
				pprof__clamp(sum_of((uint64_t)row->value, sample->values[value]));
		}
		if (!nr || number)
			continue;
		resource = otlp_table__row(&writer->resources, (size_t)*known - 1);
		resource->total = sum_of(resource->total, sample->values[metrics->shown]);
	}
}

/* ---- messages, after all samples were added ---- */

static Otlp__ValueType value_type(struct otlp_writer *writer, const struct metric *metric)
{
	Otlp__ValueType type = OTLP__VALUE_TYPE__INIT;

	type.type_strindex = otlp_tables__string(writer->tables, metric->name);
	type.unit_strindex = otlp_tables__string(writer->tables, metric->unit);
	return type;
}

/* Fills the message of a profile. The period is in the unit of the weight. */
static void fill_profile(struct otlp_writer *writer, struct otlp_profile *profile,
			 const struct recording *event, enum value value)
{
	const struct metrics *metrics = profile__metrics(event->profile);
	const struct metric *weight = &metrics->of[VALUE_WEIGHT];
	const size_t nr_samples = otlp_table__nr_rows(&profile->samples);
	Otlp__Profile *message = &profile->profile;

	otlp__profile__init(message);
	profile->sample_type = value_type(writer, &metrics->of[value]);
	message->sample_type = &profile->sample_type;
	message->time_unix_nano =
		event->start_realtime_ns > 0 ? (uint64_t)event->start_realtime_ns : 0;
	message->duration_nano = event->duration_ns;
	if (weight->name && event->period) {
		profile->period_type = value_type(writer, weight);
		message->period_type = &profile->period_type;
		message->period = pprof__clamp(event->period);
	}
	otlp_table__finish(&profile->samples);
	message->n_samples = nr_samples;
	message->samples = (void *)profile->samples.pointers;
	for (size_t i = 0; i < nr_samples; i++) {
		struct otlp_sample *row = otlp_table__row(&profile->samples, i);
		size_t nr_bytes;
		int32_t *key =
			(int32_t *)(uintptr_t)otlp_table__key(&profile->samples, i, &nr_bytes);

		row->sample.stack_index = key[0];
		row->sample.attribute_indices = &key[1];
		row->sample.n_attribute_indices = nr_bytes / sizeof(*key) - 1;
		row->sample.values = &row->value;
		row->sample.n_values = 1;
	}
}

/* Adds an attribute of a resource; NULL and "" mean not known. */
static void add_attribute(struct otlp_writer *writer, struct otlp_resource *resource, char *key,
			  const char *text)
{
	const size_t nr = resource->resource.n_attributes;

	if (!text || !*text)
		return;
	otlp__any_value__init(&resource->values[nr]);
	resource->values[nr].value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	resource->values[nr].string_value = valid_text(writer, text);
	otlp__key_value__init(&resource->attributes[nr]);
	resource->attributes[nr].key = key;
	resource->attributes[nr].value = &resource->values[nr];
	resource->attribute_pointers[nr] = &resource->attributes[nr];
	resource->resource.n_attributes++;
}

static void fill_resource(struct otlp_writer *writer, struct otlp_resource *resource)
{
	const struct recording *event = writer->recording;

	otlp__resource__init(&resource->resource);
	resource->resource.attributes = resource->attribute_pointers;
	add_attribute(writer, resource, "service.name", resource->service);
	add_attribute(writer, resource, "container.id", resource->container);
	if (writer->options->attributes & OTLP_HOST) {
		add_attribute(writer, resource, "host.name", writer->recording->facts[FACT_HOST]);
		add_attribute(writer, resource, "os.type", "linux");
	}
	otlp__scope_profiles__init(&resource->scope_profiles);
	resource->scope_profiles.scope = &writer->scope;
	resource->scope_profiles.profiles = resource->profile_pointers;
	for (size_t i = 0; event; event = event->more)
		for (int value = 0; value < VALUES; value++, i++) {
			struct otlp_profile *profile = &resource->profiles[i];

			if (!otlp_table__nr_rows(&profile->samples))
				continue;
			fill_profile(writer, profile, event, (enum value)value);
			resource->profile_pointers[resource->scope_profiles.n_profiles++] =
				&profile->profile;
		}
	resource->scope_pointer = &resource->scope_profiles;
	resource->message.resource = &resource->resource;
	resource->message.n_scope_profiles = 1;
	resource->message.scope_profiles = &resource->scope_pointer;
}

/* Sorts resources by total: tools show the first one first. */
static int compare_resources(const void *left, const void *right)
{
	const struct otlp_resource *a = *(struct otlp_resource *const *)left;
	const struct otlp_resource *b = *(struct otlp_resource *const *)right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a > b) - (a < b); /* equal totals: in the order of samples */
}

/* ---- identities ---- */

/* Packs a message into new memory. 0 or -EFBIG. */
static int pack(const ProtobufCMessage *message, uint8_t **bytes, size_t *nr_bytes)
{
	*nr_bytes = protobuf_c_message_get_packed_size(message);
	if (*nr_bytes > MOST_BYTES)
		return -EFBIG;
	*bytes = xmalloc(*nr_bytes + 1);
	protobuf_c_message_pack(message, *bytes);
	return 0;
}

/* FNV-1a with 128 bits. */
static unsigned __int128 hash_message(struct otlp_writer *writer, unsigned __int128 hash,
				      const ProtobufCMessage *message)
{
	const unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;
	uint8_t *bytes = NULL;
	size_t nr_bytes;
	const int code = pack(message, &bytes, &nr_bytes);

	if (!writer->code)
		writer->code = code;
	for (size_t i = 0; i < nr_bytes && !code; i++)
		hash = (hash ^ bytes[i]) * prime;
	free(bytes);
	return hash;
}

/*
 * Sets the id of each profile: a hash of its message, its resource, and the dictionary that its
 * indices refer to.
 */
static void identify_profiles(struct otlp_writer *writer)
{
	const unsigned __int128 begin =
		(unsigned __int128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
	const unsigned __int128 shared = hash_message(writer, begin, &writer->shared.base);

	for (size_t i = 0; i < otlp_table__nr_rows(&writer->resources); i++) {
		struct otlp_resource *resource = otlp_table__row(&writer->resources, i);
		const unsigned __int128 owned =
			hash_message(writer, shared, &resource->resource.base);

		for (size_t j = 0; j < resource->scope_profiles.n_profiles && !writer->code; j++) {
			Otlp__Profile *message = resource->profile_pointers[j];
			struct otlp_profile *profile = (struct otlp_profile *)message;
			const unsigned __int128 hash = hash_message(writer, owned, &message->base);

			memcpy(profile->id, &hash, sizeof(profile->id));
			message->profile_id =
				(ProtobufCBinaryData){sizeof(profile->id), profile->id};
		}
	}
}

/* ---- the request ---- */

int otlp__pack(const struct recording *recording, const struct otlp_options *options,
	       uint8_t **bytes, size_t *nr_bytes)
{
	Otlp__ExportProfilesServiceRequest request = OTLP__EXPORT_PROFILES_SERVICE_REQUEST__INIT;
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const struct recording *event = recording;
	struct otlp_writer writer = {
		.recording = recording,
		.dictionary = dictionary,
		.options = options,
		.nr_profiles = VALUES * recording__nr_events(recording),
		.tables = otlp_tables__new(dictionary),
		.texts = dictionary__new(),
		.resources.row_bytes = sizeof(struct otlp_resource),
		.resources_of = xcalloc(dictionary__nr_processes(dictionary) + 1, sizeof(int32_t)),
	};
	size_t nr_resources;

	for (size_t number = 0; event; event = event->more)
		add_samples(&writer, event, number++);
	nr_resources = otlp_table__nr_rows(&writer.resources);

	otlp__instrumentation_scope__init(&writer.scope);
	writer.scope.name = "topstacks";
	if (recording->facts[FACT_VERSION])
		writer.scope.version = valid_text(&writer, recording->facts[FACT_VERSION]);
	for (size_t i = 0; i < nr_resources; i++)
		fill_resource(&writer, otlp_table__row(&writer.resources, i));
	otlp_table__finish(&writer.resources);
	qsort(writer.resources.pointers, nr_resources, sizeof(void *), compare_resources);
	otlp__profiles_dictionary__init(&writer.shared);
	otlp_tables__finish(writer.tables, &writer.shared);
	identify_profiles(&writer);

	*bytes = NULL;
	request.n_resource_profiles = nr_resources;
	request.resource_profiles = (void *)writer.resources.pointers;
	request.dictionary = &writer.shared;
	if (!writer.code)
		writer.code = pack(&request.base, bytes, nr_bytes);

	for (size_t i = 0; i < nr_resources; i++) {
		struct otlp_resource *resource = otlp_table__row(&writer.resources, i);

		for (size_t j = 0; j < writer.nr_profiles; j++)
			otlp_table__fini(&resource->profiles[j].samples);
		free(resource->profiles);
		free(resource->profile_pointers);
	}
	otlp_table__fini(&writer.resources);
	otlp_tables__free(writer.tables);
	dictionary__free(writer.texts);
	free(writer.resources_of);
	return writer.code;
}
