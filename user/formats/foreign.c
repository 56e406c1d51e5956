// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats that are recognized to name them. Folded text may begin with any name of a
 * program or function, so a row for text needs more evidence than a word.
 */
#include "formats/foreign.h"

#include <ctype.h>

#define LOOKED_AT 1000000 /* bytes */
#define BEGINNING 64

struct foreign_text {
	const char *at, *end;
};

static bool begins(struct foreign_text text, const char *with, size_t nr_bytes)
{
	return (size_t)(text.end - text.at) >= nr_bytes && !memcmp(text.at, with, nr_bytes);
}

static struct foreign_text after_blanks(struct foreign_text text)
{
	while (text.at < text.end && isspace((unsigned char)*text.at))
		text.at++;
	return text;
}

/* ---- formats that need more than their first bytes ---- */

/* True for '{' and a key: "{closure}" is the name of a function. */
static bool is_object(struct foreign_text text)
{
	text = after_blanks(text);
	if (!begins(text, "{", 1))
		return false;
	text.at++;
	text = after_blanks(text);
	return begins(text, "\"", 1) || begins(text, "}", 1);
}

/* True for '[' and an object: "[unknown]" is a name, too. */
static bool is_array(struct foreign_text text)
{
	text = after_blanks(text);
	if (!begins(text, "[", 1))
		return false;
	text.at++;
	return is_object(text);
}

/* Takes the next word off a line; it is empty at the end. */
static struct foreign_text take_word(struct foreign_text *line)
{
	struct foreign_text word;

	while (line->at < line->end && strchr(" \t\r", *line->at))
		line->at++;
	word.at = line->at;
	while (line->at < line->end && !strchr(" \t\r", *line->at))
		line->at++;
	word.end = line->at;
	return word;
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at;
}

/* "1234", "1234/1235" */
static bool is_pid(struct foreign_text word)
{
	const char *at = skip_digits(word.at, word.end);

	if (at == word.at)
		return false;
	if (at < word.end && *at == '/')
		at = skip_digits(at + 1, word.end);
	return at == word.end && isdigit((unsigned char)at[-1]);
}

/* "1224.147545:" */
static bool is_time(struct foreign_text word)
{
	const char *at = skip_digits(word.at, word.end);

	if (at == word.at || at == word.end || *at != '.')
		return false;
	at = skip_digits(at + 1, word.end);
	return at + 1 == word.end && *at == ':';
}

/*
 * True for a sample of perf script, with or without the time:
 * "java 10488/10489 [001]  9962.502413:   10101010 cpu-clock:".
 */
static bool is_perf_sample(struct foreign_text line)
{
	struct foreign_text word = take_word(&line), before;
	bool is_after_pid = false;

	for (before = word; word.at < word.end; before = word, word = take_word(&line)) {
		if (is_after_pid && is_time(word))
			return true;
		if (is_after_pid && word.end[-1] == ':' && isalpha((unsigned char)*word.at))
			return take_word(&line).at == line.end;
		if (*word.at != '[' || !is_after_pid)
			is_after_pid = is_pid(word) && before.at != word.at;
	}
	return false;
}

/*
 * True for a row of perf report:
 * "66.67%     0.00%  s        [kernel.kallsyms]  [k] page_fault".
 */
static bool is_perf_row(struct foreign_text line)
{
	struct foreign_text word = take_word(&line);

	return word.at < word.end && isdigit((unsigned char)*word.at) && word.end[-1] == '%' &&
	       (memmem(line.at, (size_t)(line.end - line.at), "[.] ", 4) ||
		memmem(line.at, (size_t)(line.end - line.at), "[k] ", 4));
}

/* Tests the first line that is neither empty nor a comment. */
static bool first_line_is(struct foreign_text text, bool (*is)(struct foreign_text line))
{
	while (text.at < text.end) {
		const char *newline = memchr(text.at, '\n', (size_t)(text.end - text.at));
		const struct foreign_text line = {text.at, newline ? newline : text.end};

		if (line.at < line.end && *line.at != '#')
			return is(line);
		text.at = newline ? newline + 1 : text.end;
	}
	return false;
}

