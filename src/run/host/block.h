// SPDX-License-Identifier: MIT
// Builds the block of commands that a feed returns to the host.
#ifndef WEFT_RUN_HOST_BLOCK_H
#define WEFT_RUN_HOST_BLOCK_H

#include "run/state/run.h"

#define WEFT_BLOCK_DIGITS 20u

// Begins a block: RELEASE names the values whose last reference ended in an earlier feed.
void weft_block_begin(weft_run *run);
// Ends the block; `flags` are WEFT_BLOCK_*. WEFT_ERR_NO_MEMORY.
weft_status weft_block_end(weft_run *run, uint32_t flags);

// Build one command with its payload.
void weft_block_open(weft_run *run, uint32_t op, uint32_t flags);
void weft_block_word(weft_run *run, uint32_t word);
void weft_block_u64(weft_run *run, uint64_t value);
void weft_block_text(weft_run *run, const void *bytes, uint32_t length);
void weft_block_id(weft_run *run, const uint8_t id[16]);
void weft_block_close(weft_run *run);

// Writes a number in decimal into `digits` and returns it as a text.
weft_log_text weft_block_digits(uint64_t number, uint8_t digits[WEFT_BLOCK_DIGITS]);

// Sends TEXT for values that the host has not parsed yet. Never inside an open command.
void weft_block_show(weft_run *run, weft_word word);
void weft_block_show_list(weft_run *run, const weft_list *list);

#endif
