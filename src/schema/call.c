// SPDX-License-Identifier: MIT
// Implements machine.h: runs a schema over a value, at once if possible, else in its own frame.
#include "machine.h"

int weft_schema_run_leaf(weft_schema_machine *m, const weft_schema_node *node, uint32_t value) {
    uint32_t kind = weft_json_kind_of(m->tape, value);
    const weft_schema_instruction *all =
        m->schema->instructions; // NULL if no schema of the document has any
    uint32_t end = node->first + node->count;
    if (!weft_schema_spend_quickly(m, 1 + node->count)) {
        return 0;
    }
    for (uint32_t i = node->first; i != end; i++) {
        const weft_schema_instruction *run = &all[i];
        uint32_t detail;
        if ((run->op != SCHEMA_TYPE || (run->a >> kind & 1) == 0) &&
            !weft_schema_assert(m, value, run, &detail)) {
            return 0;
        }
    }
    return 1;
}

// Returns whether the object lacks a property that the node's hints require.
static int misses(weft_schema_machine *m, const weft_schema_node *node, uint32_t value) {
    uint32_t found;
    if (weft_json_kind_of(m->tape, value) != WEFT_JSON_OBJECT) {
        return 0;
    }
    if (node->tag != 0 &&
        weft_json_find_same(m->tape, value, &m->schema->tape, node->tag, &found)) {
        if (weft_json_kind_of(m->tape, found) == WEFT_JSON_STRING &&
            weft_json_kind_of(&m->schema->tape, node->tag_value) == WEFT_JSON_STRING) {
            return !weft_json_string_same(m->tape, found, &m->schema->tape, node->tag_value);
        }
        int same = weft_json_same(m->tape, found, &m->schema->tape, node->tag_value, &m->steps);
        return same == 0 || (same < 0 && !weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET));
    }
    return node->needs != 0 && !m->options.fill &&
           !weft_json_find_same(m->tape, value, &m->schema->tape, node->needs, &found);
}

weft_schema_step weft_schema_call(weft_schema_machine *m, uint32_t number, uint32_t value,
                                  int quiet, int tentative) {
    const weft_schema_frame *from = m->depth == 0 ? NULL : &m->frames[m->depth - 1];
    const weft_schema_node *node = &m->schema->nodes[number];
    uint32_t hops = 0;
    quiet = quiet || (from != NULL && from->quiet);
    // A lone reference is replaced by its target; the referring node matters to dynamic references
    // only.
    while (quiet && !m->schema->dynamic && node->count == 1 &&
           m->schema->instructions[node->first].op == SCHEMA_REF && weft_schema_spend(m, 1)) {
        number = m->schema->instructions[node->first].a;
        if (++hops > m->schema->node_count || weft_schema_asks_itself(m, number, value)) {
            m->child = VERDICT_UNSURE;
            return STEP_DONE;
        }
        node = &m->schema->nodes[number];
    }
    if (node->leaf && (quiet || node->count == 0)) {
        m->child = weft_schema_run_leaf(m, node, value) ? VERDICT_YES : VERDICT_NO;
        return STEP_DONE;
    }
    if (quiet && tentative && misses(m, node, value)) {
        weft_schema_spend(m, 1);
        m->child = VERDICT_NO;
        return STEP_DONE;
    }
    if (m->depth == WEFT_SCHEMA_MOST_FRAMES) {
        weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET);
        return STEP_CHILD;
    }
    if (m->depth == m->result->frame_capacity) {
        weft_schema_result *to = m->result;
        if (!weft_memory_reserve(to->memory, &to->frames, sizeof(*to->frames), &to->frame_capacity,
                                 m->depth + 1)) {
            weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
            return STEP_CHILD;
        }
        m->frames = to->frames;
        from = m->depth == 0 ? NULL : &m->frames[m->depth - 1];
    }
    m->frames[m->depth++] = (weft_schema_frame){
        .node = number,
        .value = value,
        .evaluated = m->evaluated_count,
        .valid = 1,
        .quiet = (uint8_t)quiet,
        .tracks = node->tracks || (from != NULL && from->value == value && from->tracks),
        .tentative = (uint8_t)(tentative || (from != NULL && from->tentative))};
    return STEP_CHILD;
}

weft_schema_step weft_schema_enter(weft_schema_machine *m, weft_schema_frame *frame, uint32_t node,
                                   uint32_t value) {
    const weft_schema_node *run = &m->schema->nodes[node];
    weft_schema_note(m, frame, value);
    if (run->leaf && frame->quiet) {
        m->child = weft_schema_run_leaf(m, run, value) ? VERDICT_YES : VERDICT_NO;
    } else if (weft_schema_call(m, node, value, 0, 0) == STEP_CHILD) {
        return STEP_CHILD;
    }
    weft_schema_need(frame, m->child);
    return STEP_DONE;
}
