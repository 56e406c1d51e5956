/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interpreters: where the frames of the language are in memory, as the interpreter's file tells,
 * and the copies made of the code objects behind them. Shared by user/interpreters/, which reads
 * the files, the BPF program, which follows the frames, and user/capture/, which takes the copies.
 *
 * An interpreter's loop is a native function. Each of its activations on the native stack runs a
 * few frames of the language, which are a linked list, innermost first:
 *
 *	thread state -> frame -> frame -> frame (last of this activation) -> frame (of the next) ...
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

/* the loop's function, and the part of rarely run code that the compiler may have split off */
#define INTERPRETER_MAX_LOOPS 2
#define INTERPRETER_MAX_HOPS  2

#define INTERPRETER_FRAME_BYTES 128 /* most bytes read of a frame */
#define INTERPRETER_CODE_BYTES	256 /* most bytes read of a code object */

#define NO_FIELD 0xffff /* in place of an offset */

/* How the interpreter state of a thread is found. */
enum interpreter_anchor {
	/* anchor: address of a pthread_key_t; the thread's value for it is the state's address */
	ANCHOR_PTHREAD_KEY,
	ANCHOR_GLOBAL, /* anchor: address of the state, which all threads share */
	INTERPRETER_ANCHORS,
};

/* The rule that finds the last frame of an activation. */
enum interpreter_entry {
	ENTRY_EACH,  /* every frame is an activation of its own */
	ENTRY_LAST,  /* the frame with the mark, which is an ordinary frame */
	ENTRY_EXTRA, /* the frame with the mark, which only stands for the call from native code */
	INTERPRETER_ENTRIES,
};

/* How a frame tells its position in the code, and how the position becomes a line. */
enum interpreter_position {
	POSITION_NONE,
	POSITION_INDEX,	 /* 32 bits: instructions of 2 bytes */
	POSITION_OFFSET, /* 32 bits: bytes */
	/* pointer to the instruction; the first one is at instructions_at in the code object */
	POSITION_POINTER,
	POSITION_LINE, /* pointer to a struct that has the line, 32 bits, at instructions_at */
	INTERPRETER_POSITIONS,
};

/* The format in which a code object stores the lines of its instructions. */
enum code_lines {
	CODE_LINES_NONE,      /* the position is the line, if there is one */
	CODE_LINES_PAIRS,     /* Python up to 3.9: co_lnotab */
	CODE_LINES_RANGES,    /* Python 3.10: co_linetable */
	CODE_LINES_LOCATIONS, /* Python from 3.11 on: co_linetable, with columns */
	CODE_LINES_KINDS,
};

/* A string object. */
struct interpreter_string {
	__u16 length_at;   /* 64 bits: characters */
	__u16 state_at;	   /* 32 bits (PyASCIIObject.state); NO_FIELD: bytes of UTF-8 */
	__u16 state_shift; /* lowest bit in state: 3 bits bytes per character, 1 compact, 1 ascii */
	__u16 data_at;	   /* offset of the characters of ASCII and UTF-8 strings */
	__u16 wide_at;	   /* offset of the characters of all other strings */
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
	__s64 anchor; /* like a pc of the unwind table: bias + anchor is the address */
	/* as anchor: the type object that all code objects point to (at type_at); 0: none */
	__s64 code_type;
	/* From the thread state to the innermost frame: *(*(state + hops[0]) + hops[1]). */
	__u16 hops[INTERPRETER_MAX_HOPS];
	__u16 frame_bytes; /* bytes of a frame to read; covers the fields below */
	__u16 back_at;	   /* the calling frame */
	/* the code object; the low bits of the pointer may have another meaning */
	__u16 code_at;
	__u16 code_bits; /* number of these low bits */
	__u16 position_at;
	__u16 entry_at;		       /* 32 bits; masked by entry_mask they hold the mark */
	__u32 entry_mask, entry_value; /* the mark: (bits & mask) >= value */
	/* Fields of a code object. */
	__u16 code_bytes; /* bytes of it to read */
	__u16 type_at;
	/* 32 bits that differ between code objects; NO_FIELD: the hash of the file name is used */
	__u16 cookie_at;
	__u16 name_hash_at; /* in the name's string object, 64 bits */
	__u16 name_at, file_at, first_line_at, lines_at;
	__u16 owner_at,
		/* owner (class) of the code, and offset of the owner's name; NO_FIELD: none */
		owner_name_at;
	__u16 instructions_at;
	__u16 lines_length_at, lines_data_at; /* in the object that lines_at leads to */
	__u16 hashed_name_at;		      /* a name whose hash also tells code objects apart */
	struct interpreter_string string;
	/* Code has a file and lines if the byte at source_at has a bit of the mask; 0: always. */
	__u8 source_at, source_mask;
};

