// SPDX-License-Identifier: MIT
// Implements machine.h: keywords of objects.
#include "machine.h"

typedef weft_schema_machine machine;
typedef weft_schema_frame frame;
typedef weft_schema_instruction instruction;

static uint32_t linked(const machine *m, uint32_t token) {
    return weft_schema_link(m->schema, token);
}

// Returns whether a default was recorded for `name`. Spends steps.
static int is_filled(machine *m, uint32_t object, uint32_t name) {
    weft_schema_spend(m, m->result->fill_count / 16);
    for (uint32_t i = 0; i < m->result->fill_count; i++) {
        const weft_schema_fill *fill = &m->result->fills[i];
        if (fill->object == object &&
            weft_json_string_same(&m->schema->tape, fill->key, &m->schema->tape, name)) {
            return 1;
        }
    }
    return 0;
}

static void fill_defaults(machine *m, const frame *f, uint32_t map) {
    const weft_json_tape *tape = &m->schema->tape;
    weft_schema_result *to = m->result;
    for (uint32_t key = weft_json_first(tape, map); key != weft_json_end(tape, map);
         key = weft_json_next(tape, key + 1)) {
        uint32_t value = weft_json_member(tape, key + 1, "default");
        uint32_t found;
        if (!weft_schema_spend(m, 1)) {
            return;
        }
        if (value == 0 || weft_json_find_same(m->tape, f->value, tape, key, &found) ||
            is_filled(m, f->value, key)) {
            continue;
        }
        if (!weft_memory_reserve(to->memory, &to->fills, sizeof(*to->fills), &to->fill_capacity,
                                 to->fill_count + 1)) {
            weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
            return;
        }
        to->fills[to->fill_count++] = (weft_schema_fill){f->value, key, value};
    }
}

// Position of `properties`: the member, and the key where the search for its name starts. Members
// are usually in the schema's order, so the search starts after the last key found.
typedef struct search {
    uint32_t member;
    uint32_t key, place;
    uint32_t seen, matched;
} search;

static inline void keep_search(frame *f, const search *s) {
    f->i = s->member;
    f->j = s->key;
    f->count = s->place;
    f->seen = s->seen;
    f->matched = s->matched;
}

// Finds the property called `name`: its schema's token, 0 when there is none.
static inline uint32_t find_property(const machine *m, const instruction *run, uint32_t name,
                                     search *s) {
    const weft_json_tape *tape = &m->schema->tape;
    const uint32_t map = run->keyword + 1;
    const uint32_t start = s->key;
    uint32_t found;
    if (run->b) {
        return weft_json_find_same(tape, map, m->tape, name, &found) ? found : 0;
    }
    do {
        uint32_t at = s->key;
        if (at == weft_json_end(tape, map)) {
            s->key = weft_json_first(tape, map);
            s->place = 0;
            continue;
        }
        s->key = weft_json_next(tape, at + 1);
        s->place++;
        if (weft_json_string_same(tape, at, m->tape, name)) {
            s->seen |= 1u << (s->place - 1);
            return at + 1;
        }
    } while (s->key != start);
    return 0;
}

