// SPDX-License-Identifier: GPL-2.0-only
// cflags: -rdynamic -fno-omit-frame-pointer
/*
 * fake_python MODE: looks like CPython 3.11 to readers of its file, and holds in memory all that
 * such a program has: the state of a thread, frames, code objects, strings. It computes in a
 * function with the name of the interpreter's loop, which main(), fake_outer() and fake_inner()
 * call. MODE chooses what it holds:
 *
 *	honest		fake_leaf, called by fake_root in fake.py
 *	cycle		frames without an end: one that calls itself, then two that call each other
 *	wild		pointers that lead nowhere, each after the other
 *	lengths		strings that are not as long as they say, or of no kind that there is
 *	changing	contents that another thread changes at every moment
 *	many		ever new code objects, a hundred at a time
 *	control		names that no terminal should see
 *	keys		a thread whose state has a key that there cannot be
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FUNCTION __attribute__((noipa, noinline))

#define PAGE_BYTES 4096
#define KEY_AT	   592 /* in _PyRuntime */
#define MAX_CHAIN  100
#define NR_MANY	   60000

/* ---- layouts of 3.11, on x86-64 ---- */

struct fake_string {
	uint64_t references;
	const void *type;
	int64_t length, hash;
	uint32_t state, padding; /* interned 2, kind 3, compact 1, ascii 1, ready 1 */
	void *wide;
	char data[];
};

struct fake_code {
	uint64_t references;
	const void *type;
	char before_line[56];
	int32_t first_line;
	char before_file[36];
	const struct fake_string *file, *name, *qualified_name;
	const struct fake_string *lines; /* a bytes object: its data begin earlier */
	char before_instructions[40];
	uint16_t instructions[32];
};

struct fake_frame {
	char before_code[32];
	const struct fake_code *code;
	void *object;
	struct fake_frame *previous;
	const void *instruction;
	int32_t stack_top;
	bool is_entry;
	char owner;
	char rest[58];
};

struct fake_c_frame {
	uint64_t tracing;
	struct fake_frame *current;
};

struct fake_thread_state {
	char before_frame[56];
	const struct fake_c_frame *frame;
	char before_id[88];
	uint64_t id;
	char rest[200];
};

_Static_assert(offsetof(struct fake_string, data) == 48, "as in 3.11");
_Static_assert(offsetof(struct fake_code, first_line) == 72, "as in 3.11");
_Static_assert(offsetof(struct fake_code, file) == 112, "as in 3.11");
_Static_assert(offsetof(struct fake_code, lines) == 136, "as in 3.11");
_Static_assert(offsetof(struct fake_code, instructions) == 184, "as in 3.11");
_Static_assert(offsetof(struct fake_frame, previous) == 48, "as in 3.11");
_Static_assert(offsetof(struct fake_frame, is_entry) == 68, "as in 3.11");
_Static_assert(offsetof(struct fake_thread_state, id) == 152, "as in 3.11");

#define KIND(bytes) ((uint32_t)(bytes) << 2)
#define COMPACT	    (1U << 5)
#define ASCII	    (1U << 6)
#define READY	    (1U << 7)
#define PLAIN	    (KIND(1) | COMPACT | ASCII | READY)

/* ---- symbols of its file ---- */

extern const unsigned long Py_Version;
extern char _PyRuntime[PAGE_BYTES], PyCode_Type[PAGE_BYTES];
void _PyEval_EvalFrameDefault(void);

const unsigned long Py_Version = 0x030b02f0;
char _PyRuntime[PAGE_BYTES] = {1};
char PyCode_Type[PAGE_BYTES] = {1};

/* ---- contents of its memory ---- */

static struct fake_frame frames[MAX_CHAIN];
static struct fake_c_frame c_frame;
static struct fake_thread_state state;
static struct fake_code *many; /* of NR_MANY */
static void (*volatile change)(unsigned int turn);
static volatile unsigned long work;

/* Allocates at the end of mapped memory, so that a reader that goes on beyond it fails. */
static void *allocate_at_end(size_t nr_bytes)
{
	const size_t nr_pages = (nr_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
	char *pages = mmap(NULL, (nr_pages + 1) * PAGE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + nr_pages * PAGE_BYTES, PAGE_BYTES, PROT_NONE))
		err(1, "mmap");
	return pages + nr_pages * PAGE_BYTES - (nr_bytes + 7) / 8 * 8;
}

static struct fake_string *make_string(const char *text, int64_t length, uint32_t string_state)
{
	struct fake_string *string = allocate_at_end(sizeof(*string) + strlen(text));

	string->length = length;
	string->hash = (int64_t)(uintptr_t)text;
	string->state = string_state;
	memcpy(string->data, text, strlen(text));
	return string;
}

