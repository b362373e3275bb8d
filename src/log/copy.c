// SPDX-License-Identifier: MIT
#include "copy.h"

#include "fold.h"
#include "index.h"
#include "writer.h"

#include <string.h>

// WRITES, piece by piece: an answer keeps its bytes and its place among the values, and loses its meaning.
static weft_status copy_writes(weft_buffer *buffer, const weft_log_frame *frame) {
    weft_log_reader reader;
    weft_log_writer writer;
    weft_log_reader_init(&reader, frame->body, frame->length, frame->seq);
    weft_log_writer_init(&writer, buffer, frame->seq);
    weft_log_text ns;
    const uint8_t *checkpoint;
    weft_log_get_writes(&reader, &ns, &checkpoint);
    if (reader.status != WEFT_OK) {
        return reader.status;
    }
    weft_log_put_writes(&writer, ns, checkpoint);
    uint32_t tasks = weft_log_get_tasks(&reader);
    weft_log_put_count(&writer, tasks);
    for (; tasks > 0 && reader.status == WEFT_OK; tasks--) {
        weft_log_task task;
        weft_log_get_task(&reader, &task);
        weft_log_put_task(&writer, &task);
        for (uint32_t i = 0; i < task.count && reader.status == WEFT_OK; i++) {
            weft_log_write write;
            weft_log_get_write(&reader, &write);
            if (write.special == WEFT_LOG_WRITE_RESUME) {
                write.special = WEFT_LOG_WRITE_OTHER;
                write.channel = (weft_log_text){(const uint8_t *)WEFT_LOG_VOID_ANSWER, sizeof(WEFT_LOG_VOID_ANSWER) - 1};
            }
            weft_log_put_write(&writer, &write);
        }
    }
    weft_status status = weft_log_reader_end(&reader);
    return status == WEFT_OK ? weft_log_writer_end(&writer) : status;
}

static weft_status copy_frame(weft_buffer *buffer, const weft_log_frame *frame, weft_log_chain *chain, int is_import) {
    uint32_t mark = weft_log_frame_begin(buffer);
    if (is_import && frame->kind == WEFT_LOG_WRITES) {
        weft_status status = copy_writes(buffer, frame);
        if (status != WEFT_OK) {
            return status;
        }
    } else {
        weft_buffer_append(buffer, frame->body, frame->length);
    }
    return weft_log_frame_end(buffer, mark, (weft_log_kind)frame->kind, chain);
}

// The bodies are read as a run would read them: what a later run could not understand is refused now.
static weft_status read_records(weft_memory *memory, weft_log_span span, const weft_log_chain *chain) {
    weft_log_index index;
    weft_log_index_init(&index, memory, (weft_log_anchor){0, 0}, chain->last.crc);
    weft_status status = weft_log_index_load(&index, span, chain->thread);
    weft_log_index_fini(&index);
    return status;
}

static weft_status stop_status(weft_log_stop stop) {
    switch (stop) {
    case WEFT_LOG_STOP_CLEAN:
        return WEFT_OK;
    case WEFT_LOG_STOP_THREAD:
        return WEFT_ERR_WRONG_THREAD;
    case WEFT_LOG_STOP_FORMAT:
        return WEFT_ERR_LOG_FORMAT;
    default:
        return WEFT_ERR_LOG_CORRUPT;
    }
}

weft_status weft_log_copy(weft_buffer *buffer, weft_log_span span, weft_log_chain *chain, int is_import) {
    weft_log_span frames = weft_log_span_frames(span);
    uint64_t seq;
    uint32_t length, previous;
    uint8_t source[WEFT_LOG_THREAD_BYTES];
    if (!weft_log_header_read(frames, &seq, &length, &previous, source)) {
        return WEFT_ERR_LOG_CORRUPT;
    }
    weft_log_scan scan;
    weft_log_frame frame;
    uint32_t start = buffer->length;
    weft_log_scan_init(&scan, frames, is_import ? source : chain->thread, chain->last);
    while (weft_log_scan_next(&scan, &frame)) {
        weft_status status = copy_frame(buffer, &frame, chain, is_import);
        if (status != WEFT_OK) {
            return status;
        }
    }
    if (scan.stop != WEFT_LOG_STOP_CLEAN || !is_import) {
        return stop_status(scan.stop);
    }
    return read_records(buffer->memory, (weft_log_span){buffer->bytes + start, buffer->length - start}, chain);
}
