// SPDX-License-Identifier: MIT
// Implements plan.h: checks calls one by one.
#include "plan.h"
#include "base/hash.h"
#include "base/ops.h"
#include "call.h"

#define NO_TOOL UINT32_MAX
#define DOMAIN "weft.tool-call.2"

typedef struct reader {
    const uint32_t *at, *end;
    int broken;
} reader;

typedef struct planner {
    weft_toolset *set;
    weft_buffer *out;
    weft_buffer text; // of the current call
    weft_map ids;
    weft_json_limits limits;
    weft_json_tape tape;
    weft_schema_result result;
    uint32_t mode, index;
    int digests;         // every call gets a digest
    weft_log_text scope; // input of assigned ids
} planner;

static uint32_t read_word(reader *in) {
    if (in->at == in->end) {
        in->broken = 1;
        return 0;
    }
    return *in->at++;
}

static weft_log_text read_text(reader *in) {
    uint32_t length = read_word(in);
    uint32_t words = length / 4 + (length % 4 != 0);
    if (in->broken || words > (size_t)(in->end - in->at)) {
        in->broken = 1;
        return (weft_log_text){(const uint8_t *)"", 0};
    }
    weft_log_text text = {(const uint8_t *)in->at, length};
    in->at += words;
    return text;
}

static weft_tool_call read_call(reader *in) {
    weft_tool_call call;
    call.flags = read_word(in);
    call.name = read_text(in);
    call.id = read_text(in);
    call.arguments = read_text(in);
    return call;
}

// ---- one call

static void put_framed(planner *p, const char *before, const char *after) {
    uint32_t start = weft_buffer_begin_text(p->out);
    weft_buffer_say(p->out, before);
    weft_buffer_append(p->out, p->text.bytes, p->text.length);
    weft_buffer_say(p->out, after);
    weft_buffer_end_text(p->out, start);
}

static void put_refusal(planner *p) {
    if (p->mode == WEFT_PLAN_TOOLS) {
        put_framed(p, "Error: ", "\n Please fix your mistakes.");
    } else if (p->mode == WEFT_PLAN_VALIDATE) {
        put_framed(p, "", "\n\nRespond after fixing all validation errors.");
    } else {
        put_framed(p, "", "");
    }
}

static void hash_text(weft_hash_sha256_state *hash, const void *bytes, uint32_t length) {
    uint8_t head[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                       (uint8_t)(length >> 24)};
    weft_hash_sha256_update(hash, head, sizeof(head));
    weft_hash_sha256_update(hash, bytes, length);
}

static void put_digest(planner *p, const weft_tool_call *call, const weft_tool *tool) {
    uint8_t digest[32];
    weft_hash_sha256_state hash;
    weft_hash_sha256_init(&hash);
    hash_text(&hash, DOMAIN, sizeof(DOMAIN) - 1);
    hash_text(&hash, p->scope.bytes, p->scope.length);
    hash_text(&hash, call->id.bytes, call->id.length);
    hash_text(&hash, tool->name.bytes, tool->name.length);
    hash_text(&hash, tool->digest, sizeof(tool->digest));
    hash_text(&hash, p->text.bytes, p->text.length);
    weft_hash_sha256_final(&hash, digest);
    weft_buffer_text(p->out, digest, sizeof(digest));
}

// Appends an id for a call that cannot keep its own. A second plan of the same message gives the
// same id.
static void put_assigned(planner *p) {
    uint8_t bytes[32 + 4], digest[16];
    char id[5 + 32] = "call_";
    weft_hash_sha256_state hash;
    weft_hash_sha256_init(&hash);
    hash_text(&hash, p->scope.bytes, p->scope.length);
    weft_hash_sha256_final(&hash, bytes);
    for (uint32_t i = 0; i < 4; i++) {
        bytes[32 + i] = (uint8_t)(p->index >> (8 * i));
    }
    weft_hash_xxh3_128(bytes, sizeof(bytes), digest);
    weft_hash_hex(digest, sizeof(digest), id + 5);
    weft_buffer_text(p->out, id, sizeof(id));
}

// Checks the arguments against the schema: appends their canonical text, or the refusal.
static weft_status check_arguments(planner *p, const weft_tool_call *call, const weft_tool *tool) {
    weft_json_error error;
    if (call->flags & WEFT_CALL_UNREADABLE) {
        weft_buffer_say(&p->text,
                        "Tool arguments are not valid JSON: they cannot be written as text.");
        return WEFT_ERR_JSON_SYNTAX;
    }
    weft_status status =
        weft_json_read(&p->tape, call->arguments.bytes, call->arguments.length, &p->limits, &error);
    if (status != WEFT_OK) {
        weft_call_write_json(&error, &p->limits, &p->text);
        return status;
    }
    weft_json_kind kind = weft_json_kind_of(&p->tape, 0);
    if (kind != WEFT_JSON_OBJECT) {
        weft_call_write_kind(kind, &p->text);
        return WEFT_ERR_TOOL_ARGUMENTS;
    }
    if (tool->schema == NULL) {
        weft_json_write(&p->tape, 0, &p->text);
        return WEFT_OK;
    }
    weft_schema_options options = {.fill = 1};
    status = weft_schema_validate(tool->schema, &p->tape, 0, &options, &p->result);
    if (status == WEFT_OK && p->result.valid) {
        weft_schema_write_filled(tool->schema, &p->tape, 0, &p->result, &p->text);
    } else if (status == WEFT_OK) {
        weft_call_write_problems(tool->schema, &p->tape, &p->result, &p->text);
        return WEFT_ERR_TOOL_ARGUMENTS;
    } else if (status == WEFT_ERR_SCHEMA_BUDGET) {
        weft_buffer_say(&p->text, "The validation of the tool arguments takes too many steps.");
    }
    return status;
}

