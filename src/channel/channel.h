// SPDX-License-Identifier: MIT
// Channels: where a graph's state lives between steps. Each kind's rule for this step's writes, for
// an empty step, for being consumed and for the tentative end. Owns its values' references. Must
// not know nodes' names, versions or records.
#ifndef WEFT_CHANNEL_CHANNEL_H
#define WEFT_CHANNEL_CHANNEL_H

#include "list.h"

// The table is kinds.def.
typedef enum weft_channel_kind {
#define X(name, word) WEFT_CHANNEL_##name,
#include "kinds.def"
#undef X
} weft_channel_kind;

typedef struct weft_channel_rule {
    weft_channel_kind kind;
    uint8_t has_default; // the host makes an initial value
    uint8_t guard;       // EPHEMERAL, UNTRACKED: two writers are an error
    uint8_t accumulate;  // TOPIC
    uint32_t names;      // BARRIER kinds: how many must be seen
} weft_channel_rule;

typedef enum weft_write_form {
    WEFT_WRITE_VALUE,
    WEFT_WRITE_LIST, // elements of one written list, or one lone element
    WEFT_WRITE_NAME, // barrier: `node` is the position among the names
    WEFT_WRITE_SEND  // `node` is the target, `word` the argument
} weft_write_form;

// One write of a task. Words are counted by the task; messages and their ids lie in the step's
// arena.
typedef struct weft_write {
    uint32_t channel;
    uint8_t form;
    uint8_t overwrite;
    uint8_t lone; // LIST: was written as one element, not as an array
    weft_word word;
    weft_word timeout; // SEND
    uint32_t node;
    weft_message *messages;
    uint32_t count;
    struct weft_write *next; // of the same channel in this step
} weft_write;

typedef struct weft_send {
    uint32_t node;
    weft_word word;
    weft_word timeout; // its own, instead of the node's; absent = none
} weft_send;

typedef struct weft_channel {
    weft_word value;
    weft_word
        before; // what the log has in the value's place, if it is worth a patch; absent otherwise
    uint32_t version; // 0 = none yet
    uint8_t finished;
    uint8_t touched; // in the state's list of changes since the last record
    uint8_t live;    // in the state's list of channels that an empty step clears
    uint32_t group;  // sched/apply's number while a step is applied, else 0
    uint32_t seen_count;
    uint8_t *seen; // BARRIER kinds: one byte per name
    weft_list *list;
    weft_send *sends;
    uint32_t send_count, send_capacity;
} weft_channel;

// What the channel held before this step.
static inline weft_word weft_channel_held(const weft_channel *channel) {
    return channel->before != WEFT_WORD_ABSENT ? channel->before : channel->value;
}

// Whether the kind keeps a weft_list.
int weft_channel_is_list(weft_channel_kind kind);

// An empty channel. WEFT_ERR_NO_MEMORY.
weft_status weft_channel_init(weft_channel *channel, const weft_channel_rule *rule,
                              weft_values *values);
void weft_channel_fini(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// Whether a reader would get a value.
int weft_channel_available(const weft_channel *channel, const weft_channel_rule *rule);

// This step's writes of one channel (a chain by `next`), all kinds but BINOP. `*changed` says
// whether it counts as updated. WEFT_ERR_CONCURRENT_UPDATE, WEFT_ERR_OVERWRITE_TWICE,
// WEFT_ERR_DELETE_MESSAGE (`*failed` = the write, its `count` cut to the message's index),
// WEFT_ERR_NO_MEMORY. A failed channel is not usable any more.
weft_status weft_channel_update(weft_channel *channel, const weft_channel_rule *rule,
                                weft_values *values, weft_write *writes, int *changed,
                                weft_write **failed);

// Replaces a scalar value; takes a reference of its own. A longer text of the log stays as `before`
// until it is settled.
void weft_channel_set(weft_channel *channel, weft_values *values, weft_word word);

// The value stands in the log: what it replaced is let go.
void weft_channel_settle(weft_channel *channel, weft_values *values);

// A step passed without writes: 1 if that changed the channel, 0, or WEFT_ERR_NO_MEMORY.
int weft_channel_pass(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// A task that this channel triggered is applied: 1 if that reset it.
int weft_channel_consume(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// The tentative end of the run: 1 if the channel became available by it.
int weft_channel_finish(weft_channel *channel, const weft_channel_rule *rule);

// TASKS: adds one Send; takes references of its own. WEFT_ERR_NO_MEMORY.
weft_status weft_channel_send(weft_channel *channel, weft_values *values, weft_send send);

#endif
