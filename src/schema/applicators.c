// SPDX-License-Identifier: MIT
// Implements machine.h: keywords that apply other schemas: allOf, anyOf, oneOf, not, if, contains,
// items, additionalProperties and so on.
#include "machine.h"

typedef weft_schema_machine machine;
typedef weft_schema_frame frame;
typedef weft_schema_instruction instruction;

static uint32_t linked(const machine *m, uint32_t token) {
    return weft_schema_link(m->schema, token);
}

// Runs `node` over the frame's own value, once.
static weft_schema_step apply_same(machine *m, frame *f, uint32_t node) {
    if (!f->entered && weft_schema_call(m, node, f->value, 0, 0) == STEP_CHILD) {
        return STEP_CHILD;
    }
    weft_schema_need(f, m->child);
    return STEP_DONE;
}

// Returns the node that the dynamic reference `run` means in the resource, or `otherwise`.
static uint32_t meaning_in(const machine *m, const instruction *run, const weft_schema_resource *in,
                           uint32_t otherwise) {
    const weft_schema *schema = m->schema;
    if (run->op == SCHEMA_RECURSIVE_REF) {
        return in->recursive ? linked(m, in->token) : otherwise;
    }
    for (uint32_t i = 0; i < schema->anchor_count; i++) {
        const weft_schema_anchor *anchor = &schema->anchors[i];
        if (anchor->dynamic && anchor->resource == in->token &&
            weft_schema_same_text(anchor->name, schema->anchors[run->b - 1].name)) {
            return linked(m, anchor->token);
        }
    }
    return otherwise;
}

// Applies a dynamic reference: the outermost resource that defines its target decides.
static weft_schema_step apply_dynamic(machine *m, frame *f, const instruction *run) {
    uint32_t node = UINT32_MAX;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0;
         !f->entered && i < m->depth && node == UINT32_MAX && weft_schema_spend(m, 1); i++) {
        uint32_t resource = m->schema->nodes[m->frames[i].node].resource;
        if (resource != last && weft_schema_spend(m, m->schema->anchor_count)) {
            node = meaning_in(m, run, &m->schema->resources[resource], UINT32_MAX);
            last = resource;
        }
    }
    return apply_same(m, f, node == UINT32_MAX ? run->a : node);
}

