// SPDX-License-Identifier: MIT
// The letters in which a WebAssembly module travels inside JavaScript: an adaptive arithmetic coder that expects each bit
// of each byte from what stands before it, opcodes from opcodes, their operands and what they left on the stack, operands
// from their like. Built twice:
// the unpacker makes the module from the letters, with -DPACK the letters from the module (tools/bytes.mjs). Knows what
// follows each opcode; owns its one memory. A module of its own, quick from its first call, so that nothing waits for
// JavaScript to warm up. Damaged letters end in a trap, after bounded work. Letters may go on from what others taught the
// models: an instance reads those first.
#include <stdint.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

// The memory: below, the stack and what is static; the models' tables, at addresses of their own, so that those of all else
// are short; what JavaScript gives; and behind it what is made.
enum { SQUASHED = 1 << 18, STRETCHED = 3 << 17, REFINED = 1 << 19, TABLE = 1 << 20, INPUT = 9 << 20 };
// What is coded, by kind; REST is all that is no code. Those below CALLS have codes of their own (read_codes).
enum { OFFSETS, LABELS, LOCALS, NUMBERS, WIDES, OPCODES, CALLS, REST, KINDS };
enum { END = 0x0b, LOCAL_GET = 0x20, LOCAL_TEE = 0x22, I32_EQZ = 0x45, I64_EQZ = 0x50, CONVERSIONS = 0xa7, PREFIX = 0xfc, FILL = 11, CODE_SECTION = 10, ROOM = 5, LONGEST = 15 };
// Each model expects a bit from a context of its own. What they saw lies in one table of 2^TABLE_BITS slots, since few of
// them need much room, those of the first DEPTH bits of a byte side by side for the caches' sake; a slot counts zeros and
// ones, four bits each, and forgets half of the one when it sees the other.
enum { MODELS = 8, TABLE_BITS = 23, DEPTH = 5, MOST = 15, SLOTS = 256, LEARN = 9, SCALE = 2048 };
// A letter has six bits, from > to ~ without the backslash. The first say how long the module is, and what it sums to.
enum { LETTER_BITS = 6, LENGTH_LETTERS = 3, CODE_LETTERS = 5, TOP = 24 };

// What follows each opcode: a number of that kind (its digit), nothing (-), an alignment and an offset (a), a list of
// labels (t), two numbers of CALLS (i), eight bytes (f). Nothing after the last, but for PREFIX. Unknown ones (!).
static const char FOLLOW[] = "--111-!!!!!-11t-6i!!!!!!!!--!!!!22211!!!aaaaaaaaaaaaaaaaaaaaaaa1134!f";

// What instructions do to the stack of values: how many they take (below 4), that they leave one (4), that it is empty then
// for what is expected of it (8): who knows what a call gives back. Those after the last take two and leave one, but for
// some that take one.
static const char EFFECTS[] = "808888000008818888000000001700004154100055555555555555222222222454444";
enum { TAKEN = 3, LEAVES = 4, EMPTIES = 8 };

static uint8_t *const table = (uint8_t *)TABLE;
static uint16_t *const squashed = (uint16_t *)SQUASHED;
static int16_t *const stretched = (int16_t *)STRETCHED;
// What the mixed expectation was worth, by kind, the bits before (or their last eight) and itself in 32 steps.
static uint16_t (*const refined)[256][32] = (uint16_t (*)[256][32])REFINED;
static uint32_t range, code, sum;
static uint8_t *letters, *bytes, *end;
// Each model's context, how many are made, and what the next one starts from.
static uint32_t contexts[MODELS], ready, origin;
// What made the values on the stack, above two that are none: hashes of opcodes with their operands.
static uint32_t stack[SLOTS];
static uint8_t height;
// The last four opcodes, hashes of the operands of the last two and of the one that is read, the last number of each kind,
// and which function this is.
static uint32_t opcodes, operands[2], last[KINDS], function;
// How many symbols have a code of that length, and the symbols by length and value.
static uint8_t lengths[KINDS][256], symbols[KINDS][256];
static uint16_t counts[KINDS][LONGEST + 1];
// What such a slot is worth, by kind and model, and what becomes of it; how much each model counts, by kind
// behind each opcode, and by kind and the bits before. Both mixtures count alike.
static uint16_t worth[KINDS][MODELS][SLOTS];
static uint8_t successors[SLOTS][2];
static int32_t weights[2 * KINDS * SLOTS][MODELS];
_Static_assert(sizeof weights + sizeof worth < SQUASHED - (1 << 14), "what is static ends before the tables");
#ifdef PACK
static uint32_t isCounting, unknown, frequencies[KINDS][256];
#endif

