// SPDX-License-Identifier: MIT
// Implements document.h: cJSON with an arena as its allocator.
#include "document.h"

#include <cJSON.h>
#include <string.h>

#include "base/arena.h"

#define MOST_DEPTH 128

struct weft_document {
    weft_arena arena;
    cJSON *root;
};

// Arena of the parse that runs on this thread: cJSON's hooks are global and take no argument.
static _Thread_local weft_arena *parsing;

static void *hook_alloc(size_t size) {
    return parsing == NULL ? NULL : weft_arena_alloc(parsing, size);
}

static void hook_release(void *block) {
    (void)block;
}

double weft_document_strtod(const char *text, char **end) {
    size_t length = 0;
    while (text[length] != '\0' && strchr("+-.0123456789eE", text[length]) != NULL) {
        length++;
    }
    text += length;
    memcpy(end, &text, sizeof(*end));
    return 0;
}

static cJSON *parse_into(weft_arena *arena, const uint8_t *bytes, size_t length) {
    cJSON_Hooks hooks = {.malloc_fn = hook_alloc, .free_fn = hook_release};
    char *text = weft_arena_alloc(arena, length + 1);
    if (text == NULL) {
        return NULL;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    cJSON_InitHooks(&hooks);
    parsing = arena;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, NULL, 1);
    parsing = NULL;
    return root;
}

static weft_status check_strings(const weft_json_tape *tape, weft_json_error *error) {
    for (uint32_t i = 0; i < tape->count; i++) {
        const weft_json_token *token = &tape->tokens[i];
        if (token->kind == WEFT_JSON_STRING &&
            (token->flags & (WEFT_JSON_NUL | WEFT_JSON_LONE)) != 0) {
            *error = (weft_json_error){WEFT_ERR_BAD_STRING, token->offset,
                                       "a string with U+0000 or half a surrogate pair"};
            return WEFT_ERR_BAD_STRING;
        }
    }
    return WEFT_OK;
}

static weft_status build(weft_memory *memory, const weft_json_tape *tape, size_t length,
                         weft_document **document) {
    weft_document *made = weft_memory_alloc(memory, sizeof(*made));
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_arena_init(&made->arena, memory);
    made->root = parse_into(&made->arena, tape->text, length);
    if (made->root == NULL) {
        // The strict reader accepts a subset of what cJSON accepts, so only memory can have run
        // out.
        weft_document_free(made);
        return WEFT_ERR_NO_MEMORY;
    }
    *document = made;
    return WEFT_OK;
}

weft_status weft_document_parse(weft_memory *memory, const void *bytes, size_t length,
                                const weft_json_limits *limits, weft_document **document,
                                weft_json_error *error) {
    weft_json_limits clamped = *limits;
    weft_json_error unwanted;
    weft_json_tape tape;
    *document = NULL;
    error = error == NULL ? &unwanted : error;
    clamped.max_depth = limits->max_depth < MOST_DEPTH ? limits->max_depth : MOST_DEPTH;
    weft_json_init(&tape, memory);
    weft_status status = weft_json_read(&tape, bytes, length, &clamped, error);
    if (status == WEFT_OK) {
        status = check_strings(&tape, error);
    }
    if (status == WEFT_OK) {
        status = build(memory, &tape, length, document);
        *error = (weft_json_error){status, 0, ""};
    }
    weft_json_fini(&tape);
    return status;
}

void weft_document_free(weft_document *document) {
    if (document == NULL) {
        return;
    }
    weft_memory *memory = document->arena.memory;
    weft_arena_fini(&document->arena);
    weft_memory_release(memory, document, sizeof(*document));
}

const weft_document_node *weft_document_root(const weft_document *document) {
    return document->root;
}

weft_json_kind weft_document_kind(const weft_document_node *node) {
    switch (node == NULL ? cJSON_NULL : node->type & 0xff) {
    case cJSON_False:
        return WEFT_JSON_FALSE;
    case cJSON_True:
        return WEFT_JSON_TRUE;
    case cJSON_Number:
        return WEFT_JSON_NUMBER;
    case cJSON_String:
        return WEFT_JSON_STRING;
    case cJSON_Array:
        return WEFT_JSON_ARRAY;
    case cJSON_Object:
        return WEFT_JSON_OBJECT;
    default:
        return WEFT_JSON_NULL;
    }
}

static const char *lend(const char *text, uint32_t *length) {
    if (length != NULL) {
        *length = text == NULL ? 0 : (uint32_t)strlen(text);
    }
    return text;
}

const weft_document_node *weft_document_get(const weft_document_node *node, const char *key) {
    return cJSON_IsObject(node) ? cJSON_GetObjectItemCaseSensitive(node, key) : NULL;
}

const weft_document_node *weft_document_first(const weft_document_node *node) {
    return node == NULL ? NULL : node->child;
}

const weft_document_node *weft_document_next(const weft_document_node *node) {
    return node == NULL ? NULL : node->next;
}

uint32_t weft_document_size(const weft_document_node *node) {
    uint32_t size = 0;
    for (node = weft_document_first(node); node != NULL; node = node->next) {
        size++;
    }
    return size;
}

const char *weft_document_key(const weft_document_node *node, uint32_t *length) {
    return lend(node == NULL ? NULL : node->string, length);
}

const char *weft_document_string(const weft_document_node *node, uint32_t *length) {
    return lend(cJSON_IsString(node) ? node->valuestring : NULL, length);
}

int weft_document_true(const weft_document_node *node) {
    return cJSON_IsTrue(node) ? 1 : 0;
}
