/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interpreters: what their files say about how the frames of the language are found in memory, and what
 * is copied of the code objects behind them. Shared by user/interpreters/, which reads the files, the
 * BPF program, which follows the frames, and user/capture/, which takes the copies.
 *
 * An interpreter's loop is a native function. Each of its activations on the native stack runs a few frames of the
 * language, which are a linked list, innermost first:
 *
 *	thread state -> frame -> frame -> frame (last of this activation) -> frame (of the next) -> ...
 *	                  |
 *	                  code object: names, file, lines
 *
 * Offsets are bytes from the begin of the struct that a pointer leads to.
 */
#ifndef TOPSTACKS_INTERPRETER_ABI_H
#define TOPSTACKS_INTERPRETER_ABI_H

#include <linux/types.h>

#include "topstacks/abi.h"

#define INTERPRETERS_MAX 64 /* files at a time */

#define INTERPRETER_MAX_LOOPS 2 /* the compiler may have moved what is rarely run elsewhere */
#define INTERPRETER_MAX_HOPS  2

#define INTERPRETER_FRAME_BYTES 128 /* of a frame, all that is read */
#define INTERPRETER_CODE_BYTES	256 /* likewise of a code object */

#define NO_FIELD 0xffff /* in place of an offset */

/* Where a thread's state is. */
enum interpreter_anchor {
	ANCHOR_PTHREAD_KEY, /* anchor: of a pthread_key_t; the thread's value is the address of its state */
	ANCHOR_GLOBAL, /* anchor: of the state, the same for all threads */
	INTERPRETER_ANCHORS,
};

/* Which frame ends an activation. */
enum interpreter_entry {
	ENTRY_EACH,  /* each */
	ENTRY_LAST,  /* one with the mark, which is a frame as others are */
	ENTRY_EXTRA, /* one with the mark, which stands for the call from native code alone */
	INTERPRETER_ENTRIES,
};

/* What a frame says about where in its code it is, and how that becomes a line. */
enum interpreter_position {
	POSITION_NONE,
	POSITION_INDEX,	 /* 32 bits: instructions of 2 bytes */
	POSITION_OFFSET, /* 32 bits: bytes */
	POSITION_POINTER, /* to the instruction; the code begins instructions_at in the code object */
	POSITION_LINE,	  /* a pointer to what has its line, 32 bits, at instructions_at */
	INTERPRETER_POSITIONS,
};

/* How a code object writes the lines of its instructions down. */
enum code_lines {
	CODE_LINES_NONE,      /* the position, if there is one, is the line */
	CODE_LINES_PAIRS,     /* Python up to 3.9: co_lnotab */
	CODE_LINES_RANGES,    /* Python 3.10: co_linetable */
	CODE_LINES_LOCATIONS, /* Python from 3.11 on: co_linetable, with columns */
	CODE_LINES_KINDS,
};

/* A string object. */
struct interpreter_string {
	__u16 length_at;   /* 64 bits: characters */
	__u16 state_at;	   /* 32 bits (PyASCIIObject.state); NO_FIELD: bytes of UTF-8 */
	__u16 state_shift; /* in it, from this bit on: bytes of a character 3, compact 1, ascii 1 */
	__u16 data_at;	   /* of ASCII, and of UTF-8 */
	__u16 wide_at;	   /* of all others */
};

struct interpreter_range {
	__u32 start, end; /* pcs of the file's unwind table; equal: none */
};

struct interpreter {
	__u8 language; /* enum word_language; LANGUAGE_NONE: the file is no interpreter */
	__u8 major, minor;
	__u8 anchor_kind;   /* enum interpreter_anchor */
	__u8 entry_kind;    /* enum interpreter_entry */
	__u8 position_kind; /* enum interpreter_position */
	__u8 lines_kind;    /* enum code_lines */
	__u8 nr_hops;
	struct interpreter_range loops[INTERPRETER_MAX_LOOPS];
	__s64 anchor; /* address - bias, as a pc of the unwind table: bias + anchor is the address */
	__s64 code_type; /* likewise, of the type that all code objects begin with (at type_at); 0: none */
	/* From the state to the innermost frame: *(*(state + hops[0]) + hops[1]). */
	__u16 hops[INTERPRETER_MAX_HOPS];
	__u16 frame_bytes; /* that are read of a frame, for the fields below */
	__u16 back_at;	   /* the calling frame */
	__u16 code_at;	   /* the code object, whose address has low bits of another meaning */
	__u16 code_bits;   /* so many */
	__u16 position_at;
	__u16 entry_at;		       /* 32 bits, of which entry_mask may have the mark */
	__u32 entry_mask, entry_value; /* the mark: (bits & mask) >= value */
	/* Fields of a code object. */
	__u16 code_bytes; /* that are read of it */
	__u16 type_at;
	__u16 cookie_at; /* 32 bits that differ from code to code; NO_FIELD: its file's name does for them */
	__u16 name_hash_at; /* in the name's string object, 64 bits */
	__u16 name_at, file_at, first_line_at, lines_at;
	__u16 owner_at,
		owner_name_at; /* of what the code belongs to, a class: its name; NO_FIELD: nothing */
	__u16 instructions_at;
	__u16 lines_length_at, lines_data_at; /* in the object that lines_at leads to */
	__u16 hashed_name_at; /* the name whose hash tells code objects apart, too */
	struct interpreter_string string;
	/* Code has a file and lines if the byte at source_at has a bit of the mask; 0: always. */
	__u8 source_at, source_mask;
};

