// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger's arithmetic and its sentences. A new reason needs a value of the enum and a row here.
 */
#include "profile/ledger.h"

#include <math.h>
#include <stdarg.h>

/*
 * The advice against a loss. It may differ for events without a rate, for an event that was sampled
 * alone, and for live blocks.
 */
struct helps {
	const char *usual;
	const char *if_counted, *if_alone, *if_live; /* NULL: use the usual one */
};

#define FEWER	       "sample fewer with period=N or --max-overhead"
#define OTHERS_AT_WORK "another BPF program or bpf() call was at work on that CPU; "

/* clang-format off */
#define SAY(text)   {.usual = (text)}
#define MORE_MEMORY {.usual = "raise --max-memory or lower -F", \
		     .if_counted = "raise --max-memory, or " FEWER}
#define MORE_MEMORY_OR_BLOCKS                                          \
	{.usual = "raise --max-memory or lower -F",                    \
	 .if_counted = "raise --max-memory, or " FEWER,                \
	 .if_live = "there is room for 262,144 blocks at a time; raise --alloc-every"}
#define SLOWER	    {.usual = "lower -F", .if_counted = FEWER}
#define OUR_FAULT   SAY("this should not happen, please report it")
/* clang-format on */

/* Cuts that the user can do something about. */
#define NOTICED_CUTS (CUT_UNLISTED + 1)

/* Losses other than samples and stacks: "N of them: remedy". */
static const struct other {
	size_t offset; /* of its uint64_t in the ledger */
	const char *one, *many;
	struct helps remedy;
} others[] = {
	{offsetof(struct ledger, kept_out), "hit of several events kept out",
	 "hits of several events kept out",
	 SAY(OTHERS_AT_WORK "of which events they are the kernel does not say")},
	{offsetof(struct ledger, children_not_followed), "child not followed",
	 "children not followed", SAY("too many processes for one target, use -a")},
	{offsetof(struct ledger, processes_unlisted), "process without unwind tables",
	 "processes without unwind tables", SAY("there are too many at a time, name some with -p")},
	{offsetof(struct ledger, processes_unprobed),
	 "child not probed from its first instruction on",
	 "children not probed from their first instructions on",
	 SAY("if they came to the probe in their first milliseconds, these hits are missing")},
	{offsetof(struct ledger, programs_unsampled),
	 "program that never asked the allocation library for a block",
	 "programs that never asked the allocation library for a block",
	 SAY("they allocate nothing, or cannot have it, as static and privileged ones")},
	{offsetof(struct ledger, processes_unnamed), "sample without its process",
	 "samples without their process", MORE_MEMORY},
	{offsetof(struct ledger, codes_full), "function of an interpreter without its name",
	 "functions of interpreters without their names", MORE_MEMORY},
	{offsetof(struct ledger, unread), "sample without some names", "samples without some names",
	 SAY("a file was not read in time, sample for longer")},
	{offsetof(struct ledger, unread_descriptors), "sample without some names",
	 "samples without some names", SAY("no descriptor was left, raise ulimit -n")},
	{offsetof(struct ledger, unread_processes), "sample without some names",
	 "samples without some names",
	 SAY("no process could be had to read files: raise ulimit -u, or start again")},
	{offsetof(struct ledger, unread_refused), "sample without some names",
	 "samples without some names",
	 SAY("their process is not to be looked at, or tells too much")},
	{offsetof(struct ledger, records_lost), "record of mappings lost",
	 "records of mappings lost",
	 SAY("living processes were read again, ended ones may lack names")},
	{offsetof(struct ledger, runtime_untracked), "task ended without its last CPU time",
	 "tasks ended without their last CPU time", SAY("coverage reads too high")},
};

#define OTHERS (sizeof(others) / sizeof(others[0]))

