// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that are kept, from the first drain to the file, by a sampler that the test is: its drains
 * are written below, and read back from the file.
 */
#include "actions/record.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <errno.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "actions/repeat.h"
#include "expect.h"
#include "fake_sampler.h"
#include "formats/formats.h"
#include "scratch.h"

#define INTERVAL_S 0.05

/* The nth drain of a run finds n times as many samples as the first, of thread n. */
static struct kept_script {
	unsigned int nr_drains; /* the targets are gone with the last */
	unsigned int failing;	/* run whose last drain is its collector's last; 0: none */
	unsigned int nr_samples;
	bool is_shallow;	/* most stacks of the first drain have a single frame */
	unsigned int nr_stacks; /* of each drain, instead of the samples above; 0: these */
	bool are_new;		/* no drain has a stack of another */
	long long peak_bytes;	/* of resident memory */
	unsigned int nr_runs;
	/* the end of a run in a process of its own */
	int code;
	struct error err;
} * script; /* shared with these processes */

static void begin_script(unsigned int nr_drains)
{
	*script = (struct kept_script){.nr_drains = nr_drains, .nr_samples = 10};
}

/* Stacks of DEPTH frames, which differ in the lower ones, by the digits of their number. */
#define DEPTH 100

static void find_stacks(struct fake_sampler *sampler, struct batch *batch)
{
	const uint64_t first = script->are_new ? sampler->nr_drains * script->nr_stacks : 0;
	const struct process process = own_process();
	const struct raw_sample like = {.process = &process, .missing = -1, .count = 1};
	uint64_t words[DEPTH + 1] = {0};

	for (uint64_t i = first; i < first + script->nr_stacks; i++) {
		for (unsigned int frame = 0; frame < DEPTH; frame++)
			words[frame] = (uint64_t)(uintptr_t)find_stacks + 1 +
				       (frame < 32 ? i >> frame & 1 : 0);
		fake_sampler__add(sampler, batch, &like, words, END_WHOLE);
	}
	batch_queue__set_over(&sampler->queue, sampler->nr_drains + 1 >= script->nr_drains);
}

static void find_samples(struct fake_sampler *sampler, struct batch *batch)
{
	const bool is_shallow = script->is_shallow && sampler->nr_drains == 1;
	const uint64_t here = (uint64_t)(uintptr_t)find_samples + 1;
	const uint64_t there = (uint64_t)(uintptr_t)begin_script + 1;
	const uint64_t words[][3] = {{here, is_shallow ? 0 : there}, {there, here}};
	const struct process process = own_process();
	struct raw_sample like = {
		.process = &process, .tid = (int32_t)sampler->nr_drains, .missing = -1};

	for (size_t i = 0; script->nr_samples && i < 2; i++) {
		like.count = (uint64_t)script->nr_samples / 10 * (i ? 1 : 9) * sampler->nr_drains;
		fake_sampler__add(sampler, batch, &like, words[i], END_WHOLE);
	}
	batch_queue__set_over(&sampler->queue, sampler->nr_drains + 1 >= script->nr_drains);
	if (sampler->nr_drains == script->nr_drains && script->failing == script->nr_runs)
		fake_sampler__fail(sampler);
}

int sampler__open(struct sampler **out, const struct capture_options *capture,
		  const struct symbols_options *symbols, struct error *err)
{
	static const char *const no_names[1];
	struct fake_sampler *sampler = calloc(1, sizeof(*sampler));

	(void)capture, (void)err;
	fake_sampler__open(sampler, symbols_with_kernel(no_names, symbols->readers));
	sampler->on_drain = script->nr_stacks ? find_stacks : find_samples;
	batch_queue__set_over(&sampler->queue, script->nr_drains == 1);
	script->nr_runs++;
	*out = (struct sampler *)sampler;
	return 0;
}

void sampler__close(struct sampler *sampler)
{
	fake_sampler__close(fake(sampler));
	symbols__free(fake(sampler)->symbols);
	free(sampler);
}

bool sampler__take_failure(struct sampler *sampler, char *text, size_t size)
{
	(void)sampler;
	(void)text;
	(void)size;
	return false;
}

struct pace sampler__first_pace(const struct sampler *sampler, double rate_hz)
{
	(void)sampler;
	return (struct pace){.rate_hz = rate_hz};
}

