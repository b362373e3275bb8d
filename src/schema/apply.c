// SPDX-License-Identifier: MIT
#include "machine.h"

typedef weft_schema_machine machine;
typedef weft_schema_frame frame;
typedef weft_schema_instruction instruction;

static uint32_t linked(const machine *m, uint32_t token) { return weft_schema_link(m->schema, token); }

// Takes the verdict of the child that has just ended, if there was one; positions stand at `first` otherwise.
static void take_verdict(machine *m, frame *f, uint32_t first) {
    if (!f->entered) {
        f->i = first;
        f->count = 0;
        f->stage = 0;
        f->problems = m->result->problem_count;
    } else if (!m->child) {
        f->valid = 0;
    }
}

static int gave_up(const frame *f) { return f->quiet && !f->valid; }

// Runs `node` over the frame's own value, once.
static weft_schema_step apply_same(machine *m, frame *f, uint32_t node) {
    take_verdict(m, f, 0);
    return f->entered ? STEP_DONE : weft_schema_call(m, node, f->value, 0, 0);
}

static int is_filled(const machine *m, uint32_t object, uint32_t name) {
    for (uint32_t i = 0; i < m->result->fill_count; i++) {
        const weft_schema_fill *fill = &m->result->fills[i];
        if (fill->object == object && weft_json_string_same(&m->schema->tape, fill->key, &m->schema->tape, name)) {
            return 1;
        }
    }
    return 0;
}

static void fill_defaults(machine *m, const frame *f, uint32_t map) {
    const weft_json_tape *tape = &m->schema->tape;
    weft_schema_result *to = m->result;
    for (uint32_t key = weft_json_first(tape, map); key != weft_json_end(tape, map); key = weft_json_next(tape, key + 1)) {
        uint32_t value = weft_json_member(tape, key + 1, "default");
        uint32_t found;
        if (!weft_schema_spend(m, 1 + to->fill_count / 16)) {
            return;
        }
        if (value == 0 || weft_json_find_same(m->tape, f->value, tape, key, &found) || is_filled(m, f->value, key)) {
            continue;
        }
        if (!weft_memory_reserve(to->memory, &to->fills, sizeof(*to->fills), &to->fill_capacity, to->fill_count + 1)) {
            m->status = WEFT_ERR_NO_MEMORY;
            return;
        }
        to->fills[to->fill_count++] = (weft_schema_fill){f->value, key, value};
    }
}

static weft_schema_step apply_properties(machine *m, frame *f, const instruction *run) {
    uint32_t map = run->keyword + 1;
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    if (!f->entered && run->a && m->options.fill && !f->quiet && !f->tentative) {
        fill_defaults(m, f, map);
    }
    while (f->i != weft_json_end(m->tape, f->value) && !gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t key = f->i;
        uint32_t found;
        f->i = weft_json_next(m->tape, key + 1);
        if (weft_json_find_same(&m->schema->tape, map, m->tape, key, &found)) {
            return weft_schema_enter(m, linked(m, found), key + 1);
        }
    }
    return STEP_DONE;
}

// i: the member, j: the pattern (a key of the map, 0 to start with the first).
static weft_schema_step apply_pattern_properties(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t map = run->keyword + 1;
    if (!f->entered) {
        f->j = weft_json_first(tape, map);
    }
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    while (f->i != weft_json_end(m->tape, f->value) && !gave_up(f) && weft_schema_spend(m, 1)) {
        if (f->j == weft_json_end(tape, map)) {
            f->i = weft_json_next(m->tape, f->i + 1);
            f->j = weft_json_first(tape, map);
            continue;
        }
        uint32_t pattern = f->j;
        f->j = weft_json_next(tape, pattern + 1);
        if (weft_schema_match(m, linked(m, pattern), f->i)) {
            return weft_schema_enter(m, linked(m, pattern + 1), f->i + 1);
        }
    }
    return STEP_DONE;
}

static int is_named(machine *m, const instruction *run, uint32_t key) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t found;
    if (run->b != 0 && weft_json_find_same(tape, run->b, m->tape, key, &found)) {
        return 1;
    }
    if (run->c != 0) {
        for (uint32_t at = weft_json_first(tape, run->c); at != weft_json_end(tape, run->c); at = weft_json_next(tape, at + 1)) {
            if (weft_schema_match(m, linked(m, at), key)) {
                return 1;
            }
        }
    }
    return 0;
}

static weft_schema_step apply_additional_properties(machine *m, frame *f, const instruction *run) {
    int never = weft_json_kind_of(&m->schema->tape, run->keyword + 1) == WEFT_JSON_FALSE;
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    while (f->i != weft_json_end(m->tape, f->value) && !gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t key = f->i;
        f->i = weft_json_next(m->tape, key + 1);
        if (is_named(m, run, key)) {
            continue;
        }
        if (!never) {
            return weft_schema_enter(m, run->a, key + 1);
        }
        weft_schema_reject(m, f, f->value, run->keyword, key);
    }
    return STEP_DONE;
}