static weft_schema_step apply_prefix_items(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    if (!f->entered) {
        f->j = weft_json_first(tape, list);
    }
    weft_schema_take_verdict(m, f, weft_json_first(m->tape, f->value));
    while (f->i != weft_json_end(m->tape, f->value) && f->j != weft_json_end(tape, list) &&
           !weft_schema_gave_up(f)) {
        uint32_t item = f->i;
        uint32_t subschema = f->j;
        f->i = weft_json_next(m->tape, item);
        f->j = weft_json_next(tape, subschema);
        if (weft_schema_enter(m, f, linked(m, subschema), item) == STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    return STEP_DONE;
}

static void count_contained(machine *m, frame *f, const instruction *run) {
    f->unsure += m->child == VERDICT_UNSURE;
    if (m->child == VERDICT_YES) {
        f->count++;
        if (run->c) {
            weft_schema_note(m, f, f->j);
        }
    }
}

static weft_schema_step apply_contains(machine *m, frame *f, const instruction *run) {
    if (f->entered) {
        count_contained(m, f, run);
    } else {
        weft_schema_take_verdict(m, f, weft_json_first(m->tape, f->value));
    }
    while (f->i != weft_json_end(m->tape, f->value) && weft_schema_spend(m, 1)) {
        uint32_t item = f->i;
        f->i = weft_json_next(m->tape, item);
        f->j = item;
        if (weft_schema_call(m, run->a, item, 1, 1) == STEP_CHILD) {
            return STEP_CHILD;
        }
        count_contained(m, f, run);
    }
    double most = run->b == 0 ? UINT32_MAX : weft_json_number(&m->schema->tape, run->b);
    uint32_t possible = f->count + f->unsure;
    if (possible < run->number || f->count > most) {
        weft_schema_reject(m, f, f->value, run->keyword, f->count);
    }
    f->depends |= f->unsure != 0 && (f->count < run->number || possible > most || f->tracks);
    return STEP_DONE;
}

static weft_schema_step apply_all_of(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    weft_schema_take_verdict(m, f, weft_json_first(tape, list));
    while (f->i != weft_json_end(tape, list) && !weft_schema_gave_up(f)) {
        uint32_t subschema = f->i;
        f->i = weft_json_next(tape, subschema);
        if (weft_schema_call(m, linked(m, subschema), f->value, 0, 0) == STEP_CHILD) {
            return STEP_CHILD;
        }
        weft_schema_need(f, m->child);
    }
    return STEP_DONE;
}

static void count_fitting(machine *m, frame *f) {
    weft_schema_result *to = m->result;
    f->unsure += m->child == VERDICT_UNSURE;
    f->count += m->child == VERDICT_YES;
    if (m->child != VERDICT_NO) {
        if (to->problem_count > f->problems) {
            to->hop_count = to->problems[f->problems].hops;
            to->problem_count = f->problems;
        }
    }
}

// Applies anyOf and oneOf. The summary is recorded before the alternatives' own problems, and all
// are dropped when an alternative fits. count: number of alternatives that fit.
static weft_schema_step apply_alternatives(machine *m, frame *f, const instruction *run) {
    const weft_json_tape *tape = &m->schema->tape;
    uint32_t list = run->keyword + 1;
    if (f->entered) {
        count_fitting(m, f);
    } else {
        uint8_t valid = f->valid;
        weft_schema_take_verdict(m, f, weft_json_first(tape, list));
        weft_schema_reject(m, f, f->value, run->keyword, 0);
        f->valid = valid;
    }
    // Where evaluated members and items matter, all fitting alternatives must run.
    uint32_t enough = run->op == SCHEMA_ONE_OF ? 2 : f->tracks ? UINT32_MAX : 1;
    while (f->i != weft_json_end(tape, list) && f->count < enough) {
        uint32_t subschema = f->i;
        f->i = weft_json_next(tape, subschema);
        if (weft_schema_call(m, linked(m, subschema), f->value, f->count != 0, 1) == STEP_CHILD) {
            return STEP_CHILD;
        }
        count_fitting(m, f);
    }
    if (f->count + f->unsure == 0) {
        f->valid = 0;
    } else if (run->op == SCHEMA_ONE_OF && f->count == 2) {
        weft_schema_reject(m, f, f->value, run->keyword, 2);
    }
    f->depends |= f->unsure != 0 && (f->count == 0 || run->op == SCHEMA_ONE_OF || f->tracks);
    return STEP_DONE;
}

static weft_schema_step apply_not(machine *m, frame *f, const instruction *run) {
    if (!f->entered && weft_schema_call(m, run->a, f->value, 1, 1) == STEP_CHILD) {
        return STEP_CHILD;
    }
    if (m->child == VERDICT_YES) {
        weft_schema_reject(m, f, f->value, run->keyword, 0);
    }
    f->depends |= m->child == VERDICT_UNSURE;
    return STEP_DONE;
}

// Applies `if`. stage 0: the condition runs; 1: the branch.
static weft_schema_step apply_if(machine *m, frame *f, const instruction *run) {
    if (!f->entered) {
        f->stage = 0;
        if (weft_schema_call(m, run->a, f->value, 1, 1) == STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    if (f->stage == 0) {
        uint32_t branch = m->child == VERDICT_YES ? run->b : run->c;
        f->stage = 1;
        if (m->child == VERDICT_UNSURE) {
            f->depends |= run->b != 0 || run->c != 0 || f->tracks;
            return STEP_DONE;
        }
        if (branch == 0) {
            return STEP_DONE;
        }
        if (weft_schema_call(m, branch - 1, f->value, 0, 0) == STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    weft_schema_need(f, m->child);
    return STEP_DONE;
}

// Returns whether the keyword skips the member or item, because other keywords handle it.
static int passes(machine *m, frame *f, const instruction *run, uint32_t at, uint32_t value) {
    switch (run->op) {
    case SCHEMA_ADDITIONAL_PROPERTIES:
        return weft_schema_is_named(m, run, at);
    case SCHEMA_UNEVALUATED_ITEMS:
    case SCHEMA_UNEVALUATED_PROPERTIES:
        return weft_schema_is_evaluated(m, f, value);
    default:
        return 0;
    }
}

// Applies one schema to all items, members or names: items, additionalProperties, propertyNames and
// the unevaluated ones.
static weft_schema_step apply_each(machine *m, frame *f, const instruction *run,
                                   uint32_t to_value) {
    uint32_t first = weft_json_first(m->tape, f->value);
    uint32_t end = weft_json_end(m->tape, f->value);
    for (uint32_t skip = run->op == SCHEMA_ITEMS && !f->entered ? run->b : 0;
         skip != 0 && first != end; skip--) {
        first = weft_json_next(m->tape, first);
    }
    weft_schema_take_verdict(m, f, first);
    if (run->op == SCHEMA_ADDITIONAL_PROPERTIES &&
        f->matched == weft_json_count(m->tape, f->value)) {
        return STEP_DONE; // `properties` has matched them all
    }
    while (f->i != end && !weft_schema_gave_up(f) && weft_schema_spend(m, 1)) {
        uint32_t at = f->i;
        uint32_t value = at + to_value;
        f->i = weft_json_next(m->tape, value);
        if (passes(m, f, run, at, value)) {
            continue;
        }
        if (run->op == SCHEMA_ADDITIONAL_PROPERTIES &&
            weft_json_kind_of(&m->schema->tape, run->keyword + 1) == WEFT_JSON_FALSE) {
            weft_schema_reject(m, f, f->value, run->keyword, at);
        } else if (weft_schema_enter(m, f, run->a, run->op == SCHEMA_PROPERTY_NAMES ? at : value) ==
                   STEP_CHILD) {
            return STEP_CHILD;
        }
    }
    return STEP_DONE;
}

weft_schema_step weft_schema_apply(weft_schema_machine *m, weft_schema_frame *f,
                                   const weft_schema_instruction *run) {
    weft_json_kind kind = weft_json_kind_of(m->tape, f->value);
    switch (run->op) {
    case SCHEMA_REF:
        if (!f->entered && weft_schema_asks_itself(m, run->a, f->value)) {
            weft_schema_need(f, m->child);
            return STEP_DONE;
        }
        return apply_same(m, f, run->a);
    case SCHEMA_DYNAMIC_REF:
    case SCHEMA_RECURSIVE_REF:
        return run->b != 0 ? apply_dynamic(m, f, run) : apply_same(m, f, run->a);
    case SCHEMA_ALL_OF:
        return apply_all_of(m, f, run);
    case SCHEMA_ANY_OF:
    case SCHEMA_ONE_OF:
        return apply_alternatives(m, f, run);
    case SCHEMA_NOT:
        return apply_not(m, f, run);
    case SCHEMA_IF:
        return apply_if(m, f, run);
    case SCHEMA_PREFIX_ITEMS:
        return kind == WEFT_JSON_ARRAY ? apply_prefix_items(m, f, run) : STEP_DONE;
    case SCHEMA_CONTAINS:
        return kind == WEFT_JSON_ARRAY ? apply_contains(m, f, run) : STEP_DONE;
    case SCHEMA_ITEMS:
    case SCHEMA_UNEVALUATED_ITEMS:
        return kind == WEFT_JSON_ARRAY ? apply_each(m, f, run, 0) : STEP_DONE;
    case SCHEMA_ADDITIONAL_PROPERTIES:
    case SCHEMA_PROPERTY_NAMES:
    case SCHEMA_UNEVALUATED_PROPERTIES:
        return kind == WEFT_JSON_OBJECT ? apply_each(m, f, run, 1) : STEP_DONE;
    default:
        return kind == WEFT_JSON_OBJECT ? weft_schema_apply_object(m, f, run) : STEP_DONE;
    }
}
