// SPDX-License-Identifier: MIT
// Implements ids_and_namespaces.h: ids are hashes or times.
#include <string.h>

#include "base/hash.h"
#include "run/host/ids_and_namespaces.h"
#include "run/state/run.h"
#include "value/tape.h"

// 100-ns units between 1582-10-15 (UUID time) and 1970-01-01.
#define UUID_EPOCH 0x01B21DD213814000u

void weft_ids_checkpoint(weft_run *run, int64_t step, uint8_t id[16]) {
    uint64_t tick = run->tick + run->output.ticks;
    if (run->thread != NULL && tick <= run->thread->tick) {
        run->output.ticks += run->thread->tick + 1 - tick;
        tick = run->thread->tick + 1;
    }
    run->output.ticks++;
    if (run->thread != NULL) {
        run->thread->tick = tick;
    }
    uint64_t time = tick + UUID_EPOCH;
    uint64_t high = (time >> 28) & 0xffffffffu;
    uint32_t middle = (uint32_t)(time >> 12) & 0xffffu;
    uint32_t low = ((uint32_t)time & 0xfffu) | 0x6000u;
    id[0] = (uint8_t)(high >> 24);
    id[1] = (uint8_t)(high >> 16);
    id[2] = (uint8_t)(high >> 8);
    id[3] = (uint8_t)high;
    id[4] = (uint8_t)(middle >> 8);
    id[5] = (uint8_t)middle;
    id[6] = (uint8_t)(low >> 8);
    id[7] = (uint8_t)low;
    id[8] = (uint8_t)((uint64_t)(step >> 8) | 0x80u);
    id[9] = (uint8_t)((uint64_t)step & 255u);
    memcpy(id + 10, run->identity.node_id, 6);
}

static void put_uuid(weft_buffer *out, const uint8_t id[16]) {
    char hex[32];
    weft_hash_hex(id, 16, hex);
    static const uint8_t cuts[5] = {8, 4, 4, 4, 12};
    uint32_t at = 0;
    for (uint32_t i = 0; i < 5; i++) {
        if (i > 0) {
            weft_buffer_u8(out, '-');
        }
        weft_buffer_append(out, hex + at, cuts[i]);
        at += cuts[i];
    }
}

// Appends the node's name after the run's namespace; a handler's name after the failed task's
// namespace.
static void put_path(weft_run *run, const weft_task *task, weft_buffer *out) {
    weft_log_text name =
        task->kind == WEFT_TASK_CALL ? task->call->scope : run->graph->nodes[task->node].name;
    if (task->kind == WEFT_TASK_HANDLER) {
        weft_status status = weft_ids_namespace(run, &run->step.tasks.items[task->push_index], out);
        out->status = status != WEFT_OK ? status : out->status;
        weft_buffer_u8(out, '|');
    } else if (run->identity.ns.length > 0 && task->kind != WEFT_TASK_CALL) {
        weft_buffer_append(out, run->identity.ns.bytes, run->identity.ns.length);
        weft_buffer_u8(out, '|');
    }
    weft_buffer_append(out, name.bytes, name.length);
}

static void put_path_json(weft_run *run, const weft_task *task, weft_buffer *out) {
    weft_buffer path;
    weft_buffer_init(&path, run->memory);
    put_path(run, task, &path);
    weft_json_write_string(path.bytes, path.length, out);
    out->status = path.status != WEFT_OK ? path.status : out->status;
    weft_buffer_fini(&path);
}

static void put_call(weft_run *run, const weft_task *task, weft_buffer *out) {
    const weft_call *call = task->call;
    weft_buffer_say(out, "[");
    put_path_json(run, task, out);
    weft_buffer_say(out, ",\"");
    weft_buffer_decimal(out, run->state->step + 1);
    weft_buffer_say(out, "\",");
    weft_json_write_string(call->name.bytes, call->name.length, out);
    weft_buffer_say(out, ",");
    // Its path without the last element, which marks it as a call.
    weft_buffer_append(out, call->path.bytes + 1,
                       call->path.length - (uint32_t)sizeof("[,true]") + 1u);
    weft_buffer_say(out, "]");
}

static void put_names(weft_run *run, const weft_task *task, const uint8_t *failed,
                      weft_buffer *out) {
    const weft_node *node = &run->graph->nodes[task->node];
    weft_buffer_say(out, "[");
    if (run->identity.ns.length > 0 || failed != NULL) {
        put_path_json(run, task, out);
    } else {
        weft_buffer_append(out, node->json.bytes, node->json.length);
    }
    weft_buffer_say(out, ",\"");
    weft_buffer_decimal(out, run->state->step + 1);
    weft_buffer_say(out, "\",");
    weft_buffer_append(out, node->json.bytes, node->json.length);
    if (failed != NULL) {
        weft_buffer_say(out, ",\"__pregel_push\",\"node_error_handler\",\"");
        put_uuid(out, failed);
        weft_buffer_say(out, "\"]");
        return;
    }
    if (task->kind == WEFT_TASK_PUSH) {
        weft_buffer_say(out, ",\"__pregel_push\",\"");
        weft_buffer_decimal(out, task->push_index);
        weft_buffer_say(out, "\"]");
        return;
    }
    weft_log_text trigger = run->graph->channels[node->triggers[task->trigger]].json;
    weft_buffer_say(out, ",\"__pregel_pull\",[");
    weft_buffer_append(out, trigger.bytes, trigger.length);
    weft_buffer_say(out, "]]");
}

