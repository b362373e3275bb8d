// SPDX-License-Identifier: MIT
// The official JSON Schema test suite, drafts 7, 2019-09 and 2020-12, required and optional
// (formats: tests/js, since the host checks most of them): every group must compile and give the
// suite's verdict on every test. Exceptions are listed here, and in docs/guides/json-schema.md with
// their reasons. The numbers are pinned, so that no test is lost silently.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <sys/stat.h>

#include "test.h"

#include "schema/schema.h"

typedef struct tally {
    size_t files, tests, wrong, refused, asked, left_out;
} tally;

static const char *suite_folder(void) {
    const char *data = getenv("WEFT_TEST_DATA");
    static char folder[1024];
    snprintf(folder, sizeof(folder), "%s/json-schema-test-suite",
             data != NULL ? data : "../shared/data");
    return folder;
}

// Draft 7 may assert contentMediaType and contentEncoding: here they are annotations in every
// draft.
static int is_left_out(const char *file) {
    return strcmp(file, "content.json") == 0;
}

static int is_json(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static void print_text(const weft_json_tape *suite, uint32_t value) {
    printf("%.*s", (int)suite->tokens[value].length,
           (const char *)suite->text + suite->tokens[value].offset);
}

// A file's bytes behind `prefix`, in `text` from `at` on; where they end.
static size_t read_file(const char *path, char *text, size_t at, size_t capacity) {
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t size = fread(text + at, 1, capacity - at, file);
    REQUIRE(feof(file));
    fclose(file);
    return at + size;
}

// The suite's other documents, as members of an object: addresses below http://localhost:1234/.
static char remotes[1 << 18];
static size_t remotes_size;

static void add_remotes(const char *folder, const char *address) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[2048], uri[1024];
        struct stat found;
        snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        snprintf(uri, sizeof(uri), "%s/%s", address, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && stat(path, &found) == 0) {
            if (S_ISDIR(found.st_mode)) {
                add_remotes(path, uri);
            } else {
                remotes_size += (size_t)sprintf(remotes + remotes_size,
                                                "%s\"%s\":", remotes_size == 0 ? "" : ",", uri);
                remotes_size = read_file(path, remotes, remotes_size, sizeof(remotes) - 64);
            }
        }
        free(entries[i]);
    }
    free(entries);
}

// The metaschemas, which the host's package has.
static void add_metaschemas(void) {
    static char text[1 << 16];
    size_t size = read_file("js/schema/metaschemas.js", text, 0, sizeof(text) - 1);
    text[size] = '\0';
    char *start = strstr(text, "export default {");
    REQUIRE(start != NULL);
    char *end = strrchr(text, '}');
    remotes_size +=
        (size_t)sprintf(remotes + remotes_size, ",%.*s", (int)(end - start) - 16, start + 16);
}

static void run_test(const weft_schema *schema, const weft_json_tape *suite, uint32_t group,
                     uint32_t test, tally *all) {
    weft_schema_result result;
    weft_schema_result_init(&result, test_memory());
    weft_status status =
        weft_schema_validate(schema, suite, weft_json_member(suite, test, "data"), NULL, &result);
    int expected =
        weft_json_kind_of(suite, weft_json_member(suite, test, "valid")) == WEFT_JSON_TRUE;
    all->tests++;
    if (status == WEFT_ERR_NEEDS_HOST) {
        all->asked++;
    } else if (status != WEFT_OK || result.valid != expected) {
        all->wrong++;
        printf("  wrong (%s): ", weft_status_code(status));
        print_text(suite, weft_json_member(suite, group, "description"));
        printf(": ");
        print_text(suite, weft_json_member(suite, test, "description"));
        printf("\n");
    } else {
        weft_buffer text;
        weft_buffer_init(&text, test_memory());
        CHECK_EQ(result.problem_count == 0, result.valid);
        weft_schema_write_problems(schema, suite, &result, &text);
        CHECK_EQ(text.length == 0, result.valid);
        for (uint32_t i = 0; i < result.problem_count; i++) {
            weft_schema_write_keyword(schema, &result, &result.problems[i], &text);
            weft_schema_write_address(schema, &result.problems[i], &text);
        }
        weft_buffer_fini(&text);
    }
    weft_schema_result_fini(&result);
}

// Those that the suite's texts hold; of a host, all.
#define LETTERS                                                                                    \
    "{\"Letter\":[65,90,97,122,192,214,216,246,248,591,880,883,890,893,902,902,904,1023,1024,"     \
    "1153],\"digit\":[48,57,1632,1641,2534,2543]}"

