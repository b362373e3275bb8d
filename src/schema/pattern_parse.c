// SPDX-License-Identifier: MIT
// Implements pattern_program.h: parses a pattern to a tree.
#include "pattern_program.h"

#include <string.h>

#define LAST_POINT 0x10ffffu
#define MOST_COUNT 1000000000u

// A named group; its name is at `place` in the source.
typedef struct named_group {
    uint32_t place, length, number;
} named_group;

typedef struct parser {
    weft_pattern *pattern;
    weft_pattern_tree *tree;
    weft_text text;
    const weft_pattern_letters *letters;
    uint32_t depth;
    uint32_t looks; // open lookarounds
    const uint8_t *source;
    named_group *named;
    uint32_t named_count, named_capacity;
    uint32_t last_back; // highest number of a back reference
    weft_status status;
    const char *reason;
} parser;

// Ranges of classes: \d is the first, \w the first four, \s the rest.
static const uint16_t CLASSES[][2] = {
    {'0', '9'},       {'A', 'Z'},       {'_', '_'},       {'a', 'z'},       {9, 13},
    {32, 32},         {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029},
    {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};
enum { WORDS = 4, ALL_CLASSES = sizeof(CLASSES) / sizeof(CLASSES[0]) };

static uint32_t parse_choice(parser *p);

static uint32_t fail(parser *p, weft_status status, const char *reason) {
    if (p->status == WEFT_OK) {
        p->status = status;
        p->reason = reason;
    }
    return WEFT_PATTERN_NONE;
}

static int at_end(const parser *p) {
    return p->status != WEFT_OK || p->text.at >= p->text.end;
}

static uint8_t peek(const parser *p, size_t ahead) {
    return (size_t)(p->text.end - p->text.at) > ahead ? p->text.at[ahead] : 0;
}

static int accept(parser *p, char letter) {
    if (at_end(p) || *p->text.at != (uint8_t)letter) {
        return 0;
    }
    p->text.at++;
    return 1;
}

static uint32_t add_node(parser *p, weft_pattern_op op, uint32_t a, uint32_t b) {
    weft_pattern_tree *tree = p->tree;
    if (p->status != WEFT_OK) {
        return WEFT_PATTERN_NONE;
    }
    if (!weft_memory_reserve(p->pattern->memory, &tree->nodes, sizeof(*tree->nodes),
                             &tree->capacity, tree->count + 1)) {
        return fail(p, WEFT_ERR_NO_MEMORY, "");
    }
    tree->nodes[tree->count] =
        (weft_pattern_node){.op = op, .a = a, .b = b, .next = WEFT_PATTERN_NONE};
    return tree->count++;
}

static void add_range(parser *p, uint32_t low, uint32_t high) {
    weft_pattern *to = p->pattern;
    if (to->range_count == WEFT_PATTERN_MOST_RANGES) {
        fail(p, WEFT_ERR_PATTERN, "it is too large");
        return;
    }
    if (!weft_memory_reserve(to->memory, &to->ranges, sizeof(*to->ranges), &to->range_capacity,
                             to->range_count + 1)) {
        fail(p, WEFT_ERR_NO_MEMORY, "");
        return;
    }
    to->ranges[to->range_count++] = (weft_pattern_range){low, high};
}

// Adds the ranges of \d \w \s, or the gaps between them for \D \W \S; returns 0 for another
// `letter`.
static int add_escaped_class(parser *p, uint8_t letter) {
    uint8_t lower = letter | 0x20;
    uint32_t i = lower == 's' ? WORDS : 0;
    uint32_t end = lower == 's' ? ALL_CLASSES : lower == 'w' ? WORDS : 1;
    uint32_t from = 0;
    if (lower != 'd' && lower != 'w' && lower != 's') {
        return 0;
    }
    for (; i < end; i++) {
        uint32_t low = CLASSES[i][0];
        if (letter == lower) {
            add_range(p, low, CLASSES[i][1]);
        } else if (from < low) {
            add_range(p, from, low - 1);
        }
        from = CLASSES[i][1] + 1u;
    }
    if (letter != lower) {
        add_range(p, from, LAST_POINT);
    }
    return 1;
}

static int is_digit(uint8_t letter) {
    return letter >= '0' && letter <= '9';
}

static int hex_value(uint8_t letter) {
    uint8_t lower = letter | 0x20;
    return is_digit(letter) ? letter - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Parses `digits` hex digits, or with 0 any number of them up to a closing brace.
static uint32_t parse_hex(parser *p, uint32_t digits) {
    uint32_t value = 0;
    uint32_t count = 0;
    for (; (digits == 0 || count < digits) && !at_end(p) && hex_value(*p->text.at) >= 0; count++) {
        value = value * 16 + (uint32_t)hex_value(*p->text.at++);
        if (value > LAST_POINT) {
            break;
        }
    }
    if (value > LAST_POINT) {
        return fail(p, WEFT_ERR_PATTERN, "an escape beyond U+10FFFF");
    }
    if (digits == 0 ? count == 0 || !accept(p, '}') : count != digits) {
        fail(p, WEFT_ERR_PATTERN, "an escape is not complete");
    }
    return value;
}

static uint32_t parse_unicode_escape(parser *p) {
    if (accept(p, '{')) {
        return parse_hex(p, 0);
    }
    uint32_t point = parse_hex(p, 4);
    if (point >> 10 == 0xd800 >> 10 && peek(p, 0) == '\\' && peek(p, 1) == 'u' &&
        peek(p, 2) != '{') {
        const uint8_t *back = p->text.at;
        p->text.at += 2;
        uint32_t second = parse_hex(p, 4);
        if (second >> 10 == 0xdc00 >> 10) {
            return 0x10000 + ((point & 0x3ff) << 10 | (second & 0x3ff));
        }
        p->text.at = back;
    }
    return point;
}

// Parses the code point of an escape after its backslash.
static uint32_t parse_escape_point(parser *p) {
    uint32_t letter = weft_text_next(&p->text);
    switch (letter) {
    case 't':
        return '\t';
    case 'n':
        return '\n';
    case 'v':
        return '\v';
    case 'f':
        return '\f';
    case 'r':
        return '\r';
    case 'x':
        return parse_hex(p, 2);
    case 'u':
        return parse_unicode_escape(p);
    case 'c':
        if ((peek(p, 0) | 0x20) >= 'a' && (peek(p, 0) | 0x20) <= 'z') {
            return *p->text.at++ & 0x1fu;
        }
        return fail(p, WEFT_ERR_PATTERN, "an escape is not complete");
    case '0':
        return is_digit(peek(p, 0)) ? fail(p, WEFT_ERR_PATTERN, "an octal escape") : 0;
    default:
        break;
    }
    if ((letter | 0x20) >= 'a' && (letter | 0x20) <= 'z') {
        return fail(p, WEFT_ERR_PATTERN, "an unknown escape");
    }
    return letter;
}

// Finds the list of the property in braces; returns 0 after a failure.
static uint32_t find_letters(parser *p) {
    uint32_t found = 0;
    int named = accept(p, '{');
    const uint8_t *name = p->text.at;
    while (named && !at_end(p) && *p->text.at != '}') {
        p->text.at++;
    }
    uint32_t length = (uint32_t)(p->text.at - name);
    if (!named || !accept(p, '}') || p->letters == NULL ||
        !weft_json_find(p->letters->tape, p->letters->table, name, length, &found) ||
        weft_json_kind_of(p->letters->tape, found) != WEFT_JSON_ARRAY) {
        fail(p, WEFT_ERR_PATTERN, "an unknown property of letters");
        return 0;
    }
    return found;
}

// Adds the code points with the property in braces, or all others.
static void add_letters(parser *p, int others) {
    uint32_t list = find_letters(p);
    uint32_t from = 0;
    if (list == 0) {
        return;
    }
    const weft_json_tape *tape = p->letters->tape;
    uint32_t at = weft_json_first(tape, list);
    for (uint32_t i = weft_json_count(tape, list) / 2; i != 0; i--) {
        uint32_t last = weft_json_next(tape, at);
        double low =
            weft_json_kind_of(tape, at) == WEFT_JSON_NUMBER ? weft_json_number(tape, at) : -1;
        double high =
            weft_json_kind_of(tape, last) == WEFT_JSON_NUMBER ? weft_json_number(tape, last) : -1;
        if (!(low >= from && high >= low && high <= LAST_POINT)) {
            fail(p, WEFT_ERR_PATTERN, "a property of letters cannot be read");
            return;
        }
        if (!others) {
            add_range(p, (uint32_t)low, (uint32_t)high);
        } else if (from < (uint32_t)low) {
            add_range(p, from, (uint32_t)low - 1);
        }
        from = (uint32_t)high + 1;
        at = weft_json_next(tape, last);
    }
    if (others && from <= LAST_POINT) {
        add_range(p, from, LAST_POINT);
    }
}

// Accepts \d \w \s \p{…} or their negations after the backslash; returns 0 for another escape.
static int accept_escaped_class(parser *p) {
    uint8_t letter = *p->text.at;
    if ((letter | 0x20) == 'p') {
        p->text.at++;
        add_letters(p, letter == 'P');
        return 1;
    }
    int added = add_escaped_class(p, letter);
    p->text.at += added;
    return added;
}

static uint32_t parse_count(parser *p);

// Parses a name up to its closing angle bracket: its place and length in the source.
static void parse_name(parser *p, uint32_t *place, uint32_t *length) {
    *place = (uint32_t)(p->text.at - p->source);
    while (!at_end(p) && *p->text.at != '>') {
        p->text.at++;
    }
    *length = (uint32_t)(p->text.at - p->source) - *place;
    if (!accept(p, '>') || *length == 0) {
        fail(p, WEFT_ERR_PATTERN, "a group's name is not closed");
    }
}

// Parses a back reference, by number or name.
static uint32_t parse_back(parser *p) {
    p->pattern->backs = 1;
    if (!accept(p, 'k')) {
        uint32_t number = parse_count(p);
        p->last_back = number > p->last_back ? number : p->last_back;
        return add_node(p, PATTERN_BACK, 0, number);
    }
    uint32_t node = add_node(p, PATTERN_BACK, 0, 0);
    if (!accept(p, '<')) {
        return fail(p, WEFT_ERR_PATTERN, "an unknown escape");
    }
    if (node != WEFT_PATTERN_NONE) {
        parse_name(p, &p->tree->nodes[node].min, &p->tree->nodes[node].max);
    }
    return node;
}

static uint32_t parse_escape(parser *p) {
    if (at_end(p)) {
        return fail(p, WEFT_ERR_PATTERN, "a backslash at the end");
    }
    uint32_t first = p->pattern->range_count;
    uint8_t letter = *p->text.at;
    if (letter == 'k' || (letter >= '1' && letter <= '9')) {
        return parse_back(p);
    }
    if (letter == 'b' || letter == 'B') {
        p->text.at++;
        return add_node(p, letter == 'b' ? PATTERN_BORDER : PATTERN_INSIDE, 0, 0);
    }
    if (accept_escaped_class(p)) {
        return add_node(p, PATTERN_SET, first, (p->pattern->range_count - first) << 1);
    }
    uint32_t point = parse_escape_point(p);
    return add_node(p, PATTERN_CHAR, point, 0);
}

// Parses one member of a class: a code point, or WEFT_PATTERN_NONE after a class like \d was added.
static uint32_t parse_class_point(parser *p) {
    if (!accept(p, '\\')) {
        return weft_text_next(&p->text);
    }
    if (at_end(p)) {
        return fail(p, WEFT_ERR_PATTERN, "a backslash at the end");
    }
    if (accept_escaped_class(p)) {
        return WEFT_PATTERN_NONE;
    }
    if (accept(p, 'b')) {
        return '\b';
    }
    return parse_escape_point(p);
}

static uint32_t parse_class(parser *p) {
    uint32_t first = p->pattern->range_count;
    uint32_t negated = (uint32_t)accept(p, '^');
    while (!at_end(p) && *p->text.at != ']') {
        uint32_t low = parse_class_point(p);
        uint32_t high = low;
        if (low != WEFT_PATTERN_NONE && peek(p, 0) == '-' && peek(p, 1) != ']' && peek(p, 1) != 0) {
            p->text.at++;
            high = parse_class_point(p);
            if (high == WEFT_PATTERN_NONE) {
                // Not a range: the hyphen and a class like \d are literal members.
                add_range(p, '-', '-');
                high = low;
            }
        }
        if (low != WEFT_PATTERN_NONE && high < low) {
            fail(p, WEFT_ERR_PATTERN, "a range of a class is out of order");
        }
        if (low != WEFT_PATTERN_NONE) {
            add_range(p, low, high);
        }
    }
    if (!accept(p, ']')) {
        return fail(p, WEFT_ERR_PATTERN, "a class is not closed");
    }
    return add_node(p, PATTERN_SET, first, (p->pattern->range_count - first) << 1 | negated);
}

// Counts a group; `length` of its name, 0 for none.
static void add_group(parser *p, uint32_t place, uint32_t length) {
    p->pattern->groups++;
    if (length == 0 || p->status != WEFT_OK) {
        return;
    }
    if (!weft_memory_reserve(p->pattern->memory, &p->named, sizeof(*p->named), &p->named_capacity,
                             p->named_count + 1)) {
        fail(p, WEFT_ERR_NO_MEMORY, "");
        return;
    }
    p->named[p->named_count++] = (named_group){place, length, p->pattern->groups};
}

// Accepts the kind of a group after its parenthesis: returns 1 for lookaround, with its `*kind`.
// Capturing groups are counted.
static int accept_kind(parser *p, uint32_t *kind) {
    if (!accept(p, '?')) {
        add_group(p, 0, 0);
        return 0;
    }
    uint8_t first = peek(p, 0) == '<' ? peek(p, 1) : peek(p, 0);
    if (first == '=' || first == '!') {
        *kind = (accept(p, '<') ? WEFT_PATTERN_BEHIND : 0) | (first == '!' ? WEFT_PATTERN_NOT : 0);
        p->text.at++;
        p->pattern->behind |= (*kind & WEFT_PATTERN_BEHIND) != 0;
        return 1;
    }
    if (accept(p, '<')) {
        uint32_t place, length;
        parse_name(p, &place, &length);
        add_group(p, place, length);
    } else if (!accept(p, ':')) {
        fail(p, WEFT_ERR_PATTERN, "an unknown kind of group");
    }
    return 0;
}

static uint32_t parse_group(parser *p) {
    uint32_t kind = 0;
    uint32_t before = p->pattern->groups;
    uint32_t looks = (uint32_t)accept_kind(p, &kind);
    uint32_t number = p->pattern->groups > before ? p->pattern->groups : 0;
    p->looks += looks;
    if (p->looks > WEFT_PATTERN_MOST_LOOKS) {
        return fail(p, WEFT_ERR_PATTERN, "lookaround is nested too deep");
    }
    p->pattern->looks = p->looks > p->pattern->looks ? (uint8_t)p->looks : p->pattern->looks;
    if (p->depth == WEFT_PATTERN_MOST_DEPTH) {
        return fail(p, WEFT_ERR_PATTERN, "groups are nested too deep");
    }
    p->depth++;
    uint32_t node = parse_choice(p);
    p->depth--;
    p->looks -= looks;
    node = looks         ? add_node(p, PATTERN_LOOK, node, kind)
           : number != 0 ? add_node(p, PATTERN_GROUP, node, number)
                         : node;
    return accept(p, ')') ? node : fail(p, WEFT_ERR_PATTERN, "a group is not closed");
}

static uint32_t parse_atom(parser *p) {
    switch (*p->text.at++) {
    case '^':
        return add_node(p, PATTERN_BEGIN, 0, 0);
    case '$':
        return add_node(p, PATTERN_END, 0, 0);
    case '.':
        return add_node(p, PATTERN_ANY, 0, 0);
    case '\\':
        return parse_escape(p);
    case '[':
        return parse_class(p);
    case '(':
        return parse_group(p);
    case '*':
    case '+':
    case '?':
        return fail(p, WEFT_ERR_PATTERN, "nothing to repeat");
    default:
        p->text.at--;
        return add_node(p, PATTERN_CHAR, weft_text_next(&p->text), 0);
    }
}

static uint32_t parse_count(parser *p) {
    uint32_t value = 0;
    while (is_digit(peek(p, 0))) {
        value = value < MOST_COUNT / 10 ? value * 10 + (uint32_t)(*p->text.at - '0') : MOST_COUNT;
        p->text.at++;
    }
    return value;
}

// Parses {n}, {n,} or {n,m}; any other brace is a literal.
static int parse_braces(parser *p, uint32_t *min, uint32_t *max) {
    const uint8_t *back = p->text.at;
    p->text.at++;
    if (is_digit(peek(p, 0))) {
        *min = *max = parse_count(p);
        if (accept(p, ',')) {
            *max = is_digit(peek(p, 0)) ? parse_count(p) : WEFT_PATTERN_NONE;
        }
        if (accept(p, '}')) {
            return 1;
        }
    }
    p->text.at = back;
    return 0;
}

static int parse_quantifier(parser *p, uint32_t *min, uint32_t *max, uint32_t *lazy) {
    *min = peek(p, 0) == '+';
    *max = peek(p, 0) == '?' ? 1 : WEFT_PATTERN_NONE;
    if (at_end(p) || (!accept(p, '*') && !accept(p, '+') && !accept(p, '?') &&
                      (peek(p, 0) != '{' || !parse_braces(p, min, max)))) {
        return 0;
    }
    *lazy = (uint32_t)accept(p, '?');
    return 1;
}

static uint32_t parse_sequence(parser *p) {
    uint32_t sequence = add_node(p, PATTERN_SEQUENCE, WEFT_PATTERN_NONE, 0);
    uint32_t last = WEFT_PATTERN_NONE;
    while (!at_end(p) && *p->text.at != '|' && *p->text.at != ')') {
        uint32_t min, max, lazy;
        uint32_t first = p->pattern->groups + 1;
        uint32_t node = parse_atom(p);
        if (parse_quantifier(p, &min, &max, &lazy)) {
            if (node != WEFT_PATTERN_NONE && p->tree->nodes[node].op == PATTERN_LOOK) {
                return fail(p, WEFT_ERR_PATTERN, "nothing to repeat");
            }
            if (max < min) {
                return fail(p, WEFT_ERR_PATTERN, "a quantifier is out of order");
            }
            node = add_node(p, PATTERN_REPEAT, node, lazy);
            if (node != WEFT_PATTERN_NONE) {
                p->tree->nodes[node].first = first;
                p->tree->nodes[node].last = p->pattern->groups + 1;
                p->tree->nodes[node].min = min;
                p->tree->nodes[node].max = max;
            }
        }
        if (p->status != WEFT_OK) {
            return WEFT_PATTERN_NONE;
        }
        *(last == WEFT_PATTERN_NONE ? &p->tree->nodes[sequence].a : &p->tree->nodes[last].next) =
            node;
        last = node;
    }
    return sequence;
}

static uint32_t parse_choice(parser *p) {
    uint32_t first = parse_sequence(p);
    if (at_end(p) || *p->text.at != '|') {
        return first;
    }
    uint32_t choice = add_node(p, PATTERN_CHOICE, first, 0);
    uint32_t last = first;
    while (accept(p, '|')) {
        uint32_t node = parse_sequence(p);
        if (p->status == WEFT_OK) {
            p->tree->nodes[last].next = node;
            last = node;
        }
    }
    return choice;
}

// Gives named back references their numbers, once all groups are known.
static void find_names(parser *p) {
    for (uint32_t i = 0; i < p->tree->count; i++) {
        weft_pattern_node *node = &p->tree->nodes[i];
        if (node->op != PATTERN_BACK || node->b != 0) {
            continue;
        }
        for (uint32_t k = 0; k < p->named_count && node->b == 0; k++) {
            const named_group *group = &p->named[k];
            if (group->length == node->max &&
                memcmp(p->source + group->place, p->source + node->min, group->length) == 0) {
                node->b = group->number;
            }
        }
        p->last_back = node->b == 0 ? WEFT_PATTERN_NONE : p->last_back;
    }
    if (p->last_back > p->pattern->groups) {
        fail(p, WEFT_ERR_PATTERN, "a back reference to no group");
    } else if (p->pattern->backs &&
               (p->pattern->behind || p->pattern->groups > WEFT_PATTERN_MOST_GROUPS)) {
        fail(p, WEFT_ERR_PATTERN,
             p->pattern->behind ? "back references beside lookbehind" : "it is too large");
    }
}

weft_status weft_pattern_parse(weft_pattern *pattern, const uint8_t *source, uint32_t length,
                               const weft_pattern_letters *letters, weft_pattern_tree *tree,
                               const char **reason) {
    parser p = {.pattern = pattern,
                .tree = tree,
                .letters = letters,
                .source = source,
                .text = {source, length == 0 ? source : source + length, 0},
                .reason = ""};
    tree->root = parse_choice(&p);
    if (!at_end(&p)) {
        fail(&p, WEFT_ERR_PATTERN, "a closing parenthesis without its opening one");
    }
    if (p.status == WEFT_OK && pattern->backs) {
        find_names(&p);
    }
    weft_memory_release(pattern->memory, p.named, p.named_capacity * sizeof(*p.named));
    *reason = p.reason;
    return p.status;
}