static bool is_perf_report(struct foreign_text text)
{
	return first_line_is(text, is_perf_row);
}

static bool is_perf_script(struct foreign_text text)
{
	return first_line_is(text, is_perf_sample);
}

static bool is_any_line(struct foreign_text line)
{
	(void)line;
	return true;
}

static bool has_only_comments(struct foreign_text text)
{
	return !first_line_is(text, is_any_line);
}

static bool is_perf_stat(struct foreign_text text)
{
	static const char title[] = "Performance counter stats for ";

	return begins(after_blanks(text), title, sizeof(title) - 1);
}

static bool is_binary(struct foreign_text text)
{
	return foreign__is_binary(text.at, (size_t)(text.end - text.at));
}

/*
 * True for protobuf other than pprof. All begin with a message. In pprof that is empty, or consists
 * of two numbers; in OTLP (ExportProfilesServiceRequest) and Perfetto it begins with a message.
 */
static bool is_other_protobuf(struct foreign_text text)
{
	if (!begins(text, "\n", 1) || !is_binary(text))
		return false;
	for (text.at++; text.at < text.end && *text.at & 0x80; text.at++)
		;
	return text.end - text.at > 2 && *text.at && (text.at[1] == '\n' || text.at[1] == '\x12');
}

/* ---- the tables ---- */

#define PERF_SCRIPT   "to read it: perf script | stackcollapse-perf.pl"
#define REPORT_STDIO  "a table of perf report, which has no stacks"
#define PERF_STAT     "output of perf stat, which has no stacks"
#define STACKCOLLAPSE "to read it: its stackcollapse of FlameGraph, or inferno-collapse"
#define GO_PPROF      "to convert it: go tool pprof -proto"
#define OLD_CPU	      "a CPU profile in the old binary format of gperftools"
#define OLD_TEXT      "a profile in the old text format of gperftools"
#define OLD_GO	      "a profile in the old text format of Go"
#define UNPACK	      "unpack it"
#define ITS_FILE      "name the file that it is of"
#define OURS	      "topstacks reads pprof, and folded text"

/* A row matches if all of its conditions do. */
struct foreign {
	const char *begins;		      /* NULL: anything */
	size_t nr_bytes;		      /* its length if it has zeros in it; else 0 */
	bool (*is)(struct foreign_text text); /* NULL: anything */
	const char *has[2];		      /* both somewhere in the text; NULL: no condition */
	const char *name, *help;
};

/* Recognized even if the first line looks like folded text. */
static const struct foreign certain[] = {
	{"# callgrind format", .name = "a profile of callgrind", .help = OURS},
	{"version: ", .has = {"\nevents:"}, .name = "a profile of callgrind", .help = OURS},
	{"positions: ", .has = {"\nevents:"}, .name = "a profile of callgrind", .help = OURS},
	{"events: ", .has = {"\nfn="}, .name = "a profile of callgrind", .help = OURS},
	{"desc: ", .has = {"\ncmd: ", "\nsnapshot="}, .name = "a profile of massif", .help = OURS},
	{"desc: ", .has = {"\ncmd: ", "\nevents: "}, .name = "a profile of cachegrind",
	 .help = OURS},
	{"# To display the perf.data header", .has = {"... raw event: size "},
	 .name = "a dump of perf", .help = PERF_SCRIPT},
	{.has = {"]: event: ", "\n. ... raw event: size "},
	 .name = "a dump of perf",
	 .help = PERF_SCRIPT},
	{"# To display the perf.data header", .name = REPORT_STDIO, .help = PERF_SCRIPT},
	{"# ========\n# captured on", .has = {"\n# Overhead  "}, .name = REPORT_STDIO,
	 .help = PERF_SCRIPT},
	{"# ========\n# captured on", .has = {"\n# Samples: "}, .name = REPORT_STDIO,
	 .help = PERF_SCRIPT},
	{"# ========\n# captured on", .is = is_perf_report, .name = REPORT_STDIO,
	 .help = PERF_SCRIPT},
	{"# ========\n# captured on", .is = has_only_comments,
	 .name = "a header of perf, without samples", .help = PERF_SCRIPT},
	{"# ========\n# captured on", .name = "text of perf script", .help = STACKCOLLAPSE},
	{"goroutine profile: total ", .has = {" @ 0x"}, .name = OLD_GO, .help = GO_PPROF},
	{"threadcreate profile: total ", .has = {" @ 0x"}, .name = OLD_GO, .help = GO_PPROF},
	{"@ ", .has = {" samples]\n"}, .name = "text of pmcstat", .help = STACKCOLLAPSE},
	/* each line ends in a number: what a call returned */
	{"execve(\"", .has = {") = "}, .name = "text of strace", .help = OURS},
};

