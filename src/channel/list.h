// SPDX-License-Identifier: MIT
// Lists that grow by built-in reducers: messages (by id, as messagesStateReducer) and topics.
// An update is applied at once and noted as steps, which go to the host and to the log. There is no
// undo: a run whose step fails drops its state. Owns its items, their ids and one reference per
// word. Must not know channels, versions or records.
#ifndef WEFT_CHANNEL_LIST_H
#define WEFT_CHANNEL_LIST_H

#include "base/map.h"
#include "list_snapshot.h"

// What crosses of one message: its word, its id and whether it is a RemoveMessage. Ids are lent.
typedef struct weft_message {
    weft_word word;
    uint32_t flags; // WEFT_MESSAGE_REMOVE, WEFT_MESSAGE_REMOVE_ALL, or WEFT_MESSAGE_UNKNOWN
    const uint8_t *id;
    uint32_t id_length;
} weft_message;

// A message read back from the log: only the host knows its id and kind, before the list takes it.
#define WEFT_MESSAGE_UNKNOWN 0x80000000u

typedef struct weft_list_item {
    weft_word word;
    uint32_t id_length;
    uint8_t *id; // owned; NULL when the list has no ids or does not know them yet
} weft_list_item;

typedef struct weft_list_step {
    uint32_t kind; // WEFT_LIST_*
    uint32_t index;
    weft_word word;   // REPLACE, APPEND: one reference of its own
    uint32_t same;    // REPLACE: by another value of the same text, which is no change for the log
    weft_word before; // REPLACE: what the log holds there, one reference of its own, or absent
} weft_list_step;

typedef struct weft_list {
    weft_memory *memory;
    weft_values *values;
    weft_list_item *items;
    uint32_t count, capacity;
    weft_map by_id;
    int with_ids;          // messages
    int ids_known;         // 0 after a restore, until weft_list_identify
    weft_list_step *steps; // since the last weft_list_settle
    uint32_t step_count, step_capacity;
    uint32_t steps_emitted;       // of these the host's mirror knows
    weft_list_snapshot *snapshot; // or NULL
} weft_list;

// An empty list that takes no memory yet; fini drops its references. `with_ids`: items are found by
// their ids (messages).
void weft_list_init(weft_list *list, weft_values *values, int with_ids);
void weft_list_fini(weft_list *list);

// Adds a word as it was stored (takes the caller's reference); no step is noted.
// WEFT_ERR_NO_MEMORY.
weft_status weft_list_restore(weft_list *list, weft_word word);

// Tells the ids of all items of a restored list, in order. WEFT_ERR_ARGUMENT when the count
// differs, WEFT_ERR_NO_MEMORY.
weft_status weft_list_identify(weft_list *list, const weft_message *messages, uint32_t count);

// Folds one written value (the messages of one write; the words' references stay the caller's).
// WEFT_ERR_DELETE_MESSAGE (`*failed` = index in `messages`), WEFT_ERR_NO_MEMORY.
weft_status weft_list_merge(weft_list *list, const weft_message *messages, uint32_t count,
                            uint32_t *failed);

// Appends words without looking at ids (topics). WEFT_ERR_NO_MEMORY.
weft_status weft_list_append(weft_list *list, const weft_message *messages, uint32_t count);

// Whether the list has this message, with its id, in the log: then it stands there too.
int weft_list_stands(const weft_list *list, const weft_message *message);

// The list's items as a list snapshot, lent, up to the first that is not in the log; NULL when it
// is hardly worth it. `around` is one that its items may be taken from, or NULL. `loosely`: those
// that are not in the log are passed over, and the one before will do when it lacks few.
weft_list_snapshot *weft_list_take_snapshot(weft_list *list, weft_log_text name,
                                            const weft_list_snapshot *around, int loosely);

// Empties the list, noted as one step if it held anything. WEFT_ERR_NO_MEMORY.
weft_status weft_list_clear(weft_list *list);

// The steps were handed on (to the log): forgets them.
void weft_list_settle(weft_list *list);

// Notes the whole list as new: CLEAR and every item. WEFT_ERR_NO_MEMORY.
weft_status weft_list_restate(weft_list *list);

#endif
