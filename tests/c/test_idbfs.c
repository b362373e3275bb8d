// SPDX-License-Identifier: MIT
// The IDBFS store's volume on a real folder, against a database of files that executes its plans.
// T4 in part (every truncation and every flipped bit of the last commit, files lost), T3 (each
// refused allocation).
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include "../../wasm/idbfs/volume.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "v"    // the volume's, as the memory file system would hold it
#define DATABASE "db" // what is stored
#define FRAME_BODY 30u
#define FRAME (FRAME_BODY + WEFT_LOG_FRAME_BYTES)

typedef struct test_bed {
    char top[64];
    weft_volume volume;
    weft_log_chain chain;
    weft_buffer log; // all frames that were acknowledged
} test_bed;

static uint8_t bed_window[WEFT_VOLUME_WINDOW];

static void clear_folder(const char *name) {
    DIR *folder = opendir(name);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        unlink(path);
    }
    if (folder)
        closedir(folder);
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    REQUIRE(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

// The bytes of a file, malloc'ed; NULL when there is none.
static uint8_t *read_file(const char *folder, const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    REQUIRE(fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void copy_over(const char *from, const char *to, const char *name) {
    size_t size = 0;
    uint8_t *bytes = read_file(from, name, &size);
    REQUIRE(bytes != NULL);
    write_file(to, name, bytes, size);
    free(bytes);
}

static void bed_init(test_bed *bed) {
    memset(bed, 0, sizeof *bed);
    strcpy(bed->top, "/tmp/weft-volume-XXXXXX");
    REQUIRE(mkdtemp(bed->top) != NULL);
    REQUIRE(chdir(bed->top) == 0);
    REQUIRE(mkdir(FOLDER, 0700) == 0 && mkdir(DATABASE, 0700) == 0);
    uint8_t thread[WEFT_LOG_THREAD_BYTES];
    weft_log_thread_hash("thread", 6, thread);
    weft_log_chain_init(&bed->chain, thread, (weft_log_anchor){0, 0});
    weft_buffer_init(&bed->log, test_memory());
}

static void volume_open(test_bed *bed) {
    bed->volume = (weft_volume){.memory = *test_memory(), .window = bed_window};
    strcpy(bed->volume.path, FOLDER);
    memcpy(bed->volume.thread, bed->chain.thread, WEFT_LOG_THREAD_BYTES);
}

static void volume_close(test_bed *bed) {
    weft_volume *volume = &bed->volume;
    weft_memory_release(&volume->memory, volume->files, volume->capacity * sizeof *volume->files);
    volume->files = NULL;
    volume->capacity = 0;
}

static void bed_fini(test_bed *bed) {
    volume_close(bed);
    weft_buffer_fini(&bed->log);
    clear_folder(FOLDER);
    clear_folder(DATABASE);
    rmdir(FOLDER);
    rmdir(DATABASE);
    CHECK(chdir("/") == 0 && rmdir(bed->top) == 0);
}

// The folder gets the names of what is stored; contents too when `whole`.
static void mount_files(int whole) {
    clear_folder(FOLDER);
    DIR *folder = opendir(DATABASE);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        if (whole || strcmp(entry->d_name, "head") == 0)
            copy_over(DATABASE, FOLDER, entry->d_name);
        else
            write_file(FOLDER, entry->d_name, "", 0);
    }
    closedir(folder);
}

// As the host does: names first, contents when they are asked for. Returns the status; `*recovered`
// tells which way it went.
static weft_status mount_volume(test_bed *bed, int *recovered) {
    int sound = 0;
    *recovered = 0;
    volume_open(bed);
    mount_files(0);
    weft_status status = weft_volume_load(&bed->volume, &sound);
    if (status == WEFT_OK && !sound) {
        *recovered = 1;
        mount_files(1);
        status = weft_volume_load(&bed->volume, &sound);
        if (status == WEFT_OK)
            status = weft_volume_recover(&bed->volume);
    }
    return status;
}

// Carries out the plan in the database, or (`stored` 0) loses it after all was made ready.
static weft_status transact(test_bed *bed, int stored) {
    weft_volume *volume = &bed->volume;
    char op, name[WEFT_VOLUME_NAME];
    for (uint32_t i = 0; weft_volume_plan_line(volume, i, &op, name); i++)
        if (op == 'l')
            copy_over(DATABASE, FOLDER, name);
    weft_status status = weft_volume_build(volume);
    for (int adds = 0; status == WEFT_OK && stored && adds < 2; adds++)
        for (uint32_t i = 0; weft_volume_plan_line(volume, i, &op, name); i++) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", DATABASE, name);
            if (!adds && op == 'd')
                CHECK(unlink(path) == 0);
            if (adds && op == 'a')
                CHECK(access(path, F_OK) != 0);
            if (adds && (op == 'a' || op == 'p'))
                copy_over(FOLDER, DATABASE, name);
        }
    weft_volume_end(volume, status == WEFT_OK && stored);
    return status;
}

// Appends a commit of `count` frames; what is acknowledged joins the bed's log.
static weft_status append(test_bed *bed, uint32_t count, uint32_t body, int stored) {
    weft_buffer frames;
    weft_buffer_init(&frames, test_memory());
    weft_log_chain chain = bed->chain;
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < count && status == WEFT_OK; i++) {
        uint32_t mark = weft_log_frame_begin(&frames);
        uint8_t *bytes = weft_buffer_extend(&frames, body);
        if (bytes)
            memset(bytes, (int)(chain.last.seq & 0xff), body);
        status = weft_log_frame_end(&frames, mark, WEFT_LOG_WRITES, &chain);
    }
    if (status == WEFT_OK &&
        (status = weft_volume_append(&bed->volume, chain.last, bed->chain.last)) == WEFT_OK) {
        for (uint32_t at = 0; at < frames.length; at += WEFT_VOLUME_WINDOW) {
            uint32_t length =
                frames.length - at < WEFT_VOLUME_WINDOW ? frames.length - at : WEFT_VOLUME_WINDOW;
            memcpy(bed_window, frames.bytes + at, length);
            CHECK_EQ(weft_volume_write(&bed->volume, length), WEFT_OK);
        }
        CHECK_EQ(weft_volume_plan(&bed->volume), WEFT_OK);
        status = transact(bed, stored);
        if (status == WEFT_OK && stored) {
            bed->chain = chain;
            test_fail_never();
            weft_buffer_append(&bed->log, frames.bytes, frames.length);
        }
    }
    weft_buffer_fini(&frames);
    return status;
}

