/* Reads the sizes that Linux gives of a process in /proc/PID/status.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_PROCESS_STATUS_H
#define CALIBRATE_PROCESS_STATUS_H

#include <stdint.h>

/* The size that a line of the text gives, such as VmHWM in "VmHWM:     9976 kB", in bytes; -1 if the text has no such
 * line, or none with a size in kB. */
int64_t process_status_bytes(const char *text, const char *name);

#endif
