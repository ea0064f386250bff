/* Fuzzing of what eppa-recover makes of a spool: of any files there is an archive, or an error of one line, and the records
 * are kept.
 *
 * Built with clang -fsanitize=fuzzer,address,undefined. An input is a list of files, each of them a byte for the kind of
 * its name and one for its rank, its length in two bytes, and what is in it; seeds are tests/data/fuzz/spool. */
#include "eppa/files.h"
#include "eppa/open.h"
#include "eppa/recovery.h"
#include "eppa/spool.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of names: what is before the rank and after it. */
static const struct {
    const char *before, *after;
} kinds[] = {
    {"", ".defs"},       {"", ".events"}, {"", ".done"}, {"archive/trace/", ".evt"}, {"archive/trace.otf2", NULL},
    {"former/", ".evt"}, {"lock", NULL},  {"", ".txt"},  {"former.otf2", NULL}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], HEAD = 4 };
static char work[] = "/dev/shm/fuzz-spool-XXXXXX";

/* Unlike an assert, it is there in every build. */
static void check(bool holds)
{
    if (!holds)
        abort();
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

static void empty(void)
{
    nftw(work, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void remove_all(void)
{
    empty();
    rmdir(work);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    check(mkdtemp(work) != NULL && chdir(work) == 0);
    atexit(remove_all);
    return 0;
}

static void write_file(const char *name, const uint8_t *data, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL)
        return;
    check(fwrite(data, 1, length, file) == length);
    fclose(file);
}

/* They may be there already. */
static void make_folders(const char *before)
{
    static const struct {
        const char *before, *folder;
    } folders[] = {{"archive", "x.eppa/archive"}, {"archive/", "x.eppa/archive/trace"}, {"former/", "x.eppa/former"}};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strncmp(before, folders[i].before, strlen(folders[i].before)) == 0)
            check(mkdir(folders[i].folder, 0700) == 0 || access(folders[i].folder, F_OK) == 0);
}

static void write_spool(const uint8_t *data, size_t size)
{
    check(mkdir("x.eppa", 0700) == 0);
    while (size >= HEAD) {
        char name[64], rank[8] = "";
        size_t length = (size_t)data[2] | (size_t)data[3] << 8;
        length = length < size - HEAD ? length : size - HEAD;
        const char *before = kinds[data[0] % N_KINDS].before, *after = kinds[data[0] % N_KINDS].after;
        if (after != NULL)
            snprintf(rank, sizeof rank, "%d", data[1]);
        snprintf(name, sizeof name, "x.eppa/%s%s%s", before, rank, after == NULL ? "" : after);
        make_folders(before);
        write_file(name, data + HEAD, length);
        data += HEAD + length;
        size -= HEAD + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[SPOOL_MAX_PATH];
    write_spool(data, size);
    int folder = open_folder(AT_FDCWD, "x.eppa");
    bool had_records = spool_has_events(folder);
    close(folder);
    if (recovery_run("x.eppa", false, message, sizeof message) == 0) {
        check(message[0] == '\0' && access("x.otf2", F_OK) == 0 && access("x.eppa/0.events", F_OK) != 0);
    } else {
        check(message[0] != '\0' && strchr(message, '\n') == NULL && access("x.otf2", F_OK) != 0);
        folder = open_folder(AT_FDCWD, "x.eppa");
        check(spool_has_events(folder) == had_records);
        close(folder);
    }
    empty();
    return 0;
}
