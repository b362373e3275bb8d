// SPDX-License-Identifier: MIT
// T4, log damage: truncation at every byte, flips of every bit, sectors of 512 and 4,096 bytes
// zeroed, made random or stale, and every record dropped, doubled, swapped, spliced from a stale
// fork or followed by another thread's. The expected prefix is computed from the first byte that
// differs, not by the code under test. Faults are counted where they are injected; WEFT_LONG=1 runs
// the long programme's numbers.
#include "test_log.h"

#include "figure.h"

#define LOGS 24

static test_log logs[LOGS];
static struct { size_t truncations, flips, sectors, records; } injected;

static size_t scale(size_t times) {
    const char *value = getenv("WEFT_LONG");
    return value != NULL && value[0] == '1' ? times : 1;
}

static void put_random_record(test_log *log, uint32_t longest) {
    static const weft_log_kind kinds[] = {WEFT_LOG_CHECKPOINT, WEFT_LOG_WRITES, WEFT_LOG_INTENT,
                                          WEFT_LOG_RESULT, WEFT_LOG_DECISION};
    uint8_t body[4096];
    uint32_t length = chance(8) == 0 ? 0 : chance(longest);
    for (uint32_t i = 0; i < length; i++) {
        body[i] = (uint8_t)(chance(3) == 0 ? 0 : chance(256));
    }
    log_begin(log);
    weft_buffer_append(&log->bytes, body, length);
    REQUIRE_EQ(log_end(log, kinds[chance(5)]), WEFT_OK);
}

static void grow_log(test_log *log, uint32_t frames, uint32_t longest) {
    while (log->count < frames) {
        put_random_record(log, longest);
    }
}

static void make_logs(uint32_t frames, uint32_t longest) {
    for (uint32_t i = 0; i < LOGS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "thread %u", (unsigned)i);
        log_start(&logs[i], name);
        grow_log(&logs[i], frames + chance(4), longest);
    }
}

static void drop_logs(void) {
    for (uint32_t i = 0; i < LOGS; i++) {
        weft_buffer_fini(&logs[i].bytes);
    }
}

// Examines damaged bytes as one span, or cut into commits where the sound log's frames ended.
static weft_log_recovery examine(const test_log *log, const uint8_t *bytes, uint32_t length,
                                 int cut, const weft_log_anchor *witness) {
    weft_log_span spans[LOG_FRAMES + 1] = {{bytes, length}};
    uint32_t count = 1;
    if (cut) {
        for (count = 0; log->ends[count] < length; count++) {
            uint32_t start = log->ends[count];
            uint32_t end =
                count < log->count && log->ends[count + 1] < length ? log->ends[count + 1] : length;
            spans[count] = (weft_log_span){bytes + start, end - start};
        }
    }
    weft_log_recovery found;
    weft_log_recover(spans, count, log->chain.thread, witness, &found);
    // T4's planted bug: the first damaged record is believed.
    found.frames +=
        test_is_broken("T4") && found.stop == WEFT_LOG_STOP_DAMAGED && found.frames < log->count;
    size_t kept =
        found.spans == 0 ? 0 : (size_t)(spans[found.spans - 1].bytes - bytes) + found.bytes;
    REQUIRE(found.frames <= log->count);
    REQUIRE_EQ(kept, log->ends[found.frames]);
    return found;
}

// The recovered prefix is exactly the first `frames` frames; and the witness tells how many are
// gone, as `verdict`.
static void demand(const test_log *log, const uint8_t *bytes, uint32_t length, int cut,
                   uint32_t frames, weft_log_verdict verdict) {
    weft_log_recovery found = examine(log, bytes, length, cut, NULL);
    REQUIRE_EQ(found.frames, frames);
    REQUIRE_EQ(found.last.seq, log->anchors[frames].seq);
    REQUIRE_EQ(found.last.crc, log->anchors[frames].crc);
    REQUIRE(memcmp(bytes, log->bytes.bytes, log->ends[frames]) == 0);
    found = examine(log, bytes, length, cut, &log->chain.last);
    int foreign = found.stop == WEFT_LOG_STOP_THREAD;
    REQUIRE_EQ(found.verdict, foreign                ? WEFT_LOG_WRONG_THREAD
                              : frames == log->count ? WEFT_LOG_OK
                                                     : verdict);
    REQUIRE_EQ(found.lost, log->count - frames);
}