/* All sums of a ledger with the names that files keep. The flags are no sums. */
/* clang-format off */
#define FIELD(name) {#name, offsetof(struct ledger, name), {.usual = NULL}}
/* clang-format on */
static const struct field {
	const char *name;
	size_t offset;
	struct helps remedy; /* only of reasons, whose names are PREFIX.REASON */
} sums[] = {
	FIELD(events),
	FIELD(counted),
	FIELD(idle),
	FIELD(filtered),
	FIELD(whole),
	FIELD(unverified),
	FIELD(early),
	FIELD(unmapped),
	FIELD(undrained),
	FIELD(due),
	FIELD(late),
	FIELD(allocated),
	FIELD(sampled_ns),
	FIELD(ran_ns),
	FIELD(wall_ns),
	FIELD(running_ns),
	FIELD(runnable_ns),
	FIELD(blocked_ns),
	FIELD(unknown_ns),
	FIELD(unplaced_ns),
	FIELD(scheduled_ns),
	FIELD(delayed_ns),
	FIELD(uncredited_ns),
	FIELD(overcredited_ns),
	FIELD(switches),
	FIELD(asleep),
	FIELD(asleep_walked),
	FIELD(kept_out),
	FIELD(children_not_followed),
	FIELD(processes_unlisted),
	FIELD(processes_unprobed),
	FIELD(unprobed_ns),
	FIELD(programs_unsampled),
	FIELD(processes_unnamed),
	FIELD(stateless),
	FIELD(out_of_step),
	FIELD(codes_full),
	FIELD(codes_bad),
	FIELD(unread),
	FIELD(unread_descriptors),
	FIELD(unread_processes),
	FIELD(unread_refused),
	FIELD(runtime_untracked),
	FIELD(records_lost),
	FIELD(places_lost),
	FIELD(stacks_read),
	FIELD(stacks_read_ns),
	FIELD(map_calls),
	FIELD(map_calls_ns),
	FIELD(drains),
	FIELD(flip_ns),
	FIELD(grace_ns),
	{"lost.throttled",
	 offsetof(struct ledger, lost[LOSS_THROTTLED]),
	 {.usual = "lower -F, or raise kernel.perf_event_max_sample_rate",
	  .if_counted = FEWER ", or raise kernel.perf_event_max_sample_rate"}},
	{"lost.counts_full", offsetof(struct ledger, lost[LOSS_COUNTS_FULL]),
	 MORE_MEMORY_OR_BLOCKS},
	{"lost.counts_busy", offsetof(struct ledger, lost[LOSS_COUNTS_BUSY]), SLOWER},
	{"lost.counts_error", offsetof(struct ledger, lost[LOSS_COUNTS_ERROR]), OUR_FAULT},
	{"lost.no_set", offsetof(struct ledger, lost[LOSS_NO_SET]),
	 SAY("no memory for maps could be had; lower --max-memory")},
	{"lost.program_busy",
	 offsetof(struct ledger, lost[LOSS_PROGRAM_BUSY]),
	 {.usual = OTHERS_AT_WORK "give -e fewer events, or topstacks a better priority",
	  .if_alone = OTHERS_AT_WORK "give topstacks a better priority"}},
	{"missing.spill_full", offsetof(struct ledger, missing[MISSING_SPILL_FULL]), MORE_MEMORY},
	{"missing.collision", offsetof(struct ledger, missing[MISSING_COLLISION]),
	 SAY("two stacks with one hash, which is chance")},
	{"missing.busy", offsetof(struct ledger, missing[MISSING_BUSY]), SLOWER},
	{"missing.unreadable", offsetof(struct ledger, missing[MISSING_UNREADABLE]),
	 SAY("the kernel could not walk them")},
	{"missing.unnamed",
	 offsetof(struct ledger, missing[MISSING_UNNAMED]),
	 {.usual = "names were behind by more than memory allows; lower -F or sample fewer "
		   "processes",
	  .if_counted = "names were behind by more than memory allows; " FEWER}},
	{"truncated.depth", offsetof(struct ledger, cut[CUT_DEPTH]),
	 SAY("stacks deeper than --max-depth, which is 127 at most")},
	{"truncated.no_room", offsetof(struct ledger, cut[CUT_NO_ROOM]),
	 SAY("raise --unwind-memory, which is 128M at most")},
	{"truncated.unlisted", offsetof(struct ledger, cut[CUT_UNLISTED]),
	 SAY("more than 4,096 executable mappings in one process")},
	{"truncated.no_rule", offsetof(struct ledger, cut[CUT_NO_RULE]),
	 SAY("code without unwind information")},
	{"truncated.unmapped", offsetof(struct ledger, cut[CUT_UNMAPPED]),
	 SAY("code that has just been mapped")},
	{"truncated.other_rule", offsetof(struct ledger, cut[CUT_OTHER_RULE]),
	 SAY("functions of an unusual frame")},
	{"truncated.unreadable", offsetof(struct ledger, cut[CUT_UNREADABLE]),
	 SAY("stacks that are not in memory")},
	{"truncated.fp_lost", offsetof(struct ledger, cut[CUT_FP_LOST]),
	 SAY("functions without frame pointer before one that needs it")},
	{"truncated.backwards", offsetof(struct ledger, cut[CUT_BACKWARDS]),
	 SAY("memory that is no stack, by what the tables say")},
};

#define SUMS (sizeof(sums) / sizeof(sums[0]))