static const struct foreign likely[] = {
	/* profilers' own files */
	{"PERFILE2", .name = "a file of perf record", .help = PERF_SCRIPT},
	{"2ELIFREP", .name = "a file of perf record, of the other byte order", .help = PERF_SCRIPT},
	{"PERFFILE", .name = "a file of an old perf record", .help = PERF_SCRIPT},
	{"JiTD", .name = "a jitdump, which has names of code and no samples", .help = OURS},
	{"DTiJ", .name = "a jitdump, which has names of code and no samples", .help = OURS},
	{"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, .name = OLD_CPU,
	 .help = "to convert it: pprof -proto"},
	{"\0\0\0\0\3\0\0\0\0\0\0\0", 12, .name = OLD_CPU, .help = GO_PPROF}, /* of 32 bits */
	{"\0\0\0\0\0\0\0\3\0\0\0", 11, .name = OLD_CPU, .help = GO_PPROF},   /* big-endian */
	{"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3", 16, .name = OLD_CPU, .help = GO_PPROF},
	{"\0\0\0\0\3\0\0\0\1\0\0\0", 12, .name = OLD_CPU, .help = GO_PPROF}, /* of Java */
	{"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0", 20, .name = OLD_CPU, .help = GO_PPROF},
	{"heap profile: ", .name = "a heap profile in the old text format of gperftools",
	 .help = "to convert it: pprof -proto"},
	{"--- heapz ", .name = OLD_TEXT, .help = GO_PPROF},
	{"--- growthz ", .name = OLD_TEXT, .help = GO_PPROF},
	{"--- contentionz ", .name = OLD_TEXT, .help = GO_PPROF},
	{"--- threadz ", .name = OLD_TEXT, .help = GO_PPROF},
	{"--- contention:", .name = OLD_GO, .help = GO_PPROF},
	{"--- mutex:", .name = OLD_GO, .help = GO_PPROF},
	{"go 1.", .has = {" trace"}, .name = "an execution trace of Go",
	 .help = "to convert it: go tool trace -pprof"},
	{"FLR", .is = is_binary, .name = "a recording of Java Flight Recorder",
	 .help = "to convert it: jfrconv of async-profiler"},
	{"JAVA PROFILE 1.", .name = "a heap dump of Java", .help = OURS},
	{"Nettrace", .name = "a trace of .NET", .help = "to convert it: dotnet-trace convert"},
	{"gmon", .is = is_binary, .name = "a profile of gprof", .help = OURS},
	{"Flat profile:", .name = "a table of gprof", .help = OURS},
	{"\t\t", .has = {"\ngranularity: each sample hit"}, .name = "a table of gprof",
	 .help = OURS},
	{"-----", .has = {"callgrind"}, .name = "a table of callgrind", .help = OURS},
	{"-----", .has = {"cg_annotate"}, .name = "a table of cachegrind", .help = OURS},
	{"% time     seconds  usecs/call", .name = "a table of strace or ltrace", .help = OURS},
	{"\x81rforpl\xff", .name = "a raw profile of LLVM", .help = OURS},
	{"\xfflprofr\x81", .name = "a raw profile of LLVM", .help = OURS},
	{"memray", .is = is_binary, .name = "a recording of memray", .help = OURS},
	{"hdrb", .name = "an event log of GHC", .help = OURS},
	{"v8-version,", .name = "a log of V8", .help = "to convert it: node --prof-process"},
	{.is = is_other_protobuf, .name = "a profile in OTLP or a trace of Perfetto", .help = OURS},
	/* text of tools, which scripts convert to folded text */
	{.is = is_perf_script, .name = "text of perf script", .help = STACKCOLLAPSE},
	{.is = is_perf_report, .name = REPORT_STDIO, .help = PERF_SCRIPT},
	{"# started on ", .name = PERF_STAT, .help = OURS},
	{.is = is_perf_stat, .name = PERF_STAT, .help = OURS},
	{.has = {",msec,task-clock,"}, .name = PERF_STAT, .help = OURS},
	{" Percent |", .has = {"Disassembly of "}, .name = "text of perf annotate",
	 .help = PERF_SCRIPT},
	{"\x1b[", .name = "text in the colours of a terminal",
	 .help = "have it written without them"},
	{"CPU     ID  ", .name = "text of DTrace", .help = STACKCOLLAPSE},
	{"@[\n", .has = {"]: "}, .name = "text of bpftrace", .help = STACKCOLLAPSE},
	{"Attaching ", .has = {"]: "}, .name = "text of bpftrace", .help = STACKCOLLAPSE},
	{"Analysis of sampling ", .name = "text of sample of macOS", .help = STACKCOLLAPSE},
	{"\t", .has = {"Time and Allocation Profiling Report"}, .name = "a profile of GHC",
	 .help = STACKCOLLAPSE},
	{"Function Stack,", .name = "a table of VTune", .help = STACKCOLLAPSE},
	{"Level,Function Name,", .name = "a table of Visual Studio", .help = STACKCOLLAPSE},
	{"Weight\tSelf Weight\t", .name = "text of Instruments", .help = STACKCOLLAPSE},
	{"Running Time\tSelf", .name = "text of Instruments", .help = STACKCOLLAPSE},
	{"Bytes Used\tCount\t", .name = "text of Instruments", .help = STACKCOLLAPSE},
	/* outputs for people */
	{"topstacks  ", .name = "a report of topstacks", .help = ITS_FILE},
	{"function,module,kind,", .name = "a table of topstacks", .help = ITS_FILE},
	{"<?xml", .has = {"<trace-query-result"}, .name = "an export of xctrace",
	 .help = STACKCOLLAPSE},
	{"<?xml", .has = {"<svg"}, .name = "a picture, as of a flame graph", .help = ITS_FILE},
	{"<svg", .name = "a picture, as of a flame graph", .help = ITS_FILE},
	{"<?xml", .name = "XML", .help = OURS},
	{"<!DOCTYPE html", .name = "a page, as of a flame graph", .help = ITS_FILE},
	{"<!doctype html", .name = "a page, as of a flame graph", .help = ITS_FILE},
	{"<html", .name = "a page, as of a flame graph", .help = ITS_FILE},
	{"\x89PNG", .name = "a picture", .help = ITS_FILE},
	{"%PDF-", .name = "a document in PDF", .help = OURS},
	/* files that are no profiles, or contain one */
	{"\x7f"
	 "ELF",
	 .name = "an ELF file: a program, a library or a core dump", .help = OURS},
	{"PK\3\4", .name = "a zip archive", .help = UNPACK},
	{"\x1f\x8b", .name = "compressed twice by gzip", .help = UNPACK},
	{"\x28\xb5\x2f\xfd", .name = "compressed by zstd", .help = UNPACK},
	{"\xfd"
	 "7zXZ",
	 .name = "compressed by xz", .help = UNPACK},
	{"BZh", .name = "compressed by bzip2", .help = UNPACK},
	{"\x04\x22\x4d\x18", .name = "compressed by lz4", .help = UNPACK},
	{"SQLite format 3", .name = "a data base of SQLite", .help = OURS},
};

