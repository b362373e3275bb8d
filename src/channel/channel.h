// SPDX-License-Identifier: MIT
// Channels: the state of a graph between steps. Implements each kind's rule for the writes of a
// step, for a step without writes, for being consumed and for the tentative end. Owns the
// references to its values. Does not depend on names of nodes, versions or records.
#ifndef WEFT_CHANNEL_CHANNEL_H
#define WEFT_CHANNEL_CHANNEL_H

#include "list.h"

// Kinds, from kinds.def.
typedef enum weft_channel_kind {
#define X(name, word) WEFT_CHANNEL_##name,
#include "kinds.def"
#undef X
} weft_channel_kind;

typedef struct weft_channel_rule {
    weft_channel_kind kind;
    uint8_t has_default; // the host provides an initial value
    uint8_t guard;       // EPHEMERAL, UNTRACKED: two writers in a step are an error
    uint8_t accumulate;  // TOPIC
    uint32_t names;      // BARRIER kinds: number of names to wait for
} weft_channel_rule;

typedef enum weft_write_form {
    WEFT_WRITE_VALUE,
    WEFT_WRITE_LIST, // items of one written list, or a single item
    WEFT_WRITE_NAME, // barrier: `node` is the position in the list of names
    WEFT_WRITE_SEND  // `node` is the target, `word` the argument
} weft_write_form;

// One write of a task. The task holds the references to the values; messages and their ids are in
// the step's arena.
typedef struct weft_write {
    uint32_t channel;
    uint8_t form;
    uint8_t overwrite;
    uint8_t lone; // LIST: was written as a single item, not as an array
    weft_word word;
    weft_word timeout; // SEND
    uint32_t node;
    weft_message *messages;
    uint32_t count;
    struct weft_write *next; // to the same channel in this step
} weft_write;

typedef struct weft_send {
    uint32_t node;
    weft_word word;
    weft_word timeout; // overrides the node's timeout; absent = none
} weft_send;

typedef struct weft_channel {
    weft_word value;
    weft_word before; // replaced value that the log has, if long enough to be the base of a patch;
                      // absent otherwise
    uint32_t version; // 0 = none yet
    uint8_t finished;
    uint8_t touched; // in the state's list of changes since the last record
    uint8_t live;    // in the state's list of channels that an empty step clears
    uint32_t group;  // 1 + index of its group while sched/apply applies a step, else 0
    uint32_t seen_count;
    uint8_t *seen; // BARRIER kinds: one byte per name
    weft_list *list;
    weft_send *sends;
    uint32_t send_count, send_capacity;
} weft_channel;

// Returns the value before this step.
static inline weft_word weft_channel_held(const weft_channel *channel) {
    return channel->before != WEFT_WORD_ABSENT ? channel->before : channel->value;
}

// Returns whether the kind keeps a weft_list.
int weft_channel_is_list(weft_channel_kind kind);

// Makes an empty channel. WEFT_ERR_NO_MEMORY.
weft_status weft_channel_init(weft_channel *channel, const weft_channel_rule *rule,
                              weft_values *values);
void weft_channel_fini(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// Returns whether a reader would get a value.
int weft_channel_available(const weft_channel *channel, const weft_channel_rule *rule);

// Applies the step's writes to one channel (a chain by `next`), all kinds but BINOP and HOST. Sets
// `*changed` if the channel counts as updated. WEFT_ERR_CONCURRENT_UPDATE,
// WEFT_ERR_OVERWRITE_TWICE, WEFT_ERR_DELETE_MESSAGE (`*failed` = the write, its `count` cut to the
// message's index), WEFT_ERR_NO_MEMORY. A failed channel is no longer usable.
weft_status weft_channel_update(weft_channel *channel, const weft_channel_rule *rule,
                                weft_values *values, weft_write *writes, int *changed,
                                weft_write **failed);

// Replaces a scalar value; takes its own reference. A long text in the log stays as `before` until
// the channel is settled.
void weft_channel_set(weft_channel *channel, weft_values *values, weft_word word);

// Releases the replaced value, because the new one is now in the log.
void weft_channel_settle(weft_channel *channel, weft_values *values);

// Applies a step without writes to the channel: returns 1 if that changed it, 0, or
// WEFT_ERR_NO_MEMORY.
int weft_channel_pass(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// Consumes the channel, whose triggered task is applied: returns 1 if that reset it.
int weft_channel_consume(weft_channel *channel, const weft_channel_rule *rule, weft_values *values);

// Applies the tentative end of the run: returns 1 if the channel became available.
int weft_channel_finish(weft_channel *channel, const weft_channel_rule *rule);

// TASKS: adds one Send; takes its own references. WEFT_ERR_NO_MEMORY.
weft_status weft_channel_send(weft_channel *channel, weft_values *values, weft_send send);

#endif
