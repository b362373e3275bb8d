// SPDX-License-Identifier: MIT
// Implements entries.h: state, Command, edges, joins, branches.
#include <string.h>

#include "run/host/batch.h"
#include "run/state/run.h"
#include "run/task/entries.h"

typedef struct entry_reader {
    weft_run *run;
    weft_cursor *cursor;
    weft_task *task;
    uint32_t capacity;
    int overwrites; // the next MESSAGES entry replaces the list
} entry_reader;

static weft_write *add_write(entry_reader *reader, uint32_t channel, weft_write_form form,
                             weft_word word) {
    weft_task *task = reader->task;
    if (task->write_count == reader->capacity) {
        uint32_t capacity = reader->capacity == 0 ? 8 : reader->capacity * 2;
        weft_write *writes = weft_arena_zeroed(&reader->run->arena, capacity, sizeof(*writes));
        if (writes == NULL) {
            return NULL;
        }
        if (task->write_count > 0) {
            memcpy(writes, task->writes, task->write_count * sizeof(*writes));
        }
        task->writes = writes;
        reader->capacity = capacity;
    }
    weft_write *write = &task->writes[task->write_count++];
    memset(write, 0, sizeof(*write));
    write->channel = channel;
    write->form = (uint8_t)form;
    write->word = word;
    return write;
}

static weft_word name_of(uint32_t node) {
    return (node << 3) | WEFT_WORD_TAG_NODE;
}

static uint32_t own_node(const entry_reader *reader) {
    return reader->task->kind == WEFT_TASK_INPUT ? 0 : reader->task->node;
}

static weft_status go_to(entry_reader *reader, uint32_t node) {
    const weft_graph *graph = reader->run->graph;
    // A low-level graph has no channel to write to.
    if (node == WEFT_GRAPH_END || graph->input.bytes != NULL) {
        return WEFT_OK;
    }
    if (node == 0 || node >= graph->node_count) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_word from = name_of(own_node(reader));
    return add_write(reader, graph->nodes[node].channel, WEFT_WRITE_VALUE, from) == NULL
               ? WEFT_ERR_NO_MEMORY
               : WEFT_OK;
}

