/* Checks, folders and children that all fuzz targets use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_check(bool holds)
{
    if (!holds)
        abort();
}

void fuzz_check_error(const struct sim_error *error)
{
    char printable[sizeof error->message + 1];
    fuzz_check(error->status == SIM_BAD_INPUT || error->status == SIM_UNFINISHED);
    fuzz_check(error->message[0] != '\0');
    utf8_copy(printable, sizeof printable, error->message);
    fuzz_check(strcmp(printable, error->message) == 0);
}

bool fuzz_has_read(int status, const struct sim_error *error)
{
    if (status != 0)
        fuzz_check_error(error);
    return status == 0;
}

/* libFuzzer (with -close_fd_mask=3) and replay.c write to another descriptor then. */
void fuzz_check_quiet(void)
{
    static int watched = -1;
    if (watched < 0) {
        watched = memfd_create("printed", MFD_CLOEXEC);
        fuzz_check(watched >= 0 && dup2(watched, STDOUT_FILENO) >= 0 && dup2(watched, STDERR_FILENO) >= 0);
    }
    fflush(stdout);
    fuzz_check(lseek(watched, 0, SEEK_CUR) == 0);
}

static void let_crash(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGXFSZ, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    __sanitizer_set_death_callback(NULL);
    __sanitizer_set_report_fd((void *)(intptr_t)open("/dev/null", O_WRONLY | O_CLOEXEC));
}

void fuzz_let_children_crash(void)
{
    static bool done;
    if (!done)
        fuzz_check(pthread_atfork(NULL, NULL, let_crash) == 0);
    done = true;
}

/* ---- Files ---- */

/* The folder is removed by whoever has made the one that it is in (tools/fuzz, replay.sh): crashes leave it behind. */
static const char *folder(void)
{
    static char name[256];
    const char *parent = getenv("FUZZ_FOLDER");
    if (name[0] == '\0') {
        snprintf(name, sizeof name, "%s/simrun-fuzz-XXXXXX", parent != NULL ? parent : P_tmpdir);
        fuzz_check(mkdtemp(name) != NULL);
    }
    return name;
}

char *fuzz_path(const char *name)
{
    return xformat("%s/%s", folder(), name);
}

void fuzz_write(const char *name, const uint8_t *data, size_t size)
{
    char *path = fuzz_path(name);
    if (data == NULL) {
        unlink(path);
    } else {
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        fuzz_check(file >= 0 && write(file, data, size) == (ssize_t)size);
        close(file);
    }
    free(path);
}

size_t fuzz_read(const char *path, uint8_t *data, size_t most)
{
    FILE *stream = fopen(path, "rb");
    fuzz_check(stream != NULL);
    size_t size = fread(data, 1, most, stream);
    fuzz_check(size < most);
    fclose(stream);
    return size;
}

/* ---- Inputs ---- */

void fuzz_split(struct fuzz_parts *parts, const uint8_t *data, size_t size)
{
    const size_t length = strlen(FUZZ_SEPARATOR);
    const uint8_t *end = data + size;
    *parts = (struct fuzz_parts){.count = 0};
    for (;;) {
        const uint8_t *cut = memmem(data, (size_t)(end - data), FUZZ_SEPARATOR, length);
        if (cut == NULL || parts->count == FUZZ_MAX_PARTS - 1)
            cut = end;
        parts->items[parts->count].data = data;
        parts->items[parts->count++].size = (size_t)(cut - data);
        if (cut == end)
            return;
        data = cut + length;
    }
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}