/* A field that is added to struct ledger belongs in the table above, and then here. */
_Static_assert(sizeof(struct ledger) == (SUMS + 1) * sizeof(uint64_t),
	       "a field of the ledger is not summed");

/* The reasons are the last rows, in the order of their enums. */
static const struct field *const cuts = sums + SUMS - CUTS;
static const struct field *const missings = sums + SUMS - CUTS - MISSINGS;
static const struct field *const losses = sums + SUMS - CUTS - MISSINGS - LOSSES;

static const char *reason_name(const struct field *reason)
{
	return strchr(reason->name, '.') + 1;
}

const char *loss__name(enum loss loss)
{
	return reason_name(&losses[loss]);
}

const char *missing__name(enum missing missing)
{
	return reason_name(&missings[missing]);
}

const char *cut__name(enum cut cut)
{
	return reason_name(&cuts[cut]);
}

static uint64_t field(const struct ledger *ledger, size_t offset)
{
	return *(const uint64_t *)(const void *)((const char *)ledger + offset);
}

const char *ledger__field_name(size_t index)
{
	return index < SUMS ? sums[index].name : NULL;
}

uint64_t *ledger__field(struct ledger *ledger, size_t index)
{
	return (uint64_t *)(void *)((char *)ledger + sums[index].offset);
}

void ledger__add(struct ledger *sum, const struct ledger *more)
{
	for (size_t i = 0; i < SUMS; i++) {
		uint64_t *total = ledger__field(sum, i);

		*total = sum_of(*total, field(more, sums[i].offset));
	}
	sum->idle_excluded |= more->idle_excluded;
	sum->lost_unmeasured |= more->lost_unmeasured;
	sum->ran_unmeasured |= more->ran_unmeasured;
}

static uint64_t sum_all(const uint64_t *counts, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum = sum_of(sum, counts[i]);
	return sum;
}

uint64_t ledger__lost(const struct ledger *ledger)
{
	return sum_all(ledger->lost, LOSSES);
}

uint64_t ledger__lost_of_anyone(const struct ledger *ledger)
{
	return sum_of(ledger->lost[LOSS_THROTTLED], ledger->lost[LOSS_PROGRAM_BUSY]);
}

uint64_t ledger__lost_of_target(const struct ledger *ledger)
{
	const double known = (double)ledger->counted + (double)ledger->filtered;
	const double lost = (double)ledger__lost_of_anyone(ledger);

	return known > 0 ? (uint64_t)llround(lost * (double)ledger->counted / known) : 0;
}

uint64_t ledger__missing(const struct ledger *ledger)
{
	return sum_all(ledger->missing, MISSINGS);
}

uint64_t ledger__cut(const struct ledger *ledger)
{
	return sum_all(ledger->cut, CUTS);
}

bool ledger__balances(const struct ledger *ledger)
{
	const uint64_t events[] = {ledger->counted, ledger->idle, ledger->filtered,
				   ledger__lost(ledger)};
	const uint64_t stacks[] = {ledger->whole, ledger__cut(ledger), ledger->unverified,
				   ledger__missing(ledger)};

	return ledger->events == sum_all(events, 4) && ledger->counted == sum_all(stacks, 4) &&
	       !ledger->undrained;
}

double ledger__coverage(const struct ledger *ledger)
{
	if (!ledger->ran_ns || ledger->ran_unmeasured)
		return -1;
	return 100.0 * (double)ledger->sampled_ns / (double)ledger->ran_ns;
}

/* ---- words ---- */

/* Writes as much of a text as fits, and counts its full length. */
struct notice_writer {
	char *text;
	size_t size;
	size_t length;
};