// All but what is done for each bit is compiled for size.
#ifdef __wasm__
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
static uint32_t hash(uint32_t a, uint32_t b) {
	a = (a + b) * 0x2c9277b5u;
	return (a ^ a >> 15) * 0x85ebca6bu;
}

#ifdef PACK
static void put_letters(uint32_t value, uint32_t count) {
	for (; count; count--) *letters++ = value >> (LETTER_BITS * (count - 1)) & 63;
}

static uint32_t code_bit(uint32_t bound, uint32_t bit) {
	if (bit) range = bound;
	else {
		code += bound;
		range -= bound;
	}
	if (code >> (TOP + LETTER_BITS)) {
		code &= (1u << (TOP + LETTER_BITS)) - 1;
		uint8_t *carry = letters - 1;
		for (; ++*carry == 64; carry--) *carry = 0;
	}
	for (; range < 1u << TOP; range <<= LETTER_BITS) {
		put_letters(code >> TOP, 1);
		code = (code & ((1u << TOP) - 1)) << LETTER_BITS;
	}
	return bit;
}
#else
static uint32_t take_letters(uint32_t value, uint32_t count) {
	for (; count; count--) {
		uint32_t letter = *letters++;
		value = value << LETTER_BITS | ((letter - '>' - (letter > '\\')) & 63);
	}
	return value;
}

static uint32_t code_bit(uint32_t bound, uint32_t bit) {
	bit = code < bound;
	if (bit) range = bound;
	else {
		code -= bound;
		range -= bound;
	}
	for (; range < 1u << TOP; range <<= LETTER_BITS) code = take_letters(code, 1);
	return bit;
}
#endif

#ifdef __wasm__
#pragma clang attribute pop
#endif

// The logarithm of the odds that a mixture comes to.
static int32_t odds_of(int32_t mixed) {
	mixed = (mixed >> 16) + SCALE;
	return mixed < 0 ? 0 : mixed > 2 * SCALE - 1 ? 2 * SCALE - 1 : mixed;
}

// The next bit of a symbol, of which `path` are the bits before it, below a one. The packer gives it.
static uint32_t take_bit(uint32_t kind, uint32_t path, uint32_t given) {
	uint8_t *slots[MODELS];
	uint16_t *expected[MODELS];
	int32_t *one = weights[kind * SLOTS + (opcodes & 0xff)], *two = weights[(KINDS + kind) * SLOTS + (path & 0xff)], inputs[MODELS];
	int32_t first = 0, second = 0;
	for (uint32_t i = 0; i < MODELS; i++) {
		uint32_t deep = path >> DEPTH, line = deep ? hash(contexts[i], deep) : contexts[i];
		slots[i] = &table[line >> (32 - TABLE_BITS) ^ (path & ((1 << DEPTH) - 1))];
		expected[i] = &worth[kind][i][*slots[i]];
		int32_t input = inputs[i] = stretched[*expected[i] >> 4];
		first += input * one[i];
		second += input * two[i];
	}
	first = odds_of(first);
	second = odds_of(second);
	int32_t mixed = (first + second) >> 1;
	uint16_t *fine = &refined[kind][path & 0xff][mixed >> 7];
	uint32_t likely = (uint32_t)(squashed[mixed] + (*fine >> 4) + 1) >> 1, bit = code_bit((range >> 12) * likely, given);
	// How wrong each mixture was.
	first = (int32_t)(bit << 12) - squashed[first];
	second = (int32_t)(bit << 12) - squashed[second];
	*fine = (uint16_t)(*fine + ((int32_t)(bit * 0xffff - *fine) >> 6));
	for (uint32_t i = 0; i < MODELS; i++) {
		one[i] += (inputs[i] * first + (1 << (LEARN - 1))) >> LEARN;
		two[i] += (inputs[i] * second + (1 << (LEARN - 1))) >> LEARN;
		*expected[i] = (uint16_t)(*expected[i] + ((int32_t)(bit * 0xffff - *expected[i]) >> 8));
		*slots[i] = successors[*slots[i]][bit];
	}
	return bit;
}

