// SPDX-License-Identifier: MIT
// Implements reduce.h: REDUCE commands.
#include "run/host/reduce.h"
#include "run/host/block.h"
#include "run/state/run.h"

static void put_reduce(weft_run *run, uint32_t flags, uint32_t channel, weft_word base,
                       const weft_word *words, uint32_t count) {
    weft_block_show(run, base);
    for (uint32_t i = 0; i < count; i++) {
        weft_block_show(run, words[i]);
    }
    weft_block_open(run, WEFT_COMMAND_REDUCE, flags);
    weft_block_word(run, channel);
    weft_block_word(run, base);
    weft_block_word(run, count);
    for (uint32_t i = 0; i < count; i++) {
        weft_block_word(run, words[i]);
    }
    weft_block_close(run);
    run->applying.questions++;
}

weft_status weft_reduce_ask(weft_run *run, uint32_t number) {
    weft_group *group = &run->applying.apply.groups[number];
    weft_word base;
    weft_word *words;
    uint32_t count;
    WEFT_TRY(weft_apply_fold(&run->applying.apply, run->state, &run->arena, number, &base, &words,
                             &count));
    if (count > 0) {
        put_reduce(run, 0, group->channel, base, words, count);
        return WEFT_OK;
    }
    weft_values_retain(run->values, base);
    group->folded = base;
    group->known = 1;
    return WEFT_OK;
}

weft_status weft_reduce_hosts(weft_run *run, uint32_t finish) {
    for (uint32_t i = 0; i < run->applying.apply.group_count; i++) {
        weft_group *group = &run->applying.apply.groups[i];
        uint32_t count = finish != 0 ? 0 : group->count;
        uint32_t asks = finish != 0 ? finish : group->asks;
        if (weft_state_rule(run->state, group->channel)->kind != WEFT_CHANNEL_HOST ||
            asks + count == 0) {
            continue;
        }
        weft_word *words = weft_arena_alloc(&run->arena, (count + 1u) * sizeof(*words));
        if (words == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        const weft_write *write = group->first;
        for (uint32_t n = 0; n < count; n++, write = write->next) {
            words[n] = write->word;
        }
        group->known = 0;
        put_reduce(run, asks, group->channel, run->state->channels[group->channel].value, words,
                   count);
    }
    return WEFT_OK;
}