static void write_words(struct notice_writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void write_words(struct notice_writer *writer, const char *format, ...)
{
	size_t left = writer->length < writer->size ? writer->size - writer->length : 0;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(left ? writer->text + writer->length : NULL, left, format, arguments);
	va_end(arguments);
	if (length > 0)
		writer->length += (size_t)length;
}

static void write_count(struct notice_writer *writer, uint64_t count, const char *what)
{
	char number[32];

	text__format_count(number, sizeof(number), count);
	write_words(writer, "%s %s", number, what);
}

static void write_things(struct notice_writer *writer, uint64_t count, const char *one,
			 const char *many)
{
	write_count(writer, count, count == 1 ? one : many);
}

/* " (12 throttled, 3 counts_full)" */
static void write_reasons(struct notice_writer *writer, const uint64_t *counts,
			  const struct field *reasons, size_t nr)
{
	const char *before = " (";

	for (size_t i = 0; i < nr; i++) {
		if (!counts[i])
			continue;
		write_words(writer, "%s", before);
		write_count(writer, counts[i], reason_name(&reasons[i]));
		before = ", ";
	}
	if (*before == ',')
		write_words(writer, ")");
}

int ledger__line(const struct ledger *ledger, char *text, size_t size)
{
	struct notice_writer writer = {text, size, 0};
	uint64_t missing = ledger__missing(ledger);

	write_count(&writer, ledger->events, "events = ");
	write_count(&writer, ledger->counted, "counted + ");
	write_count(&writer, ledger->idle, "idle + ");
	write_count(&writer, ledger->filtered, "filtered + ");
	write_count(&writer, ledger__lost(ledger), "lost");
	write_reasons(&writer, ledger->lost, losses, LOSSES);
	if (ledger->kept_out) {
		write_words(&writer, "; of this and other events ");
		write_things(&writer, ledger->kept_out, "hit was kept out", "hits were kept out");
		write_words(&writer, ", of which ones the kernel does not say");
	} else if (ledger->lost_unmeasured) {
		write_words(&writer, " or more, which is not verifiable here");
	}
	if (missing) {
		write_words(&writer, "; ");
		write_things(&writer, missing, "stack missing", "stacks missing");
		write_reasons(&writer, ledger->missing, missings, MISSINGS);
	}
	if (!ledger__balances(ledger))
		write_words(&writer, "; DOES NOT BALANCE");
	return (int)writer.length;
}

static const char *choose(const struct helps *remedy, const struct ledger_subject *subject)
{
	if (subject->is_live && remedy->if_live)
		return remedy->if_live;
	if (subject->is_counted && remedy->if_counted)
		return remedy->if_counted;
	if (!subject->has_others && remedy->if_alone)
		return remedy->if_alone;
	return remedy->usual;
}

/*
 * The processes that these samples belong to are not known. Tells how many are the target's if it
 * lost the same part as others.
 */
static void write_part(struct notice_writer *writer, const struct ledger *ledger)
{
	const uint64_t nr = ledger__lost_of_target(ledger);
	char part[32] = "none";

	write_words(writer, ", perhaps of other processes");
	if (!ledger->counted)
		return;
	if (nr)
		text__format_count(part, sizeof(part), nr);
	write_words(writer, " (%s of them the target's, by its part of all)", part);
}

/*
 * Writes "12 samples lost, throttled: lower -F" for the nth count that is not 0; else lowers *nth
 * by their number.
 */
static bool write_reason(struct notice_writer *writer, const struct ledger *ledger,
			 const struct ledger_subject *subject, size_t *nth, const char *one,
			 const char *many, const uint64_t *counts, const struct field *reasons,
			 size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!counts[i] || (*nth)--)
			continue;
		write_things(writer, counts[i], one, many);
		/* Only the BPF program knows targets, and for these it did not run. */
		if (subject->has_targets && (&reasons[i] == &losses[LOSS_THROTTLED] ||
					     &reasons[i] == &losses[LOSS_PROGRAM_BUSY]))
			write_part(writer, ledger);
		write_words(writer, ", %s: %s", reason_name(&reasons[i]),
			    choose(&reasons[i].remedy, subject));
		return true;
	}
	return false;
}

int ledger__notice(const struct ledger *ledger, const struct ledger_subject *subject, size_t nth,
		   char *text, size_t size)
{
	struct notice_writer writer = {text, size, 0};

	if (!write_reason(&writer, ledger, subject, &nth, "sample lost", "samples lost",
			  ledger->lost, losses, LOSSES) &&
	    !write_reason(&writer, ledger, subject, &nth, "stack missing", "stacks missing",
			  ledger->missing, missings, MISSINGS))
		write_reason(&writer, ledger, subject, &nth, "stack truncated", "stacks truncated",
			     ledger->cut, cuts, NOTICED_CUTS);
	return (int)writer.length;
}

int ledger__notice_common(const struct ledger *ledger, const struct ledger_subject *subject,
			  size_t nth, char *text, size_t size)
{
	struct notice_writer writer = {text, size, 0};

	for (size_t i = 0; i < OTHERS; i++) {
		const struct other *other = &others[i];
		const uint64_t count = field(ledger, other->offset);

		if (!count || nth--)
			continue;
		write_things(&writer, count, other->one, other->many);
		write_words(&writer, ": %s", choose(&other->remedy, subject));
		break;
	}
	return (int)writer.length;
}

/* The sentences on the time of threads. */

#define TOLERANCE_PER_SWITCH_NS 10000
#define TOLERANCE_DIVISOR	200 /* 0.5 % */
/* less than 1 % unknown time is not worth a notice: threads have it in their first instants */
#define UNKNOWN_DIVISOR 100

