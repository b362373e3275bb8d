// SPDX-License-Identifier: MIT
// Puts a WebAssembly module together again that tools/bytes.mjs took apart: opcodes, numbers of each kind and the rest
// lie in streams of their own, because gzip and brotli then find more in them. Knows the letters, the streams and what
// follows each opcode; owns its one memory. A module of its own, quick from its first call, so that nothing waits for
// JavaScript to warm up. Only ever reads what the tool wrote, which tries it.
#include <stdint.h>

// Where JavaScript writes the text; below lie the stack and what is static. The module comes behind the text.
enum { TEXT = 65536 };
// 89 letters, from % to ~ without the backslash: the first 87 are a symbol each, the others open symbols of two.
enum { SINGLES = 87, LETTERS = 89, SYMBOLS = SINGLES + (LETTERS - SINGLES) * LETTERS };
// The streams, in the order in which they stand, the head before the first of them. REST holds what is no code.
enum { OFFSETS, LABELS, LOCALS, OPCODES, NUMBERS, WIDES, REST, CALLS, STREAMS };
// No opcode of WebAssembly's: the next opcode's block type or alignment is written out.
enum { EXPLICIT = 0xf0 };
enum { VOID = 0x40, END = 0x0b, PREFIX = 0xfc, FILL = 11, CODE_SECTION = 10, ROOM = 5 };

// What follows each opcode: a number of that stream (its digit), nothing (-), a block type (b), a list of labels (t), two
// numbers of CALLS (i), eight bytes (f), an alignment of 0 to 3 and an offset (A to D).
static const char FOLLOW[] = "--bbb-------11t-7i--------------22211---CDCDAABBAABBCCCDCDABABC1145-f";

static const uint8_t *streams[STREAMS + 1];
// What the symbols mean, of opcodes and of all else.
static uint8_t tables[2][SYMBOLS];
static uint8_t *out;

static uint32_t letter(uint32_t stream) {
	uint32_t code = *streams[stream]++;
	return code - '%' - (code > '\\');
}

static uint32_t number(void) {
	uint32_t low = letter(0);
	return low + LETTERS * letter(0);
}

static void put(uint32_t value) { *out++ = (uint8_t)value; }

static uint32_t take(uint32_t stream) {
	uint32_t symbol = letter(stream);
	if (symbol >= SINGLES) symbol = SINGLES + (symbol - SINGLES) * LETTERS + letter(stream);
	uint32_t value = tables[stream == OPCODES][symbol];
	put(value);
	return value;
}

static uint32_t leb(uint32_t stream) {
	uint32_t value = 0, shift = 0, part;
	do {
		part = take(stream);
		value |= (part & 127) << (shift & 31);
		shift += 7;
	} while (part & 128);
	return value;
}

// Writes the length of what begins ROOM bytes after `start` in front of it, and closes the gap.
static void close(uint8_t *start) {
	uint32_t length = (uint32_t)(out - start) - ROOM, rest = length;
	out = start;
	for (; rest > 127; rest >>= 7) put(rest | 128);
	put(rest);
	__builtin_memmove(out, start + ROOM, length);
	out += length;
}

static void operands(uint32_t op, uint32_t isExplicit) {
	uint32_t kind = op < sizeof FOLLOW - 1 ? (uint32_t)FOLLOW[op] : op == PREFIX ? PREFIX : '-', count = 1, stream = LABELS;
	if (kind == '-') return;
	if (kind <= '9') stream = kind - '0';
	else if (kind <= 'D') {
		if (isExplicit) leb(LABELS);
		else put(kind - 'A');
		stream = OFFSETS;
	} else if (kind == 'b') {
		if (!isExplicit) {
			put(VOID);
			return;
		}
	} else if (kind == 'f') {
		for (count = 8; count; count--) take(REST);
	} else if (kind == 'i') {
		count = 2;
		stream = CALLS;
	} else if (kind == 't') count = leb(LABELS) + 1;
	else {
		uint32_t second = take(OPCODES);
		count = second < 8 ? 0 : second == FILL ? 1 : 2;
	}
	for (; count; count--) leb(stream);
}

static void function(void) {
	uint8_t *start = out;
	out += ROOM;
	for (uint32_t groups = leb(REST); groups; groups--) {
		leb(REST);
		take(REST);
	}
	for (uint32_t depth = 1; depth;) {
		uint32_t op = take(OPCODES), isExplicit = op == EXPLICIT;
		if (isExplicit) {
			out--;
			op = take(OPCODES);
		}
		if (op >= 0x02 && op <= 0x04) depth++;
		if (op == END) depth--;
		operands(op, isExplicit);
	}
	close(start);
}

static void section(void) {
	uint32_t isCode = take(REST) == CODE_SECTION;
	uint8_t *start = out;
	if (isCode) out += ROOM;
	uint32_t count = leb(REST);
	for (; count; count--) {
		if (isCode) function();
		else take(REST);
	}
	if (isCode) close(start);
}

// The lengths of the streams and the two tables.
static void read_head(void) {
	const uint8_t *end = streams[0] = (const uint8_t *)TEXT;
	for (uint32_t stream = 0; stream < STREAMS; stream++) {
		uint32_t low = number();
		streams[stream + 1] = end += low + LETTERS * LETTERS * letter(0);
	}
	for (uint32_t table = 0; table < 2; table++) {
		for (uint32_t count = number(), at = 0; at < count; at++) tables[table][at] = (uint8_t)number();
	}
}

// Makes the module from the text of that many letters; its length. Once in an instance.
__attribute__((export_name("unpack"))) uint32_t unpack(uint32_t length) {
	uint8_t *start = out = (uint8_t *)TEXT + length;
	read_head();
	const uint8_t *end = streams[REST + 1];
	__builtin_memcpy(out, "\0asm\1\0\0", 8);
	out += 8;
	while (streams[REST] < end) section();
	return (uint32_t)(out - start);
}
