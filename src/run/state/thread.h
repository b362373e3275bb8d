// SPDX-License-Identifier: MIT
// An open thread in an engine: the end of its hash chain, the newest tick, and the state its last
// run ended with. All runs of a thread in one process share it. Owns the kept state; does not
// depend on stores.
#ifndef WEFT_RUN_STATE_THREAD_H
#define WEFT_RUN_STATE_THREAD_H

#include "log/pack.h"
#include "log/record.h"
#include "sched/state.h"

#define WEFT_PATCHED_LEAST                                                                         \
    256u // min bytes of a text for a patch of another text than the one it replaces

#define WEFT_TEXTS 8u

#define WEFT_PATCH_SHORT                                                                           \
    1024u // bytes of a patch: a text stored as a shorter patch is not kept as last_sent

typedef struct weft_thread {
    weft_memory *memory;
    uint32_t refs;
    weft_log_chain chain;
    uint8_t known;  // the end of the chain is known: it is the store's head
    uint8_t counts; // its log has counts of a run with limits
    uint64_t tick;  // newest one used for a checkpoint id
    weft_state *kept;
    weft_log_value last_sent; // the last argument of a Send or input of a subgraph, unless a list
                              // snapshot has it: bytes, owned, and their place in the log; the
                              // value's depth in `word`. NULL = nothing
    weft_values *values;      // of `texts`
    int torn; // a record was undone that parent runs of its writer may refer to: they fail as well
    weft_word
        texts[WEFT_TEXTS]; // with references: the long texts that were saved last, during a run
    uint32_t text_count;   // total number so far
    weft_log_value
        sources[WEFT_TEXTS + 1]; // `texts` for the current record (weft_log_writer.sources)
    weft_log_packer *packer; // of the newest records, from the first one of a subgraph on; or NULL
    uint8_t *id;             // UTF-8, owned
    uint32_t id_length;
} weft_thread;

// Makes a thread with one reference. WEFT_ERR_ARGUMENT for an empty id, WEFT_ERR_NO_MEMORY.
weft_status weft_thread_new(weft_memory *memory, const void *id, uint32_t length,
                            weft_thread **thread);
void weft_thread_retain(weft_thread *thread);
void weft_thread_release(weft_thread *thread);

// Forgets head and state, so that the next run reads the store.
void weft_thread_forget(weft_thread *thread);

// Sets last_sent to a copy of a value in the log, or to nothing without memory. NULL: clears it and
// the texts.
void weft_thread_set_last_sent(weft_thread *thread, const weft_value *value);

// Forgets the texts that were saved last.
void weft_thread_drop_texts(weft_thread *thread);

// Keeps `state` (takes ownership) for the next run, or frees it when it cannot be reused.
void weft_thread_keep(weft_thread *thread, weft_state *state);

// Takes the kept state if it fits `graph`, else NULL.
weft_state *weft_thread_take(weft_thread *thread, const weft_graph *graph);

#endif
