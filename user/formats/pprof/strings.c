// SPDX-License-Identifier: GPL-2.0-only
/* The string table; only strings that are used are copied. */

#include "formats/pprof/reader.h"

#define MAX_STRING_BYTES 32767 /* as many as symbols keep of a name */

int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field)
{
	if (array__reserve(&reader->strings, &reader->string_capacity, reader->nr_strings + 1))
		return error__no_memory(reader->err);
	reader->strings[reader->nr_strings++] = wire__inside(field);
	return pprof_reader__count(reader, 1);
}

int pprof_reader__keep(struct pprof_reader *reader, const char *bytes, size_t nr_bytes,
		       const char **kept)
{
	char *copy = text__of_bytes(bytes, nr_bytes);
	bool failed = !copy;

	*kept = copy ? recording__keep(reader->recording, copy, &failed) : NULL;
	free(copy);
	return failed ? error__no_memory(reader->err) : 0;
}

int pprof_reader__string(struct pprof_reader *reader, uint64_t index, const char **string)
{
	const struct wire *bytes;
	size_t nr_bytes;
	int code = 0;

	*string = NULL;
	if (!index && !reader->nr_strings)
		return 0;
	if (index >= reader->nr_strings)
		return pprof_reader__refuse(reader, "a string is not in its table");
	bytes = &reader->strings[index];
	nr_bytes = (size_t)(bytes->end - bytes->at);
	if (!reader->kept[index] && nr_bytes)
		code = pprof_reader__keep(reader, (const char *)bytes->at,
					  nr_bytes < MAX_STRING_BYTES ? nr_bytes : MAX_STRING_BYTES,
					  &reader->kept[index]);
	*string = reader->kept[index] && *reader->kept[index] ? reader->kept[index] : NULL;
	return code;
}
