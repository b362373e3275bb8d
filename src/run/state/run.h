// SPDX-License-Identifier: MIT
// One run: a machine that eats events and lends commands. Phases of a superstep are functions in rooms of their own;
// this header is what these rooms share. Owns its tasks, block, arena and (until a thread keeps it) its state.
// Must not know handles or how memory is exported.
#ifndef WEFT_RUN_STATE_RUN_H
#define WEFT_RUN_STATE_RUN_H

#include "base/ops.h"
#include "log/state.h"
#include "log/writer.h"
#include "sched/apply.h"
#include "sched/plan.h"
#include "run/state/thread.h"

typedef enum weft_phase {
    WEFT_PHASE_NEW,
    WEFT_PHASE_LOADING,  // waits for LOADED
    WEFT_PHASE_REDUCING, // an apply waits for REDUCED or HEADERS
    WEFT_PHASE_ENCODING, // a record waits for ENCODED
    WEFT_PHASE_SAVING,   // sync durability: waits for SAVED
    WEFT_PHASE_LOOKING,  // waits for FOUND, before tasks run
    WEFT_PHASE_WORKING,  // tasks run
    WEFT_PHASE_LISTING,  // history: the next snapshot
    WEFT_PHASE_OVER
} weft_phase;

// What goes on when an apply or a record is done.
typedef enum weft_next {
    WEFT_NEXT_NOTHING,
    WEFT_NEXT_INPUT,    // the null task's writes are applied: go on with the first phase
    WEFT_NEXT_COMMIT,   // a checkpoint of this source follows
    WEFT_NEXT_TICK,     // after the commit: prepare the next step
    WEFT_NEXT_TASKS,    // tasks' writes are saved: see whether the step is over
    WEFT_NEXT_PLANNED,  // state: the null task's writes are applied, plan
    WEFT_NEXT_SHOW,     // state: emit the snapshot
    WEFT_NEXT_UPDATE,   // updateState: the pending writes are applied
    WEFT_NEXT_SIBLINGS, // an interrupted step is saved: show what its finished tasks wrote
    WEFT_NEXT_FORKED,   // time travel: the fork is made, go on with the input
    WEFT_NEXT_FAIL,     // an apply broke a rule: its writes are saved
    WEFT_NEXT_INTENDS,  // the checkpoint of calls that are about to begin is saved
    WEFT_NEXT_END
} weft_next;

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
    weft_phase phase;
    weft_next after_apply, after_save;
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
    uint8_t listed;      // the snapshot of the last block was read
    uint8_t resume_save; // the Command's resume is to be saved
    weft_resume_entry *resume_map;
    uint32_t resume_map_count;
    uint8_t map_is_plain; // the host found out which question a plain answer is for
    weft_arena arena;      // one step
    weft_arena lasting;    // the run
    weft_apply apply;
    uint8_t applying;
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

// ---- block.c: records of the block

#define WEFT_BLOCK_DIGITS 20u

void weft_block_begin(weft_run *run);
weft_status weft_block_end(weft_run *run, uint32_t flags);
void weft_block_open(weft_run *run, uint32_t op, uint32_t flags);
void weft_block_word(weft_run *run, uint32_t word);
void weft_block_u64(weft_run *run, uint64_t value);
void weft_block_text(weft_run *run, const void *bytes, uint32_t length);
void weft_block_id(weft_run *run, const uint8_t id[16]);
// A number as people write it; its text lies in `digits`.
weft_log_text weft_block_digits(uint64_t number, uint8_t digits[WEFT_BLOCK_DIGITS]);
void weft_block_close(weft_run *run);

// Sends TEXT for values that the host has no slots for. Never inside an open record.
void weft_block_show(weft_run *run, weft_word word);
void weft_block_show_list(weft_run *run, const weft_list *list);

// ---- tell.c

// All user channels that hold something; what the last apply changed.
void weft_tell_mirror(weft_run *run);
void weft_tell_untracked(weft_run *run);
void weft_tell_changes(weft_run *run);

