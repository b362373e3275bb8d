// SPDX-License-Identifier: MIT
// One run: what the folders of src/run share. Owns its tasks, block, arena and (until a thread keeps it) its state.
// Must not know handles or how memory is exported.
#ifndef WEFT_RUN_STATE_RUN_H
#define WEFT_RUN_STATE_RUN_H

#include "base/ops.h"
#include "log/state.h"
#include "log/writer.h"
#include "sched/apply.h"
#include "sched/plan.h"
#include "run/state/phase.h"
#include "run/state/thread.h"

// A pending write of the log, in the order found. Words counted.
typedef struct weft_pending_task {
    weft_log_task_key key;
    uint64_t seq; // of the record that it was found in
    weft_task task; // node WEFT_GRAPH_NONE: the null task, or one that the graph does not know
} weft_pending_task;

typedef struct weft_resume_entry {
    uint8_t id[16];
    weft_word word;
} weft_resume_entry;

// A call that was in flight when a process died, by the key of its task. Texts lie in `lasting`.
typedef struct weft_intent {
    weft_log_task_key task;
    weft_log_text call;
    uint8_t in_flight; // nobody knows yet that it ended
    uint8_t asked;     // somebody was asked about it: that question comes again, before the call's own
    uint8_t ended;     // what its task wrote is saved
    uint8_t moved;     // it began in another thread
} weft_intent;

// A call that begins when its checkpoint is saved. The text lies in `lasting`.
typedef struct weft_beginning {
    uint32_t task, attempt, flags;
    weft_log_text call;
} weft_beginning;

// A person is asked about a call: what is shown, and whether it was decided. Texts lie in `lasting`.
typedef struct weft_request {
    weft_log_task_key task;
    weft_log_text call;
    uint32_t place; // among the questions of its task
    uint8_t id[WEFT_LOG_ID_BYTES], shown[WEFT_LOG_DIGEST_BYTES];
    uint64_t seq; // of its record; 0: this run asks
    uint8_t written;
    uint8_t decided; // 1: in an earlier run, 2: in this one
    uint8_t first;   // it shows what the task asked first about the call: its answer need not name it
} weft_request;

// A checkpoint of another namespace.
typedef struct weft_ancestor {
    weft_log_text ns;
    uint8_t id[16];
} weft_ancestor;

// Time travel of a whole tree of runs: children start from what they had saved before `bound`, the first time that a
// namespace (without the ids in it) is met. Counted: the runs of the tree share it.
typedef struct weft_replay {
    uint32_t refs;
    uint8_t bound[16];
    weft_map visited;
    weft_arena names; // what `visited` knows
} weft_replay;

// What a run may still do. The counts of equal calls are kept under a hash of each call.
typedef struct weft_limits {
    double most[WEFT_LIMIT_REPEATED + 1]; // infinite: none
    double used[WEFT_LIMIT_REPEATED + 1];
    weft_map calls;
    uint64_t since;    // tick: its time counts from here
    uint64_t recorded; // tick of the last record of the counts
    uint8_t changed;   // since then
} weft_limits;