const char *sampler__no_interpreters(struct sampler *sampler)
{
	(void)sampler;
	return NULL;
}

uint64_t sampler__later_rights(const struct sampler *sampler)
{
	(void)sampler;
	return 0;
}

void sampler__describe_rates(const struct sampler *sampler, struct recording *interval,
			     const struct sampling_rates *rates)
{
	(void)sampler;
	interval->asked_hz = rates->asked_hz;
	interval->period = (uint64_t)(1e9 / rates->asked_hz + 0.5);
}

/* The most resident memory that this process has had. */
static long long peak_bytes(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	long long kbytes = -1;
	char line[128];

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "VmHWM: %lld", &kbytes);
	if (status)
		fclose(status);
	return kbytes << 10;
}

static const struct record_plan quiet = {
	.session = {.capture = {.rate_hz = 99, .max_depth = 127}, .is_quiet = true},
	.lines = {.no_lines = true},
	.slice_s = INTERVAL_S,
};

/* Records in a process of its own, which loses its rights by it. */
static int record(const struct record_plan *plan, const char *path, struct error *err)
{
	pid_t pid;
	int status;

	script->code = -ECHILD;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		script->code = record__run(plan, path, &script->err);
		script->peak_bytes = peak_bytes();
		_exit(CU_get_number_of_failure_records() ? 1 : 0);
	}
	EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
	*err = script->err;
	return script->code;
}

/* Samples in a file; -1: there is none. */
static long long samples_in(const char *path)
{
	static const struct read_options any;
	struct recording recording;
	long long count;

	if (formats__read_file(&recording, path, &any, NULL))
		return -1;
	count = (long long)profile__total(recording.profile, VALUE_COUNT);
	recording__fini(&recording);
	return count;
}

/* Returns the line that a command prints, without its newline; valid until the next call. */
static const char *said_by(const char *command)
{
	static char text[256];
	FILE *out = popen(command, "r");

	if (!out || !fgets(text, sizeof(text), out))
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	pclose(out);
	return text;
}

static void expect_facts(const struct recording *recording)
{
	EXPECT_STR(recording->facts[FACT_EVENT], "fake");
	EXPECT_STR(recording->facts[FACT_UNWINDING], "by heart");
	EXPECT_STR(recording->facts[FACT_TARGET], "all processes");
	EXPECT_STR(recording->facts[FACT_HOST], said_by("uname -n"));
	EXPECT_STR(recording->facts[FACT_KERNEL], said_by("uname -rm"));
	EXPECT_STR(recording->facts[FACT_CPU],
		   said_by("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo"));
	EXPECT_STR(recording->facts[FACT_VERSION], TOPSTACKS_VERSION);
	EXPECT(recording->has_ledger && recording->whole_system);
	EXPECT_NEAR(recording->asked_hz, 99, 1e-9);
	EXPECT_EQ(recording->period, 10101010);
	EXPECT_EQ(recording->nr_cpus, 2);
	EXPECT_NEAR(recording->delivered_hz, 60e9 / (double)recording->duration_ns / 2, 1e-3);
	EXPECT_EQ(recording->cost.kernel_bytes, 4096);
	EXPECT(recording->cost.peak_bytes >= recording->cost.resident_bytes &&
	       recording->cost.resident_bytes > 0);
	EXPECT(recording->cost.symbols_ns > 0);
	EXPECT_EQ(recording->ledger.events, 60);
	EXPECT_EQ(recording->ledger.whole, 60);
	EXPECT_EQ(recording->ledger.sampled_ns, 60 * MS);
	EXPECT(ledger__balances(&recording->ledger));
}

