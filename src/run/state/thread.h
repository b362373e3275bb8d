// SPDX-License-Identifier: MIT
// What an engine keeps of an open thread: the end of its hash chain, the newest tick, and the state
// its last run ended with. All runs of a thread in one process share it. Owns the kept state; must
// not know stores.
#ifndef WEFT_RUN_STATE_THREAD_H
#define WEFT_RUN_STATE_THREAD_H

#include "log/pack.h"
#include "log/record.h"
#include "sched/state.h"

#define WEFT_PATCHED_LEAST                                                                         \
    256u // bytes of a text that may be made of another one than that in whose place it comes

#define WEFT_TEXTS 8u

#define WEFT_PATCH_SHORT                                                                           \
    1024u // bytes of a patch: what one makes of something else than what was given last is not kept

typedef struct weft_thread {
    weft_memory *memory;
    uint32_t refs;
    weft_log_chain chain;
    uint8_t known;  // the chain's end is the store's head
    uint8_t counts; // its log holds what a run with limits used
    uint64_t tick;  // newest one used for a checkpoint id
    weft_state *kept;
    weft_log_value last_sent; // a Send's argument or what a graph was handed, unless a list
                              // snapshot has it: bytes, owned, and where they stand; as `word` the
                              // value's depth. NULL = nothing
    weft_values *values;      // of these
    int torn; // a record was taken back, which runs around the one that wrote it may refer to: they
              // end as well
    weft_word
        texts[WEFT_TEXTS]; // counted: the long texts that were saved last, while a run is at work
    uint32_t text_count;   // that there ever were
    weft_log_value
        sources[WEFT_TEXTS + 1]; // of these, for the record at hand (weft_log_writer.sources)
    weft_log_packer
        *packer; // of the newest records, from the first one of a graph inside on; or NULL
    uint8_t *id; // UTF-8, owned
    uint32_t id_length;
} weft_thread;

// One reference. WEFT_ERR_ARGUMENT for an empty id, WEFT_ERR_NO_MEMORY.
weft_status weft_thread_new(weft_memory *memory, const void *id, uint32_t length,
                            weft_thread **thread);
void weft_thread_retain(weft_thread *thread);
void weft_thread_release(weft_thread *thread);

// Forgets head and state: the next run reads the store.
void weft_thread_forget(weft_thread *thread);

// Takes a copy of what stands in the log, as what was given last. No memory: none. NULL: none, and
// no texts either.
void weft_thread_set_last_sent(weft_thread *thread, const weft_value *value);

// Forgets the texts that were saved last.
void weft_thread_drop_texts(weft_thread *thread);

// Keeps `state` (taken) for the next run, or frees it when it cannot serve one.
void weft_thread_keep(weft_thread *thread, weft_state *state);

// Takes the kept state if it fits `graph`, else NULL.
weft_state *weft_thread_take(weft_thread *thread, const weft_graph *graph);

#endif