static struct fake_string *make_plain(const char *text)
{
	return make_string(text, (int64_t)strlen(text), PLAIN);
}

static struct fake_string *make_bytes(int64_t length, const char *bytes, size_t nr_bytes)
{
	struct fake_string *object = allocate_at_end(32 + nr_bytes);

	object->length = length;
	memcpy((char *)object + 32, bytes, nr_bytes);
	return object;
}

static void fill_code(struct fake_code *code, const struct fake_string *name,
		      const struct fake_string *file)
{
	/* One entry: 8 instructions in the first line, no columns. */
	static struct fake_string *lines;

	if (!lines)
		lines = make_bytes(2, "\xef\x00", 2);
	code->references = 1;
	code->type = PyCode_Type;
	code->first_line = 7;
	code->name = code->qualified_name = name;
	code->file = file;
	code->lines = lines;
}

static struct fake_code *make_code(const struct fake_string *name, const struct fake_string *file)
{
	struct fake_code *code = allocate_at_end(sizeof(*code));

	fill_code(code, name, file);
	return code;
}

static struct fake_code *make_named(const char *name)
{
	return make_code(make_plain(name), make_plain("/of/nobody/fake.py"));
}

/* Makes frames of the codes. The first one is the innermost. */
static void set_chain(const struct fake_code *const *codes, size_t nr_codes)
{
	for (size_t i = 0; i < nr_codes; i++)
		frames[i] =
			(struct fake_frame){.code = codes[i],
					    .previous = i + 1 < nr_codes ? &frames[i + 1] : NULL,
					    .instruction = &codes[i]->instructions[2],
					    .is_entry = i + 1 == nr_codes};
	c_frame.current = &frames[0];
}

static void make_state(void)
{
	const int is_initialized = 1;
	pthread_key_t key;

	if (pthread_key_create(&key, NULL) || pthread_setspecific(key, &state))
		errx(1, "no key");
	memcpy(_PyRuntime + KEY_AT, &is_initialized, sizeof(is_initialized));
	memcpy(_PyRuntime + KEY_AT + sizeof(is_initialized), &key, sizeof(key));
	state.id = (uint64_t)pthread_self();
	state.frame = &c_frame;
}

/* ---- by mode ---- */

static void be_honest(void)
{
	const struct fake_code *codes[] = {make_named("fake_leaf"), make_named("fake_root")};

	set_chain(codes, 2);
}

static void turn_around(unsigned int turn)
{
	frames[0].previous = turn % 2 ? &frames[0] : &frames[1];
	frames[1].previous = &frames[0];
	frames[1].is_entry = false;
}

static void make_cycle(void)
{
	be_honest();
	change = turn_around;
}

static const uint64_t nowhere[] = {
	1,
	0xdead0000,
	0x7fffffffffff,
	0x7ffffffff000,
	0x8000000000000000,
	UINT64_MAX,
	0xffff888000000000,
	0xffffffff81000000,
	0xffffffffff600000,
	UINT64_MAX - 47,
	UINT64_MAX - 7,
};

#define NR_NOWHERE (sizeof(nowhere) / sizeof(nowhere[0]))

static void lead_astray(unsigned int turn)
{
	/* These are volatile, so that others see each value that is written. */
	volatile uint64_t *const frame = (volatile uint64_t *)&state.frame;
	volatile uint64_t *const current = (volatile uint64_t *)&c_frame.current;
	volatile uint64_t *const code = (volatile uint64_t *)&frames[0].code;
	const uint64_t address = nowhere[turn / 3 % NR_NOWHERE];

	*frame = turn % 3 == 0 ? address : (uintptr_t)&c_frame;
	*current = turn % 3 == 1 ? address : (uintptr_t)&frames[0];
	*code = address;
}

static void be_wild(void)
{
	be_honest();
	frames[0].is_entry = true;
	lead_astray(0);
	change = lead_astray;
}

static void lie_about_lengths(void)
{
	static const int64_t lengths[] = {0,	   -1,	INT64_MIN, INT64_MAX, 1LL << 40,
					  1 << 20, 129, 257,	   4096};
	static const uint32_t states[] = {
		0,
		UINT32_MAX,
		PLAIN & ~COMPACT,
		KIND(2) | COMPACT | READY,
		KIND(4) | COMPACT | READY,
		KIND(7) | COMPACT | READY,
		KIND(1) | COMPACT | READY,
		KIND(0) | COMPACT | READY,
		KIND(3) | COMPACT | READY,
	};
	const struct fake_string *file = make_plain("/of/nobody/fake.py");
	const struct fake_code *codes[40];
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct fake_code *code =
			make_code(make_string("fake_length", lengths[i], PLAIN), file);

		codes[nr++] = code;
		/* The numbers in this table of lines have no end. */
		code = make_code(make_plain("fake_lines"),
				 make_string("/fake.py", lengths[i], PLAIN));
		code->lines = make_bytes(lengths[i],
					 "\xf7\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
		codes[nr++] = code;
	}
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		codes[nr++] = make_code(make_string("fake_state", 10, states[i]), file);
	set_chain(codes, nr);
}