bool ledger__has_wall(const struct ledger *ledger)
{
	return ledger->wall_ns > 0;
}

int64_t ledger__wall_error_ns(const struct ledger *ledger)
{
	return (int64_t)(ledger->wall_ns - ledger->running_ns - ledger->runnable_ns -
			 ledger->blocked_ns - ledger->unknown_ns);
}

/* Small parts keep their own digits: they are not rounded with the others. */
int ledger__wall_line(const struct ledger *ledger, char *text, size_t size)
{
	const int64_t error_ns = ledger__wall_error_ns(ledger);
	char wall[32], running[32], runnable[32], blocked[32], unknown[32], off[64] = "";

	if (!ledger__has_wall(ledger))
		return 0;
	text__format_duration(wall, sizeof(wall), ledger->wall_ns);
	text__format_duration(running, sizeof(running), ledger->running_ns);
	text__format_duration(runnable, sizeof(runnable), ledger->runnable_ns);
	text__format_duration(blocked, sizeof(blocked), ledger->blocked_ns);
	text__format_duration(unknown, sizeof(unknown), ledger->unknown_ns);
	if (error_ns)
		snprintf(off, sizeof(off), "; OFF BY %" PRId64 " ns", error_ns);
	return snprintf(text, size,
			"%s of threads = %s running + %s runnable + %s blocked + %s unknown%s",
			wall, running, runnable, blocked, unknown, off);
}

/*
 * How far our account may be from the scheduler's: 0.5 % of the larger one and 10 us a switch,
 * since threads that wait for a CPU pass between clocks of several.
 */
static bool is_close(const struct ledger *ledger, uint64_t ours_ns, uint64_t theirs_ns)
{
	const uint64_t larger_ns = ours_ns > theirs_ns ? ours_ns : theirs_ns;
	const uint64_t smaller_ns = ours_ns > theirs_ns ? theirs_ns : ours_ns;

	return larger_ns - smaller_ns <=
	       larger_ns / TOLERANCE_DIVISOR + ledger->switches * TOLERANCE_PER_SWITCH_NS;
}

/* The run time by the scheduler is corrected by the time that it credited to the wrong thread. */
bool ledger__scheduler_agrees(const struct ledger *ledger)
{
	return is_close(ledger, ledger->running_ns + ledger->overcredited_ns,
			ledger->scheduled_ns + ledger->uncredited_ns) &&
	       is_close(ledger, ledger->runnable_ns, ledger->delayed_ns);
}

int ledger__scheduler_line(const struct ledger *ledger, char *text, size_t size)
{
	char ran[32], waited[32], uncredited[32], overcredited[32], credit[96] = "";
	char switches[32];

	if (!ledger__has_wall(ledger))
		return 0;
	text__format_duration(ran, sizeof(ran), ledger->scheduled_ns);
	text__format_duration(waited, sizeof(waited), ledger->delayed_ns);
	text__format_duration(uncredited, sizeof(uncredited), ledger->uncredited_ns);
	text__format_duration(overcredited, sizeof(overcredited), ledger->overcredited_ns);
	text__format_count(switches, sizeof(switches), ledger->switches);
	if (ledger->uncredited_ns || ledger->overcredited_ns)
		snprintf(credit, sizeof(credit), " + %s uncredited - %s of others", uncredited,
			 overcredited);
	return snprintf(text, size, "%s ran%s, %s waited to run; %s 0.5 %% and 10 us a switch (%s)",
			ran, credit, waited,
			ledger__scheduler_agrees(ledger) ? "agrees within" : "DIFFERS by more than",
			switches);
}

int ledger__notice_wall(const struct ledger *ledger, const struct ledger_subject *subject,
			size_t nth, char *text, size_t size)
{
	const struct {
		uint64_t ns;
		const char *what;
	} notices[] = {
		{ledger->unplaced_ns,
		 "of waits in no sample, since the maps were full: raise --max-memory"},
		{ledger->unknown_ns > ledger->wall_ns / UNKNOWN_DIVISOR ? ledger->unknown_ns : 0,
		 "of threads unknown: they began before they were watched, as children do that are "
		 "born while processes are looked for; of a longer time it is a smaller part"},
	};
	char duration[32];

	(void)subject;
	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++) {
		if (!notices[i].ns || nth--)
			continue;
		text__format_duration(duration, sizeof(duration), notices[i].ns);
		return snprintf(text, size, "%s %s", duration, notices[i].what);
	}
	if (size)
		*text = '\0';
	return 0;
}
