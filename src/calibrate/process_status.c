/* Reads VmHWM, VmRSS and the like from /proc/PID/status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/process_status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int64_t parse_kb(const char *text)
{
    char *end;
    errno = 0;
    long long kb = strtoll(text, &end, 10);
    if (end == text || errno != 0 || kb < 0 || kb > INT64_MAX / 1024)
        return -1;
    end += strspn(end, " \t");
    return strncmp(end, "kB", 2) == 0 && (end[2] == '\n' || end[2] == '\0') ? (int64_t)kb * 1024 : -1;
}

int64_t process_status_bytes(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            return parse_kb(line + length + 1);
        line += strcspn(line, "\n");
    }
    return -1;
}