/*
 * Changes a name and other fields again and again while the other thread computes, so that a reader
 * finds each of them in the middle of its change.
 */
static void *change_always(void *code_to_change)
{
	volatile struct fake_code *const code = code_to_change;
	const struct fake_string *const names[] = {make_plain("fake_one"), make_plain("fake_two"),
						   (const struct fake_string *)0xdead0000};

	for (unsigned int turn = 0;; turn++) {
		code->name = names[turn % 3];
		code->qualified_name = names[turn / 3 % 3];
		code->type = turn % 5 ? PyCode_Type : _PyRuntime;
		code->first_line = (int32_t)turn;
		((volatile struct fake_string *)names[0])->hash = turn;
		((volatile struct fake_string *)names[1])->length = turn % 7 ? 8 : turn;
		((volatile struct fake_frame *)frames)[1].previous = turn % 11 ? NULL : frames;
		((volatile struct fake_frame *)frames)[1].is_entry = turn % 13 != 0;
	}
	return NULL;
}

static void be_changing(void)
{
	struct fake_code *code = make_named("fake_one");
	const struct fake_code *codes[] = {code, make_named("fake_root")};
	pthread_t thread;

	set_chain(codes, 2);
	if (pthread_create(&thread, NULL, change_always, code))
		errx(1, "no thread");
}

static void show_others(unsigned int turn)
{
	for (size_t i = 0; i < MAX_CHAIN; i++)
		((volatile struct fake_frame *)frames)[i].code =
			&many[(turn * MAX_CHAIN + i) % NR_MANY];
}

static void be_many(void)
{
	const struct fake_string *file = make_plain("/of/nobody/fake.py");
	const size_t string_bytes = sizeof(struct fake_string) + 24;
	const struct fake_code *codes[MAX_CHAIN];
	char *strings = calloc(NR_MANY, string_bytes);

	many = calloc(NR_MANY, sizeof(*many));
	if (!many || !strings)
		errx(1, "no memory");
	for (size_t i = 0; i < NR_MANY; i++) {
		struct fake_string *name = (struct fake_string *)(strings + i * string_bytes);

		name->length = snprintf(name->data, 24, "fake_many_%zu", i);
		name->hash = (int64_t)i;
		name->state = PLAIN;
		fill_code(&many[i], name, file);
		codes[i % MAX_CHAIN] = &many[i];
	}
	set_chain(codes, MAX_CHAIN);
	change = show_others;
}

static void have_control(void)
{
	const struct fake_code *codes[] = {
		make_code(make_plain("fake_\033[31m\"\\\n;\r\a_[k] 7"),
			  make_plain("/of/\033[2J/fake\n\";.py")),
		make_code(make_string("fake_\xff\xfe\x80", 8, KIND(1) | COMPACT | READY),
			  make_plain("..")),
		make_code(make_plain("fake_ [main];main"), make_plain("/")),
	};

	set_chain(codes, 3);
}

static void have_no_key(unsigned int turn)
{
	static const uint32_t keys[] = {UINT32_MAX, 1024, 1023, 33, 32, 31, 0x80000000, 0};

	*(volatile uint32_t *)(_PyRuntime + KEY_AT + 4) =
		keys[turn % (sizeof(keys) / sizeof(keys[0]))];
}

static void be_without_key(void)
{
	be_honest();
	have_no_key(0);
	change = have_no_key;
}

static const struct {
	const char *name;
	void (*begin)(void);
} modes[] = {
	{"honest", be_honest},		{"cycle", make_cycle},	   {"wild", be_wild},
	{"lengths", lie_about_lengths}, {"changing", be_changing}, {"many", be_many},
	{"control", have_control},	{"keys", be_without_key},
};

/* ---- where it computes ---- */

static FUNCTION void change_something(unsigned int turn)
{
	if (change)
		change(turn);
}

FUNCTION void _PyEval_EvalFrameDefault(void)
{
	for (unsigned int turn = 0;; turn++) {
		for (int i = 0; i < 20000; i++)
			work = work + 1;
		change_something(turn);
	}
}

static FUNCTION void fake_inner(void)
{
	_PyEval_EvalFrameDefault();
	work++;
}

static FUNCTION void fake_outer(void)
{
	fake_inner();
	work++;
}

int main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	alarm(150);
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, argv[1]) != 0)
			continue;
		make_state();
		modes[i].begin();
		puts("ready");
		fflush(stdout);
		fake_outer();
	}
	errx(2, "usage: fake_python MODE");
}