/* JSON, special formats before general ones. */
static const struct foreign json[] = {
	{.has = {"https://www.speedscope.app/file-format-schema.json"}, .name = "of speedscope"},
	{.has = {"\"topstacks."}, .name = "of topstacks"},
	{.has = {"\"traceEvents\""}, .name = "of Chrome's trace events"},
	{.is = is_array, .has = {"\"ph\""}, .name = "of Chrome's trace events"},
	{.has = {"\"nodes\"", "\"callFrame\""}, .name = "of a CPU profile of V8"},
	{.has = {"\"head\"", "\"callFrame\""}, .name = "of a heap profile of V8"},
	{.has = {"\"head\"", "\"hitCount\""}, .name = "of a CPU profile of V8"},
	{.has = {"\"snapshot\"", "\"node_fields\""}, .name = "of a heap snapshot of V8"},
	{.has = {"\"preprocessedProfileVersion\""}, .name = "of Firefox's profiler"},
	{.has = {"\"libs\"", "\"threads\""}, .name = "of Firefox's profiler"},
	{.has = {"\"libs\"", "\"allocations\""}, .name = "of Firefox's profiler"},
	{.has = {"\"isOffMainThread\""}, .name = "of Firefox's profiler"},
	{.has = {"\"recording\"", "\"instrumentTypes\""}, .name = "of Safari's profiler"},
	{.has = {"\"mode\"", "\"missed_samples\""}, .name = "of stackprof"},
	{.has = {"\"cost_centres\""}, .name = "of GHC's profiler"},
	{.has = {"\"dhatFileVersion\""}, .name = "of DHAT"},
	{.has = {"\"counter-value\"", "\"event\""}, .name = "of perf stat"},
	{.has = {"\"flamebearer\""}, .name = "of Pyroscope"},
	{.has = {"\"resourceProfiles\""}, .name = "of a profile in OTLP"},
};