// The stored files, in the volume's order, are the first `length` bytes of what was acknowledged.
static void expect_log(test_bed *bed, size_t length) {
    weft_volume *volume = &bed->volume;
    CHECK_EQ(volume->record.total, length);
    size_t at = 0;
    for (uint32_t i = 0; i < volume->count; i++) {
        char name[WEFT_VOLUME_NAME];
        size_t size = 0;
        weft_volume_file_name(volume->files[i], name);
        uint8_t *bytes = read_file(DATABASE, name, &size);
        REQUIRE(bytes != NULL);
        if (volume->cut != 0 && i + 1 == volume->count)
            size = (size_t)volume->cut;
        REQUIRE(at + size <= length);
        CHECK_MEM(bytes, size, bed->log.bytes + at, size);
        at += size;
        free(bytes);
    }
    CHECK_EQ(at, length);
}

static void expect_mounted(test_bed *bed, int by_recovery, size_t length) {
    int recovered;
    volume_close(bed);
    REQUIRE_EQ(mount_volume(bed, &recovered), WEFT_OK);
    CHECK_EQ(recovered, by_recovery);
    expect_log(bed, length);
}

static void start(test_bed *bed) {
    int recovered;
    bed_init(bed);
    REQUIRE_EQ(mount_volume(bed, &recovered), WEFT_OK);
    CHECK_EQ(recovered, 0);
}

TEST(commits_fold_and_come_back) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 300; i++) {
        REQUIRE_EQ(append(&bed, 1 + i % 3, i == 150 ? 300000 : i % 97, 1), WEFT_OK);
        CHECK(bed.volume.count < 70);
        if (i % 50 == 49)
            expect_mounted(&bed, 0, bed.log.length);
    }
    expect_mounted(&bed, 0, bed.log.length);
    bed_fini(&bed);
}

TEST(a_commit_that_was_not_stored_leaves_no_trace) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 140; i++) {
        REQUIRE_EQ(append(&bed, 1, FRAME_BODY, 0), WEFT_OK);
        expect_log(&bed, bed.log.length);
        REQUIRE_EQ(append(&bed, 1, FRAME_BODY, 1), WEFT_OK);
    }
    expect_log(&bed, bed.log.length);
    expect_mounted(&bed, 0, bed.log.length);
    bed_fini(&bed);
}

TEST(another_head_is_fenced) {
    test_bed bed;
    start(&bed);
    REQUIRE_EQ(append(&bed, 1, 5, 1), WEFT_OK);
    weft_log_anchor last = {3, 3},
                    wrong[] = {{0, 0}, {1, bed.chain.last.crc ^ 1}, {2, bed.chain.last.crc}};
    for (size_t i = 0; i < 3; i++)
        CHECK_EQ(weft_volume_append(&bed.volume, last, wrong[i]), WEFT_ERR_FENCED);
    expect_log(&bed, bed.log.length);
    bed_fini(&bed);
}

