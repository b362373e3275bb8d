// SPDX-License-Identifier: MIT
// Implements list_snapshot.h.
#include "list_snapshot.h"

#include <string.h>

#define put(to, text) weft_buffer_append(to, text, sizeof(text) - 1)

static const char table[] = "\0[[\"message\",[]]]"; // after the JSON of a message

// Returns the bytes of an item's JSON; sets *is_message if that table follows.
static uint32_t json_of(weft_log_text item, int *is_message) {
    uint32_t size = sizeof(table) - 1;
    *is_message = item.length > size && memcmp(item.bytes + item.length - size, table, size) == 0;
    const uint8_t *end = memchr(item.bytes, 0, item.length);
    return end == NULL ? item.length : (uint32_t)(end - item.bytes);
}

void weft_log_list_snapshot_text(weft_buffer *to, weft_log_text name, const weft_log_text *items,
                                 uint32_t count) {
    int is_message;
    put(to, "{\"");
    weft_buffer_append(to, name.bytes, name.length);
    put(to, "\":");
    for (uint32_t i = 0; i < count; i++) {
        weft_buffer_u8(to, i == 0 ? '[' : ',');
        weft_buffer_append(to, items[i].bytes, json_of(items[i], &is_message));
    }
    put(to, "]}\0");
    uint8_t before = '[';
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        json_of(items[i], &is_message);
        if (is_message) {
            first = before == '[' ? i : first;
            weft_buffer_u8(to, before);
            before = ',';
            put(to, "[\"message\",[\"");
            weft_buffer_append(to, name.bytes, name.length);
            put(to, "\",");
            weft_buffer_decimal(to, i - first);
            put(to, "]]");
        }
    }
    put(to, "]");
}