// Checks the call itself, before its arguments.
static weft_status check_call(planner *p, const weft_tool_call *call, uint32_t *tool) {
    uint32_t first;
    if (!(call->flags & WEFT_CALL_HAS_ID) || call->id.length == 0) {
        weft_buffer_say(&p->text, "The tool call has no id.");
        return WEFT_ERR_TOOL_CALL;
    }
    if (weft_map_get(&p->ids, call->id.bytes, call->id.length, &first)) {
        weft_call_write_twice(call, &p->text);
        return WEFT_ERR_TOOL_CALL;
    }
    WEFT_TRY(weft_map_set(&p->ids, call->id.bytes, call->id.length, p->index));
    if (p->index >= WEFT_CALL_MOST) {
        weft_call_write_many(&p->text);
        return WEFT_ERR_TOOL_CALL;
    }
    if (!weft_map_get(&p->set->names, call->name.bytes, call->name.length, tool)) {
        *tool = NO_TOOL;
        weft_call_write_unknown(call, &p->text);
        return WEFT_ERR_UNKNOWN_TOOL;
    }
    return WEFT_OK;
}

static weft_status plan_call(planner *p, const weft_tool_call *call) {
    uint32_t index = NO_TOOL, ignored = 0;
    weft_buffer_clear(&p->text);
    weft_status status = check_call(p, call, &index);
    const weft_tool *tool = status == WEFT_OK ? &p->set->tools[index] : NULL;
    // A call keeps its id if it was registered: only the id itself can be wrong before that.
    int keeps_id =
        weft_map_get(&p->ids, call->id.bytes, call->id.length, &ignored) && ignored == p->index;
    if (tool != NULL) {
        status = check_arguments(p, call, tool);
    }
    if (status == WEFT_ERR_NO_MEMORY || p->text.status != WEFT_OK) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_buffer_u32(p->out, (uint32_t)status);
    weft_buffer_u32(p->out, index);
    if (keeps_id) {
        weft_buffer_text(p->out, "", 0);
    } else {
        put_assigned(p);
    }
    if (status == WEFT_OK) {
        put_framed(p, "", "");
    } else {
        put_refusal(p);
    }
    if (status == WEFT_OK && (tool->wants_digest || p->digests)) {
        put_digest(p, call, tool);
    } else {
        weft_buffer_text(p->out, "", 0);
    }
    return p->text.status;
}

// ---- the batch

static weft_status plan_batch(planner *p, reader *in) {
    uint32_t count = read_word(in);
    p->mode = read_word(in);
    p->digests = (p->mode & WEFT_PLAN_DIGEST) != 0;
    p->mode &= WEFT_PLAN_DIGEST - 1u;
    uint64_t seed = read_word(in);
    seed |= (uint64_t)read_word(in) << 32;
    p->ids.seed = seed;
    p->limits = weft_json_argument_limits(seed);
    p->scope = read_text(in);
    if (in->broken) {
        return WEFT_ERR_BAD_EVENT;
    }
    weft_buffer_u32(p->out, count);
    for (p->index = 0; p->index < count; p->index++) {
        weft_tool_call call = read_call(in);
        if (in->broken) {
            return WEFT_ERR_BAD_EVENT;
        }
        WEFT_TRY(plan_call(p, &call));
    }
    return in->at == in->end ? p->out->status : WEFT_ERR_BAD_EVENT;
}

weft_status weft_toolset_plan(weft_toolset *set, const uint32_t *batch, uint32_t words) {
    reader in = {.at = batch, .end = batch + words};
    planner p = {.set = set, .out = &set->answer};
    weft_buffer_clear(p.out);
    weft_buffer_init(&p.text, set->memory);
    weft_map_init(&p.ids, set->memory, 0);
    weft_json_init(&p.tape, set->memory);
    weft_schema_result_init(&p.result, set->memory);
    weft_buffer_u32(p.out, WEFT_OK);
    weft_status status = plan_batch(&p, &in);
    if (status != WEFT_OK && status != WEFT_ERR_NO_MEMORY) {
        weft_buffer_clear(p.out);
        weft_buffer_u32(p.out, (uint32_t)status);
        weft_buffer_u32(p.out, 0);
        status = p.out->status == WEFT_OK ? status : WEFT_ERR_NO_MEMORY;
    }
    weft_schema_result_fini(&p.result);
    weft_json_fini(&p.tape);
    weft_map_fini(&p.ids);
    weft_buffer_fini(&p.text);
    return status;
}