static weft_schema_step apply_properties(machine *m, frame *f, const instruction *run) {
    const weft_schema *schema = m->schema;
    uint32_t end = weft_json_end(m->tape, f->value);
    weft_schema_take_verdict(m, f, weft_json_first(m->tape, f->value));
    if (!f->entered) {
        f->j = weft_json_first(&schema->tape, run->keyword + 1);
        if (m->options.fill && !f->tentative) {
            fill_defaults(m, f, run->keyword + 1);
        }
    }
    search s = {f->i, f->j, f->count, f->seen, f->matched};
    while (s.member != end && !weft_schema_gave_up(f) && weft_schema_spend_quickly(m, 1)) {
        uint32_t value = s.member + 1;
        uint32_t found = find_property(m, run, s.member, &s);
        s.member = weft_json_next(m->tape, value);
        if (found == 0) {
            continue;
        }
        const weft_schema_node *node = &schema->nodes[linked(m, found)];
        s.matched++;
        if (node->leaf && f->quiet && !f->tracks) {
            f->valid = (uint8_t)weft_schema_run_leaf(m, node, value);
            continue;
        }
        keep_search(f, &s);
        if (weft_schema_enter(m, f, linked(m, found), value) == STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    keep_search(f, &s);
    return STEP_DONE;
}

// Applies patternProperties. i: the member, j: the pattern (a key of the map, 0 to start with the
// first).
static weft_schema_step apply_pattern_properties(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t map = run->keyword + 1;
    if (!f->entered) {
        f->j = weft_json_first(tape, map);
    }
    weft_schema_take_verdict(m, f, weft_json_first(m->tape, f->value));
    while (f->i != weft_json_end(m->tape, f->value) && !weft_schema_gave_up(f) &&
           weft_schema_spend(m, 1)) {
        if (f->j == weft_json_end(tape, map)) {
            f->i = weft_json_next(m->tape, f->i + 1);
            f->j = weft_json_first(tape, map);
            continue;
        }
        uint32_t pattern = f->j;
        f->j = weft_json_next(tape, pattern + 1);
        if (weft_schema_match(m, linked(m, pattern), f->i) &&
            weft_schema_enter(m, f, linked(m, pattern + 1), f->i + 1) == STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    return STEP_DONE;
}

int weft_schema_is_named(weft_schema_machine *m, const weft_schema_instruction *run, uint32_t key) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t found;
    if (run->b != 0 && weft_json_find_same(tape, run->b, m->tape, key, &found)) {
        return 1;
    }
    if (run->c != 0) {
        for (uint32_t at = weft_json_first(tape, run->c); at != weft_json_end(tape, run->c);
             at = weft_json_next(tape, at + 1)) {
            if (weft_schema_match(m, linked(m, at), key)) {
                return 1;
            }
        }
    }
    return 0;
}

static void assert_required(machine *m, frame *f, uint32_t keyword, uint32_t list) {
    const weft_json_tape *tape = &m->schema->tape;
    for (uint32_t at = weft_json_first(tape, list); at != weft_json_end(tape, list);
         at = weft_json_next(tape, at)) {
        uint32_t found;
        if (weft_schema_gave_up(f) || !weft_schema_spend(m, 1)) {
            return;
        }
        if (!weft_json_find_same(m->tape, f->value, tape, at, &found) &&
            !is_filled(m, f->value, at)) {
            weft_schema_reject(m, f, f->value, keyword, at);
        }
    }
}

// Applies dependentRequired, dependentSchemas and the older `dependencies`: lists are asserted,
// schemas run. i: the key of the map.
static weft_schema_step apply_dependencies(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t map = run->keyword + 1;
    weft_schema_take_verdict(m, f, weft_json_first(tape, map));
    while (f->i != weft_json_end(tape, map) && !weft_schema_gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t key = f->i;
        uint32_t found;
        f->i = weft_json_next(tape, key + 1);
        if (!weft_json_find_same(m->tape, f->value, tape, key, &found)) {
            continue;
        }
        if (weft_json_kind_of(tape, key + 1) == WEFT_JSON_ARRAY) {
            assert_required(m, f, run->keyword, key + 1);
            continue;
        }
        if (weft_schema_call(m, linked(m, key + 1), f->value, 0, 0) == STEP_CHILD) {
            return STEP_CHILD;
        }
        weft_schema_need(f, m->child);
    }
    return STEP_DONE;
}

weft_schema_step weft_schema_apply_object(weft_schema_machine *m, weft_schema_frame *f,
                                          const weft_schema_instruction *run) {
    uint32_t count = weft_json_count(m->tape, f->value);
    switch (run->op) {
    case SCHEMA_PROPERTIES:
        return apply_properties(m, f, run);
    case SCHEMA_PATTERN_PROPERTIES:
        return apply_pattern_properties(m, f, run);
    case SCHEMA_REQUIRED:
        if (run->c == 0 || (f->seen & run->c) != run->c) {
            assert_required(m, f, run->keyword, run->keyword + 1);
        }
        return STEP_DONE;
    case SCHEMA_MAX_PROPERTIES:
    case SCHEMA_MIN_PROPERTIES:
        if (run->op == SCHEMA_MAX_PROPERTIES ? count > run->number : count < run->number) {
            weft_schema_reject(m, f, f->value, run->keyword, count);
        }
        return STEP_DONE;
    default:
        return apply_dependencies(m, f, run);
    }
}
