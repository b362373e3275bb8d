// SPDX-License-Identifier: MIT
#include "machine.h"

#define DEFAULT_STEPS 1000000u
#define DEFAULT_PROBLEMS 16u
#define STATES_PER_STEP 16u // a state of the matcher is that much cheaper than a step here

int weft_schema_stop(weft_schema_machine *m, weft_status status) {
    m->steps = 0;
    m->status = m->status == WEFT_OK ? status : m->status;
    return 0;
}

int weft_schema_spend(weft_schema_machine *m, uint32_t cost) { return weft_schema_spend_quickly(m, cost); }

// The references by which the frames have come to the keyword that speaks.
static int add_hops(weft_schema_machine *m, weft_schema_problem *problem) {
    weft_schema_result *to = m->result;
    problem->hops = to->hop_count;
    for (uint32_t i = 0; i + 1 < m->depth; i++) {
        const weft_schema_node *node = &m->schema->nodes[m->frames[i].node];
        const weft_schema_instruction *run = &m->schema->instructions[node->first + m->frames[i].at];
        if (run->op > SCHEMA_RECURSIVE_REF) {
            continue;
        }
        if (!weft_memory_reserve(to->memory, &to->hops, sizeof(*to->hops), &to->hop_capacity, to->hop_count + 1)) {
            return 0;
        }
        to->hops[to->hop_count++] = (weft_schema_hop){m->schema->nodes[m->frames[i + 1].node].token, run->keyword};
    }
    problem->hop_count = to->hop_count - problem->hops;
    return 1;
}

void weft_schema_reject(weft_schema_machine *m, weft_schema_frame *frame, uint32_t value, uint32_t keyword, uint32_t detail) {
    weft_schema_result *to = m->result;
    frame->valid = 0;
    if (frame->quiet || to->problem_count >= m->options.max_problems) {
        return;
    }
    weft_schema_problem problem = {.value = value, .keyword = keyword, .detail = detail};
    weft_schema_spend(m, m->depth / 16);
    if (!weft_memory_reserve(to->memory, &to->problems, sizeof(*to->problems), &to->problem_capacity, to->problem_count + 1) ||
        !add_hops(m, &problem)) {
        weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
        return;
    }
    to->problems[to->problem_count++] = problem;
}

int weft_schema_run_leaf(weft_schema_machine *m, const weft_schema_node *node, uint32_t value) {
    uint32_t kind = weft_json_kind_of(m->tape, value);
    const weft_schema_instruction *all = m->schema->instructions; // NULL where no schema of the document has any
    uint32_t end = node->first + node->count;
    if (!weft_schema_spend_quickly(m, 1 + node->count)) {
        return 0;
    }
    for (uint32_t i = node->first; i != end; i++) {
        const weft_schema_instruction *run = &all[i];
        uint32_t detail;
        if ((run->op != SCHEMA_TYPE || (run->a >> kind & 1) == 0) && !weft_schema_assert(m, value, run, &detail)) {
            return 0;
        }
    }
    return 1;
}

// Whether the object lacks what the node's hints ask for.
static int misses(weft_schema_machine *m, const weft_schema_node *node, uint32_t value) {
    uint32_t found;
    if (weft_json_kind_of(m->tape, value) != WEFT_JSON_OBJECT) {
        return 0;
    }
    if (node->tells != 0 && weft_json_find_same(m->tape, value, &m->schema->tape, node->tells, &found)) {
        if (weft_json_kind_of(m->tape, found) == WEFT_JSON_STRING && weft_json_kind_of(&m->schema->tape, node->told) == WEFT_JSON_STRING) {
            return !weft_json_string_same(m->tape, found, &m->schema->tape, node->told);
        }
        int same = weft_json_same(m->tape, found, &m->schema->tape, node->told, &m->steps);
        return same == 0 || (same < 0 && !weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET));
    }
    return node->needs != 0 && !m->options.fill && !weft_json_find_same(m->tape, value, &m->schema->tape, node->needs, &found);
}

