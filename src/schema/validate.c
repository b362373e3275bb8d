// SPDX-License-Identifier: MIT
// Implements schema.h: runs the frames.
#include "machine.h"

#define DEFAULT_STEPS 1000000u
#define DEFAULT_PROBLEMS 16u

// Drops all notes but the first `count`.
static void take_back(weft_schema_machine *m, uint32_t count) {
    while (m->evaluated_count > count) {
        const weft_schema_note_of *note = &m->evaluated[--m->evaluated_count];
        m->latest[note->value] = note->before;
    }
}

static void leave(weft_schema_machine *m) {
    const weft_schema_frame *frame = &m->frames[m->depth - 1];
    m->child = !frame->valid ? VERDICT_NO : frame->depends ? VERDICT_UNSURE : VERDICT_YES;
    // Values evaluated inside another value do not matter outside it.
    if (!frame->valid || (m->depth > 1 && m->frames[m->depth - 2].value != frame->value)) {
        take_back(m, frame->evaluated);
    }
    m->depth--;
}

// Runs the topmost frame until it is left or pushes another one.
static void run_frame(weft_schema_machine *m) {
    uint32_t depth = m->depth;
    weft_schema_frame *frame = &m->frames[depth - 1];
    const weft_schema_node *node = &m->schema->nodes[frame->node];
    const weft_schema_instruction *run = &m->schema->instructions[node->first];
    while (weft_schema_spend_quickly(m, 1)) {
        uint32_t detail = 0;
        if (frame->at == node->count || (weft_schema_gave_up(frame) && !frame->entered)) {
            leave(m);
            return;
        }
        const weft_schema_instruction *now = &run[frame->at];
        if (weft_schema_looks_alone(now->op)) {
            if (!weft_schema_assert(m, frame->value, now, &detail)) {
                weft_schema_reject(m, frame, frame->value, now->keyword, detail);
            }
        } else if (weft_schema_apply(m, frame, now) == STEP_CHILD) {
            m->frames[depth - 1].entered = 1; // the frames may have moved
            return;
        }
        frame->at++;
        frame->entered = 0;
    }
}

static weft_schema_verdict run_all(weft_schema_machine *m, uint32_t root, int quiet) {
    weft_schema_result *result = m->result;
    result->problem_count = result->question_count = result->fill_count = result->hop_count = 0;
    m->depth = 0; // and no notes are left: an invalid run has dropped its own
    m->child = VERDICT_NO;
    weft_schema_call(m, 0, root, quiet, 0);
    while (m->status == WEFT_OK && m->depth != 0) {
        run_frame(m);
    }
    if (m->child == VERDICT_UNSURE) {
        weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET);
    }
    return m->child;
}

void weft_schema_result_init(weft_schema_result *result, weft_memory *memory) {
    *result = (weft_schema_result){.memory = memory};
}

void weft_schema_result_fini(weft_schema_result *result) {
    weft_memory *memory = result->memory;
    weft_memory_release(memory, result->problems,
                        result->problem_capacity * sizeof(*result->problems));
    weft_memory_release(memory, result->hops, result->hop_capacity * sizeof(*result->hops));
    weft_memory_release(memory, result->questions,
                        result->question_capacity * sizeof(*result->questions));
    weft_memory_release(memory, result->fills, result->fill_capacity * sizeof(*result->fills));
    weft_memory_release(memory, result->frames, result->frame_capacity * sizeof(*result->frames));
    weft_schema_result_init(result, memory);
}

weft_status weft_schema_validate(const weft_schema *schema, const weft_json_tape *tape,
                                 uint32_t root, const weft_schema_options *options,
                                 weft_schema_result *result) {
    weft_schema_machine m = {.schema = schema,
                             .tape = tape,
                             .result = result,
                             .frames = result->frames,
                             .status = WEFT_OK};
    if (options != NULL) {
        m.options = *options;
    }
    m.options.max_problems =
        m.options.max_problems == 0 ? DEFAULT_PROBLEMS : m.options.max_problems;
    m.options.max_steps = m.options.max_steps == 0 ? DEFAULT_STEPS : m.options.max_steps;
    m.steps = m.options.max_steps;
    if (schema->tracks &&
        (m.latest = weft_memory_zeroed(result->memory, tape->count, sizeof(*m.latest))) == NULL) {
        weft_schema_stop(&m, WEFT_ERR_NO_MEMORY);
    }
    // Most values are valid and need no problems: these are collected in a second run.
    int valid = run_all(&m, root, 1) == VERDICT_YES;
    if (m.status == WEFT_OK && !valid && result->question_count == 0) {
        m.steps = m.options.max_steps;
        run_all(&m, root, 0);
        // The verdict is final; some problems are reported, if not all.
        m.status =
            m.status == WEFT_ERR_SCHEMA_BUDGET && result->problem_count != 0 ? WEFT_OK : m.status;
    }
    weft_memory_release(result->memory, m.evaluated, m.evaluated_capacity * sizeof(*m.evaluated));
    weft_memory_release(result->memory, m.latest,
                        m.latest == NULL ? 0 : tape->count * sizeof(*m.latest));
    if (m.status == WEFT_OK && result->question_count != 0) {
        m.status = WEFT_ERR_NEEDS_HOST;
    }
    result->valid = m.status == WEFT_OK && valid;
    return m.status;
}
