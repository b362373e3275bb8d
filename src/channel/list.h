// SPDX-License-Identifier: MIT
// Lists with built-in reducers: messages (by id, as messagesStateReducer) and topics. Applies an
// update at once and notes it as steps, for the host and for the log. There is no undo: a run whose
// step fails drops its state. Owns its items, their ids and one reference per item. Does not depend
// on channels, versions or records.
#ifndef WEFT_CHANNEL_LIST_H
#define WEFT_CHANNEL_LIST_H

#include "base/map.h"
#include "list_snapshot.h"

// One message at the border: its value handle, its id and whether it is a RemoveMessage. Ids are
// borrowed.
typedef struct weft_message {
    weft_word word;
    uint32_t flags; // WEFT_MESSAGE_REMOVE, WEFT_MESSAGE_REMOVE_ALL, or WEFT_MESSAGE_UNKNOWN
    const uint8_t *id;
    uint32_t id_length;
} weft_message;

// Flag of a message read back from the log: the host has to report its id and kind before the list
// takes it.
#define WEFT_MESSAGE_UNKNOWN 0x80000000u

typedef struct weft_list_item {
    weft_word word;
    uint32_t id_length;
    uint8_t *id; // owned; NULL when the list has no ids or they are not known yet
} weft_list_item;

typedef struct weft_list_step {
    uint32_t kind; // WEFT_LIST_*
    uint32_t index;
    weft_word word;   // REPLACE, APPEND: with its own reference
    uint32_t same;    // REPLACE: the new value has the same text, so the log has no change
    weft_word before; // REPLACE: replaced value that the log has, with its own reference, or absent
} weft_list_step;

typedef struct weft_list {
    weft_memory *memory;
    weft_values *values;
    weft_list_item *items;
    uint32_t count, capacity;
    weft_map by_id;
    int with_ids;          // a list of messages
    int ids_known;         // 0 after a restore, until weft_list_identify
    weft_list_step *steps; // noted since the last weft_list_settle
    uint32_t step_count, step_capacity;
    uint32_t steps_emitted;       // number of steps that the host's mirror has
    weft_list_snapshot *snapshot; // or NULL
} weft_list;

// Init makes an empty list without memory; fini drops its references. `with_ids`: items are found
// by their ids (messages).
void weft_list_init(weft_list *list, weft_values *values, int with_ids);
void weft_list_fini(weft_list *list);

// Adds a stored item (takes over the caller's reference); notes no step. WEFT_ERR_NO_MEMORY.
weft_status weft_list_restore(weft_list *list, weft_word word);

// Sets the ids of all items of a restored list, in order. WEFT_ERR_ARGUMENT when the count differs,
// WEFT_ERR_NO_MEMORY.
weft_status weft_list_identify(weft_list *list, const weft_message *messages, uint32_t count);

// Merges one written value (the messages of one write); takes its own references.
// WEFT_ERR_DELETE_MESSAGE (`*failed` = index in `messages`), WEFT_ERR_NO_MEMORY.
weft_status weft_list_merge(weft_list *list, const weft_message *messages, uint32_t count,
                            uint32_t *failed);

// Appends items without looking at ids (topics). WEFT_ERR_NO_MEMORY.
weft_status weft_list_append(weft_list *list, const weft_message *messages, uint32_t count);

// Returns whether the list has a message with this id and text that is in the log; then the
// message's value gets the same place in the log.
int weft_list_stands(const weft_list *list, const weft_message *message);

// Makes a list snapshot of the list's items up to the first one that is not in the log; borrowed.
// NULL when it would save too little. `around`: a snapshot, for example the parent run's, to take
// items from, or NULL. `loosely`: skips items that are not in the log, and returns the previous
// snapshot when it lacks only a few.
weft_list_snapshot *weft_list_take_snapshot(weft_list *list, weft_log_text name,
                                            const weft_list_snapshot *around, int loosely);

// Empties the list; notes one step if it had items. WEFT_ERR_NO_MEMORY.
weft_status weft_list_clear(weft_list *list);

// Drops the noted steps, which are in the log now.
void weft_list_settle(weft_list *list);

// Notes the whole list as new: CLEAR and every item. WEFT_ERR_NO_MEMORY.
weft_status weft_list_restate(weft_list *list);

#endif