int weft_schema_asks_itself(weft_schema_machine *m, uint32_t number, uint32_t value) {
    for (uint32_t i = m->depth; i-- > 0 && m->frames[i].value == value && !m->schema->dynamic;) {
        if (!weft_schema_spend_quickly(m, 1)) {
            return 0;
        }
        if (m->frames[i].node == number) {
            m->child = VERDICT_UNSURE;
            return 1;
        }
    }
    return 0;
}

weft_schema_step weft_schema_call(weft_schema_machine *m, uint32_t number, uint32_t value, int quiet, int tentative) {
    const weft_schema_frame *from = m->depth == 0 ? NULL : &m->frames[m->depth - 1];
    const weft_schema_node *node = &m->schema->nodes[number];
    uint32_t hops = 0;
    quiet = quiet || (from != NULL && from->quiet);
    // A lone reference is the node that it names; who refers matters to dynamic ones only.
    while (quiet && !m->schema->dynamic && node->count == 1 && m->schema->instructions[node->first].op == SCHEMA_REF &&
           weft_schema_spend(m, 1)) {
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
        if (!weft_memory_reserve(to->memory, &to->frames, sizeof(*to->frames), &to->frame_capacity, m->depth + 1)) {
            weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
            return STEP_CHILD;
        }
        m->frames = to->frames;
        from = m->depth == 0 ? NULL : &m->frames[m->depth - 1];
    }
    m->frames[m->depth++] = (weft_schema_frame){.node = number,
                                                .value = value,
                                                .evaluated = m->evaluated_count,
                                                .valid = 1,
                                                .quiet = (uint8_t)quiet,
                                                .tracks = node->tracks || (from != NULL && from->value == value && from->tracks),
                                                .tentative = (uint8_t)(tentative || (from != NULL && from->tentative))};
    return STEP_CHILD;
}

void weft_schema_take_verdict(weft_schema_machine *m, weft_schema_frame *f, uint32_t first) {
    if (!f->entered) {
        f->i = first;
        f->count = 0;
        f->unsure = 0;
        f->stage = 0;
        f->problems = m->result->problem_count;
    } else {
        weft_schema_need(f, m->child);
    }
}

void weft_schema_note(weft_schema_machine *m, const weft_schema_frame *frame, uint32_t value) {
    if (!frame->tracks) {
        return;
    }
    if (!weft_memory_reserve(m->result->memory, &m->evaluated, sizeof(*m->evaluated), &m->evaluated_capacity,
                             m->evaluated_count + 1)) {
        weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
        return;
    }
    m->evaluated[m->evaluated_count++] = (weft_schema_note_of){value, m->latest[value]};
    m->latest[value] = m->evaluated_count;
}

// Takes back all notes but the first `count`.
static void take_back(weft_schema_machine *m, uint32_t count) {
    while (m->evaluated_count > count) {
        const weft_schema_note_of *note = &m->evaluated[--m->evaluated_count];
        m->latest[note->value] = note->before;
    }
}

int weft_schema_is_evaluated(const weft_schema_machine *m, const weft_schema_frame *frame, uint32_t value) {
    return m->latest[value] > frame->evaluated;
}

