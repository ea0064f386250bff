/* The first bytes of a file, compared. */
#include "os/file_kind.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_begins(const char *path, const char *begin)
{
    char first[32];
    size_t length = strlen(begin);
    struct stat status;
    assert(length <= sizeof first);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0)
        return false;
    bool begins = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                  read(descriptor, first, length) == (ssize_t)length;
    for (size_t i = 0; begins && i < length; i++)
        begins = begin[i] == '?' || begin[i] == first[i];
    close(descriptor);
    return begins;
}
