// SPDX-License-Identifier: MIT
// Implements machine.h: the state of a validation: its budget, problems, evaluated values, and
// questions for the host.
#include "machine.h"

#define STATES_PER_STEP 16u // matcher states that cost one step

int weft_schema_stop(weft_schema_machine *m, weft_status status) {
    m->steps = 0;
    m->status = m->status == WEFT_OK ? status : m->status;
    return 0;
}

int weft_schema_spend(weft_schema_machine *m, uint32_t cost) {
    return weft_schema_spend_quickly(m, cost);
}

// Adds the references that led the frames to the failing keyword.
static int add_hops(weft_schema_machine *m, weft_schema_problem *problem) {
    weft_schema_result *to = m->result;
    problem->hops = to->hop_count;
    for (uint32_t i = 0; i + 1 < m->depth; i++) {
        const weft_schema_node *node = &m->schema->nodes[m->frames[i].node];
        const weft_schema_instruction *run =
            &m->schema->instructions[node->first + m->frames[i].at];
        if (run->op > SCHEMA_RECURSIVE_REF) {
            continue;
        }
        if (!weft_memory_reserve(to->memory, &to->hops, sizeof(*to->hops), &to->hop_capacity,
                                 to->hop_count + 1)) {
            return 0;
        }
        to->hops[to->hop_count++] =
            (weft_schema_hop){m->schema->nodes[m->frames[i + 1].node].token, run->keyword};
    }
    problem->hop_count = to->hop_count - problem->hops;
    return 1;
}

void weft_schema_reject(weft_schema_machine *m, weft_schema_frame *frame, uint32_t value,
                        uint32_t keyword, uint32_t detail) {
    weft_schema_result *to = m->result;
    frame->valid = 0;
    if (frame->quiet || to->problem_count >= m->options.max_problems) {
        return;
    }
    weft_schema_problem problem = {.value = value, .keyword = keyword, .detail = detail};
    weft_schema_spend(m, m->depth / 16);
    if (!weft_memory_reserve(to->memory, &to->problems, sizeof(*to->problems),
                             &to->problem_capacity, to->problem_count + 1) ||
        !add_hops(m, &problem)) {
        weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
        return;
    }
    to->problems[to->problem_count++] = problem;
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
    if (!weft_memory_reserve(m->result->memory, &m->evaluated, sizeof(*m->evaluated),
                             &m->evaluated_capacity, m->evaluated_count + 1)) {
        weft_schema_stop(m, WEFT_ERR_NO_MEMORY);
        return;
    }
    m->evaluated[m->evaluated_count++] = (weft_schema_note_of){value, m->latest[value]};
    m->latest[value] = m->evaluated_count;
}

int weft_schema_is_evaluated(const weft_schema_machine *m, const weft_schema_frame *frame,
                             uint32_t value) {
    return m->latest[value] > frame->evaluated;
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
    if (!weft_memory_reserve(to->memory, &to->questions, sizeof(*to->questions),
                             &to->question_capacity, to->question_count + 1)) {
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
    int verdict =
        weft_pattern_matches(program, m->result->memory, weft_json_text(m->tape, value), &states);
    m->steps = m->steps - lent + states / STATES_PER_STEP;
    if (verdict < 0) {
        weft_schema_stop(m, verdict == -1 ? WEFT_ERR_SCHEMA_BUDGET : WEFT_ERR_NO_MEMORY);
    }
    return verdict == 1;
}
