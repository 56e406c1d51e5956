// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other formats are refused by their names, and folded text that begins like one of them is read.
 */
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
	expect_refused("# ========\n# captured on: Thu\n", "a header of perf, without samples");
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

/* As perf 6.1 prints it, with callers or without, by other columns, and what else begins so. */
static void test_perf_with_header(void)
{
#define HEADER	"# ========\n# captured on    : Sun Nov 29 21:16:43 2026\n# ========\n#\n"
#define SAMPLES "# Total Lost Samples: 0\n#\n# Samples: 1K of event 'cpu-clock'\n#\n"
	expect_refused(HEADER SAMPLES "# Children      Self  Command  Shared Object  Symbol\n"
				      "    99.88%     0.00%  w  w  [.] main\n",
		       "a table of perf report, which has no stacks; to read it: perf script");
	expect_refused(HEADER SAMPLES "# Overhead  Command  Shared Object  Symbol\n"
				      "    99.88%  w  w  [.] main\n",
		       "a table of perf report");
	expect_refused(HEADER SAMPLES "# Period        Symbol\n   419500000  [.] leaf\n",
		       "a table of perf report");
	expect_refused(HEADER "w 10882  4748.629950:     250000 cpu-clock: \n\t1462a f (m)\n",
		       "text of perf script");
	expect_refused(HEADER "swapper     0 [001] 1.5: sched:sched_switch: prev_comm=w\n",
		       "text of perf script");
	expect_refused(HEADER, "a header of perf, without samples; to read it: perf script");
}

static void test_counts_and_tables(void)
{
	expect_refused("# started on Sun Nov 29 21:16:43 2026\n\n\n"
		       " Performance counter stats for './w':\n\n  385.54 msec task-clock\n",
		       "output of perf stat, which has no stacks");
	expect_refused(
		"\n Performance counter stats for './w' (2 runs):\n\n   66 context-switches\n",
		"output of perf stat");
	expect_refused("385.89,msec,task-clock,385894588,100.00,0.605,CPUs utilized\n",
		       "output of perf stat");
	expect_refused("{\"counter-value\" : \"53.0\", \"unit\" : \"\", \"event\" : \"faults\"}\n",
		       "JSON of perf stat");
	expect_refused("Flat profile:\n\nEach sample counts as 0.01 seconds.\n",
		       "a table of gprof");
	expect_refused("\t\t\tCall graph\n\n\ngranularity: each sample hit covers 2 byte(s)\n",
		       "a table of gprof");
	expect_refused("# callgrind format\nversion: 1\nevents: Ir\nfn=(1) main\n",
		       "a profile of callgrind");
	expect_refused("--------\nProfile data file 'cg' (creator: callgrind-3.19.0)\n--------\n",
		       "a table of callgrind");
	expect_refused("desc: I1 cache: 32768 B\ncmd: ./w\nevents: Ir\nfn=main\n1 2\n",
		       "a profile of cachegrind");
	expect_refused("desc: (none)\ncmd: ./w\ntime_unit: i\n#-----------\nsnapshot=0\n",
		       "a profile of massif");
	expect_refused("% time     seconds  usecs/call     calls    errors syscall\n"
		       "------ ----------- ----------- --------- --------- ----------------\n"
		       "  0.00    0.000000           0         1           read\n",
		       "a table of strace or ltrace");
	expect_refused("execve(\"./w\", [\"./w\"], 0x7ffc /* 37 vars */) = 0\n"
		       "brk(NULL) = 0x55e7f94a2000\n",
		       "text of strace");
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
	expect_read("# started on Monday\nmain;f 5\n");
	expect_read("execve;main 5\n");
	expect_read("% time;main 5\n");
}

int main(void)
{
	static const struct test tests[] = {
		{"binary formats", test_binaries},
		{"JSON", test_json},
		{"text", test_text},
		{"what perf writes below its header", test_perf_with_header},
		{"counts and tables", test_counts_and_tables},
		{"folded text is none of them", test_folded},
		{0},
	};

	return run_tests("foreign", tests);
}