// Of one task: INTERRUPTS; TEXT of what it wrote, then its writes to the state into an open record; RESTORED; UPDATES.
void weft_tell_interrupts(weft_run *run, const weft_task *task);
void weft_tell_writes(weft_run *run, const weft_task *task);
void weft_tell_entries(weft_run *run, const weft_task *task);
void weft_tell_restored(weft_run *run, uint32_t index);
void weft_tell_updates(weft_run *run, uint32_t index, uint32_t flags);

// Of the step: VALUES, and before it CHECKPOINT when that is wanted; PLANNED, its tasks from that number on but START's.
void weft_tell_values(weft_run *run);
weft_status weft_tell_planned(weft_run *run, uint32_t from);

// ---- ids.c

// The next checkpoint id (UUIDv6) for `step`.
void weft_ids_checkpoint(weft_run *run, int64_t step, uint8_t id[16]);

// The id of a prepared task (UUIDv5), and of its interrupts (XXH3-128 of its namespace). WEFT_ERR_NO_MEMORY.
weft_status weft_ids_task(weft_run *run, const weft_task *task, uint8_t id[16]);
// How a task is called in records.
weft_status weft_ids_key(weft_run *run, const weft_task *task, weft_log_task_key *key);
weft_status weft_ids_interrupt(weft_run *run, const weft_task *task, uint32_t index, uint8_t id[16]);

// Appends the namespace of a prepared task: where its subgraphs save. WEFT_ERR_NO_MEMORY.
weft_status weft_ids_namespace(weft_run *run, const weft_task *task, weft_buffer *out);

// ---- event.c: a cursor over a batch; failure is sticky

typedef struct weft_cursor {
    const uint32_t *at;
    uint32_t left; // words
    weft_status status;
} weft_cursor;

uint32_t weft_cursor_word(weft_cursor *cursor);
uint64_t weft_cursor_u64(weft_cursor *cursor);
const uint8_t *weft_cursor_bytes(weft_cursor *cursor, uint32_t length);
const uint8_t *weft_cursor_text(weft_cursor *cursor, uint32_t *length);
uint32_t weft_cursor_count(weft_cursor *cursor, uint32_t least);

// Reads `count` entries into `task`: all of them are checked, their words adopted. `node` gets its static edges.
weft_status weft_event_entries(weft_run *run, weft_cursor *cursor, uint32_t count, weft_task *task, int with_edges);

// ---- child.c: runs inside a task

// Takes as roll the longest list of `of`, and what is long beside it: what a graph inside is given, or a node is sent, is often
// that list or the whole state.
void weft_child_roll(weft_run *run, weft_run *of);

// Takes over what a run inside `parent`'s task needs of it; `flags` are WEFT_CHILD_*. WEFT_ERR_STALE_HANDLE when that
// attempt does not run, WEFT_ERR_NO_MEMORY.
weft_status weft_child_adopt(weft_run *run, weft_run *parent, uint32_t task, uint32_t attempt, uint32_t flags);

// START's namespace and map of checkpoints; takes up the one that stands there for this run's namespace.
weft_status weft_child_read_namespace(weft_run *run, weft_cursor *cursor);
weft_status weft_child_read_map(weft_run *run, weft_cursor *cursor);
void weft_child_use_map(weft_run *run);

// The ancestors of a stored checkpoint become the run's. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_child_read_ancestors(weft_run *run, uint32_t entry);

// The entry that the run starts from, or WEFT_LOG_NONE. WEFT_ERR_NO_MEMORY.
weft_status weft_child_entry(weft_run *run, uint32_t *entry);

// The run goes back to `entry`: so do the runs inside its tasks. WEFT_ERR_NO_MEMORY.
weft_status weft_child_replay(weft_run *run, uint32_t entry);
void weft_child_fini(weft_run *run);

// ---- start.c, restore.c, step.c, record.c, outcome.c, snapshot.c, update.c

