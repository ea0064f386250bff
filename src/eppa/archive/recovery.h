/* The work of eppa-recover.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_RECOVERY_H
#define EPPA_ARCHIVE_RECOVERY_H

#include <stdbool.h>

/* Make the archive NAME.otf2 of the records in the directory NAME.eppa. If it watches, it waits until the run has
 * ended, and does nothing if the run has made the archive itself. 0, or -1 with the reason in `message`. */
int recovery_run(const char *name, bool watches, char *message, int n_message);

#endif