/* ---- A copy of the names and lines of a code object ---- */

#define CODE_OWNER_BYTES 64
#define CODE_NAME_BYTES	 128
#define CODE_FILE_BYTES	 256
#define CODE_LINE_BYTES	 1024

struct code_text {
	__u16 nr_bytes; /* number of bytes copied */
	__u8 width;	/* bytes per character; 0: UTF-8, 1: Latin-1 */
	__u8 is_cut;	/* the text is longer than the copy */
};

struct code_record {
	__u64 code;  /* the word (abi.h), with position 0 */
	__u64 check; /* a second, independent hash */
	__u32 first_line;
	__u32 nr_line_bytes; /* size of its line table, which may exceed the copy; 0: no table */
	__u32 lines_kind;    /* enum code_lines */
	struct code_text owner_text, name_text, file_text;
	__u32 padding_text;
	char owner[CODE_OWNER_BYTES], name[CODE_NAME_BYTES], file[CODE_FILE_BYTES];
	__u8 lines[CODE_LINE_BYTES]; /* absent unless line numbers are asked for */
};

#define CODE_RECORD_BYTES(with_lines) \
	(sizeof(struct code_record) - ((with_lines) ? 0 : CODE_LINE_BYTES))

/* ---- Scratch memory of a walk ---- */

/*
 * A code object's address and its interpreter in one word: an address of a process has 56 bits at
 * most. interpreter: as in struct unwind_region.
 */
#define MET_PLACE(address, interpreter) ((__u64)(interpreter) << 56 | ((address)&MET_ADDRESS_MASK))
#define MET_ADDRESS_MASK		((1ULL << 56) - 1)
#define MET_ADDRESS(place)		((place)&MET_ADDRESS_MASK)
#define MET_INTERPRETER(place)		((__u32)((place) >> 56))

/* A code object that a walk has found. */
struct met_code {
	__u64 place; /* MET_PLACE() */
	__u64 code, cookie;
};

/* A file name that a walk has read. */
struct met_file {
	__u64 address, hash; /* address 0: none */
};

#define FRAME_PIECE_BYTES 512

/* The memory last read around frames. */
struct frame_piece {
	__u64 start, nr_bytes; /* nr_bytes 0: nothing was read */
	__u64 words[FRAME_PIECE_BYTES / 8];
};

#define MET_FILES_SHIFT 3
#define MET_FILES	(1 << MET_FILES_SHIFT)

/* State of an interpreter that a walk left when it entered another one. */
struct left_interpreter {
	__u64 frame, bias;
	__u32 interpreter, padding; /* interpreter: as in struct unwind_region; 0: none */
};

#define FILE_WORDS 10 /* words read of a string object, the length included */

/* State of a walk for the interpreter whose frames it currently adds. */
struct interpreted {
	__u64 frame; /* the next frame; 0: none */
	__u64 bias;  /* load bias of the interpreter's file */
	__u64 process;
	__u32 interpreter; /* as in struct unwind_region; 0: none met yet */
	__u32 is_lost;	   /* native loops and interpreted frames do not match */
	__u32 nr_codes;
	__u32 is_stateless;
	__u32 nr_unread; /* names and files that could not be read */
	__u32 padding;
	struct left_interpreter left;
	__u64 words[FILE_WORDS]; /* a file name's string object */
	struct met_code last;	 /* the code object last read; place 0: none */
	/* hash table by address; each slot keeps the last entry */
	struct met_file files[MET_FILES];
	struct frame_piece frames;
	__u64 bytes[INTERPRETER_CODE_BYTES / 8]; /* the code object being read */
	struct met_code codes[ABI_MAX_DEPTH];	 /* the map's values hold cfg_max_depth of them */
};

#define INTERPRETED_BYTES(depth) \
	(sizeof(struct interpreted) + ((depth)-ABI_MAX_DEPTH) * sizeof(struct met_code))

_Static_assert(sizeof(struct interpreted) <= 32 << 10, "more is no value of a map of each CPU");

#endif