static void run_group(const weft_json_tape *suite, uint32_t group, int draft, tally *all,
                      const char *file) {
    static char text[1 << 19];
    const weft_json_token *source = &suite->tokens[weft_json_member(suite, group, "schema")];
    weft_schema *schema;
    weft_schema_error error = {.where = NULL};
    size_t size = (size_t)sprintf(text,
                                  "{\"draft\":%d,\"formats\":{\"ipv4\":\"^\\\\d+(\\\\.\\\\d+){3}$"
                                  "\"},\"remotes\":{%s},\"letters\":" LETTERS ",\"schema\":%.*s}",
                                  draft, remotes, (int)source->length,
                                  (const char *)suite->text + source->offset);
    weft_status status = weft_schema_compile(
        test_memory(), text, size, &(weft_schema_source){.seed = 9, .wrapped = 1}, &schema, &error);
    uint32_t tests = weft_json_member(suite, group, "tests");
    if (status != WEFT_OK) {
        all->refused++;
        printf("  refused: %s: ", file);
        print_text(suite, weft_json_member(suite, group, "description"));
        printf(": %s\n", error.reason);
        return;
    }
    for (uint32_t at = weft_json_first(suite, tests); at != weft_json_end(suite, tests);
         at = weft_json_next(suite, at)) {
        run_test(schema, suite, group, at, all);
    }
    weft_schema_free(schema);
}

static void run_file(const char *folder, const char *name, int draft, tally *all) {
    static char text[1 << 20];
    char path[2048];
    weft_json_tape suite;
    weft_json_limits limits = weft_json_import_limits(1);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    size_t size = read_file(path, text, 0, sizeof(text));
    weft_json_init(&suite, test_memory());
    REQUIRE_EQ(weft_json_read(&suite, text, size, &limits, NULL), WEFT_OK);
    for (uint32_t group = 1; group != weft_json_end(&suite, 0);
         group = weft_json_next(&suite, group)) {
        if (is_left_out(name) && strstr(folder, "/optional") != NULL) {
            all->left_out += weft_json_count(&suite, weft_json_member(&suite, group, "tests"));
        } else {
            run_group(&suite, group, draft, all, name);
        }
    }
    all->files++;
    weft_json_fini(&suite);
}

static void run_draft(const char *name, int draft, const tally *expected) {
    char folder[1200], others[1200];
    struct dirent **entries = NULL;
    tally all = {0};
    snprintf(folder, sizeof(folder), "%s/%s", suite_folder(), name);
    snprintf(others, sizeof(others), "%s/remotes", suite_folder());
    int count = scandir(folder, &entries, is_json, alphasort);
    if (count <= 0) {
        printf("SKIPPED: %s: no files in %s (WEFT_TEST_DATA names the folder above)\n", name,
               folder);
        return;
    }
    if (remotes_size == 0) {
        add_remotes(others, "http://localhost:1234");
        add_metaschemas();
    }
    for (int i = 0; i < count; i++) {
        run_file(folder, entries[i]->d_name, draft, &all);
        free(entries[i]);
    }
    free(entries);
    printf("  %s: %zu files, %zu tests, %zu wrong, %zu groups refused, %zu tests for the host, %zu "
           "left out\n",
           name, all.files, all.tests, all.wrong, all.refused, all.asked, all.left_out);
    CHECK_EQ(all.wrong, 0);
    CHECK_EQ(all.refused, 0);
    CHECK_EQ(all.files, expected->files);
    CHECK_EQ(all.tests, expected->tests);
    CHECK_EQ(all.asked, expected->asked);
    CHECK_EQ(all.left_out, expected->left_out);
}

TEST(draft_7) {
    run_draft("draft7", 7, &(tally){.files = 37, .tests = 927});
}

TEST(draft_2019_09) {
    run_draft("draft2019-09", 2019, &(tally){.files = 46, .tests = 1259});
}

TEST(draft_2020_12) {
    run_draft("draft2020-12", 2020, &(tally){.files = 46, .tests = 1299});
}

TEST(optional_7) {
    run_draft("draft7/optional", 7, &(tally){.files = 8, .tests = 108, .left_out = 10});
}

TEST(optional_2019_09) {
    run_draft("draft2019-09/optional", 2019, &(tally){.files = 11, .tests = 158});
}

TEST(optional_2020_12) {
    run_draft("draft2020-12/optional", 2020, &(tally){.files = 13, .tests = 162});
}
