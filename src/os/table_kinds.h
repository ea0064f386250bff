/* Files of measurements, told by their first bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_TABLE_KINDS_H
#define OS_TABLE_KINDS_H

#include "os/kind_head.h"

/* A text, JSON or an archive of Extra-P. */
bool kind_is_extrap(const struct file_head *head);
bool kind_is_extrap_json(const struct file_head *head);
bool kind_is_experiment(const struct file_head *head);
/* A table: CSV, without and with a byte order mark, and JSON. */
bool kind_is_table(const struct file_head *head);
bool kind_is_marked_table(const struct file_head *head);
bool kind_is_json_table(const struct file_head *head);

#endif