static weft_schema_step apply_property_names(machine *m, frame *f, const instruction *run) {
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    if (f->i == weft_json_end(m->tape, f->value) || gave_up(f)) {
        return STEP_DONE;
    }
    uint32_t key = f->i;
    f->i = weft_json_next(m->tape, key + 1);
    return weft_schema_call(m, run->a, key, 0, 0);
}

static void assert_required(machine *m, frame *f, uint32_t keyword, uint32_t list) {
    const weft_json_tape *tape = &m->schema->tape;
    for (uint32_t at = weft_json_first(tape, list); at != weft_json_end(tape, list); at = weft_json_next(tape, at)) {
        uint32_t found;
        if (!weft_schema_spend(m, 1)) {
            return;
        }
        if (!weft_json_find_same(m->tape, f->value, tape, at, &found) && !is_filled(m, f->value, at)) {
            weft_schema_reject(m, f, f->value, keyword, at);
        }
    }
}

// dependentRequired, dependentSchemas and draft 7's mixture: lists are asserted, schemas run. i: the key of the map.
static weft_schema_step apply_dependencies(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t map = run->keyword + 1;
    take_verdict(m, f, weft_json_first(tape, map));
    while (f->i != weft_json_end(tape, map) && !gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t key = f->i;
        uint32_t found;
        f->i = weft_json_next(tape, key + 1);
        if (!weft_json_find_same(m->tape, f->value, tape, key, &found)) {
            continue;
        }
        if (weft_json_kind_of(tape, key + 1) != WEFT_JSON_ARRAY) {
            return weft_schema_call(m, linked(m, key + 1), f->value, 0, 0);
        }
        assert_required(m, f, run->keyword, key + 1);
    }
    return STEP_DONE;
}