#ifdef __wasm__
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
static uint32_t take_bits(uint32_t kind, uint32_t count, uint32_t given) {
	uint32_t path = 1;
	while (count--) path = path << 1 | take_bit(kind, path, given >> count & 1);
	return path;
}

#ifdef PACK
// A symbol's code, below a one.
static uint32_t code_of(uint32_t kind, uint32_t value) {
	uint32_t at = 0, first = 2;
	for (uint32_t length = 1; length < lengths[kind][value]; length++) {
		at += counts[kind][length];
		first = (first + counts[kind][length]) << 1;
	}
	for (; symbols[kind][at] != value; at++) first++;
	return first;
}
#endif

// A symbol in its kind's canonical code.
static uint32_t take_symbol(uint32_t kind, uint32_t given) {
#ifdef PACK
	uint32_t whole = code_of(kind, given), depth = lengths[kind][given];
#endif
	uint32_t path = 1, over = 0;
	const uint8_t *known = symbols[kind];
	for (uint32_t length = 1; length <= LONGEST; length++) {
#ifdef PACK
		given = whole >> (depth - length) & 1;
#endif
		uint32_t bit = take_bit(kind, path, given), count = counts[kind][length];
		path = path << 1 | bit;
		over = over << 1 | bit;
		if (over < count) return known[over];
		over -= count;
		known += count;
	}
	__builtin_trap();
}

// The next model's context.
static void expect(uint32_t one, uint32_t two) {
	contexts[ready++] = hash(hash(origin++, one), two);
}

// The next byte. The packer reads it from the module, the unpacker writes it there.
static uint32_t take(uint32_t kind) {
	uint32_t value = 0, isOpcode = kind == OPCODES, context = hash(kind, isOpcode ? 0 : operands[0]), before = last[kind];
#ifdef PACK
	value = *bytes++;
	if (isCounting) frequencies[kind][value]++;
	else
#endif
	{
		if (isOpcode) before = operands[0];
		uint32_t op = opcodes & 0xff, two = opcodes & 0xffff, below = stack[height], top = stack[(uint8_t)(height + 1)];
		origin = context;
		ready = 0;
		expect(before, two);
		expect(0, opcodes);
		expect(op + height * SLOTS, before);
		expect(hash(two, operands[0]), operands[1] + height);
		expect(0, 0);
		expect(op, height);
		expect(function, top);
		expect(op, below + 1);
		value = kind < CALLS ? take_symbol(kind, value) : take_bits(kind, 8, value) & 0xff;
	}
	if (isOpcode || kind == REST) {
		opcodes = opcodes << 8 | value;
		operands[1] = operands[0];
		operands[0] = 0;
	} else operands[0] = hash(operands[0] + 1, value);
	sum = hash(sum, value);
#ifndef PACK
	if (bytes > end) __builtin_trap();
	*bytes++ = (uint8_t)value;
#endif
	return value;
}

static uint32_t leb(uint32_t kind) {
	uint32_t value = 0, shift = 0, part;
	do {
		part = take(kind);
		value |= (part & 127) << (shift & 31);
		shift += 7;
	} while (part & 128);
	return last[kind] = value;
}

// The length of what comes is not coded: the packer skips it, the unpacker writes it where what came is complete.
#ifdef PACK
static uint8_t *open_part(void) {
	while (*bytes++ & 128) {}
	return bytes;
}

static void close_part(uint8_t *start) { (void)start; }
#else
static uint8_t *open_part(void) {
	bytes += ROOM;
	return bytes;
}

static void close_part(uint8_t *start) {
	uint32_t length = (uint32_t)(bytes - start), rest = length;
	for (bytes = start - ROOM; rest > 127; rest >>= 7) *bytes++ = (uint8_t)(rest | 128);
	*bytes++ = (uint8_t)rest;
	__builtin_memmove(bytes, start, length);
	bytes += length;
}
#endif

static void take_operands(uint32_t op) {
	uint32_t follows = op < sizeof FOLLOW - 1 ? (uint32_t)FOLLOW[op] : op == PREFIX ? 'p' : '-', count = 1, kind = LABELS;
#ifdef PACK
	if (follows == '!' || (op > 0xc4 && op != PREFIX)) unknown = op;
#endif
	if (follows < '0') return;
	if (follows <= '9') kind = follows - '0';
	else if (follows == 'a') {
		leb(LABELS);
		kind = OFFSETS;
	} else if (follows == 'f') {
		for (count = 8; count; count--) take(REST);
	} else if (follows == 'i') {
		count = 2;
		kind = CALLS;
	} else if (follows == 't') count = leb(LABELS) + 1;
	else {
		uint32_t second = take(OPCODES);
#ifdef PACK
		if (second > FILL || second == FILL - 2) unknown = op;
#endif
		count = second < 8 ? 0 : second == FILL ? 1 : 2;
	}
	for (; count; count--) leb(kind);
}