weft_status weft_ids_task(weft_run *run, const weft_task *task, uint8_t id[16]) {
    uint8_t digest[20];
    weft_hash_sha1_state hash;
    weft_buffer name;
    weft_buffer_init(&name, run->memory);
    if (task->kind == WEFT_TASK_WRITERS) {
        weft_buffer_say(&name, "__interrupt__");
    } else if (task->kind == WEFT_TASK_HANDLER) {
        uint8_t failed[16];
        WEFT_TRY(weft_ids_task(run, &run->step.tasks.items[task->push_index], failed));
        put_names(run, task, failed, &name);
    } else if (task->kind == WEFT_TASK_CALL) {
        put_call(run, task, &name);
    } else {
        put_names(run, task, NULL, &name);
    }
    weft_hash_sha1_init(&hash);
    // A task of updateState is named after the checkpoint that it changed.
    weft_hash_sha1_update(
        &hash, task->kind == WEFT_TASK_WRITERS ? run->state->parent : run->state->id, 16);
    weft_hash_sha1_update(&hash, name.bytes, name.length);
    weft_hash_sha1_final(&hash, digest);
    weft_status status = name.status;
    weft_buffer_fini(&name);
    memcpy(id, digest, 16);
    id[6] = (uint8_t)((id[6] & 0x0f) | 0x50);
    id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
    return status;
}

weft_status weft_ids_namespace(weft_run *run, const weft_task *task, weft_buffer *out) {
    uint8_t uuid[16];
    WEFT_TRY(weft_ids_task(run, task, uuid));
    put_path(run, task, out);
    weft_buffer_u8(out, ':');
    put_uuid(out, uuid);
    return out->status;
}

weft_status weft_ids_interrupt(weft_run *run, const weft_task *task, uint32_t index,
                               uint8_t id[16]) {
    weft_buffer name;
    weft_buffer_init(&name, run->memory);
    weft_status status = weft_ids_namespace(run, task, &name);
    if (status == WEFT_OK && index > 0) {
        weft_buffer_u8(&name, '|');
        weft_buffer_decimal(&name, index);
        status = name.status;
    }
    if (status == WEFT_OK) {
        weft_hash_xxh3_128(name.bytes, name.length, id);
    }
    weft_buffer_fini(&name);
    return status;
}

static weft_log_task_key key_of(const weft_run *run, const weft_task *task) {
    weft_log_task_key key = {.kind = WEFT_LOG_TASK_NULL};
    uint32_t kind = task->stands_for == 0 ? task->kind : task->stands_for - 1u;
    if (task->kind == WEFT_TASK_INPUT) {
        return key;
    }
    const weft_node *node = &run->graph->nodes[task->node];
    key.node = node->name;
    key.kind = kind == WEFT_TASK_PUSH ? WEFT_LOG_TASK_PUSH : WEFT_LOG_TASK_PULL;
    key.index = task->push_index;
    if (kind == WEFT_TASK_PULL) {
        key.trigger = run->graph->channels[node->triggers[task->trigger]].name;
    }
    return key;
}

// Makes a task's key; a task without a trigger or a Send is only identified by its id.
weft_status weft_ids_key(weft_run *run, const weft_task *task, weft_log_task_key *key) {
    int is_update = task->kind == WEFT_TASK_WRITERS && task->stands_for == 0;
    if (!is_update && task->kind != WEFT_TASK_HANDLER && task->kind != WEFT_TASK_CALL) {
        *key = key_of(run, task);
        return WEFT_OK;
    }
    *key = (weft_log_task_key){.kind = WEFT_LOG_TASK_STORED};
    return weft_ids_task(run, task, key->id);
}

int weft_ids_same_key(const weft_log_task_key *a, const weft_log_task_key *b) {
    if (a->kind != b->kind) {
        return 0;
    }
    if (a->kind == WEFT_LOG_TASK_STORED) {
        return memcmp(a->id, b->id, WEFT_LOG_ID_BYTES) == 0;
    }
    int push = a->kind == WEFT_LOG_TASK_PUSH;
    return weft_log_same_text(a->node, b->node) &&
           (push ? a->index == b->index : weft_log_same_text(a->trigger, b->trigger));
}