static void test_every_fact(void)
{
	static const struct read_options any;
	const char *path = scratch_path("facts.pb.gz");
	uint64_t start_ns = clock_ns(CLOCK_REALTIME), end_ns;
	struct recording recording;
	struct error err = {0};

	begin_script(3);
	EXPECT_EQ(record(&quiet, path, &err), 0);
	end_ns = clock_ns(CLOCK_REALTIME);
	EXPECT_EQ(formats__read_file(&recording, path, &any, &err), 0);
	expect_facts(&recording);
	EXPECT(recording.start_realtime_ns >= (int64_t)start_ns &&
	       recording__end_ns(&recording) <= (int64_t)end_ns + (int64_t)MS);
	EXPECT(recording.duration_ns >= 2 * INTERVAL_S * 1e9 - MS);
	EXPECT_EQ(recording.slice_ns, INTERVAL_S * 1e9);
	EXPECT_EQ(recording.nr_slices, 3);
	for (size_t i = 0; i < recording.nr_slices; i++) {
		size_t nr_samples;
		const struct sample *samples = profile__samples(recording.slices[i], &nr_samples);

		EXPECT_EQ(profile__total(recording.slices[i], VALUE_COUNT), 10 * (i + 1));
		for (size_t n = 0; n < nr_samples; n++)
			EXPECT_EQ(samples[n].tid, i + 1);
	}
	recording__fini(&recording);
}

