/* Fuzzing of what eppa-recover makes of a spool: of any files there is an archive, or an error of one line, and the
 * records are kept.
 *
 * An input is a list of files, each of them a byte for the kind of its name and one for its rank, its length in two
 * bytes, and what is in it; seeds are tests/data/fuzz/spool.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "eppa/archive/files.h"
#include "eppa/archive/open.h"
#include "eppa/archive/recovery.h"
#include "eppa/archive/spool.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Parts of file names before and after the rank. */
static const struct {
    const char *before, *after;
} kinds[] = {
    {"", ".defs"},       {"", ".events"}, {"", ".done"}, {"archive/trace/", ".evt"}, {"archive/trace.otf2", NULL},
    {"former/", ".evt"}, {"lock", NULL},  {"", ".txt"},  {"former.otf2", NULL}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], HEAD = 4 };

static char *work, *spool, *archive; /* a folder, and in it */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

static void empty(void)
{
    nftw(work, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void name_once(void)
{
    if (work != NULL)
        return;
    work = fuzz_path("spool");
    spool = fuzz_path("spool/x.eppa");
    archive = fuzz_path("spool/x.otf2");
    fuzz_check(mkdir(work, 0700) == 0);
}

static void write_file(const char *name, const uint8_t *data, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL)
        return;
    fuzz_check(fwrite(data, 1, length, file) == length);
    fclose(file);
}

/* The folders before a name; they may be there already. */
static void make_folders(const char *before)
{
    static const char *const folders[] = {"archive/", "archive/trace/", "former/"};
    char path[128];
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", spool, folders[i]);
        if (strncmp(before, folders[i], strlen(folders[i])) == 0)
            fuzz_check(mkdir(path, 0700) == 0 || access(path, F_OK) == 0);
    }
}

static void write_spool(const uint8_t *data, size_t size)
{
    fuzz_check(mkdir(spool, 0700) == 0);
    while (size >= HEAD) {
        char name[128], rank[8] = "";
        size_t length = (size_t)data[2] | (size_t)data[3] << 8;
        length = length < size - HEAD ? length : size - HEAD;
        const char *before = kinds[data[0] % N_KINDS].before, *after = kinds[data[0] % N_KINDS].after;
        if (after != NULL)
            snprintf(rank, sizeof rank, "%d", data[1]);
        snprintf(name, sizeof name, "%s/%s%s%s", spool, before, rank, after == NULL ? "" : after);
        make_folders(before);
        write_file(name, data + HEAD, length);
        data += HEAD + length;
        size -= HEAD + length;
    }
}

static bool has_records(void)
{
    int folder = open_folder(AT_FDCWD, spool);
    bool has = folder >= 0 && spool_has_events(folder);
    close(folder);
    return has;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[SPOOL_MAX_PATH];
    name_once();
    write_spool(data, size);
    bool had_records = has_records();
    int status = recovery_run(spool, false, message, sizeof message);
    fuzz_check((message[0] == '\0') == (status == 0) && strchr(message, '\n') == NULL);
    fuzz_check((access(archive, F_OK) == 0) == (status == 0));
    fuzz_check(has_records() == (status != 0 && had_records));
    empty();
    return 0;
}