/* ---- A copy of what a code object is called ---- */

#define CODE_OWNER_BYTES 64
#define CODE_NAME_BYTES	 128
#define CODE_FILE_BYTES	 256
#define CODE_LINE_BYTES	 1024

struct code_text {
	__u16 nr_bytes; /* that were copied */
	__u8 width;	/* bytes of a character; 0: UTF-8, 1: Latin-1 */
	__u8 is_cut;	/* there are more */
};

struct code_record {
	__u64 code;  /* the word (abi.h), with position 0 */
	__u64 check; /* a second, independent hash */
	__u32 first_line;
	__u32 nr_line_bytes; /* of its table of lines, which may be longer than what was copied; 0: none */
	__u32 lines_kind; /* enum code_lines */
	struct code_text owner_text, name_text, file_text;
	__u32 padding_text;
	char owner[CODE_OWNER_BYTES], name[CODE_NAME_BYTES], file[CODE_FILE_BYTES];
	__u8 lines[CODE_LINE_BYTES]; /* not told if nobody asks for lines */
};

#define CODE_RECORD_BYTES(with_lines) \
	(sizeof(struct code_record) - ((with_lines) ? 0 : CODE_LINE_BYTES))

/* ---- Scratch memory of a walk ---- */

/* Where a code object is, and the interpreter that has it, as of a region: addresses of processes have 56 bits at most. */
#define MET_PLACE(address, interpreter) ((__u64)(interpreter) << 56 | ((address)&MET_ADDRESS_MASK))
#define MET_ADDRESS_MASK		((1ULL << 56) - 1)
#define MET_ADDRESS(place)		((place)&MET_ADDRESS_MASK)
#define MET_INTERPRETER(place)		((__u32)((place) >> 56))

/* A code object that a walk has met. */
struct met_code {
	__u64 place; /* MET_PLACE() */
	__u64 code, cookie;
};

/* A file's name that a walk has read. */
struct met_file {
	__u64 address, hash; /* address 0: none */
};

#define FRAME_PIECE_BYTES 512

/* What was read where the last frame is. */
struct frame_piece {
	__u64 start, nr_bytes; /* 0: nothing was */
	__u64 words[FRAME_PIECE_BYTES / 8];
};

#define MET_FILES_SHIFT 3
#define MET_FILES	(1 << MET_FILES_SHIFT)

/* What a walk knew of an interpreter when it came to another one. */
struct left_interpreter {
	__u64 frame, bias;
	__u32 interpreter, padding; /* as of a region; 0: there was none */
};

#define FILE_WORDS 10 /* of a string object, its length among them */

/* What a walk knows of the interpreter whose frames it tells. */
struct interpreted {
	__u64 frame; /* that comes next; 0: there is none */
	__u64 bias;  /* of the interpreter's file */
	__u64 process;
	__u32 interpreter; /* as of a region; 0: it has met none yet */
	__u32 is_lost;	   /* what it found does not fit */
	__u32 nr_codes;
	__u32 is_stateless;
	__u32 nr_unread; /* of names and files */
	__u32 padding;
	struct left_interpreter left;
	__u64 words[FILE_WORDS];	  /* of a file's name */
	struct met_code last;		  /* that was read; its place is 0: none was */
	struct met_file files[MET_FILES]; /* by their addresses, the last one of each kind */
	struct frame_piece frames;
	__u64 bytes[INTERPRETER_CODE_BYTES / 8]; /* of a code object */
	struct met_code codes[ABI_MAX_DEPTH]; /* the map's values end after cfg_max_depth of them */
};

#define INTERPRETED_BYTES(depth) \
	(sizeof(struct interpreted) + ((depth)-ABI_MAX_DEPTH) * sizeof(struct met_code))

_Static_assert(sizeof(struct interpreted) <= 32 << 10, "more is no value of a map of each CPU");

#endif