// How many frames end before the first byte that differs from the sound log.
static uint32_t sound_frames(const test_log *log, const uint8_t *bytes, uint32_t from) {
    uint32_t frames = 0;
    while (from < log->bytes.length && bytes[from] == log->bytes.bytes[from]) {
        from++;
    }
    while (frames < log->count && log->ends[frames + 1] <= from) {
        frames++;
    }
    return frames;
}

TEST(truncation_at_every_byte) {
    for (size_t round = 0; round < scale(60); round++) {
        make_logs(12, 80);
        for (uint32_t i = 0; i < LOGS; i++) {
            for (uint32_t length = 0; length < logs[i].bytes.length; length++) {
                uint32_t frames = 0;
                while (logs[i].ends[frames + 1] <= length) {
                    frames++;
                }
                uint8_t *bytes = malloc(length + 1);
                memcpy(bytes, logs[i].bytes.bytes, length);
                injected.truncations++;
                demand(&logs[i], bytes, length, (int)(length & 1), frames, WEFT_LOG_DATA_LOSS);
                weft_log_recovery found = examine(&logs[i], bytes, length, 0, NULL);
                REQUIRE_EQ(found.verdict,
                           length == logs[i].ends[frames] ? WEFT_LOG_OK : WEFT_LOG_TORN);
                free(bytes);
            }
        }
        drop_logs();
    }
    CHECK(injected.truncations >= 10000 * scale(100));
    test_figure("T4", "truncations", injected.truncations);
}

