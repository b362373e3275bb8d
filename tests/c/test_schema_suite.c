// SPDX-License-Identifier: MIT
// The official JSON Schema test suite, drafts 7, 2019-09 and 2020-12: every group whose schema compiles must give the
// suite's verdict on every test. Groups that do not compile (references to other documents, keywords that are not
// supported) are printed by name and their number is pinned, so that none can be lost in silence.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "test.h"

#include "schema/schema.h"

typedef struct tally {
    size_t files, tests, wrong, refused, asked;
} tally;

static const char *suite_folder(void) {
    const char *data = getenv("WEFT_TEST_DATA");
    static char folder[1024];
    snprintf(folder, sizeof(folder), "%s/json-schema-test-suite", data != NULL ? data : "../shared/data");
    return folder;
}

static int is_json(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static void print_text(const weft_json_tape *suite, uint32_t value) {
    printf("%.*s", (int)suite->tokens[value].length, (const char *)suite->text + suite->tokens[value].offset);
}

static void run_test(const weft_schema *schema, const weft_json_tape *suite, uint32_t group, uint32_t test, tally *all) {
    weft_schema_result result;
    weft_schema_result_init(&result, test_memory());
    weft_status status = weft_schema_validate(schema, suite, weft_json_member(suite, test, "data"), NULL, &result);
    int expected = weft_json_kind_of(suite, weft_json_member(suite, test, "valid")) == WEFT_JSON_TRUE;
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
        CHECK_EQ(result.problem_count == 0, result.valid);
        weft_buffer text;
        weft_buffer_init(&text, test_memory());
        weft_schema_write_problems(schema, suite, &result, &text);
        CHECK_EQ(text.length == 0, result.valid);
        weft_buffer_fini(&text);
    }
    weft_schema_result_fini(&result);
}

static void run_group(const weft_json_tape *suite, uint32_t group, const char *preamble, tally *all, const char *file) {
    static char text[1 << 18];
    const weft_json_token *source = &suite->tokens[weft_json_member(suite, group, "schema")];
    weft_schema *schema;
    weft_schema_error error;
    // The suite leaves $schema out of drafts before 2019-09.
    size_t size = 0;
    if (source->kind == WEFT_JSON_OBJECT && preamble[0] != '\0' && weft_json_member(suite, weft_json_member(suite, group, "schema"), "$schema") == 0) {
        size = (size_t)sprintf(text, "{%s%s", preamble, weft_json_count(suite, weft_json_member(suite, group, "schema")) > 0 ? "," : "");
        memcpy(text + size, suite->text + source->offset + 1, source->length - 1);
        size += source->length - 1;
    } else {
        memcpy(text, suite->text + source->offset, source->length);
        size = source->length;
    }
    weft_status status = weft_schema_compile(test_memory(), text, size, 9, &schema, &error);
    uint32_t tests = weft_json_member(suite, group, "tests");
    if (status != WEFT_OK) {
        all->refused++;
        printf("  refused: %s: ", file);
        print_text(suite, weft_json_member(suite, group, "description"));
        printf(": %s\n", error.reason);
        CHECK_EQ(status, WEFT_ERR_SCHEMA);
        return;
    }
    for (uint32_t at = weft_json_first(suite, tests); at != weft_json_end(suite, tests); at = weft_json_next(suite, at)) {
        run_test(schema, suite, group, at, all);
    }
    weft_schema_free(schema);
}

static void run_file(const char *folder, const char *name, const char *preamble, tally *all) {
    static uint8_t text[1 << 20];
    char path[2048];
    weft_json_tape suite;
    weft_json_limits limits = weft_json_import_limits(1);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t size = fread(text, 1, sizeof(text), file);
    fclose(file);
    weft_json_init(&suite, test_memory());
    REQUIRE_EQ(weft_json_read(&suite, text, size, &limits, NULL), WEFT_OK);
    for (uint32_t group = 1; group != weft_json_end(&suite, 0); group = weft_json_next(&suite, group)) {
        run_group(&suite, group, preamble, all, name);
    }
    all->files++;
    weft_json_fini(&suite);
}

static void run_draft(const char *draft, const char *preamble, const tally *expected) {
    char folder[1200];
    struct dirent **entries = NULL;
    tally all = {0};
    snprintf(folder, sizeof(folder), "%s/%s", suite_folder(), draft);
    int count = scandir(folder, &entries, is_json, alphasort);
    if (count <= 0) {
        printf("skip %s: no files in %s (WEFT_TEST_DATA names the folder above)\n", draft, folder);
        return;
    }
    for (int i = 0; i < count; i++) {
        run_file(folder, entries[i]->d_name, preamble, &all);
        free(entries[i]);
    }
    free(entries);
    printf("  %s: %zu files, %zu tests, %zu wrong, %zu groups refused, %zu tests for the host\n", draft, all.files, all.tests,
           all.wrong, all.refused, all.asked);
    CHECK_EQ(all.wrong, 0);
    CHECK_EQ(all.files, expected->files);
    CHECK_EQ(all.tests, expected->tests);
    CHECK_EQ(all.refused, expected->refused);
    CHECK_EQ(all.asked, expected->asked);
}

TEST(draft_7) {
    run_draft("draft7", "\"$schema\":\"http://json-schema.org/draft-07/schema#\"", &(tally){.files = 37, .tests = 889, .refused = 18});
}

TEST(draft_2019_09) { run_draft("draft2019-09", "", &(tally){.files = 46, .tests = 1168, .refused = 36}); }

TEST(draft_2020_12) { run_draft("draft2020-12", "", &(tally){.files = 46, .tests = 1200, .refused = 47, .asked = 5}); }
