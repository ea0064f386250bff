/* A number for a machine and a namespace of it, from the boot's identity.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t machine_identity(const char *namespace)
{
    char text[64] = "", path[64];
    struct stat status;
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0)
        gethostname(text, sizeof text - 1);
    if (file >= 0)
        close(file);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    snprintf(path, sizeof path, "/proc/self/ns/%s", namespace);
    return stat(path, &status) == 0 ? hash ^ (uint64_t)status.st_ino * UINT64_C(0x9E3779B97F4A7C15) : hash;
}
