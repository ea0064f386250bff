/* eppa-recover NAME.eppa: make the archive NAME.otf2 of what a run recorded that did not come to its end. With --watch,
 * as libeppa starts it, it waits for the run to end, and does so if the run has not made the archive itself. */
#include "eppa/archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] = "usage: eppa-recover NAME.eppa\n"
                            "Makes NAME.otf2 of the records of a traced run that was killed.\n";

/* What every rank keeps open while it runs; -1 if it is gone. */
static int open_lock(const char *directory)
{
    char path[SPOOL_MAX_PATH];
    snprintf(path, sizeof path, "%s/lock", directory);
    return open(path, O_RDWR | O_CLOEXEC);
}

static bool is_in_use(const char *directory)
{
    int lock = open_lock(directory);
    return lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0;
}

/* Wait until no rank is left; false if there is nothing to be done. */
static bool wait_for_end(const char *directory, struct ends *ends)
{
    struct stat status;
    int lock = open_lock(directory);
    ends_open(ends, directory, 0);
    ends_wait(ends);
    return lock >= 0 && flock(lock, LOCK_EX) == 0 && fstat(lock, &status) == 0 && status.st_nlink != 0;
}

int main(int argc, char **argv)
{
    char message[SPOOL_MAX_PATH + 256] = "", directory[SPOOL_MAX_PATH - 64];
    bool watches = argc == 3 && strcmp(argv[1], "--watch") == 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!watches && (argc != 2 || argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    const char *name = argv[argc - 1];
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    if (snprintf(directory, sizeof directory, "%.*s", (int)length, name) >= (int)sizeof directory) {
        fputs("eppa-recover: the name is too long\n", stderr);
        return 2;
    }
    if (!watches && is_in_use(directory)) {
        fprintf(stderr, "eppa-recover: %s: the run has not ended\n", directory);
        return 2;
    }
    struct ends ends = {0};
    if (watches && !wait_for_end(directory, &ends)) {
        ends_close(&ends);
        return 0;
    }
    int status = archive_recover(directory, ends.n_ranks > 0 ? &ends : NULL, message, sizeof message);
    ends_close(&ends);
    if (message[0] != '\0')
        fprintf(stderr, "eppa-recover: %s\n", message);
    return status == 0 && message[0] == '\0' ? 0 : 2;
}
