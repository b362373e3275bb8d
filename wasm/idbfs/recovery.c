// SPDX-License-Identifier: MIT
// Implements volume.h: recovery.
#include "volume.h"

#include "log/recover.h"

#include <string.h>

// The engine reports gaps by the witness when it reads the log; damage before valid records is
// never cut off.
static weft_status read_spans(weft_volume *volume, weft_log_span *spans) {
    for (uint32_t i = 0; i < volume->count; i++) {
        char name[WEFT_VOLUME_NAME];
        weft_volume_file_name(volume->files[i], name);
        int64_t size = weft_volume_file_size(volume, name);
        if (size < 0) {
            return WEFT_ERR_STORE;
        }
        if (size == 0) {
            continue;
        }
        uint8_t *bytes = weft_memory_alloc(&volume->memory, (size_t)size);
        if (bytes == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        spans[i] = (weft_log_span){bytes, (size_t)size};
        FILE *file = weft_volume_file_open(volume, name, "rb");
        if (file == NULL) {
            return WEFT_ERR_STORE;
        }
        size_t length = fread(bytes, 1, (size_t)size, file);
        fclose(file);
        if (length != (size_t)size) {
            return WEFT_ERR_STORE;
        }
    }
    return WEFT_OK;
}

static void keep_prefix(weft_volume *volume, const weft_log_span *spans,
                        const weft_log_recovery *found) {
    uint32_t kept = found->frames > 0 ? found->spans : 0;
    volume->stale = volume->count - kept;
    volume->count = kept;
    volume->cut = kept > 0 && found->bytes < spans[kept - 1].length ? found->bytes : 0;
    volume->record =
        (weft_volume_record){.head = found->last, .settled = found->last.seq, .files = kept};
    for (uint32_t i = 0; i < kept; i++) {
        volume->record.total += i == kept - 1 ? found->bytes : spans[i].length;
    }
    if (kept == 0) {
        memset(&volume->record, 0, sizeof volume->record);
    }
}

weft_status weft_volume_recover(weft_volume *volume) {
    uint32_t count = volume->count;
    size_t size = sizeof(weft_log_span);
    weft_log_span *spans = weft_memory_zeroed(&volume->memory, count + 1u, size);
    if (spans == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    weft_status status = read_spans(volume, spans);
    weft_log_recovery found;
    if (status == WEFT_OK) {
        weft_log_recover(spans, count, volume->thread, NULL, &found);
        // The host checks for gaps with the witness; damage before valid records is never cut off.
        status =
            found.verdict == WEFT_LOG_DATA_LOSS ? WEFT_OK : weft_log_verdict_status(found.verdict);
    }
    if (status == WEFT_OK) {
        keep_prefix(volume, spans, &found);
    } else {
        volume->count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        char name[WEFT_VOLUME_NAME];
        weft_volume_file_name(volume->files[i], name);
        weft_volume_file_release(volume, name);
        weft_memory_release(&volume->memory, (void *)(uintptr_t)spans[i].bytes, spans[i].length);
    }
    weft_memory_release(&volume->memory, spans, (count + 1u) * size);
    return status;
}
