// SPDX-License-Identifier: MIT
// Implements block.h: records of little-endian words.
#include "run/host/block.h"
#include "run/state/run.h"

// Names values whose last reference ended in an earlier feed of any run: the host has read
// everything that pointed to them.
static void name_released(weft_run *run) {
    uint32_t count;
    const uint32_t *numbers = weft_values_released(run->values, &count);
    run->output.announcing = count;
    if (count == 0) {
        return;
    }
    weft_block_open(run, WEFT_COMMAND_RELEASE, 0);
    for (uint32_t i = 0; i < count; i++) {
        weft_block_word(run, weft_word_of_value(numbers[i]));
    }
    weft_block_close(run);
}

void weft_block_begin(weft_run *run) {
    weft_buffer_clear(&run->output.block);
    weft_buffer_clear(&run->recording.frames);
    run->output.records = 0;
    for (uint32_t i = 0; i < 4; i++) {
        weft_buffer_u32(&run->output.block, 0);
    }
    name_released(run);
}

weft_status weft_block_end(weft_run *run, uint32_t flags) {
    WEFT_TRY(run->output.block.status);
    weft_values_announced(run->values, run->output.announcing);
    weft_buffer_patch_u32(&run->output.block, 0, (run->output.block.length - 16) / 4);
    weft_buffer_patch_u32(&run->output.block, 4, flags);
    weft_buffer_patch_u32(&run->output.block, 8, (uint32_t)run->output.ticks);
    weft_buffer_patch_u32(&run->output.block, 12, (uint32_t)run->output.failure);
    run->output.ticks = 0;
    return WEFT_OK;
}

void weft_block_open(weft_run *run, uint32_t op, uint32_t flags) {
    weft_buffer_u32(&run->output.block, op | (flags << 16));
    run->output.record_mark = run->output.block.length;
    weft_buffer_u32(&run->output.block, 0);
    run->output.records++;
}

void weft_block_word(weft_run *run, uint32_t word) {
    weft_buffer_u32(&run->output.block, word);
}

void weft_block_u64(weft_run *run, uint64_t value) {
    weft_buffer_u64(&run->output.block, value);
}

void weft_block_text(weft_run *run, const void *bytes, uint32_t length) {
    weft_buffer_text(&run->output.block, bytes, length);
}

void weft_block_id(weft_run *run, const uint8_t id[16]) {
    weft_buffer_append(&run->output.block, id, 16);
}

void weft_block_close(weft_run *run) {
    weft_buffer_patch_u32(&run->output.block, run->output.record_mark,
                          (run->output.block.length - run->output.record_mark - 4) / 4);
}

static weft_value *unshown(weft_run *run, weft_word word) {
    weft_value *value = weft_values_get(run->values, word);
    return value == NULL || value->slot ? NULL : value;
}

static void put_text(weft_run *run, weft_word word, weft_value *value) {
    weft_block_word(run, word);
    // Native addresses do not fit one word: hosts in the same process need two.
    weft_block_u64(run, (uint64_t)(uintptr_t)value->text);
    weft_block_word(run, value->length);
    value->slot = 1;
}

void weft_block_show(weft_run *run, weft_word word) {
    weft_value *value = unshown(run, word);
    if (value != NULL) {
        weft_block_open(run, WEFT_COMMAND_TEXT, 0);
        put_text(run, word, value);
        weft_block_close(run);
    }
}

void weft_block_show_list(weft_run *run, const weft_list *list) {
    int open = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        weft_value *value = unshown(run, list->items[i].word);
        if (value == NULL) {
            continue;
        }
        if (!open) {
            weft_block_open(run, WEFT_COMMAND_TEXT, 0);
            open = 1;
        }
        put_text(run, list->items[i].word, value);
    }
    if (open) {
        weft_block_close(run);
    }
}

weft_log_text weft_block_digits(uint64_t number, uint8_t digits[WEFT_BLOCK_DIGITS]) {
    uint32_t at = WEFT_BLOCK_DIGITS;
    do {
        digits[--at] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return (weft_log_text){digits + at, WEFT_BLOCK_DIGITS - at};
}
