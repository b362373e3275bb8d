// SPDX-License-Identifier: MIT
// Implements pattern_program.h: makes the program from the tree.
#include "pattern_program.h"

// State of the emitter. It recurses over groups only, whose nesting the parser limits to
// WEFT_PATTERN_MOST_DEPTH.
typedef struct maker {
    weft_pattern *pattern;
    const weft_pattern_tree *tree;
    weft_status status;
    uint32_t visits; // visited nodes: even those without states take time
} maker;

#define MOST_VISITS (50 * WEFT_PATTERN_MOST_STATES)

static void emit(maker *m, uint32_t node);

// Adds a state and returns its number. Counted repetitions are what makes programs large.
static uint32_t add_state(maker *m, weft_pattern_op op, uint32_t a, uint32_t b) {
    weft_pattern *to = m->pattern;
    if (m->status != WEFT_OK) {
        return 0;
    }
    if (to->state_count == WEFT_PATTERN_MOST_STATES) {
        m->status = WEFT_ERR_PATTERN;
        return 0;
    }
    if (!weft_memory_reserve(to->memory, &to->states, sizeof(*to->states), &to->state_capacity,
                             to->state_count + 1)) {
        m->status = WEFT_ERR_NO_MEMORY;
        return 0;
    }
    to->borders |= op == PATTERN_BORDER || op == PATTERN_INSIDE || op == PATTERN_LOOK;
    to->states[to->state_count] = (weft_pattern_state){op, a, b};
    return to->state_count++;
}

// Sets the exit of every state in the chain that starts at `state` (linked through the open exits)
// to the next state.
static void close_exits(maker *m, uint32_t state) {
    while (m->status == WEFT_OK && state != WEFT_PATTERN_NONE) {
        weft_pattern_state *at = &m->pattern->states[state];
        uint32_t *exit = at->op == PATTERN_SPLIT || at->op == PATTERN_LAZY ? &at->b : &at->a;
        state = *exit;
        *exit = m->pattern->state_count;
    }
}

static void emit_choice(maker *m, uint32_t child) {
    uint32_t jumps = WEFT_PATTERN_NONE;
    for (; m->status == WEFT_OK && m->tree->nodes[child].next != WEFT_PATTERN_NONE;
         child = m->tree->nodes[child].next) {
        uint32_t split =
            add_state(m, PATTERN_SPLIT, m->pattern->state_count + 1, WEFT_PATTERN_NONE);
        emit(m, child);
        jumps = add_state(m, PATTERN_JUMP, jumps, 0);
        close_exits(m, split);
    }
    emit(m, child);
    close_exits(m, jumps);
}

// Emits one iteration of a repetition: groups in it forget the previous iteration's match.
static void emit_turn(maker *m, const weft_pattern_node *node) {
    if (m->pattern->backs && node->first < node->last) {
        add_state(m, PATTERN_RESET, weft_pattern_slot(node->first), 2 * (node->last - node->first));
    }
    emit(m, node->a);
}

// Emits an unbounded repetition; if positions are saved, an iteration that matches nothing does not
// count.
static void emit_loop(maker *m, const weft_pattern_node *node, weft_pattern_op split) {
    uint32_t from = add_state(m, split, m->pattern->state_count + 1, WEFT_PATTERN_NONE);
    uint32_t slot = m->pattern->slots;
    m->pattern->slots += m->pattern->backs;
    if (m->pattern->backs) {
        add_state(m, PATTERN_SAVE, slot, 0);
    }
    emit_turn(m, node);
    if (m->pattern->backs) {
        add_state(m, PATTERN_MOVED, slot, 0);
    }
    add_state(m, PATTERN_JUMP, from, 0);
    close_exits(m, from);
}

