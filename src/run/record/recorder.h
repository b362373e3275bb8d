// SPDX-License-Identifier: MIT
// A record on its way into the log, and how its values stand in it: as a reference to where the log
// has them, as an edit of what the log has, or whole.
#ifndef WEFT_RUN_RECORD_RECORDER_H
#define WEFT_RUN_RECORD_RECORDER_H

#include "log/writer.h"
#include "run/state/run.h"

// Of recorder.from: the value counts as one that no list snapshot has.
#define WEFT_RECORD_AFAR 0x80000000u

typedef struct recorder {
    weft_run *run;
    weft_log_writer writer;
    int collecting;
    weft_status status;
    weft_log_value base;
    uint32_t of_snapshot; // WEFT_VALUE_OF_SNAPSHOT if that is made of a list snapshot
    weft_word latest;     // long text in this record
    weft_word last_sent;  // what this record sends last, or hands to a graph
    uint32_t from; // the value at hand is that if it has a place: it begins there in the writer's
                   // buffer. Or 0
    uint32_t snapshot_item; // item of a list snapshot that stood here last
} recorder;

// What stands for a value. While collecting, one without a text is noted as wanted
// (weft_run.encode).
weft_log_value weft_record_value(recorder *rec, weft_word word);
// The value was put at this place of the record, to be referred to from now on; WEFT_LOG_NONE: it
// has none.
void weft_record_placed(recorder *rec, weft_word word, uint32_t index);
typedef enum weft_record_made {
    WEFT_RECORD_ITEM, // may become an item of a list snapshot, so it is made of none
    WEFT_RECORD_OTHER,
    WEFT_RECORD_SENT // is sent, or handed to a graph
} weft_record_made;

// Makes the value an edit of the one in whose place it comes, or of what is nearest to it.
void weft_record_rebase(recorder *rec, weft_word before, weft_log_value *value,
                        weft_record_made made);
// Makes it an edit of the text of the run's snapshot, or of what was given last, if that is nearer.
void weft_record_rebase_made(recorder *rec, weft_log_value *value, weft_record_made made);
// This long text was saved: what is saved next is often the same, or holds it (weft_thread.texts).
// One that is not in the log stands where that does.
void weft_record_texts(recorder *rec, weft_word word, weft_value *value);
// The record is whole, in the frame begun at `mark`: what it sent last, or handed to a graph, is
// what was given last from now on, and where graphs run inside it is packed.
void weft_record_note_sent(const recorder *rec, uint32_t mark);
// The message that this one replaces, or WEFT_WORD_ABSENT.
weft_word weft_record_message(const weft_list *list, const weft_message *message);
// How many of `most` words, each `stride` words behind the one before, stand in the log as items of
// a list snapshot: of the list's own or of the one around the run. *many is to be written for them
// if they are more than one.
uint32_t weft_record_many(recorder *rec, const weft_list *list, const weft_word *words,
                          size_t stride, uint32_t most, weft_log_value *many);
// Items that a list's steps append, from step `at` on, and that a list snapshot has, as one
// operation. Returns how many they are, at least 1: then none is put. Without `put` they are
// counted only.
uint32_t weft_record_put_many(recorder *rec, const weft_list *list, uint32_t at, int put);
weft_log_send weft_record_send(recorder *rec, uint32_t node, weft_word word, weft_word timeout);

#endif
