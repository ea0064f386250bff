/* Shared by the tests of ranks that have several locations: messages as events, the records of all locations,
 * and archives that scripts ask for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LOCATIONS_H
#define LOCATIONS_H

#include "tests/testing.h"
#include "tests/trace/otf2/otf2_fixture.h"
#include "trace/formats.h"
#include "trace/record/pairs.h"

#define MS *UINT64_C(1000000000)

/* A message of `tag`. */
#define SENDS(location, begin, end, peer, tag)                                                                         \
    {location, S_ENTER, begin, SEND}, {location, S_SEND, begin, peer, 0, tag, 8},                                      \
    {                                                                                                                  \
        location, S_LEAVE, end, SEND                                                                                   \
    }
#define RECEIVES(location, begin, end, peer, tag)                                                                      \
    {location, S_ENTER, begin, RECV}, {location, S_RECV, end, peer, 0, tag, 8},                                        \
    {                                                                                                                  \
        location, S_LEAVE, end, RECV                                                                                   \
    }

static inline void open_script(struct record_reader *reader, struct script script)
{
    struct sim_error error;
    script.regions = regions;
    script.n_regions = COUNT(regions);
    new_folder();
    script_write(&script, folder);
    int status = record_open(reader, anchor, &error);
    if (status < 0)
        fprintf(stderr, "\n%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
}

/* Check the records of all locations: those of thread k of rank r are number k n_ranks + r. No message is left over. */
static inline void check(const char *name, struct script script, int n_expected, const char *const *expected)
{
    struct record_reader reader;
    struct pairs_lone lone;
    struct sim_error error;
    int64_t n_records;
    open_script(&reader, script);
    CU_ASSERT_EQUAL_FATAL(record_locations(&reader.info), n_expected);
    for (int location = 0; location < n_expected; location++) {
        char *found = records_of(&reader, location);
        expect_text(name, location, found, expected[location]);
        free(found);
    }
    CU_ASSERT_EQUAL(pairs_check(&lone, &n_records, &reader, &error), 0);
    CU_ASSERT_EQUAL(lone.n_sends + lone.n_receives, 0);
    record_close(&reader);
    remove_tree(folder);
}
#define CHECK(name, script, ...)                                                                                       \
    check(name, script, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),                            \
          (const char *const[]){__VA_ARGS__})

struct archive {
    const char *name;
    struct script script;
};

/* PROGRAM ARCHIVE FOLDER: writes the archive there. True if that is what the arguments say; *status is the
 * program's. */
static inline bool write_archive(int *status, const struct archive *archives, int n_archives)
{
    const char *name = testing_arguments[0], *into = testing_arguments[1];
    if (name == NULL || into == NULL)
        return false;
    *status = 1;
    for (int i = 0; i < n_archives; i++)
        if (strcmp(archives[i].name, name) == 0) {
            struct script script = archives[i].script;
            script.regions = regions;
            script.n_regions = COUNT(regions);
            script_write(&script, into);
            *status = 0;
        }
    return true;
}

#endif