static void emit_repeat(maker *m, const weft_pattern_node *node) {
    weft_pattern_op split = node->b ? PATTERN_LAZY : PATTERN_SPLIT;
    uint32_t min = node->min;
    uint32_t max = node->max;
    for (uint32_t i = 0; i < min && m->status == WEFT_OK; i++) {
        uint32_t before = m->pattern->state_count;
        emit_turn(m, node);
        if (m->pattern->state_count == before) {
            return; // an empty child: once is enough
        }
    }
    if (max == WEFT_PATTERN_NONE) {
        emit_loop(m, node, split);
        return;
    }
    uint32_t splits = WEFT_PATTERN_NONE;
    for (uint32_t i = min; i < max && m->status == WEFT_OK; i++) {
        splits = add_state(m, split, m->pattern->state_count + 1, splits);
        emit_turn(m, node);
    }
    close_exits(m, splits);
}

static void emit_look(maker *m, const weft_pattern_node *node) {
    add_state(m, PATTERN_LOOK, 0, node->b);
    uint32_t jump = add_state(m, PATTERN_JUMP, WEFT_PATTERN_NONE, 0);
    emit(m, node->a);
    add_state(m, PATTERN_MATCH, 0, 0);
    close_exits(m, jump);
}

static void emit_group(maker *m, const weft_pattern_node *node) {
    uint32_t slot = weft_pattern_slot(node->b);
    if (m->pattern->backs) {
        add_state(m, PATTERN_SAVE, slot, 0);
    }
    emit(m, node->a);
    if (m->pattern->backs) {
        add_state(m, PATTERN_SAVE, slot + 1, 0);
    }
}

static void emit(maker *m, uint32_t at) {
    const weft_pattern_node *node = &m->tree->nodes[at];
    if (m->status == WEFT_OK && ++m->visits > MOST_VISITS) {
        m->status = WEFT_ERR_PATTERN;
    }
    if (m->status != WEFT_OK) {
        return;
    }
    switch (node->op) {
    case PATTERN_SEQUENCE:
        for (uint32_t child = node->a; child != WEFT_PATTERN_NONE;
             child = m->tree->nodes[child].next) {
            emit(m, child);
        }
        return;
    case PATTERN_CHOICE:
        emit_choice(m, node->a);
        return;
    case PATTERN_REPEAT:
        emit_repeat(m, node);
        return;
    case PATTERN_LOOK:
        emit_look(m, node);
        return;
    case PATTERN_GROUP:
        emit_group(m, node);
        return;
    default:
        add_state(m, node->op, node->a, node->b);
        return;
    }
}

weft_status weft_pattern_compile(weft_memory *memory, const uint8_t *source, uint32_t length,
                                 const weft_pattern_letters *letters, weft_pattern **pattern,
                                 const char **reason) {
    weft_pattern_tree tree = {0};
    weft_pattern *made = weft_memory_zeroed(memory, 1, sizeof(*made));
    *pattern = NULL;
    *reason = "";
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    made->memory = memory;
    weft_status status = weft_pattern_parse(made, source, length, letters, &tree, reason);
    if (status == WEFT_OK) {
        made->slots = 2 * made->groups;
        maker m = {.pattern = made, .tree = &tree, .status = WEFT_OK};
        emit(&m, tree.root);
        add_state(&m, PATTERN_MATCH, 0, 0);
        status = m.status;
        *reason = status == WEFT_ERR_PATTERN ? "it is too large" : "";
    }
    weft_memory_release(memory, tree.nodes, tree.capacity * sizeof(*tree.nodes));
    if (status != WEFT_OK) {
        weft_pattern_free(made);
        return status;
    }
    *pattern = made;
    return WEFT_OK;
}

void weft_pattern_free(weft_pattern *pattern) {
    if (pattern == NULL) {
        return;
    }
    weft_memory *memory = pattern->memory;
    weft_memory_release(memory, pattern->places,
                        pattern->place_capacity * sizeof(*pattern->places));
    weft_memory_release(memory, pattern->rows, pattern->row_capacity);
    weft_memory_release(memory, pattern->sets, pattern->set_capacity * sizeof(*pattern->sets));
    weft_memory_release(memory, pattern->states,
                        pattern->state_capacity * sizeof(*pattern->states));
    weft_memory_release(memory, pattern->ranges,
                        pattern->range_capacity * sizeof(*pattern->ranges));
    weft_memory_release(memory, pattern, sizeof(*pattern));
}
