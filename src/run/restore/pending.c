// SPDX-License-Identifier: MIT
// Implements restore.h: reads the pending writes of a checkpoint: its tasks' writes, interrupts and
// answers.
#include <string.h>

#include "log/state.h"
#include "run/host/ids_and_namespaces.h"
#include "run/record/format.h"
#include "run/restore/restore.h"
#include "run/state/resume.h"
#include "run/state/run.h"

static weft_write *last_write(weft_task *task) {
    return task->write_count == 0 ? NULL : &task->writes[task->write_count - 1];
}

static weft_status restore_list_item(weft_run *run, weft_write *write,
                                     const weft_log_write *stored) {
    weft_word word;
    if (stored->value.form == WEFT_LOG_IMMEDIATE && stored->value.word == WEFT_WORD_ABSENT) {
        return WEFT_OK; // an empty list
    }
    WEFT_TRY(weft_restore_word(run, &stored->value, &word));
    if ((write->count & (write->count - 1u)) == 0) {
        weft_message *more =
            weft_arena_zeroed(&run->lasting, (size_t)write->count * 2 + 1, sizeof(*more));
        if (more == NULL) {
            weft_values_release(run->values, word);
            return WEFT_ERR_NO_MEMORY;
        }
        if (write->count > 0) {
            memcpy(more, write->messages, write->count * sizeof(*more));
        }
        write->messages = more;
    }
    write->messages[write->count].word = word;
    write->messages[write->count].flags = WEFT_MESSAGE_UNKNOWN;
    write->count++;
    return WEFT_OK;
}

static weft_status restore_write(weft_run *run, weft_task *task, uint32_t capacity,
                                 const weft_log_write *stored, int32_t *list_index) {
    uint32_t flags = (uint32_t)stored->index & WEFT_RECORD_FLAGS;
    uint32_t channel = stored->is_send ? run->graph->tasks_channel
                                       : weft_graph_channel(run->graph, stored->channel);
    if (channel == WEFT_GRAPH_NONE) {
        return WEFT_OK;
    }
    if ((flags & WEFT_RECORD_LIST) != 0 && *list_index == stored->index) {
        return restore_list_item(run, last_write(task), stored);
    }
    if (task->write_count >= capacity) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_write *write = &task->writes[task->write_count];
    memset(write, 0, sizeof(*write));
    write->channel = channel;
    write->overwrite = (flags & WEFT_RECORD_OVERWRITE) != 0;
    write->lone = (flags & WEFT_RECORD_LONE) != 0;
    *list_index = 0;
    const weft_channel *kept = &run->state->channels[channel];
    if ((flags & WEFT_RECORD_LIST) != 0) {
        if (kept->list == NULL) {
            return WEFT_OK;
        }
        *list_index = stored->index;
        write->form = WEFT_WRITE_LIST;
        task->write_count++;
        return restore_list_item(run, write, stored);
    }
    if (stored->is_send) {
        write->form = WEFT_WRITE_SEND;
        write->node = weft_graph_node(run->graph, stored->send.node);
        if (write->node == WEFT_GRAPH_NONE) {
            return WEFT_OK;
        }
        WEFT_TRY(weft_restore_word(run, &stored->send.args, &write->word));
        weft_status status = weft_restore_timeout(run, &stored->send, &write->timeout);
        if (status != WEFT_OK) {
            weft_values_release(run->values, write->word);
            return status;
        }
    } else if (kept->seen != NULL && task->node == WEFT_GRAPH_NONE) {
        return WEFT_OK;
    } else if (kept->seen != NULL) {
        write->form = WEFT_WRITE_NAME;
        write->node =
            weft_restore_source(run->graph, &run->graph->joins[run->graph->channels[channel].join],
                                run->graph->nodes[task->node].name);
        if (write->node == WEFT_GRAPH_NONE) {
            return WEFT_OK;
        }
    } else if (kept->list != NULL) {
        return WEFT_OK;
    } else {
        write->form = WEFT_WRITE_VALUE;
        WEFT_TRY(weft_restore_word(run, &stored->value, &write->word));
    }
    task->write_count++;
    return WEFT_OK;
}