// What an instruction did to the stack of values.
static void note_effect(uint32_t op) {
	uint32_t effect = op < sizeof EFFECTS - 1 ? (uint32_t)EFFECTS[op] : op == PREFIX ? EMPTIES : op == I32_EQZ || op == I64_EQZ || op >= CONVERSIONS ? LEAVES + 1 : LEAVES + 2;
	uint32_t made = hash(op == LOCAL_TEE ? LOCAL_GET : op, operands[0]), taken = effect & TAKEN;
	height = (uint8_t)(height > taken ? height - taken : 0);
	if (effect & LEAVES) stack[(uint8_t)(2 + height++)] = made;
	if (effect & EMPTIES) {
		height = 0;
		stack[1] = made;
	}
}

static void take_function(void) {
	uint8_t *start = open_part();
	function++;
	height = 0;
	for (uint32_t groups = leb(REST); groups; groups--) {
		leb(REST);
		take(REST);
	}
	for (uint32_t depth = 1; depth;) {
		uint32_t op = take(OPCODES);
		if (op >= 0x02 && op <= 0x04) depth++;
		if (op == END) depth--;
		take_operands(op);
		note_effect(op);
#ifdef PACK
		if (unknown) return;
#endif
	}
	close_part(start);
}

static void take_section(void) {
	uint32_t isCode = take(REST) == CODE_SECTION;
	uint8_t *start = isCode ? open_part() : bytes;
	for (uint32_t count = leb(REST); count; count--) {
		if (isCode) take_function();
		else take(REST);
	}
	if (isCode) close_part(start);
}

static void prepare(void) {
	uint32_t at = 0;
	for (int32_t i = 0; i < 2 * SCALE; i++) {
		// e to the power of a 256th, to the last bit the same everywhere: ten squarings.
		double power = 1 - (i - SCALE) / (256.0 * 1024);
		for (uint32_t squaring = 0; squaring < 10; squaring++) power *= power;
		uint32_t one = (uint32_t)(4096 / (1 + power));
		squashed[i] = (uint16_t)(one ? one : 1);
		while (at <= one) stretched[at++] = (int16_t)(i - SCALE);
	}
	for (uint32_t i = 0; i < KINDS * MODELS * SLOTS; i++) {
		uint32_t ones = i >> 4 & MOST, zeros = i & MOST;
		(&worth[0][0][0])[i] = (uint16_t)(0xffff * (ones * 8 + 1) / ((ones + zeros) * 8 + 2));
		successors[i % SLOTS][0] = (uint8_t)((ones > 3 ? ones / 2 + 1 : ones) << 4 | (zeros + (zeros < MOST)));
		successors[i % SLOTS][1] = (uint8_t)((ones + (ones < MOST)) << 4 | (zeros > 3 ? zeros / 2 + 1 : zeros));
	}
	for (uint32_t i = 0; i < sizeof weights / sizeof **weights; i++) (&weights[0][0])[i] = (1 << 16) / 8;
	for (uint32_t i = 0; i < KINDS * 256 * 32; i++) (&refined[0][0][0])[i] = (uint16_t)(squashed[i % 32 * 128] << 4);
}

// How long each symbol's code is, four bits each.
static void take_codes(void) {
	for (uint32_t kind = 0; kind < CALLS; kind++) {
		for (uint32_t value = 0, before = 0; value < 256; value++) {
			for (uint32_t i = 0; i < MODELS; i++) contexts[i] = hash(i, i == 1 ? before : i == 2 ? value : i == 3 ? kind : 0);
			before = take_bits(REST, 4, lengths[kind][value]) & 15;
			lengths[kind][value] = (uint8_t)before;
		}
		uint8_t *known = symbols[kind];
		for (uint32_t length = 1; length <= LONGEST; length++) {
			for (uint32_t value = 0; value < 256; value++) {
				if (lengths[kind][value] != length) continue;
				*known++ = (uint8_t)value;
				counts[kind][length]++;
			}
		}
	}
}