TEST(a_range_folds_when_it_is_whole_commits) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 10; i++)
        REQUIRE_EQ(append(&bed, 2, FRAME_BODY, 1), WEFT_OK);
    const uint64_t wrong[][2] = {{2, 4}, {1, 3}, {5, 99}, {0, 2}, {7, 2}};
    for (size_t i = 0; i < 5; i++)
        CHECK_EQ(weft_volume_fold(&bed.volume, wrong[i][0], wrong[i][1]), WEFT_ERR_ARGUMENT);
    const uint32_t ranges[][2] = {{3, 8}, {1, 20}, {1, 20}};
    for (size_t i = 0; i < 3; i++) {
        uint32_t from = (ranges[i][0] - 1) * FRAME,
                 length = (ranges[i][1] - ranges[i][0] + 1) * FRAME;
        REQUIRE_EQ(weft_volume_fold(&bed.volume, ranges[i][0], ranges[i][1]), WEFT_OK);
        memcpy(bed_window, bed.log.bytes + from, length);
        CHECK_EQ(weft_volume_write(&bed.volume, length), WEFT_OK);
        CHECK_EQ(weft_volume_plan(&bed.volume), WEFT_OK);
        REQUIRE_EQ(transact(&bed, 1), WEFT_OK);
        expect_log(&bed, bed.log.length);
        expect_mounted(&bed, 0, bed.log.length);
    }
    REQUIRE_EQ(append(&bed, 1, FRAME_BODY, 1), WEFT_OK);
    expect_mounted(&bed, 0, bed.log.length);
    bed_fini(&bed);
}

// The thread goes on from what recovery kept, and is sound afterwards.
static void expect_going_on(test_bed *bed, size_t length) {
    expect_mounted(bed, 1, length);
    bed->chain.last = bed->volume.record.head;
    bed->log.length = (uint32_t)length;
    REQUIRE_EQ(append(bed, 1, FRAME_BODY, 1), WEFT_OK);
    expect_mounted(bed, 0, length + FRAME);
}

TEST(every_truncation_and_flip_of_the_last_commit) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 5; i++)
        REQUIRE_EQ(append(&bed, 3, FRAME_BODY, 1), WEFT_OK);
    char name[WEFT_VOLUME_NAME];
    size_t size = 0;
    weft_volume_file_name(bed.volume.files[4], name);
    uint8_t *whole = read_file(DATABASE, name, &size);
    REQUIRE_EQ(size, 3 * FRAME);
    unlink(DATABASE "/head");
    for (size_t cut = 0; cut < size; cut++) {
        write_file(DATABASE, name, whole, cut);
        expect_mounted(&bed, 1, (12 + cut / FRAME) * FRAME);
    }
    for (size_t bit = 0; bit < size * 8; bit++) {
        whole[bit / 8] ^= (uint8_t)(1u << bit % 8);
        write_file(DATABASE, name, whole, size);
        whole[bit / 8] ^= (uint8_t)(1u << bit % 8);
        int recovered;
        volume_close(&bed);
        weft_status status = mount_volume(&bed, &recovered);
        // Sound frames behind the damage are nobody's to cut away; the last frame has none behind
        // it.
        CHECK(status == WEFT_OK || (bit / 8 < 2 * FRAME && bed.volume.count == 0));
        if (status == WEFT_OK)
            expect_log(&bed, (12 + bit / 8 / FRAME) * FRAME);
    }
    write_file(DATABASE, name, whole, FRAME + 7);
    free(whole);
    expect_going_on(&bed, 13 * FRAME);
    bed_fini(&bed);
}

TEST(lost_files_leave_the_longest_prefix) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 70; i++)
        REQUIRE_EQ(append(&bed, 1, FRAME_BODY, 1), WEFT_OK);
    char name[WEFT_VOLUME_NAME], path[512];
    for (uint32_t i = bed.volume.count - 3; i < bed.volume.count; i++) {
        weft_volume_file_name(bed.volume.files[i], name);
        snprintf(path, sizeof path, DATABASE "/%s", name);
        CHECK(unlink(path) == 0);
    }
    expect_going_on(&bed, 67 * FRAME);
    unlink(DATABASE "/head");
    expect_going_on(&bed, 68 * FRAME);
    write_file(DATABASE, "head", "short", 5);
    expect_going_on(&bed, 69 * FRAME);
    bed_fini(&bed);
}

static void without_memory(void *context) {
    test_bed *bed = context;
    int recovered;
    volume_close(bed);
    weft_status status = mount_volume(bed, &recovered);
    CHECK_EQ(status, test_has_failed() ? WEFT_ERR_NO_MEMORY : WEFT_OK);
    if (status == WEFT_OK)
        expect_log(bed, bed->log.length);
    volume_close(bed);
}

TEST(no_memory_at_every_allocation) {
    test_bed bed;
    start(&bed);
    for (uint32_t i = 0; i < 12; i++)
        REQUIRE_EQ(append(&bed, 1, FRAME_BODY, 1), WEFT_OK);
    volume_close(&bed);
    test_each_failure(without_memory, &bed);
    unlink(DATABASE "/head");
    test_each_failure(without_memory, &bed);
    bed_fini(&bed);
}