static weft_status send_to(entry_reader *reader, uint32_t node, weft_word word, int timed) {
    const weft_graph *graph = reader->run->graph;
    if (node == 0 || node >= graph->node_count) {
        return WEFT_ERR_BAD_EVENT;
    }
    reader->run->recording.sends = 1;
    weft_write *write = add_write(reader, graph->tasks_channel, WEFT_WRITE_SEND, WEFT_WORD_ABSENT);
    if (write == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    write->node = node;
    WEFT_TRY(weft_values_adopt(reader->run->values, word));
    write->word = word;
    if (timed) {
        weft_word timeout = weft_cursor_word(reader->cursor);
        WEFT_TRY(weft_values_adopt(reader->run->values, timeout));
        write->timeout = timeout;
    }
    return reader->cursor->status;
}

static weft_status read_write(entry_reader *reader, int overwrite) {
    weft_run *run = reader->run;
    uint32_t channel = weft_cursor_word(reader->cursor);
    weft_word word = weft_cursor_word(reader->cursor);
    if (channel >= run->graph->channel_count || reader->cursor->status != WEFT_OK) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_channel_kind kind = run->graph->channels[channel].rule.kind;
    if (weft_channel_is_list(kind)) {
        reader->overwrites = overwrite;
        return overwrite && word == WEFT_WORD_ABSENT ? WEFT_OK : WEFT_ERR_BAD_EVENT;
    }
    if (kind == WEFT_CHANNEL_TASKS || kind == WEFT_CHANNEL_BARRIER ||
        kind == WEFT_CHANNEL_BARRIER_AFTER_FINISH) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_write *write = add_write(reader, channel, WEFT_WRITE_VALUE, WEFT_WORD_ABSENT);
    if (write == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(weft_values_adopt(run->values, word));
    write->word = word;
    write->overwrite = (uint8_t)overwrite;
    return WEFT_OK;
}

static weft_status read_message(entry_reader *reader, weft_message *message) {
    weft_word word = weft_cursor_word(reader->cursor);
    message->flags = weft_cursor_word(reader->cursor);
    const uint8_t *id = weft_cursor_text(reader->cursor, &message->id_length);
    WEFT_TRY(reader->cursor->status);
    uint8_t *copy = weft_arena_alloc(&reader->run->arena, message->id_length + 1u);
    if (copy == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    memcpy(copy, id, message->id_length);
    message->id = copy;
    WEFT_TRY(weft_values_adopt(reader->run->values, word));
    message->word = word;
    return WEFT_OK;
}

static weft_status read_messages(entry_reader *reader) {
    weft_run *run = reader->run;
    uint32_t channel = weft_cursor_word(reader->cursor);
    uint32_t flags = weft_cursor_word(reader->cursor);
    uint32_t count = weft_cursor_count(reader->cursor, 3);
    WEFT_TRY(reader->cursor->status);
    if (channel >= run->graph->channel_count ||
        !weft_channel_is_list(run->graph->channels[channel].rule.kind)) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_message *messages = weft_arena_zeroed(&run->arena, count + 1u, sizeof(*messages));
    weft_write *write = add_write(reader, channel, WEFT_WRITE_LIST, WEFT_WORD_ABSENT);
    if (messages == NULL || write == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    write->messages = messages;
    write->lone = (flags & WEFT_MESSAGES_LONE) != 0;
    write->overwrite = (uint8_t)reader->overwrites;
    reader->overwrites = 0;
    for (uint32_t i = 0; i < count; i++) {
        WEFT_TRY(read_message(reader, &messages[i]));
        write->count = i + 1;
    }
    return WEFT_OK;
}

static weft_status read_branch(entry_reader *reader) {
    weft_run *run = reader->run;
    uint32_t number = weft_cursor_word(reader->cursor);
    uint32_t count = weft_cursor_count(reader->cursor, 2);
    WEFT_TRY(reader->cursor->status);
    if (number >= run->graph->branch_count ||
        run->graph->branches[number].node != reader->task->node) {
        return WEFT_ERR_BAD_EVENT;
    }
    const weft_branch *branch = &run->graph->branches[number];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t is_send = weft_cursor_word(reader->cursor);
        uint32_t where = weft_cursor_word(reader->cursor);
        if (is_send) {
            WEFT_TRY(send_to(reader, where, weft_cursor_word(reader->cursor), is_send == 2));
            continue;
        }
        if (branch->mapped && where != WEFT_GRAPH_END) {
            if (where >= branch->end_count) {
                return WEFT_ERR_UNKNOWN_DESTINATION;
            }
            where = branch->ends[where];
        }
        WEFT_TRY(go_to(reader, where));
    }
    return reader->cursor->status;
}

static weft_status add_join(entry_reader *reader, const weft_node_join *join) {
    weft_write *write = add_write(reader, join->channel, WEFT_WRITE_NAME, WEFT_WORD_ABSENT);
    if (write == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    write->node = join->position;
    return WEFT_OK;
}

static weft_status add_edges(entry_reader *reader) {
    const weft_node *node = &reader->run->graph->nodes[reader->task->node];
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (add_write(reader, node->edges[i], WEFT_WRITE_VALUE, WEFT_WORD_NULL) == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
    }
    for (uint32_t i = 0; i < node->join_count; i++) {
        WEFT_TRY(add_join(reader, &node->joins[i]));
    }
    return WEFT_OK;
}

// Reads a write to a trigger channel by a task of this node.
static weft_status read_edge(entry_reader *reader) {
    const weft_graph *graph = reader->run->graph;
    uint32_t channel = weft_cursor_word(reader->cursor);
    uint32_t from = weft_cursor_word(reader->cursor);
    if (channel < graph->user_channels || channel >= graph->tasks_channel ||
        from >= graph->node_count) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_channel_kind kind = graph->channels[channel].rule.kind;
    if (kind != WEFT_CHANNEL_BARRIER && kind != WEFT_CHANNEL_BARRIER_AFTER_FINISH) {
        weft_word word = from == 0 ? WEFT_WORD_NULL : name_of(from);
        return add_write(reader, channel, WEFT_WRITE_VALUE, word) == NULL ? WEFT_ERR_NO_MEMORY
                                                                          : WEFT_OK;
    }
    const weft_node *node = &graph->nodes[from];
    for (uint32_t i = 0; i < node->join_count; i++) {
        if (node->joins[i].channel == channel) {
            return add_join(reader, &node->joins[i]);
        }
    }
    return WEFT_OK;
}

static weft_status read_return(entry_reader *reader) {
    weft_task *task = reader->task;
    weft_word word = weft_cursor_word(reader->cursor);
    if (task->kind != WEFT_TASK_CALL || task->argument != WEFT_WORD_ABSENT) {
        return WEFT_ERR_BAD_EVENT;
    }
    WEFT_TRY(weft_values_adopt(reader->run->values, word));
    task->argument = word;
    return WEFT_OK;
}

static weft_status read_entry(entry_reader *reader, uint32_t kind) {
    switch (kind) {
    case WEFT_ENTRY_WRITE:
        return read_write(reader, 0);
    case WEFT_ENTRY_OVERWRITE:
        return read_write(reader, 1);
    case WEFT_ENTRY_MESSAGES:
        return read_messages(reader);
    case WEFT_ENTRY_GOTO:
        return go_to(reader, weft_cursor_word(reader->cursor));
    case WEFT_ENTRY_SEND:
    case WEFT_ENTRY_SEND_WITHIN: {
        uint32_t node = weft_cursor_word(reader->cursor);
        return send_to(reader, node, weft_cursor_word(reader->cursor),
                       kind == WEFT_ENTRY_SEND_WITHIN);
    }
    case WEFT_ENTRY_EDGE:
        return read_edge(reader);
    case WEFT_ENTRY_BRANCH:
        return read_branch(reader);
    case WEFT_ENTRY_RETURN:
        return read_return(reader);
    default:
        return WEFT_ERR_BAD_EVENT;
    }
}

weft_status weft_entries_read(weft_run *run, weft_cursor *cursor, uint32_t count, weft_task *task,
                              int with_edges) {
    entry_reader reader = {.run = run, .cursor = cursor, .task = task};
    int edges_added = !with_edges;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = weft_cursor_word(cursor);
        WEFT_TRY(cursor->status);
        // Order of writers: state, Command, edges, joins, branches.
        if (kind == WEFT_ENTRY_BRANCH && !edges_added) {
            edges_added = 1;
            WEFT_TRY(add_edges(&reader));
        }
        WEFT_TRY(read_entry(&reader, kind));
    }
    if (!edges_added) {
        WEFT_TRY(add_edges(&reader));
    }
    return cursor->status;
}