static weft_schema_step apply_to_object(machine *m, frame *f, const instruction *run) {
    uint32_t count = weft_json_count(m->tape, f->value);
    switch (run->op) {
    case SCHEMA_PROPERTIES:
        return apply_properties(m, f, run);
    case SCHEMA_PATTERN_PROPERTIES:
        return apply_pattern_properties(m, f, run);
    case SCHEMA_ADDITIONAL_PROPERTIES:
        return apply_additional_properties(m, f, run);
    case SCHEMA_PROPERTY_NAMES:
        return apply_property_names(m, f, run);
    case SCHEMA_REQUIRED:
        assert_required(m, f, run->keyword, run->keyword + 1);
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

static weft_schema_step apply_items(machine *m, frame *f, const instruction *run) {
    uint32_t first = weft_json_first(m->tape, f->value);
    for (uint32_t skip = run->b; !f->entered && skip != 0 && first != weft_json_end(m->tape, f->value); skip--) {
        first = weft_json_next(m->tape, first);
    }
    take_verdict(m, f, first);
    if (f->i == weft_json_end(m->tape, f->value) || gave_up(f)) {
        return STEP_DONE;
    }
    uint32_t item = f->i;
    f->i = weft_json_next(m->tape, item);
    return weft_schema_enter(m, run->a, item);
}

static weft_schema_step apply_prefix_items(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    if (!f->entered) {
        f->j = weft_json_first(tape, list);
    }
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    if (f->i == weft_json_end(m->tape, f->value) || f->j == weft_json_end(tape, list) || gave_up(f)) {
        return STEP_DONE;
    }
    uint32_t item = f->i;
    uint32_t subschema = f->j;
    f->i = weft_json_next(m->tape, item);
    f->j = weft_json_next(tape, subschema);
    return weft_schema_enter(m, linked(m, subschema), item);
}

static weft_schema_step apply_contains(machine *m, frame *f, const instruction *run) {
    uint8_t valid = f->valid;
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    f->valid = valid; // an item that does not fit is no problem
    if (f->entered && m->child) {
        f->count++;
        if (m->schema->draft == SCHEMA_DRAFT_2020) {
            weft_schema_note(m, f->j);
        }
    }
    if (f->i != weft_json_end(m->tape, f->value)) {
        uint32_t item = f->i;
        f->i = weft_json_next(m->tape, item);
        f->j = item;
        return weft_schema_call(m, run->a, item, 1, 1);
    }
    if (f->count < run->number || (run->b != 0 && f->count > weft_json_number(&m->schema->tape, run->b))) {
        weft_schema_reject(m, f, f->value, run->keyword, f->count);
    }
    return STEP_DONE;
}

static weft_schema_step apply_all_of(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    take_verdict(m, f, weft_json_first(tape, list));
    if (f->i == weft_json_end(tape, list) || gave_up(f)) {
        return STEP_DONE;
    }
    uint32_t subschema = f->i;
    f->i = weft_json_next(tape, subschema);
    return weft_schema_call(m, linked(m, subschema), f->value, 0, 0);
}

// anyOf and oneOf. The summary is recorded before the alternatives' own problems, and all of them are taken back when
// an alternative fits. count: how many fitted.
static weft_schema_step apply_alternatives(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    uint8_t valid = f->valid;
    take_verdict(m, f, weft_json_first(tape, list));
    f->valid = valid;
    if (!f->entered) {
        weft_schema_reject(m, f, f->value, run->keyword, 0);
        f->valid = valid;
    } else if (m->child) {
        f->count++;
        m->result->problem_count = f->problems;
    }
    // Where it matters what has been evaluated, all that fit have their say.
    int decided = run->op == SCHEMA_ANY_OF ? f->count == 1 && !m->schema->tracks : f->count == 2;
    if (f->i != weft_json_end(tape, list) && !decided) {
        uint32_t subschema = f->i;
        f->i = weft_json_next(tape, subschema);
        return weft_schema_call(m, linked(m, subschema), f->value, f->count != 0, 1);
    }
    if (f->count == 0) {
        f->valid = 0;
    } else if (run->op == SCHEMA_ONE_OF && f->count == 2) {
        weft_schema_reject(m, f, f->value, run->keyword, 2);
    }
    return STEP_DONE;
}

static weft_schema_step apply_not(machine *m, frame *f, const instruction *run) {
    uint8_t valid = f->valid;
    take_verdict(m, f, 0);
    f->valid = valid;
    if (!f->entered) {
        return weft_schema_call(m, run->a, f->value, 1, 1);
    }
    if (m->child) {
        weft_schema_reject(m, f, f->value, run->keyword, 0);
    }
    return STEP_DONE;
}

// stage 0: the condition runs; 1: the branch.
static weft_schema_step apply_if(machine *m, frame *f, const instruction *run) {
    if (!f->entered) {
        f->stage = 0;
        return weft_schema_call(m, run->a, f->value, 1, 1);
    }
    if (f->stage == 1) {
        f->valid &= (uint8_t)m->child;
        return STEP_DONE;
    }
    uint32_t branch = m->child ? run->b : run->c;
    f->stage = 1;
    return branch == 0 ? STEP_DONE : weft_schema_call(m, branch - 1, f->value, 0, 0);
}

// Members (by their values) or items that nobody has looked at.
static weft_schema_step apply_unevaluated(machine *m, frame *f, const instruction *run, uint32_t to_value) {
    take_verdict(m, f, weft_json_first(m->tape, f->value));
    while (f->i != weft_json_end(m->tape, f->value) && !gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t value = f->i + to_value;
        f->i = weft_json_next(m->tape, value);
        if (!weft_schema_is_evaluated(m, f, value)) {
            return weft_schema_enter(m, run->a, value);
        }
    }
    return STEP_DONE;
}

weft_schema_step weft_schema_apply(weft_schema_machine *m, weft_schema_frame *f, const weft_schema_instruction *run) {
    weft_json_kind kind = weft_json_kind_of(m->tape, f->value);
    switch (run->op) {
    case SCHEMA_REF:
        return apply_same(m, f, run->a);
    case SCHEMA_ITEMS:
        return kind == WEFT_JSON_ARRAY ? apply_items(m, f, run) : STEP_DONE;
    case SCHEMA_PREFIX_ITEMS:
        return kind == WEFT_JSON_ARRAY ? apply_prefix_items(m, f, run) : STEP_DONE;
    case SCHEMA_CONTAINS:
        return kind == WEFT_JSON_ARRAY ? apply_contains(m, f, run) : STEP_DONE;
    case SCHEMA_ALL_OF:
        return apply_all_of(m, f, run);
    case SCHEMA_ANY_OF:
    case SCHEMA_ONE_OF:
        return apply_alternatives(m, f, run);
    case SCHEMA_NOT:
        return apply_not(m, f, run);
    case SCHEMA_IF:
        return apply_if(m, f, run);
    case SCHEMA_UNEVALUATED_ITEMS:
        return kind == WEFT_JSON_ARRAY ? apply_unevaluated(m, f, run, 0) : STEP_DONE;
    case SCHEMA_UNEVALUATED_PROPERTIES:
        return kind == WEFT_JSON_OBJECT ? apply_unevaluated(m, f, run, 1) : STEP_DONE;
    default:
        return kind == WEFT_JSON_OBJECT ? apply_to_object(m, f, run) : STEP_DONE;
    }
}