static void begin(void) {
	uint32_t isFirst = range == 0;
	range = 1u << (TOP + LETTER_BITS);
	if (!isFirst) return;
	prepare();
	take_codes();
}

#ifdef PACK
static void walk(const uint8_t *module, uint32_t length) {
	bytes = (uint8_t *)module + 8;
	end = (uint8_t *)module + length;
	while (bytes < end && !unknown) take_section();
}

// Huffman's lengths of one kind, with its frequencies halved so often; the longest.
static uint32_t measure(uint32_t kind, uint32_t halved) {
	static uint32_t weight[512], above[512];
	uint32_t made = 256, longest = 0, one, two;
	for (uint32_t i = 0; i < 256; i++) weight[i] = frequencies[kind][i] ? (frequencies[kind][i] >> halved) + 1 : 0;
	for (;; made++) {
		one = two = made;
		weight[made] = 0xffffffffu;
		for (uint32_t i = 0; i < made; i++) {
			if (weight[i] == 0) continue;
			if (weight[i] < weight[one]) {
				two = one;
				one = i;
			} else if (weight[i] < weight[two]) two = i;
		}
		if (two == made) break;
		weight[made] = weight[one] + weight[two];
		weight[one] = weight[two] = 0;
		above[one] = above[two] = made;
	}
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t length = 0;
		if (frequencies[kind][i]) {
			// A symbol that is alone has a code of one bit.
			for (uint32_t node = i; node != one; node = above[node]) length++;
			if (length == 0) length = 1;
		}
		lengths[kind][i] = (uint8_t)length;
		if (length > longest) longest = length;
	}
	return longest;
}

static void write_letters(const uint8_t *module, uint32_t length, uint32_t check) {
	put_letters(length, LENGTH_LETTERS);
	put_letters(check >> (32 - LENGTH_LETTERS * LETTER_BITS), LENGTH_LETTERS);
	code = 0;
	begin();
	walk(module, length);
	put_letters(code, CODE_LETTERS);
}

// Makes the letters from the module of that many bytes, and behind them, if `more` is not 0, those from one of so many
// that lies behind it and goes on from what the first taught; each text ends with a 64. As numbers from 0; how many, or less
// an opcode that is unknown. The codes in the first are for two others too, that go on from it in letters of their own.
EXPORT("pack") int32_t pack(uint32_t length, uint32_t more, uint32_t other, uint32_t another) {
	const uint8_t *module = (const uint8_t *)INPUT, *second = module + length;
	uint8_t *start = letters = (uint8_t *)second + more + other + another;
	isCounting = 1;
	walk(module, length);
	uint32_t check = sum;
	if (more) walk(second, more);
	uint32_t both = sum;
	if (other) walk(second + more, other);
	if (another) walk(second + more + other, another);
	if (unknown) return -(int32_t)unknown;
	isCounting = sum = opcodes = operands[0] = operands[1] = function = stack[0] = stack[1] = 0;
	height = 0;
	for (uint32_t kind = 0; kind < KINDS; kind++) last[kind] = 0;
	for (uint32_t kind = 0; kind < CALLS; kind++) {
		for (uint32_t halved = 0; measure(kind, halved) > LONGEST;) halved++;
	}
	write_letters(module, length, check);
	*letters++ = 64;
	if (more) {
		write_letters(second, more, both);
		*letters++ = 64;
	}
	return (int32_t)(letters - start);
}
#else
// Makes the module from that many letters; its length.
EXPORT("unpack") uint32_t unpack(uint32_t length) {
	letters = (uint8_t *)INPUT;
	uint8_t *start = bytes = letters + length;
	uint32_t size = take_letters(0, LENGTH_LETTERS), expected = take_letters(0, LENGTH_LETTERS);
	code = take_letters(0, CODE_LETTERS);
	begin();
	__builtin_memcpy(bytes, "\0asm\1\0\0", 8);
	bytes += 8;
	// With room for the lengths of the code and of a function.
	end = bytes + size + 2 * ROOM;
	while (bytes < start + size) take_section();
	if (bytes != start + size || sum >> (32 - LENGTH_LETTERS * LETTER_BITS) != expected) __builtin_trap();
	return size;
}
#endif
#ifdef __wasm__
#pragma clang attribute pop
#endif