static bool has(struct foreign_text text, const char *word)
{
	return !word || memmem(text.at, (size_t)(text.end - text.at), word, strlen(word));
}

static const struct foreign *find(struct foreign_text text, const struct foreign *rows,
				  size_t nr_rows)
{
	for (const struct foreign *row = rows; row < rows + nr_rows; row++) {
		const char *beginning = row->begins ? row->begins : "";
		const size_t nr_bytes = row->nr_bytes ? row->nr_bytes : strlen(beginning);

		if (begins(text, beginning, nr_bytes) && (!row->is || row->is(text)) &&
		    has(text, row->has[0]) && has(text, row->has[1]))
			return row;
	}
	return NULL;
}

static int refuse(const char *what, const char *name, const char *help, struct error *err)
{
	return error__say(err, EXIT_USAGE, -EINVAL, "it is %s%s; %s", what, name, help);
}

#define FIND(text, rows) find(text, rows, sizeof(rows) / sizeof((rows)[0]))

bool foreign__is_binary(const char *bytes, size_t nr_bytes)
{
	for (size_t i = 0; i < nr_bytes && i < BEGINNING; i++)
		if ((unsigned char)bytes[i] < ' ' && !isspace((unsigned char)bytes[i]))
			return true;
	return false;
}

int foreign__refuse(const char *bytes, size_t nr_bytes, bool looks_folded, struct error *err)
{
	const struct foreign_text text = {bytes,
					  bytes + (nr_bytes < LOOKED_AT ? nr_bytes : LOOKED_AT)};
	const struct foreign *foreign = FIND(text, certain);

	if (!foreign && (is_object(text) || is_array(text))) {
		foreign = FIND(text, json);
		return refuse("JSON ", foreign ? foreign->name : "of no profiler that is known",
			      OURS, err);
	}
	if (!foreign && !looks_folded)
		foreign = FIND(text, likely);
	return foreign ? refuse("", foreign->name, foreign->help, err) : 0;
}
