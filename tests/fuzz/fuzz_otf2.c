/* Fuzzing of the OTF2 reader: anchor, global definitions and, of each location, definitions and events. */
#include "fuzzing.h"

#include "base/memory.h"
#include "simrun/analyse.h"
#include "trace/otf2_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The trial is a process of its own, for definitions that the library does not survive (otf2_trial.c). Here it is none. */
int otf_input_try(const char *file, struct sim_error *error)
{
    (void)file, (void)error;
    return 0;
}

/* The anchor file: 12 bytes of kind and version, of which the second says that what follows is little-endian; chunk sizes of
 * events and definitions; file system, compression; numbers of locations and of definitions; machine, creator and
 * description; number of properties. The library crashes over numbers that are far out, or takes minutes: they are made
 * small here. */
enum { ANCHOR_ENDIANNESS = 1, ANCHOR_CHUNKS = 12, ANCHOR_COUNTS = 30, ANCHOR_TEXTS = 46, N_ANCHOR_TEXTS = 3 };

static void write_anchor(const uint8_t *data, size_t size)
{
    static const uint8_t chunks[16] = {[2] = 4, [10] = 4}; /* the least, 256 KiB */
    char *copy = fuzz_text(data, size);
    uint8_t *anchor = (uint8_t *)copy;
    size_t at = ANCHOR_TEXTS;
    if (size > ANCHOR_TEXTS) {
        memcpy(anchor + ANCHOR_CHUNKS, chunks, sizeof chunks);
        anchor[ANCHOR_ENDIANNESS] = 'B';
        memset(anchor + ANCHOR_COUNTS + 2, 0, 6);
        memset(anchor + ANCHOR_COUNTS + 10, 0, 6);
    }
    for (int i = 0; i < N_ANCHOR_TEXTS && at < size; i++)
        at += strlen(copy + at) + 1;
    for (size_t i = at + 1; i < at + 4 && i < size; i++)
        anchor[i] = 0;
    fuzz_write("trace.otf2", anchor, size);
    free(copy);
}

static void write_archive(const uint8_t *data, size_t size)
{
    static struct fuzz_parts parts;
    int n_before = parts.count;
    fuzz_split(&parts, data, size);
    write_anchor(parts.items[0].data, parts.items[0].size);
    for (int i = 1; i < parts.count || i < n_before; i++) {
        char name[40] = "trace.def";
        if (i > 1)
            snprintf(name, sizeof name, "trace/%d.%s", (i - 2) / 2, i % 2 == 0 ? "def" : "evt");
        fuzz_write(name, parts.items[i].data, parts.items[i].size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *archive;
    struct sim_error error;
    fuzz_check_quiet();
    if (archive == NULL) {
        char *inner = fuzz_path("trace");
        fuzz_check(mkdir(inner, 0700) == 0);
        free(inner);
        archive = fuzz_path("trace.otf2");
    }
    write_archive(data, size);
    const struct options options = {
        .format = report_specs[size % 3], .output = "/dev/null", .sequential_ps = -1, .at_ps = -1, .jobs = 1};
    fuzz_has_read(analyse_file(archive, &options, &error), &error);
    fuzz_check_quiet();
    return 0;
}
