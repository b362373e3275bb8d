// SPDX-License-Identifier: MIT
// A record being written, and the form of its values: a reference to a place in the log, a patch of
// a text in the log, or whole.
#ifndef WEFT_RUN_RECORD_RECORDER_H
#define WEFT_RUN_RECORD_RECORDER_H

#include "log/writer.h"
#include "run/state/run.h"

// Flag in recorder.from: the value counts as one that no list snapshot has.
#define WEFT_RECORD_AFAR 0x80000000u

typedef struct recorder {
    weft_run *run;
    weft_log_writer writer;
    int collecting;
    weft_status status;
    weft_log_value base;
    uint32_t of_snapshot;   // WEFT_VALUE_OF_SNAPSHOT if `base` is built from a list snapshot
    weft_word latest;       // last long text in this record
    weft_word last_sent;    // last Send's argument or subgraph's input in this record
    uint32_t from;          // start of a candidate for `last_sent` in the writer's buffer, or 0
    uint32_t snapshot_item; // item of a list snapshot that was used last
} recorder;

// Returns a value's form in the record. While collecting, notes a value without a text as wanted
// (weft_run.recording).
weft_log_value weft_record_value(recorder *rec, weft_word word);
// Notes the value's place in the record for later references; WEFT_LOG_NONE: it has none.
void weft_record_placed(recorder *rec, weft_word word, uint32_t index);
typedef enum weft_record_made {
    WEFT_RECORD_ITEM, // may become an item of a list snapshot, so it is never built from one
    WEFT_RECORD_OTHER,
    WEFT_RECORD_SENT // argument of a Send, or input of a subgraph
} weft_record_made;

// Makes the value a patch of the value that it replaces, or of the nearest one.
void weft_record_rebase(recorder *rec, weft_word before, weft_log_value *value,
                        weft_record_made made);
// Makes it a patch of the text of the run's snapshot, or of last_sent, if that is nearer.
void weft_record_rebase_made(recorder *rec, weft_log_value *value, weft_record_made made);
// Notes a saved long text: what is saved next is often the same, or contains it
// (weft_thread.texts). A value that is not in the log gets the place of an equal text.
void weft_record_texts(recorder *rec, weft_word word, weft_value *value);
// Ends the record in the frame begun at `mark`: its last Send's argument or subgraph's input
// becomes the thread's last_sent; packs the record if the thread has subgraphs.
void weft_record_note_sent(const recorder *rec, uint32_t mark);
// Returns the message that this one replaces, or WEFT_WORD_ABSENT.
weft_word weft_record_message(const weft_list *list, const weft_message *message);
// Counts how many of `most` values, `stride` handles apart, are consecutive items of a list
// snapshot: the list's own or the run's. *many stands for them if there are several.
uint32_t weft_record_many(recorder *rec, const weft_list *list, const weft_word *words,
                          size_t stride, uint32_t most, weft_log_value *many);
// Writes the items that a list's steps append, from step `at` on, as one operation if a list
// snapshot has them. Returns their number; 1 means that nothing was written. Without `put` only
// counts them.
uint32_t weft_record_put_many(recorder *rec, const weft_list *list, uint32_t at, int put);
weft_log_send weft_record_send(recorder *rec, uint32_t node, weft_word word, weft_word timeout);

#endif
