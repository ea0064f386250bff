/* Starts a program of the other MPI anew, without this library. With it both MPIs would be in the process, and which of
 * them a name stands for would depend on the order of loading: nothing good can come of it. So this is done before any
 * of the program runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/launcher.h"
#include "eppa/record/recorder.h"
#include "eppa/wrap/abi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Take the paths of a file out of a list that spaces and colons part; false if there is none. */
static bool take_out(char *list, const char *file)
{
    bool is_there = false;
    char *out = list;
    for (char *path = list; *path != '\0';) {
        size_t n = strcspn(path, ": "), length = strlen(file);
        bool is_it = n >= length && memcmp(path + n - length, file, length) == 0;
        is_there |= is_it;
        if (!is_it) {
            memmove(out, path, n);
            out += n;
            *out++ = ':';
        }
        path += n + (path[n] != '\0');
    }
    *out = '\0';
    return is_there;
}

static const char *own_name(void)
{
    Dl_info info;
    if (dladdr(&recorder, &info) == 0 || info.dli_fname == NULL)
        return "libeppa";
    const char *slash = strrchr(info.dli_fname, '/');
    return slash == NULL ? info.dli_fname : slash + 1;
}

__attribute__((constructor)) static void refuse_other(int argc, char **argv)
{
    (void)argc;
    const char *preload = secure_getenv("LD_PRELOAD");
    if (dlsym(RTLD_DEFAULT, ABI_OTHER_SYMBOL) == NULL)
        return;
    if (launcher_is_first())
        eppa_say("this is the library for " ABI_NAME ", and the program uses " ABI_OTHER_NAME
                 ": preload " ABI_OTHER_LIBRARY "; nothing is recorded");
    char *rest = preload == NULL ? NULL : strdup(preload);
    if (rest == NULL || !take_out(rest, own_name()))
        return;
    setenv("LD_PRELOAD", rest, 1);
    execv("/proc/self/exe", argv);
}
