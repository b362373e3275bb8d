// SPDX-License-Identifier: MIT
// The validator's machine: one frame per (node, value) on an explicit stack. From the lowest:
// machine.c (its state), assert.c (keywords that only look at the value), call.c (runs a schema),
// objects.c and applicators.c (keywords that run other schemas), validate.c (runs the frames).
#ifndef WEFT_SCHEMA_MACHINE_H
#define WEFT_SCHEMA_MACHINE_H

#include <string.h>

#include "program.h"

// Max depth of frames: far more than 128 levels of values need, and a bound for cyclic references.
#define WEFT_SCHEMA_MOST_FRAMES 4096u

typedef struct weft_schema_frame {
    uint32_t node;
    uint32_t value;
    uint32_t at;      // current instruction of the node
    uint32_t i, j;    // the instruction's position among members, items or subschemas
    uint32_t count;   // the instruction's count
    uint32_t unsure;  // how many verdicts it could not decide
    uint32_t matched; // number of members that `properties` matched, and as bits which of the first
                      // WEFT_SCHEMA_COUNTED properties they are
    uint32_t seen;
    uint32_t evaluated; // the machine's evaluated_count when the frame was pushed
    uint32_t problems;  // the result's count when the instruction started, to drop tentative ones
    uint8_t entered;    // the instruction has started
    uint8_t stage;
    uint8_t valid; // no misfit is known; if `depends`, some verdict is undecided
    uint8_t depends;
    uint8_t quiet;     // problems are not collected: stop at the first
    uint8_t tentative; // records no defaults
    uint8_t tracks; // evaluated members and items matter: to this node, or to a parent frame on the
                    // same value
} weft_schema_frame;

// A schema's verdict on a value. UNSURE: the verdict depends on itself, so it is undecided; the
// parent's may still be decided without it.
typedef enum weft_schema_verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNSURE } weft_schema_verdict;

typedef struct weft_schema_note_of {
    uint32_t value;
    uint32_t before; // earlier value of `latest`
} weft_schema_note_of;

typedef struct weft_schema_machine {
    const weft_schema *schema;
    const weft_json_tape *tape;
    weft_schema_result *result;
    weft_schema_options options;
    uint32_t steps;            // left; 0 once stopped
    weft_schema_frame *frames; // owned by the result
    uint32_t depth;
    weft_schema_note_of *evaluated; // members' values and items that were evaluated in valid frames
    uint32_t evaluated_count, evaluated_capacity;
    uint32_t *
        latest; // per token of the tape: 1 + its last note, 0 = none. NULL unless the schema tracks
    weft_schema_verdict child; // of the last finished call
    weft_status status;
} weft_schema_machine;

// Result of an instruction: done, or it has pushed a frame and must be called again with `child`.
typedef enum weft_schema_step { STEP_DONE, STEP_CHILD } weft_schema_step;

// Ends the validation with `status`, or keeps an earlier one; returns 0.
int weft_schema_stop(weft_schema_machine *m, weft_status status);

// Spends `cost` steps; returns 0 and sets a status when they are used up. The inline variant is for
// the paths of each member or keyword.
int weft_schema_spend(weft_schema_machine *m, uint32_t cost);
static inline int weft_schema_spend_quickly(weft_schema_machine *m, uint32_t cost) {
    if (m->steps < cost) {
        return weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET);
    }
    m->steps -= cost;
    return 1;
}

// Marks the frame invalid and records the problem, unless the frame is quiet.
void weft_schema_reject(weft_schema_machine *m, weft_schema_frame *frame, uint32_t value,
                        uint32_t keyword, uint32_t detail);

// Returns whether the node is already running on the value: then m->child is UNSURE, and it must
// not run again.
int weft_schema_asks_itself(weft_schema_machine *m, uint32_t node, uint32_t value);

// Combines a verdict that the frame's own one requires.
static inline void weft_schema_need(weft_schema_frame *f, weft_schema_verdict verdict) {
    f->valid &= verdict != VERDICT_NO;
    f->depends |= verdict == VERDICT_UNSURE;
}

// Runs `node` over `value`: STEP_DONE with the verdict in m->child if it is known at once; else a
// frame was pushed, and the pointer to the current frame is stale.
weft_schema_step weft_schema_call(weft_schema_machine *m, uint32_t node, uint32_t value, int quiet,
                                  int tentative);

// Runs a node without subschemas when only its verdict counts. Spends steps.
int weft_schema_run_leaf(weft_schema_machine *m, const weft_schema_node *node, uint32_t value);

// As weft_schema_call for a member's value or an item of the frame's value, which counts as
// evaluated from now on. A verdict that is known at once is combined into the frame.
weft_schema_step weft_schema_enter(weft_schema_machine *m, weft_schema_frame *frame, uint32_t node,
                                   uint32_t value);

// Returns whether this frame, or one that it ran over the same value, has evaluated `value`.
int weft_schema_is_evaluated(const weft_schema_machine *m, const weft_schema_frame *frame,
                             uint32_t value);

// Notes `value` as evaluated, if that matters.
void weft_schema_note(weft_schema_machine *m, const weft_schema_frame *frame, uint32_t value);

// Returns whether the string or key `value` matches pattern `pattern`: 1 or 0. Questions for the
// host count as a match.
int weft_schema_match(weft_schema_machine *m, uint32_t pattern, uint32_t value);

// Returns the verdict of a keyword that only looks at the value. `*detail` is for its problem.
int weft_schema_assert(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run,
                       uint32_t *detail);

weft_schema_step weft_schema_apply(weft_schema_machine *m, weft_schema_frame *frame,
                                   const weft_schema_instruction *run);

// For applicators.c: whether `properties` or `patternProperties` names `key`, and keywords of
// objects (objects.c).
int weft_schema_is_named(weft_schema_machine *m, const weft_schema_instruction *run, uint32_t key);
weft_schema_step weft_schema_apply_object(weft_schema_machine *m, weft_schema_frame *f,
                                          const weft_schema_instruction *run);

// Combines the verdict of the child that has just ended, if there was one; else starts at `first`.
void weft_schema_take_verdict(weft_schema_machine *m, weft_schema_frame *f, uint32_t first);

static inline int weft_schema_gave_up(const weft_schema_frame *f) {
    return f->quiet && !f->valid;
}

#endif
