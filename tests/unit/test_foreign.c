// SPDX-License-Identifier: GPL-2.0-only
/* Other formats are refused by their names, and folded text that begins like one of them is read. */
#include <errno.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"

#define expect_refused(bytes, words) expect_refused_bytes(bytes, sizeof(bytes) - 1, words)

static void expect_refused_bytes(const char *bytes, size_t nr_bytes, const char *words)
{
	const struct read_options options = {0};
	struct recording recording;
	struct error err = {0};
	int code = formats__read(&recording, bytes, nr_bytes, &options, &err);

	EXPECT_EQ(code, -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	if (!strstr(err.text, words))
		EXPECT_STR(err.text, words);
	if (!code)
		recording__fini(&recording);
}

static void expect_read(const char *text)
{
	const struct read_options options = {0};
	struct recording recording;
	int code = formats__read(&recording, text, strlen(text), &options, NULL);

	EXPECT_EQ(code, 0);
	if (code)
		return;
	EXPECT_EQ(profile__shown_total(recording.profile), 5);
	recording__fini(&recording);
}

static void test_binaries(void)
{
	expect_refused("PERFILE2\x68\0\0\0",
		       "it is a file of perf record; to read it: perf script");
	expect_refused("FLR\0\0\2", "Java Flight Recorder");
	expect_refused("\x7f"
		       "ELF\2\1\1",
		       "an ELF file");
	expect_refused("PK\3\4\x14\0", "a zip archive; unpack it");
	expect_refused("\x28\xb5\x2f\xfd\4", "by zstd");
	expect_refused("SQLite format 3\0", "SQLite");
	expect_refused("\0\0\0\0\3\0\0\0\1\0\0\0\x10\x27\0\0", "old binary format of gperftools");
	expect_refused("\0\0\0\0\0\0\0\3\0\0\0\0\0\0\x27\x10", "old binary format of gperftools");
	expect_refused("\n\x22\n\x20\n\x1e\n\5", "OTLP");
	expect_refused("\n\x84\1\x12\x81\1\n\5", "OTLP");
}

static void test_json(void)
{
	expect_refused("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"}",
		       "JSON of speedscope");
	expect_refused("{\n  \"traceEvents\": []}", "Chrome's trace events");
	expect_refused(" [ {\"pid\": 0, \"ph\": \"B\"}]", "Chrome's trace events");
	expect_refused("{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}", "CPU profile of V8");
	expect_refused("{\"meta\":{},\"libs\":[],\"threads\":[]}", "Firefox");
	expect_refused("{\"schema\":\"topstacks.snapshot/1\"}", "JSON of topstacks");
	expect_refused("{\"a\": 1}\n", "it is JSON of no profiler");
}

static void test_text(void)
{
	expect_refused("# ========\n# captured on: Thu\n", "text of perf script");
	expect_refused(
		"java 10488/10489 [001]  9962.502413:   10101010 cpu-clock:uhH: \n\tff f (m)\n",
		"text of perf script");
	expect_refused("# To display the perf.data header info, please use --header\n#\n"
		       "# Overhead  Command\n    98.99%  s  s  [.] spin\n",
		       "a table of perf report, which has no stacks; to read it: perf script");
	expect_refused("# ========\n# captured on    : Sun\n#\n# Overhead  Command\n",
		       "a table of perf report");
	expect_refused("# ========\n# captured on    : Sun\n# arch : x86_64\n# ========\n#\n"
		       "# Children      Self  Command  Shared Object      Symbol\n#\n"
		       "    99.90%     0.00%  s        s                  [.] main\n",
		       "a table of perf report");
	expect_refused("    66.67%     0.00%  s        [kernel.kallsyms]     [k] page_fault\n"
		       "            |\n            ---page_fault\n",
		       "a table of perf report");
	expect_refused("\n0x108@p.data [0x50]: event: 69\n.\n"
		       ". ... raw event: size 80 bytes\n.  0000:  45 00  E.\n",
		       "a dump of perf");
	expect_refused(" Percent |\tSource code & Disassembly of ld.so for cpu-clock\n-----\n",
		       "text of perf annotate");
	expect_refused("\x1b[31mmain;foo\x1b[0m 5\nmain;bar 3\n", "colours of a terminal");
	expect_refused("my prog 12 9.5: cycles: \n", "text of perf script");
	expect_refused("node 31912 cpu-clock:\n    13a80 f (/tmp/perf-7539.map)\n",
		       "text of perf script");
	expect_refused("CPU     ID                    FUNCTION:NAME\n  0  64091   :tick-60s \n",
		       "DTrace");
	expect_refused("version: 1\ncreator: x\n\nevents: Ir\nfn=a\n1 10\n", "callgrind");
	expect_refused("<?xml version=\"1.0\"?>\n<svg>", "a picture");
	expect_refused("threadcreate profile: total 7\n1 @ 0x44cb3 0x45045\n",
		       "old text format of Go");
	expect_refused("--- heapz 1 ---\nformat = java\n", "old text format of gperftools");
	expect_refused("--- contentionz 1 ---\ncycles/second = 1\n",
		       "old text format of gperftools");
	expect_refused("--- threadz 1 ---\n\n--- Thread 7f7 (name: main/1) stack: ---\n",
		       "old text format of gperftools");
	expect_refused("<!DOCTYPE html>\n", "a page");
	expect_refused("<?xml version=\"1.0\"?>\n<trace-query-result>\n", "xctrace");
	expect_refused("\xef\xbb\xbf"
		       "Level,Function Name,Number of Calls\n",
		       "Visual Studio");
}

/* Names of functions are all sorts of things. */
static void test_folded(void)
{
	expect_read("{closure};main 5\n");
	expect_read("{main} 5\n");
	expect_read("[unknown];main 5\n");
	expect_read("[{]};main 5\n");
	expect_read("<svg>;main 5\n");
	expect_read("go 12 1.5: x 5\n");
	expect_read("version: 5\n");
	expect_read("\n\n\na;b 5\n");
	expect_read("\na\\x01;b 5\n");
	expect_read("@ x 5\n");
}

int main(void)
{
	static const struct test tests[] = {
		{"binary formats", test_binaries},
		{"JSON", test_json},
		{"text", test_text},
		{"folded text is none of them", test_folded},
		{0},
	};

	return run_tests("foreign", tests);
}