weft_status weft_start_read(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_start_resume_map(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_start_begin(weft_run *run);
weft_status weft_start_loaded(weft_run *run, weft_cursor *cursor);
weft_status weft_start_input(weft_run *run);
void weft_start_defaults(weft_run *run); // into the channels that hold nothing
weft_status weft_start_given(weft_run *run);  // after the fork, if there is one
weft_status weft_start_edited(weft_run *run); // the Command's writes are applied

// The word of a stored value, with one reference. WEFT_ERR_NO_MEMORY, WEFT_ERR_LOG_CORRUPT.
weft_status weft_restore_word(weft_run *run, const weft_log_value *value, weft_word *word);
// Whether `known` is the word of this value: then `*word` is it, with one more reference.
int weft_restore_again(weft_run *run, weft_word known, const weft_log_value *value, weft_word *word);
// Rebuilds the state of a log entry, and the pending writes that hang on it.
weft_status weft_restore_state(weft_run *run, uint32_t entry);
// Behind it: which rolls its lists begin with, and what was given last, in restore_roll.c.
void weft_restore_rolls(weft_run *run);
weft_status weft_restore_pending(weft_run *run, uint32_t entry);
weft_status weft_restore_shown(weft_run *run, uint32_t entry);
void weft_restore_drop_pending(weft_run *run);
// Moves the null task's pending writes into the (empty) task list, to be applied.
weft_status weft_restore_null(weft_run *run);
// Gives prepared tasks what the log holds of them: results, interrupts, resume values.
weft_status weft_restore_attach(weft_run *run);
// Who names a checkpoint that is not the newest wants its tasks to run, the finished ones too.
int weft_restore_anew(const weft_run *run);
// How the tasks ended before, when it has been shown; handlers of those that failed are added, pending writes dropped.
weft_status weft_restore_forget(weft_run *run);

// fail.c: of an apply that broke a rule; of the tasks that failed.
weft_status weft_fail_apply(weft_run *run);
weft_status weft_fail_tasks(weft_run *run);
// What runs is given up; the run fails with `why`. Under `exit` the state is saved, unless a step is about to change it.
weft_status weft_fail_stop(weft_run *run, weft_status why);

weft_status weft_step_apply(weft_run *run, weft_task *tasks, uint32_t count, weft_next after);
// What the first `count` tasks of a step have written, before an update by hand ends that step.
weft_status weft_step_apply_done(weft_run *run, uint32_t count);
// What a group's fold, and with any step what the host's own channels make of it, is asked of the host: run->waiting counts
// the questions. weft_reduce_hosts: `finish` = WEFT_REDUCE_FINISH once the step is applied, else 0. The codes of
// weft_apply_fold, WEFT_ERR_NO_MEMORY.
weft_status weft_reduce_ask(weft_run *run, uint32_t group);
weft_status weft_reduce_hosts(weft_run *run, uint32_t finish);
weft_status weft_step_reduced(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_step_headers(weft_run *run, weft_cursor *cursor);
weft_status weft_step_tick(weft_run *run);
weft_status weft_step_begin(weft_run *run); // the tasks that are ready
weft_status weft_step_hand_out(weft_run *run); // TASK records, as many as fit a block
weft_status weft_step_hand_out_one(weft_run *run, uint32_t index);
weft_status weft_step_settled(weft_run *run); // tasks ended in this batch
weft_status weft_step_next(weft_run *run, weft_next next);
void weft_step_fail(weft_run *run, weft_status status, const weft_log_text *words, uint32_t count);
void weft_step_done(weft_run *run, uint32_t flags);

// Makes the next checkpoint of `state` and saves it (or only numbers it, without thread or under `exit`).
weft_status weft_record_commit(weft_run *run, uint32_t source, weft_next after);
// Saves the writes of tasks that ended and are not saved yet, as pending writes of the current checkpoint.
weft_status weft_record_writes(weft_run *run, weft_next after);
// Under `exit`: the current checkpoint, since a tool is about to be called.
weft_status weft_record_checkpoint(weft_run *run, weft_next after);
// Under `exit`: everything at the end.
weft_status weft_record_exit(weft_run *run, weft_next after);
weft_status weft_record_encoded(weft_run *run, weft_cursor *cursor);
// A frame of a record of its own, to be ended by weft_log_frame_end with the mark.
uint32_t weft_record_begin(weft_run *run, weft_log_writer *writer);
// Puts the frames written since the block began into one SAVE.
void weft_record_flush(weft_run *run);

weft_status weft_outcome_result(weft_run *run, weft_cursor *cursor, uint32_t flags);
// The task with that number if it has that status in that attempt, else NULL: what comes late finds nothing.
weft_task *weft_outcome_task(weft_run *run, uint32_t index, uint32_t attempt, weft_task_status status);
// The running (or expired) task of the attempt that an event names, counted as ended; NULL: the event is late.
weft_task *weft_outcome_ending(weft_run *run, weft_cursor *cursor, uint32_t *index, int expired);
void weft_outcome_ended(weft_run *run, uint32_t index); // what it came to is to be saved
void weft_outcome_tell_end(weft_run *run, uint32_t index); // of a task that has no updates to show
weft_status weft_outcome_interrupted(weft_run *run, weft_cursor *cursor, uint32_t flags);
// The id of the question that a task asked last. WEFT_ERR_NO_MEMORY.
weft_status weft_outcome_question(weft_run *run, const weft_task *task, uint8_t id[16]);
weft_status weft_outcome_ask(weft_run *run, uint32_t task, uint32_t attempt, uint32_t op);

// ---- call.c: calls of task()

// The event: a new task of the running step, or what such a call returned before. A call of a past attempt is ignored.
weft_status weft_call_read(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_call_keep(weft_run *run); // pending writes of calls, for the step that is planned
void weft_call_drop(weft_run *run);
// Tells the callers of calls that ended; one caller what its call returned before.
void weft_call_reply(weft_run *run);
void weft_call_tell(weft_run *run, uint32_t index, const weft_call *call, weft_word word);
// Whether the task is a part of its caller's own work.
static inline int weft_call_is_aside(const weft_task *task) { return task->kind == WEFT_TASK_CALL && task->call->aside; }

// ---- limit.c: limits

weft_status weft_limit_read(weft_run *run, weft_cursor *cursor);
// Something is about to be done, or was used: 0, or 1 + the limit that forbids it. Nothing is counted of what is
// forbidden. `call`: of a tool, its name and arguments. WEFT_ERR_NO_MEMORY.
int weft_limit_spend(weft_run *run, uint32_t kind, uint32_t amount, const void *call, uint32_t length);
// What ended is saved, what runs is given up; the run fails.
weft_status weft_limit_stop(weft_run *run);
// Whether the run goes on with what an earlier one began: then its counts go on too. A new input counts anew.
int weft_limit_goes_on(const weft_run *run);
// Takes over the counts that hang on the checkpoint `entry`, with limits or without. WEFT_ERR_NO_MEMORY.
weft_status weft_limit_restore(weft_run *run, uint32_t entry);
// Hangs the counts, if there are any, on the current checkpoint, which stands in the log; `always`: also if nothing was
// counted since. WEFT_ERR_NO_MEMORY.
weft_status weft_limit_record(weft_run *run, int always);
void weft_limit_fini(weft_run *run);

// ---- cache.c: what need not run, since a cache holds what it wrote

// Asks for the step's tasks that a cache may hold, or for one call; returns how many that are.
uint32_t weft_cache_look_up(weft_run *run);
void weft_cache_look_up_call(weft_run *run, uint32_t index);
weft_status weft_cache_found(weft_run *run, weft_cursor *cursor);
// Tells what a task wrote besides the state, to be stored.
void weft_cache_store(weft_run *run, uint32_t index);

// ---- policy.c: retries, timeouts, handlers

weft_status weft_policy_error(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_policy_woke(weft_run *run, weft_cursor *cursor);
weft_status weft_policy_expire(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_policy_step_timeout(weft_run *run, weft_cursor *cursor);
void weft_policy_begin_step(weft_run *run);
// When `limits` have a deadline.
void weft_policy_await_deadline(weft_run *run, double ms);
// Prepares the handler of a failed task; moves the tasks.
weft_status weft_policy_add_handler(weft_run *run, uint32_t index);

weft_status weft_snapshot_begin(weft_run *run);
weft_status weft_snapshot_continue(weft_run *run);
weft_status weft_snapshot_plan(weft_run *run);
weft_status weft_snapshot_show(weft_run *run);
weft_status weft_snapshot_put(weft_run *run, uint32_t flags); // the SNAPSHOT record alone

int weft_update_clears(const weft_run *run); // the step's tasks are given up, what they wrote is kept
weft_status weft_update_begin(weft_run *run);
weft_status weft_update_task(weft_run *run);
weft_status weft_update_result(weft_run *run);

// ---- ledger.c: calls of tools

// A running task is about to call a tool: INTENT is saved, INTENDED tells it. Without a thread nothing is. Under `exit` its
// checkpoint is saved first, once the batch is read, then weft_ledger_begun goes on.
weft_status weft_ledger_intend(weft_run *run, weft_cursor *cursor, uint32_t flags);
weft_status weft_ledger_begun(weft_run *run);
// Behind a record of tasks that asked before they came to a call that was in flight: it still is.
weft_status weft_ledger_carry(weft_run *run);
// Sets `ended` if the task, which ended before, had called a tool: it does not run again when somebody answers its neighbours.
weft_status weft_ledger_ended(weft_run *run, const weft_task *task, int *ended);
// Whether a task of this step has calls in the log: then its outcome is saved under `exit` too, before the state is.
int weft_ledger_holds(const weft_run *run);
// Calls are kept if the checkpoint that they hang on is.
int weft_ledger_keeps(const weft_run *run);
// How records call a call.
weft_status weft_ledger_key(weft_run *run, const weft_task *task, weft_log_text call, weft_log_ledger_key *key);
int weft_ledger_same(const weft_log_task_key *a, const weft_log_task_key *b);
// Copies what must outlive the log that was read, or the event. WEFT_ERR_NO_MEMORY.
weft_status weft_ledger_copy(weft_run *run, weft_log_text from, weft_log_text *to);
// The run gives up in good order: what its tasks called is no mystery.
weft_status weft_ledger_release(weft_run *run);
weft_status weft_ledger_release_task(weft_run *run, const weft_task *task);
// Which calls were in flight behind the checkpoint `entry`; UNKNOWN for a task that is handed out and has some.
weft_status weft_ledger_restore(weft_run *run, uint32_t entry);
weft_status weft_ledger_tell(weft_run *run, uint32_t index);

// ---- approval.c: what people are asked about calls, and what they decide

// A question of the task is about a call: INTENDED tells the id of the request, which is saved before or with the question.
// Of a question that waited before, about the same, it is the request of then.
weft_status weft_approval_ask(weft_run *run, weft_task *task, weft_log_text call, weft_cursor *cursor);
// The answer to the question that the task asked last is a decision: INTENDED tells 0, and it is saved unless that was
// done; or 1: nobody was asked about that before, or it was decided. The answer is none then, the question is open.
weft_status weft_approval_decide(weft_run *run, weft_task *task, weft_log_text call, weft_cursor *cursor);
// The requests that are not in the log, behind a checkpoint that is by now. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_flush(weft_run *run);
// `id` becomes that of the open request at the task's last question, unless it is the first that the task asked.
weft_status weft_approval_question(weft_run *run, const weft_task *task, uint8_t id[WEFT_LOG_ID_BYTES]);
// The DECISION `seq` of the log, about a call of this namespace. WEFT_ERR_NO_MEMORY.
weft_status weft_approval_restore(weft_run *run, const weft_log_ledger *ledger, uint64_t seq);

// ---- run.c: the machine

// A run of `graph` on `thread` (may be NULL); both are counted. WEFT_ERR_NO_MEMORY.
weft_status weft_run_new(weft_memory *memory, weft_values *values, weft_graph *graph, weft_thread *thread,
                         weft_run **run);
void weft_run_free(weft_run *run);

// Eats a batch of `words` words (header included) and builds the next block, lent until the next feed.
// Returns NULL only when there is no memory for the block's header.
const uint8_t *weft_run_feed(weft_run *run, const uint32_t *batch, uint32_t words);
const uint8_t *weft_run_next(const weft_run *run);
const uint8_t *weft_run_ask(weft_run *run, uint32_t task, uint32_t attempt, uint32_t op);

#endif