typedef struct weft_run {
    weft_memory *memory;
    weft_values *values;
    weft_graph *graph;
    weft_thread *thread; // NULL: nothing is saved
    weft_phase phase; // set by src/run/machine/drive.c only
    weft_wait waits;
    uint32_t handed; // WEFT_VERDICT_HANDS_OUT: number of the task
    uint8_t awaits; // the record that SAVING waits for is in this block: one SAVED comes for it
    uint32_t kind, durability, flags, limit, history_limit;
    uint8_t checkpoint_id[16], before_id[16], node_id[6];
    uint64_t tick, ticks_used;
    uint64_t chance;     // state of the generator of jitter
    double step_timeout; // ms, 0 = none
    uint8_t draining;
    uint8_t late; // its deadline has come
    weft_limits *limits; // NULL: none
    uint32_t *updates; // UPDATE: AS_*, one for each
    uint32_t update_count;
    weft_log_text ns;         // of its checkpoints; empty at the root
    weft_ancestor *ancestors; // the checkpoints that it runs beneath, and those where the caller wants to start
    uint32_t ancestor_count;
    weft_replay *replay; // NULL but in time travel
    uint8_t nested, stable; // inside a task; its namespace has no ids
    uint8_t fresh;          // nothing can be saved in its namespace
    uint8_t resumes;        // the run around it resumes
    uint8_t may_ask;        // it saves nothing itself, but a run around it does
    uint8_t at_breakpoint;
    uint32_t *before, *after; // breakpoints of this run; counts may be the two special ones
    uint32_t before_count, after_count;
    int64_t stop;
    weft_state *state;
    weft_tasks tasks, input; // the running step's; the input's pseudo task
    weft_pending_task *pending;
    uint32_t pending_count, pending_room;
    weft_pending_task *calls; // what the log holds of calls of task() in this step
    uint32_t call_count, call_room;
    weft_intent *intents; // calls of this step's tasks whose fate nobody knows
    uint32_t intent_count, intent_room;
    uint64_t bound; // seq of the checkpoint that the run goes on from
    weft_beginning *beginnings;
    uint32_t beginning_count, beginning_room;
    weft_request *requests; // about calls of this step's tasks
    uint32_t request_count, request_room;
    uint32_t drawn; // ids of requests
    uint8_t seed[32];
    uint32_t unreplied; // calls that ended, whose callers do not know it yet
    weft_word null_resume; // counted
    uint8_t null_stored; // it was an earlier run's,
    uint64_t null_seq;    // in that record
    uint8_t null_taken; // some task took the plain resume: calls that begin later do not get it
    uint8_t has_null_resume, resume_given, resuming, interrupted, has_values, replaying;
    uint8_t at_newest; // the checkpoint that the call named is its graph's newest
    uint8_t ended;       // a task ended in this batch
    uint32_t first_ended, end_ended; // the tasks that are to be saved have numbers from here on, and below that
    uint8_t resume_save; // the Command's resume is to be saved
    weft_resume_entry *resume_map;
    uint32_t resume_map_count;
    uint8_t map_is_plain; // the host found out which question a plain answer is for
    weft_arena arena;      // one step
    weft_arena lasting;    // the run
    weft_apply apply;
    uint8_t applying;
    uint8_t apply_shows; // what the apply at hand writes is output
    uint32_t waiting;         // REDUCED events to come
    uint32_t headers_channel;  // the list whose ids HEADERS tells, or
    weft_group *headers_group; // the group whose writes it tells
    uint32_t headers_count;
    weft_word *encode; // values asked for by ENCODE
    uint32_t encode_count, encode_room;
    uint32_t source; // of the checkpoint in the making
    uint32_t parts;  // of the record in the making
    uint32_t longest; // bytes of the longest text that came since the last record
    weft_word longest_word; // not counted: what it was the text of
    weft_roll *roll;    // counted: of a list of the run around this one, which it may have been given; or NULL
    weft_roll *beside;  // owned: long values beside it (`shared` of them before it), for this record or the first; or NULL
    weft_word recent;   // counted: the long text that this run saved last; before it has, the longest of the one around it
    uint64_t first_seq; // of the frames of this block
    weft_log_anchor expected; // the head before them
    uint32_t next_task; // to hand out
    uint32_t open_tasks; // handed out and not ended
    uint32_t errors;     // genuine failures of this step
    uint32_t refused;    // tasks through which something passed: the step fails when the others have ended
    uint8_t *log;        // bytes of LOADED, owned
    uint32_t log_size;
    weft_log_index index;
    uint64_t unfolded; // work that the texts of the checkpoint at hand took
    uint8_t indexed;
    uint32_t history_entry, history_left;
    weft_log_listing listing;
    weft_state *shown; // the history entry before, while the next one is restored
    weft_buffer frames; // of the record being saved
    weft_buffer block;
    weft_buffer answer;
    uint32_t record_mark, records;
    uint8_t id_behind; // 1: the next checkpoint's id bears the number of the step before, as LangGraph makes it
    uint8_t kept; // the state comes from the thread's last run
    uint8_t shows; // the output that this step changed is to be streamed
    uint8_t sends; // the record in the making holds a Send
    uint8_t made;  // the current checkpoint is this run's
    uint32_t announcing; // numbers that this block's RELEASE names
    weft_status apply_failure; // the rule that the writes broke
    weft_status failure;       // of the batch
} weft_run;

// The task with that number if it has that status in that attempt, else NULL: an event that comes late finds nothing.
weft_task *weft_run_task(weft_run *run, uint32_t index, uint32_t attempt, weft_task_status status);
// Notes that the outcome of a task is to be saved.
void weft_run_note_ended(weft_run *run, uint32_t index);

// Whether the step takes an input, which stands last among its tasks.
static inline int weft_run_has_input(const weft_run *run) {
    return run->tasks.count > 0 && run->tasks.items[run->tasks.count - 1].kind == WEFT_TASK_INPUT;
}

// Copies a text, or the namespaces and ids of checkpoints, into memory that lasts as long as the run. WEFT_ERR_NO_MEMORY.
weft_status weft_lasting_text(weft_run *run, weft_log_text from, weft_log_text *to);
weft_status weft_lasting_ancestors(weft_run *run, const weft_ancestor *from, uint32_t count, weft_ancestor *to);

// Whether calls of tools are saved: only if the checkpoint that they hang on is. Nobody comes back to another one.
static inline int weft_run_keeps_calls(const weft_run *run) {
    return run->kind == WEFT_RUN_INVOKE && run->state->saved;
}

// Whether finished tasks of the checkpoint run again: who names one that is not the newest wants that.
static inline int weft_run_repeats_tasks(const weft_run *run) {
    return run->kind == WEFT_RUN_INVOKE && (run->flags & WEFT_START_HAS_CHECKPOINT_ID) != 0 && !run->at_newest;
}

// Whether an update is of this kind (WEFT_AS_*) and alone.
static inline int weft_run_updates_as(const weft_run *run, uint32_t as) {
    return run->update_count == 1 && run->updates[0] == as;
}

// Whether an update gives up the step's tasks and keeps what they wrote.
static inline int weft_run_clears_tasks(const weft_run *run) { return weft_run_updates_as(run, WEFT_AS_END); }

#endif