weft_schema_step weft_schema_enter(weft_schema_machine *m, weft_schema_frame *frame, uint32_t node, uint32_t value) {
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

static int answer_of_host(weft_schema_machine *m, uint32_t pattern, uint32_t value) {
    weft_schema_result *to = m->result;
    uint32_t token = m->schema->patterns[pattern].token;
    for (uint32_t i = 0; i < m->options.answer_count; i++) {
        const weft_schema_question *answer = &m->options.answers[i];
        if (answer->pattern == token && answer->value == value) {
            return answer->answer != 0;
        }
    }
    for (uint32_t i = 0; i < to->question_count; i++) {
        if (to->questions[i].pattern == token && to->questions[i].value == value) {
            return 1;
        }
    }
    if (!weft_memory_reserve(to->memory, &to->questions, sizeof(*to->questions), &to->question_capacity,
                             to->question_count + 1)) {
        weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
        return 1;
    }
    to->questions[to->question_count++] = (weft_schema_question){token, value, 0};
    return 1;
}

int weft_schema_match(weft_schema_machine *m, uint32_t pattern, uint32_t value) {
    weft_pattern *program = m->schema->patterns[pattern].program;
    if (program == NULL) {
        weft_schema_spend(m, 1 + m->options.answer_count + m->result->question_count);
        return answer_of_host(m, pattern, value);
    }
    uint32_t most = UINT32_MAX / STATES_PER_STEP;
    uint32_t lent = m->steps < most ? m->steps : most;
    uint32_t states = lent * STATES_PER_STEP;
    int verdict = weft_pattern_matches(program, m->result->memory, weft_json_text(m->tape, value), &states);
    m->steps = m->steps - lent + states / STATES_PER_STEP;
    if (verdict < 0) {
        weft_schema_stop(m, verdict == -1 ? WEFT_ERR_SCHEMA_BUDGET : WEFT_ERR_NO_MEMORY);
    }
    return verdict == 1;
}

static void leave(weft_schema_machine *m) {
    const weft_schema_frame *frame = &m->frames[m->depth - 1];
    m->child = !frame->valid ? VERDICT_NO : frame->depends ? VERDICT_UNSURE : VERDICT_YES;
    // What has been evaluated inside another value is nobody's business outside.
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
    m->depth = 0; // and nothing is noted: a run that found no fit has taken all back
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
    weft_memory_release(memory, result->problems, result->problem_capacity * sizeof(*result->problems));
    weft_memory_release(memory, result->hops, result->hop_capacity * sizeof(*result->hops));
    weft_memory_release(memory, result->questions, result->question_capacity * sizeof(*result->questions));
    weft_memory_release(memory, result->fills, result->fill_capacity * sizeof(*result->fills));
    weft_memory_release(memory, result->frames, result->frame_capacity * sizeof(*result->frames));
    weft_schema_result_init(result, memory);
}

weft_status weft_schema_validate(const weft_schema *schema, const weft_json_tape *tape, uint32_t root,
                                 const weft_schema_options *options, weft_schema_result *result) {
    weft_schema_machine m = {.schema = schema, .tape = tape, .result = result, .frames = result->frames, .status = WEFT_OK};
    if (options != NULL) {
        m.options = *options;
    }
    m.options.max_problems = m.options.max_problems == 0 ? DEFAULT_PROBLEMS : m.options.max_problems;
    m.options.max_steps = m.options.max_steps == 0 ? DEFAULT_STEPS : m.options.max_steps;
    m.steps = m.options.max_steps;
    if (schema->tracks && (m.latest = weft_memory_zeroed(result->memory, tape->count, sizeof(*m.latest))) == NULL) {
        weft_schema_stop(&m, WEFT_ERR_NO_MEMORY);
    }
    // Most values are valid, and then nobody asks for problems: they are looked for in a second run.
    int valid = run_all(&m, root, 1) == VERDICT_YES;
    if (m.status == WEFT_OK && !valid && result->question_count == 0) {
        m.steps = m.options.max_steps;
        run_all(&m, root, 0);
        // The verdict stands; some problems are told, if not all.
        m.status = m.status == WEFT_ERR_SCHEMA_BUDGET && result->problem_count != 0 ? WEFT_OK : m.status;
    }
    weft_memory_release(result->memory, m.evaluated, m.evaluated_capacity * sizeof(*m.evaluated));
    weft_memory_release(result->memory, m.latest, m.latest == NULL ? 0 : tape->count * sizeof(*m.latest));
    if (m.status == WEFT_OK && result->question_count != 0) {
        m.status = WEFT_ERR_NEEDS_HOST;
    }
    result->valid = m.status == WEFT_OK && valid;
    return m.status;
}