/* Each run keeps so many samples and ends with this code. */
static void test_ends(void)
{
	static const struct {
		unsigned int nr_drains;
		bool fails, finds_nothing, is_shallow;
		double required_quality;
		int code;
		enum exit_code exit_code;
		long long kept; /* -1: no file */
	} rows[] = {
		{1, false, false, false, 100, 0, EXIT_DONE, 10},
		{3, false, false, false, 100, 0, EXIT_DONE, 60},
		{1, false, false, true, 10, 0, EXIT_DONE, 10},
		{1, false, false, true, 11, -ERANGE, EXIT_GATE, 10},
		{3, false, false, true, 84, 0, EXIT_DONE, 60},
		{3, false, false, true, 86, -ERANGE, EXIT_GATE, 60},
		{1, false, true, false, 100, 0, EXIT_DONE, 0},
		{3, true, false, false, 0, -EIO, EXIT_INTERNAL, 60},
		{1, true, false, true, 1, -EIO, EXIT_INTERNAL, 10},
		{1, true, true, false, 0, -EIO, EXIT_INTERNAL, -1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct record_plan plan = quiet;
		const char *path = scratch_path("kept.pb.gz");
		struct error err = {0};

		begin_script(rows[i].nr_drains);
		script->failing = rows[i].fails;
		script->nr_samples = rows[i].finds_nothing ? 0 : 10;
		script->is_shallow = rows[i].is_shallow;
		plan.required_quality = rows[i].required_quality;
		EXPECT_EQ(record(&plan, path, &err), rows[i].code);
		EXPECT_EQ(err.exit_code, rows[i].exit_code);
		EXPECT_EQ(samples_in(path), rows[i].kept);
		unlink(path);
	}
}

/* A user who lacks the file must not take the quality for the cause. */
static void test_not_written(void)
{
	struct record_plan plan = quiet;
	struct error err = {0};

	begin_script(1);
	script->is_shallow = true;
	plan.required_quality = 11;
	EXPECT_EQ(record(&plan, scratch_path("none/kept.pb.gz"), &err), -ENOENT);
	EXPECT_EQ(err.exit_code, EXIT_INTERNAL);
}

/* Bytes that a recording takes for each stack of each interval. */
static long long bytes_a_stack(unsigned int nr_stacks, bool are_new)
{
	static const unsigned int nr_intervals[] = {10, 110};
	struct record_plan plan = quiet;
	const char *path = scratch_path("stacks.pb.gz");
	long long peak_bytes[2];

	plan.slice_s = 0.001;
	for (size_t i = 0; i < 2; i++) {
		struct error err = {0};

		begin_script(nr_intervals[i]);
		script->nr_stacks = nr_stacks;
		script->are_new = are_new;
		EXPECT_EQ(record(&plan, path, &err), 0);
		EXPECT_EQ(samples_in(path), (long long)nr_stacks * nr_intervals[i]);
		peak_bytes[i] = script->peak_bytes;
	}
	return (peak_bytes[1] - peak_bytes[0]) / 100 / nr_stacks;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAKES_MORE true
#else
#define TAKES_MORE false
#endif

/*
 * A stack has 4 bytes a frame, so two copies would take DEPTH times 8. Beside it stand its values,
 * in each interval and in the sum.
 */
static void test_intervals(void)
{
	const long long known = bytes_a_stack(4000, false), fresh = bytes_a_stack(1000, true);

	EXPECT(known > 40 && (known < 100 || TAKES_MORE));
	EXPECT(fresh > 4 * DEPTH && (fresh < 8 * DEPTH || TAKES_MORE));
}

/* The files that match, of which the nth has the counts written down; ended by 0. */
static void expect_files(const char *pattern, const long long *counts)
{
	glob_t found = {0};
	size_t nr = 0;

	glob(scratch_path(pattern), 0, NULL, &found);
	for (; nr < found.gl_pathc && counts[nr]; nr++)
		EXPECT_EQ(samples_in(found.gl_pathv[nr]), counts[nr]);
	EXPECT_EQ(found.gl_pathc, nr);
	EXPECT_EQ(counts[nr], 0);
	globfree(&found);
}

/* A file ends with an interval, at the latest with the last; the newest stay. */
static void test_rotated(void)
{
	static const struct {
		double rotate_s;
		unsigned int nr_kept;
		long long counts[5];
	} rows[] = {
		{INTERVAL_S / 10, 2, {30, 40}},
		{INTERVAL_S / 10, 0, {10, 20, 30, 40}},
		{1000, 2, {100}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct record_plan plan = quiet;
		const char *directory = scratch_path("rotated");
		struct error err = {0};

		begin_script(4);
		plan.rotate_s = rows[i].rotate_s;
		plan.nr_kept = rows[i].nr_kept;
		EXPECT_EQ(record__check_output(&plan, directory, &err), 0);
		scratch_write("rotated/topstacks-20260131T123456.789Z.pb.gz.mine", "");
		scratch_write("rotated/topstacks-20260131T123456.789Z.pb.gz.tmp-0123abcd", "");
		EXPECT_EQ(record__check_output(&plan, directory, &err), 0);
		EXPECT_EQ(record(&plan, directory, &err), 0);
		expect_files("rotated/topstacks-*Z-????????.pb.gz", rows[i].counts);
		scratch_run("rm rotated/topstacks-*.mine && rm rotated/*.gz && rmdir rotated");
	}
}

#define N 100000

/* As many runs as asked for, or as few as show what is asked for, and those that went well. */
static void test_repeated(void)
{
	static const struct {
		struct repeat_plan plan;
		unsigned int failing, nr_runs;
		int code;
		long long counts[6];
	} rows[] = {
		{{.nr_runs = 5}, 0, 5, 0, {N, N, N, N, N}},
		{{.nr_runs = 1, .nr_warm_up = 2}, 0, 3, 0, {N}},
		{{.nr_runs = 5, .effect = 1e9}, 0, 3, 0, {N, N, N}},
		{{.nr_runs = 4, .effect = 1e-9}, 0, 4, 0, {N, N, N, N}},
		{{.nr_runs = 4}, 2, 2, -EIO, {N}},
		{{.nr_runs = 4, .nr_warm_up = 1}, 1, 1, -EIO, {0}},
	};
	struct record_plan run = quiet;
	struct error err = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin_script(1);
		script->nr_samples = N;
		script->failing = rows[i].failing;
		EXPECT_EQ(repeat__run(&rows[i].plan, &run, scratch_path("runs"), &err),
			  rows[i].code);
		EXPECT_EQ(script->nr_runs, rows[i].nr_runs);
		expect_files("runs/run-*.pb.gz", rows[i].counts);
		scratch_run("rm -r runs");
	}
}

static void test_no_mixed_runs(void)
{
	const struct repeat_plan plan = {.nr_runs = 1};
	struct error err = {0};

	scratch_run("mkdir runs");
	scratch_write("runs/run-001.pb.gz", "");
	begin_script(1);
	EXPECT_EQ(repeat__run(&plan, &quiet, scratch_path("runs"), &err), -EEXIST);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_EQ(script->nr_runs, 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"every fact is in the file", test_every_fact},
		{"what is kept, and what the run ends with", test_ends},
		{"a file that cannot be written", test_not_written},
		{"many intervals have each stack once", test_intervals},
		{"files that rotate", test_rotated},
		{"runs that are repeated", test_repeated},
		{"runs are not mixed with others", test_no_mixed_runs},
		{0},
	};

	script = mmap(NULL, sizeof(*script), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (script == MAP_FAILED)
		return 1;
	scratch_create();
	return run_tests("record", tests);
}