// Reads an id of 32 digits; anything else (old interrupts have none) leaves zeros.
static void read_hex(weft_log_text hex, uint8_t id[16]) {
    for (uint32_t i = 0; hex.length == 32 && i < 32; i++) {
        uint32_t digit = (hex.bytes[i] & 15u) + (hex.bytes[i] > '9' ? 9u : 0u);
        id[i / 2] = (uint8_t)(((uint32_t)id[i / 2] << 4) | (digit & 15u));
    }
}

// Adds an interrupt, doubling the array: a task's record may have many.
static weft_interrupt *add_interrupt(weft_run *run, weft_task *task) {
    uint32_t count = task->interrupt_count;
    if ((count & (count - 1u)) == 0) {
        weft_interrupt *more =
            weft_arena_zeroed(&run->lasting, (size_t)count * 2 + 1, sizeof(*more));
        if (more == NULL) {
            return NULL;
        }
        if (count > 0) {
            memcpy(more, task->interrupts, count * sizeof(*more));
        }
        task->interrupts = more;
    }
    return &task->interrupts[task->interrupt_count++];
}

static weft_status restore_special(weft_run *run, weft_task *task, const weft_log_write *stored) {
    weft_word word;
    task->handled |= (uint8_t)(stored->special == WEFT_LOG_WRITE_ERROR_SOURCE);
    int is_handler =
        stored->special == WEFT_LOG_WRITE_INTERRUPT && task->node == WEFT_GRAPH_NONE; // asks again
    if (is_handler) {
        return WEFT_OK;
    }
    if (stored->special != WEFT_LOG_WRITE_RESUME && stored->special != WEFT_LOG_WRITE_INTERRUPT &&
        stored->special != WEFT_LOG_WRITE_ERROR && stored->special != WEFT_LOG_WRITE_RETURN) {
        return WEFT_OK;
    }
    WEFT_TRY(weft_restore_word(run, &stored->value, &word));
    weft_status status = WEFT_OK;
    if (stored->special == WEFT_LOG_WRITE_RESUME) {
        status = weft_task_resume(task, run->values, word);
        weft_values_release(run->values, word);
    } else if (stored->special == WEFT_LOG_WRITE_RETURN) {
        weft_values_release(run->values, task->argument);
        task->argument = word;
        task->replied = 1;
    } else if (stored->special == WEFT_LOG_WRITE_ERROR) {
        weft_values_release(run->values, task->error);
        task->error = word;
    } else {
        weft_interrupt *more = add_interrupt(run, task);
        if (more == NULL) {
            weft_values_release(run->values, word);
            return WEFT_ERR_NO_MEMORY;
        }
        more->word = word;
        if (stored->channel.length == 0) {
            status = weft_ids_interrupt(run, task, 0, more->id);
        } else {
            read_hex(stored->channel, more->id);
        }
    }
    return status;
}

static void find_task(const weft_run *run, const weft_log_task *stored, weft_task *task) {
    task->node = WEFT_GRAPH_NONE;
    if (stored->key.kind == WEFT_LOG_TASK_PUSH) {
        task->kind = WEFT_TASK_PUSH;
        task->push_index = stored->key.index;
        task->node = weft_graph_node(run->graph, stored->key.node);
    } else if (stored->key.kind == WEFT_LOG_TASK_PULL) {
        uint32_t node = weft_graph_node(run->graph, stored->key.node);
        uint32_t channel = weft_graph_channel(run->graph, stored->key.trigger);
        task->kind = WEFT_TASK_PULL;
        for (uint32_t t = 0; node != WEFT_GRAPH_NONE && t < run->graph->nodes[node].trigger_count;
             t++) {
            if (run->graph->nodes[node].triggers[t] == channel) {
                task->node = node;
                task->trigger = t;
            }
        }
    }
}

