// SPDX-License-Identifier: MIT
// The validator's machine: one frame per (node, value) on an explicit stack. From below: machine.c
// (its state), assert.c (keywords that look at a value alone), call.c (runs a schema), objects.c
// and apply.c (keywords that run other schemas), validate.c (runs the frames).
#ifndef WEFT_SCHEMA_MACHINE_H
#define WEFT_SCHEMA_MACHINE_H

#include <string.h>

#include "program.h"

// Frames inside each other: far above what 128 levels of values need, and a bound for references
// that go in circles.
#define WEFT_SCHEMA_MOST_FRAMES 4096u

typedef struct weft_schema_frame {
    uint32_t node;
    uint32_t value;
    uint32_t at;      // instruction of the node that runs
    uint32_t i, j;    // where the instruction is among members, items or subschemas
    uint32_t count;   // what it has counted
    uint32_t unsure;  // and of how many it is not known
    uint32_t matched; // members that `properties` named, and which of the first WEFT_SCHEMA_COUNTED
                      // properties they are
    uint32_t seen;
    uint32_t evaluated; // the machine's count when the frame was pushed
    uint32_t problems;  // result's counts when the instruction started, to take tentative ones back
    uint8_t entered;    // the instruction has begun
    uint8_t stage;
    uint8_t valid; // nothing is known that does not fit; whether all fits is not known where it
                   // `depends`
    uint8_t depends;
    uint8_t quiet;     // problems are nobody's business: stop at the first
    uint8_t tentative; // no fills
    uint8_t tracks;    // it matters here what has been evaluated: this node asks, or one around it
                       // about the same value
} weft_schema_frame;

// What a schema says of a value. UNSURE: that depends on what it says itself, so there is no
// answer; but what is around may be decided without it.
typedef enum weft_schema_verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNSURE } weft_schema_verdict;

typedef struct weft_schema_note_of {
    uint32_t value;
    uint32_t before; // what `latest` said
} weft_schema_note_of;

typedef struct weft_schema_machine {
    const weft_schema *schema;
    const weft_json_tape *tape;
    weft_schema_result *result;
    weft_schema_options options;
    uint32_t steps;            // left; none when it has been stopped
    weft_schema_frame *frames; // the result's
    uint32_t depth;
    weft_schema_note_of *
        evaluated; // members' values and items that subschemas of valid frames have been applied to
    uint32_t evaluated_count, evaluated_capacity;
    uint32_t *
        latest; // per token of the tape: 1 + its last note, 0 = none. NULL unless the schema tracks
    weft_schema_verdict child; // of the call that has just ended
    weft_status status;
} weft_schema_machine;

// What an instruction answers: done, or it has pushed a frame and wants to be called again with
// `child`.
typedef enum weft_schema_step { STEP_DONE, STEP_CHILD } weft_schema_step;

// Lets the validation end with `status`, or with an earlier one; 0.
int weft_schema_stop(weft_schema_machine *m, weft_status status);

// Takes `cost` steps; 0 and a status when they are used up. The other one is for where each member
// or keyword passes.
int weft_schema_spend(weft_schema_machine *m, uint32_t cost);
static inline int weft_schema_spend_quickly(weft_schema_machine *m, uint32_t cost) {
    if (m->steps < cost) {
        return weft_schema_stop(m, WEFT_ERR_SCHEMA_BUDGET);
    }
    m->steps -= cost;
    return 1;
}

// Marks the frame invalid and records why, unless nobody wants to know.
void weft_schema_reject(weft_schema_machine *m, weft_schema_frame *frame, uint32_t value,
                        uint32_t keyword, uint32_t detail);

// Whether the node is at work on the value already: then m->child is UNSURE, and it must not be run
// again.
int weft_schema_asks_itself(weft_schema_machine *m, uint32_t node, uint32_t value);

// Takes a verdict that the frame's own one needs.
static inline void weft_schema_need(weft_schema_frame *f, weft_schema_verdict verdict) {
    f->valid &= verdict != VERDICT_NO;
    f->depends |= verdict == VERDICT_UNSURE;
}

// Runs `node` over `value`: STEP_DONE with the verdict in m->child when it could be had at once;
// else a frame has been pushed, and the pointer of the current frame is stale.
weft_schema_step weft_schema_call(weft_schema_machine *m, uint32_t node, uint32_t value, int quiet,
                                  int tentative);

// A node that runs no other one, when only its verdict counts. Steps are taken.
int weft_schema_run_leaf(weft_schema_machine *m, const weft_schema_node *node, uint32_t value);

// As weft_schema_call for a member's value or an item of the frame's value, which counts as
// evaluated from now on. A verdict that is there at once has been taken into the frame.
weft_schema_step weft_schema_enter(weft_schema_machine *m, weft_schema_frame *frame, uint32_t node,
                                   uint32_t value);

// Whether this frame, or one that it ran over the same value, has evaluated `value`.
int weft_schema_is_evaluated(const weft_schema_machine *m, const weft_schema_frame *frame,
                             uint32_t value);

// Notes `value` as evaluated, where it matters.
void weft_schema_note(weft_schema_machine *m, const weft_schema_frame *frame, uint32_t value);

// Whether the string or key `value` matches pattern `pattern`: 1 or 0. What the host must answer
// counts as a match.
int weft_schema_match(weft_schema_machine *m, uint32_t pattern, uint32_t value);

// The verdict of a keyword that looks at the value alone. `*detail` for its problem.
int weft_schema_assert(weft_schema_machine *m, uint32_t value, const weft_schema_instruction *run,
                       uint32_t *detail);

weft_schema_step weft_schema_apply(weft_schema_machine *m, weft_schema_frame *frame,
                                   const weft_schema_instruction *run);

// For apply.c: whether the maps beside additionalProperties name `key`, and keywords of objects
// (objects.c).
int weft_schema_is_named(weft_schema_machine *m, const weft_schema_instruction *run, uint32_t key);
weft_schema_step weft_schema_apply_object(weft_schema_machine *m, weft_schema_frame *f,
                                          const weft_schema_instruction *run);

// Takes the verdict of the child that has just ended, if there was one; positions stand at `first`
// otherwise.
void weft_schema_take_verdict(weft_schema_machine *m, weft_schema_frame *f, uint32_t first);

static inline int weft_schema_gave_up(const weft_schema_frame *f) {
    return f->quiet && !f->valid;
}

#endif