static void flip_all(const test_log *log) {
    uint8_t bytes[LOG_FRAMES * 128];
    REQUIRE(log->bytes.length <= sizeof(bytes));
    memcpy(bytes, log->bytes.bytes, log->bytes.length);
    for (uint32_t bit = 0; bit < log->bytes.length * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        uint32_t frames = sound_frames(log, bytes, bit / 8);
        REQUIRE(frames < log->count);
        injected.flips++;
        demand(log, bytes, log->bytes.length, (int)(bit & 1), frames, WEFT_LOG_CORRUPT);
        weft_log_recovery found = examine(log, bytes, log->bytes.length, 0, NULL);
        REQUIRE_EQ(found.verdict, frames + 1 == log->count ? WEFT_LOG_TORN : WEFT_LOG_CORRUPT);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(flips_of_every_bit) {
    for (size_t round = 0; round < scale(100); round++) {
        make_logs(6, 60);
        for (uint32_t i = 0; i < LOGS; i++) {
            flip_all(&logs[i]);
        }
        drop_logs();
    }
    CHECK(injected.flips >= 80000 * scale(100));
    test_figure("T4", "flips", injected.flips);
}

// Stale: what another log has at the same place, as if a block had never been written over.
static void damage_sector(uint8_t *at, uint32_t size, uint32_t how, const uint8_t *stale) {
    for (uint32_t i = 0; i < size; i++) {
        at[i] = how == 0 ? 0 : how == 1 ? (uint8_t)chance(256) : stale[i];
    }
}

static void damage_sectors(uint32_t sector, uint32_t times) {
    uint8_t *bytes = malloc(65536);
    for (uint32_t i = 0; i < times; i++) {
        const test_log *log = &logs[chance(LOGS)];
        const test_log *other = &logs[chance(LOGS)];
        uint32_t length = log->bytes.length;
        REQUIRE(length <= 65536);
        uint32_t start = chance((length + sector - 1) / sector) * sector;
        uint32_t size = length - start < sector ? length - start : sector;
        uint32_t how = chance(3);
        if (how == 2 && other->bytes.length < start + size) {
            how = 1;
        }
        memcpy(bytes, log->bytes.bytes, length);
        damage_sector(bytes + start, size, how, other->bytes.bytes + start);
        uint32_t frames = sound_frames(log, bytes, start);
        if (memcmp(bytes, log->bytes.bytes, length) == 0) {
            continue;
        }
        injected.sectors++;
        demand(log, bytes, length, (int)(i & 1), frames, WEFT_LOG_CORRUPT);
    }
    free(bytes);
}

TEST(sectors_zeroed_random_and_stale) {
    make_logs(24, 180);
    damage_sectors(512, (uint32_t)(42000 * scale(100)));
    drop_logs();
    make_logs(24, 1200);
    damage_sectors(4096, (uint32_t)(13000 * scale(100)));
    drop_logs();
    CHECK(injected.sectors >= 50000 * scale(100));
    test_figure("T4", "sector faults", injected.sectors);
}

static void copy_frames(weft_buffer *to, const test_log *log, uint32_t from, uint32_t until) {
    weft_buffer_append(to, log->bytes.bytes + log->ends[from], log->ends[until] - log->ends[from]);
}

// A rearranged log must yield its first `frames` frames, and what is behind must be named.
static void demand_records(const test_log *log, weft_buffer *made, uint32_t frames,
                           weft_log_verdict verdict) {
    injected.records++;
    demand(log, made->bytes, made->length, 0, frames, verdict);
    weft_log_recovery found = examine(log, made->bytes, made->length, 0, NULL);
    REQUIRE_EQ(found.verdict, verdict);
    weft_buffer_clear(made);
}

static void rearrange(const test_log *log, const test_log *fork, uint32_t shared,
                      const test_log *foreign) {
    weft_buffer made;
    weft_buffer_init(&made, test_memory());
    uint32_t count = log->count;
    for (uint32_t k = 0; k < count; k++) {
        copy_frames(&made, log, 0, k);
        copy_frames(&made, log, k + 1, count);
        if (k + 1 < count) {
            demand_records(log, &made, k, k == 0 ? WEFT_LOG_DATA_LOSS : WEFT_LOG_CORRUPT);
        }
        weft_buffer_clear(&made);
        copy_frames(&made, log, 0, k + 1);
        copy_frames(&made, log, k, count);
        injected.records++;
        weft_log_recovery found = examine(log, made.bytes, made.length, 0, NULL);
        REQUIRE_EQ(found.frames, k + 1);
        REQUIRE_EQ(found.verdict, k + 1 < count ? WEFT_LOG_CORRUPT : WEFT_LOG_TORN);
        weft_buffer_clear(&made);
        if (k + 1 < count) {
            copy_frames(&made, log, 0, k);
            copy_frames(&made, log, k + 1, k + 2);
            copy_frames(&made, log, k, k + 1);
            copy_frames(&made, log, k + 2, count);
            demand_records(log, &made, k, k == 0 ? WEFT_LOG_DATA_LOSS : WEFT_LOG_CORRUPT);
        }
        // A fork that happened to begin with the same records goes on where they end.
        if (k > shared && log->anchors[k].crc != fork->anchors[k].crc) {
            copy_frames(&made, log, 0, k);
            copy_frames(&made, fork, k, k + 1);
            copy_frames(&made, log, k + 1, count);
            demand_records(log, &made, k, WEFT_LOG_CORRUPT);
        }
        copy_frames(&made, log, 0, k);
        copy_frames(&made, foreign, k, foreign->count);
        if (k < foreign->count) {
            demand_records(log, &made, k, WEFT_LOG_WRONG_THREAD);
        }
        weft_buffer_clear(&made);
    }
    weft_buffer_fini(&made);
}

// When all frames are another thread's, the witness cannot change that verdict.
static void demand_foreign_log(const test_log *log, const test_log *foreign) {
    weft_log_span span = log_span(foreign);
    weft_log_recovery found;
    weft_log_recover(&span, 1, log->chain.thread, &log->chain.last, &found);
    CHECK_EQ(found.verdict, WEFT_LOG_WRONG_THREAD);
    CHECK_EQ(weft_log_verdict_status(found.verdict), WEFT_ERR_WRONG_THREAD);
    CHECK_EQ(found.frames, 0);
}

TEST(records_dropped_doubled_swapped_spliced_foreign) {
    for (size_t round = 0; round < scale(100); round++) {
        make_logs(16, 100);
        for (uint32_t i = 0; i < LOGS; i++) {
            test_log fork;
            char name[16];
            snprintf(name, sizeof(name), "thread %u", (unsigned)i);
            log_start(&fork, name);
            uint32_t shared = chance(8);
            copy_frames(&fork.bytes, &logs[i], 0, shared);
            memcpy(fork.ends, logs[i].ends, sizeof(fork.ends));
            memcpy(fork.anchors, logs[i].anchors, sizeof(fork.anchors));
            fork.count = shared;
            fork.chain.last = logs[i].anchors[shared];
            grow_log(&fork, logs[i].count, 100);
            rearrange(&logs[i], &fork, shared, &logs[(i + 1) % LOGS]);
            demand_foreign_log(&logs[i], &logs[(i + 1) % LOGS]);
            weft_buffer_fini(&fork.bytes);
        }
        drop_logs();
    }
    CHECK(injected.records >= 24 * 16 * 4 * scale(100));
    test_figure("T4", "moved records", injected.records);
}