static weft_status read_pending(weft_run *run, weft_log_pending *reader,
                                const weft_log_task *stored) {
    if (!weft_memory_reserve(run->memory, &run->resume.pending, sizeof(*run->resume.pending),
                             &run->resume.pending_capacity, run->resume.pending_count + 1)) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_pending_task *pending = &run->resume.pending[run->resume.pending_count++];
    memset(pending, 0, sizeof(*pending));
    pending->key = stored->key;
    pending->seq = weft_log_index_seq(&run->source.index, reader->record);
    weft_task *task = &pending->task;
    find_task(run, stored, task);
    task->status = stored->outcome == WEFT_RECORD_DONE ? WEFT_TASK_RESTORED : WEFT_TASK_INTERRUPTED;
    task->writes = weft_arena_zeroed(&run->lasting, stored->count + 1u, sizeof(weft_write));
    if (task->writes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    int32_t list_index = 0; // of the current list; lists never have 0
    weft_log_write write;
    // A stored id may be a handler's, which is known when its step is planned.
    int known = task->node != WEFT_GRAPH_NONE || stored->key.kind == WEFT_LOG_TASK_STORED;
    while (weft_log_pending_write(reader, &write)) {
        if (write.special != WEFT_LOG_WRITE_PLAIN) {
            if (known || stored->key.kind == WEFT_LOG_TASK_NULL) {
                WEFT_TRY(restore_special(run, task, &write));
            }
        } else if (known || stored->key.kind == WEFT_LOG_TASK_NULL) {
            WEFT_TRY(restore_write(run, task, stored->count, &write, &list_index));
        }
    }
    if (task->resume_count > 0) {
        task->waited = task->interrupts;
        task->waited_count = task->interrupt_count;
    }
    task->status = task->handled ? WEFT_TASK_FAILED : task->status;
    return reader->status;
}

weft_status weft_restore_pending(weft_run *run, uint32_t entry) {
    weft_log_pending reader;
    weft_log_task stored;
    weft_restore_drop_pending(run);
    weft_log_pending_init(&reader, &run->source.index, entry);
    while (weft_log_pending_task(&reader, &stored)) {
        // Writes of a finished step are in its child's record: history and the state of a named
        // checkpoint show them, but a run does not take them as pending.
        int is_shown = run->options.kind == WEFT_RUN_INVOKE
                           ? run->resume.replaying
                           : run->options.kind != WEFT_RUN_UPDATE || weft_run_clears_tasks(run);
        if (reader.child == WEFT_LOG_NONE || is_shown) {
            WEFT_TRY(read_pending(run, &reader, &stored));
        }
    }
    return reader.status;
}

// Restores for time travel with snapshots: interrupts and failures of the tasks, but no answers.
weft_status weft_restore_shown(weft_run *run, uint32_t entry) {
    WEFT_TRY(weft_restore_pending(run, entry));
    for (uint32_t i = 0; i < run->resume.pending_count; i++) {
        weft_task *task = &run->resume.pending[i].task;
        while (task->resume_count > 0) {
            weft_values_release(run->values, task->resumes[--task->resume_count]);
        }
    }
    return WEFT_OK;
}

void weft_restore_drop_pending(weft_run *run) {
    for (uint32_t i = 0; i < run->resume.pending_count; i++) {
        weft_task_fini(&run->resume.pending[i].task, run->values);
    }
    run->resume.pending_count = 0;
}

// Finds the null task's newest record with writes: a Command's replace those of an earlier one.
static weft_task *newest_null(const weft_run *run) {
    for (uint32_t i = run->resume.pending_count; i > 0; i--) {
        weft_pending_task *found = &run->resume.pending[i - 1];
        if (found->key.kind == WEFT_LOG_TASK_NULL && found->task.write_count > 0) {
            return &found->task;
        }
    }
    return NULL;
}

int weft_restore_has_null(const weft_run *run) {
    return newest_null(run) != NULL;
}

// Takes a task's writes; its answers stay.
static weft_task take_writes(weft_task *found) {
    weft_task taken = {.node = found->node,
                       .kind = WEFT_TASK_INPUT,
                       .status = found->status,
                       .writes = found->writes,
                       .write_count = found->write_count};
    found->writes = NULL;
    found->write_count = 0;
    return taken;
}

weft_status weft_restore_null(weft_run *run) {
    weft_task *found = newest_null(run);
    if (found == NULL) {
        return WEFT_OK;
    }
    weft_task *task = weft_tasks_add(&run->step.tasks, run->memory);
    if (task == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    *task = take_writes(found);
    while ((found = newest_null(run)) != NULL) {
        weft_task replaced = take_writes(found);
        weft_task_fini(&replaced, run->values);
    }
    return WEFT_OK;
}
